//! The compiler must report ndarray's notation of a step, and a colon in the parentheses of a tuple.

use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1, 2], [3, 4]];
    let _ = py!(x[1..; 2]);
    let _ = py!(x[(1:, 0)]);
    let _ = py!(x[(:-1, 0)]);
}
