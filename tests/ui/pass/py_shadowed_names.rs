//! Checks that items and variables of the caller may have the names that the expansion of `py!` uses.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

fn place() -> u8 {
    1
}

fn value() -> u8 {
    2
}

fn at() -> u8 {
    3
}

fn slice_core() -> u8 {
    4
}

fn s() -> u8 {
    5
}

pub fn main() {
    let x = array![1, 2];
    assert_eq!(py!(x[1:] + x[:1]), array![3]);
    assert_eq!((place(), value(), at(), slice_core(), s()), (1, 2, 3, 4, 5));
    let __py_value = 7;
    let mut y = array![0, 0];
    py!(y[1:] = __py_value);
    let (__py_spec, __py_slice_0) = (1, 1);
    py!(y[__py_slice_0:] += __py_spec);
    assert_eq!(y, array![0, 8]);
}
