//! The compiler must report a tuple with more numbers than the array has axes, where it is read and where it is a target.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut m = array![[1.0, 2.0], [3.0, 4.0]];
    let at = (0, 1, 1);
    let _ = py!(m[at] + 1.0);
    py!(m[at] = 1.0);
}
