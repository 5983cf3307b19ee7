use slice_core::nonzero;

fn main() {
    let _ = nonzero(&[true, false, true])[0];
}
