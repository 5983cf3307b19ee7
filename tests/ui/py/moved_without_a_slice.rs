//! Without slices, a call moves its arguments as in Rust. The compiler must report that `x` is used later.

use ndarray::{Array1, array};
use slice_core::py;

fn doubled(x: Array1<f64>) -> Array1<f64> {
    x * 2.0
}

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let y = py!(doubled(x));
    let _ = py!(x[1:] + y[1:]);
}
