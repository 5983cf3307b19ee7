//! The compiler must report the mistakes in all slices in one compilation.

use ndarray::array;
use slice_core::py;

fn main() {
    let (x, y) = (array![[1.0]], array![[2.0]]);
    let _ = py!(x[::0, 0] - y[..., 1.5:, ...] * x[1.., :]);
}
