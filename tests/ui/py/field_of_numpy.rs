//! The compiler must report NumPy's `T` after a variable, and its other fields after a slice.

use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1, 2], [3, 4]];
    let _ = py!(x.T);
    let _ = py!(x[1:].T);
    let _ = py!(x[1:].size);
}
