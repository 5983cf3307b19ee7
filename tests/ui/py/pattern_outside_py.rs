//! Only a pattern in `py!` can destructure a slice, so the compiler must report this pattern.

use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let [a, b] = py!(x[:2]);
}
