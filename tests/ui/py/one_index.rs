//! The compiler must report each single index that does not select one element.

use ndarray::array;
use slice_core::py;

fn main() {
    let (x, mut m, i) = (array![1, 2, 3], array![[1, 2], [3, 4]], 1);
    let (rows, mask, n) = (vec![0, 1], array![true, false, true], 1.5);
    let _: i32 = py!(m[0]);
    let _ = py!(x[[0, 2]] * 2);
    let _ = py!(x[rows]);
    let _ = py!(x[&mask]);
    let _ = py!(x[1..]);
    let _ = py!(x[1..3] * 2.0);
    let _ = py!(2.0 - x[1..3]);
    let _ = py!(x[1..] - x[..2]);
    let _ = py!(x[n]);
    py! { m[rows] = 0; }
}
