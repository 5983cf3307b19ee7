//! Checks that calls to `py!` can be nested.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let x = array![1, 2, 3, 4];
    let y = py! {
        let inner = py!(x[1:] + py!(x[:-1][::1]));
        slice_core::py!(inner[::-1] * inner[...])
    };
    assert_eq!(y, array![21, 25, 21]);
}
