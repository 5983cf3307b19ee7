//! The compiler must report indices of a `Vec` that only an array accepts, and indices of other types.

use slice_core::py;

fn main() {
    let (mut v, rows, i) = (vec![1.0, 2.0], vec![0, 1], 1_i64);
    let _ = py!(v[i]);
    let _ = py!(v[rows]);
    let _ = py!(v[[true, false]]);
    let _ = py!(v[v > 1.0]);
    py!(v[i] = 1.0);
    let lists = [vec![1], vec![2]];
    let _ = py!(lists[0, 0]);
    let slice = &v[1..];
    let _ = py!(slice["0"]);
}
