use ndarray::{ArrayView1, array};
use slice_core::py;

fn tail<'a>() -> ArrayView1<'a, f64> {
    let x = array![1.0, 2.0];
    py!(x[1:])
}

fn main() {
    tail();
}
