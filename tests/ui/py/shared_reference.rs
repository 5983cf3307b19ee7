use ndarray::{Array1, array};
use slice_core::py;

fn clear(x: &Array1<f64>) {
    py!(x[1:] = 0.0);
}

fn main() {
    clear(&array![1.0]);
}
