//! Checks that `py!` can be used in functions that are generic over the element type.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, array};
use slice_core::py;

use std::ops::Sub;

fn differences<A: Clone + Sub<Output = A>>(x: &Array1<A>) -> Array1<A> {
    py!(x[1:] - x[:-1])
}

fn fill_tail<A: Clone>(x: &mut Array1<A>, value: &A) {
    py!(x[1:] = value.clone());
}

pub fn main() {
    assert_eq!(differences(&array![1, 4, 9]), array![3, 5]);
    assert_eq!(differences(&array![1.0, 4.5]), array![3.5]);
    let mut x = array!["a".to_owned(), "b".to_owned()];
    fill_tail(&mut x, &"c".to_owned());
    assert_eq!(x, array!["a", "c"]);
}
