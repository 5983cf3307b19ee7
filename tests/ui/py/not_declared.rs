//! The compiler must report `nothing` and `np`, which are not declared.

use ndarray::array;
use slice_core::py;

fn main() {
    let _ = py!(nothing[1:] * 2);
    let _ = py!(np.exp(array![1.0])[1:] + 1.0);
}
