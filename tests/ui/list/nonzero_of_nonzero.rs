use slice_core::nonzero;

fn main() {
    let at = nonzero(&[true, false]);
    let _ = nonzero(&at);
}
