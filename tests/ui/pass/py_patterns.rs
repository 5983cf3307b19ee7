//! Checks that patterns in `py!` can destructure and bind slices.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// The names are short, as in Python.
#![allow(clippy::many_single_char_names)]

use ndarray::{Array2, ArrayView1, array};
use slice_core::py;

fn first_row(x: &Array2<i32>) -> ArrayView1<'_, i32> {
    py!(x[0, ...])
}

pub fn main() {
    let x = array![[1, 2], [3, 4], [5, 6]];
    py! {
        let [first, .., last] = [x[0, ...], x[1, ...], x[2, ...]];
        let [a, b, _] = x[::-1];
        let (c, d) = (x[1:], &x[:, 0]);
        let Some(e) = x[0, ...].first().copied() else {
            return;
        };
        assert_eq!((first, last, e), (first_row(&x), a, 1));
        assert_eq!((b.len(), c.len(), d.len()), (2, 4, 3));
    }
}
