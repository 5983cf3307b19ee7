//! The compiler must report values and indices of the wrong type, if an element or a row is assigned to.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut m = array![[1.0, 2.0], [3.0, 4.0]];
    let (mut v, i) = (vec![1.0, 2.0], 1_i64);
    py!(m[0, 1] += 1);
    py!(m[0] = vec![1, 2]);
    py!(v[0] += 1);
    py!(v[i] = 1.0);
}
