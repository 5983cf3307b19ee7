//! Checks that the bounds and the value of an assignment to a slice may read the sliced array.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let mut x = array![2, 1, 0, 5];
    py! {
        x[x[1]:x.len() - 1] = x[0] + i64::try_from(x.len()).unwrap();
        x[:x[0] - 4] -= x[[0]];
    }
    assert_eq!(x, array![0, 4, 6, 5]);
}
