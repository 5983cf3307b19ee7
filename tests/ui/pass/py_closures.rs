//! Checks that `py!` can be used in closures, and can contain closures.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, array};
use slice_core::py;

fn zeros_or_twos(n: usize) -> Array1<i32> {
    Array1::from_elem(3, if n == 0 { 0 } else { 2 })
}

pub fn main() {
    let x = array![1, 2, 3, 4];
    let tail = |from: usize| py!(x[from:].sum());
    let product_sum = |y: &Array1<i32>| py!((y[:2] * x[2:]).sum());
    let rows: Vec<i32> = py!((1..3).map(|i| zeros_or_twos(i)[:i].sum()).collect());
    assert_eq!(
        (tail(2), rows, product_sum(&array![1, 1])),
        (7, vec![2, 4], 7)
    );
    let mut y = array![0, 0, 0];
    (0..3).for_each(|i| py!(y[i, ...] = i));
    assert_eq!(y, array![0, 1, 2]);
}
