//! The compiler must report an index of an array with a generic dimension.

use ndarray::{Array, Dimension};
use slice_core::py;

fn doubled<D: Dimension>(x: &Array<f64, D>) {
    let _ = py!(x[0] * 2.0);
}

fn main() {
    doubled(&ndarray::arr1(&[1.0]));
}
