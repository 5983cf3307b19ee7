//! The compiler must report comparisons between elements of different types, and a mask with too many axes. It must
//! accept a mask for the first axis.

use ndarray::{Array1, array};
use slice_core::py;

fn main() {
    let (mut x, y) = (Array1::<f64>::zeros(4), array![1_i32, 2, 3, 4]);
    let _ = py!(x[1:] > 0);
    let _ = py!(x[1:] <= y[1:]);
    py! { x[x > 0] = 0.0; }
    let mask = py!(x[:] > 0.0);
    let mut table = ndarray::Array2::<f64>::zeros((4, 4));
    py! { table[&mask] = 1.0; }
    let flags = array![[[true]]]; // A mask with three axes.
    py! { table[flags] = 1.0; }
}
