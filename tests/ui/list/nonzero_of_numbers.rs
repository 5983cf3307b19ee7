use slice_core::nonzero;

fn main() {
    let _ = nonzero(&[3, 0, 1]);
}
