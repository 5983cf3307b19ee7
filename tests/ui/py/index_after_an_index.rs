//! `cube[0]` is a matrix. The compiler must report the second index, because it does not select an element of the
//! matrix.

use ndarray::Array3;
use slice_core::py;

fn main() {
    let cube = Array3::<f64>::zeros((2, 2, 2));
    let _ = py!(cube[0][1]);
    let mut cube = cube;
    py! { cube[0][1] = 3.0; }
}
