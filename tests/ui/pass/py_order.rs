//! Checks that bounds and assigned values are evaluated once, from left to right, and can modify captured variables.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let mut arguments = Vec::new();
    let mut x = array![0, 1, 2, 3];
    let mut note = |n: usize| {
        arguments.push(n);
        n
    };
    py!(x[note(1):note(2) + 1] += i32::try_from(note(3)).unwrap());
    assert_eq!((arguments, x), (vec![1, 2, 3], array![0, 4, 5, 3]));
}
