//! The compiler must report the mistakes in all statements in one compilation.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![[1.0]];
    py! {
        x[0, ..., ...] = 1.0;
        x[1:2 0, :] += x[:, NewAxis];
    }
}
