use ndarray::{ArrayView1, array};
use slice_core::py;

fn clear(mut x: ArrayView1<f64>) {
    py!(x[1:] += 1.0);
}

fn main() {
    clear(array![1.0].view());
}
