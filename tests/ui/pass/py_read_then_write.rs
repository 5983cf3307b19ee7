//! Checks that an array can be assigned to after `py!` has borrowed it in earlier statements.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let mut x = array![1, 2, 3];
    let first = py!(x[:1].sum());
    py!(x[1:] = first);
    let both = py!(x[1:] + x[:-1]);
    py!(x[:2] = both);
    assert_eq!(x, array![2, 2, 1]);
}
