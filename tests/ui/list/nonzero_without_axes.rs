use ndarray::arr0;
use slice_core::nonzero;

fn main() {
    let _ = nonzero(&arr0(true));
}
