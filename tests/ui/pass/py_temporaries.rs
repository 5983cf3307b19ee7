//! Checks that temporaries live until the end of the statement, or, if a `let` statement borrows them, as long as its
//! variable.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, ArrayView1, array};
use slice_core::py;

static X: std::sync::LazyLock<Array1<i32>> = std::sync::LazyLock::new(|| array![1, 2]);

pub fn main() {
    let made = || array![1, 2, 3];
    let total = py!(made()[1:].sum() + (made()[:1] + made()[2:]).sum());
    assert_eq!(total, 9);
    let wide: &ArrayView1<'_, i32> = py!(&X[1:]);
    assert_eq!(wide.len(), 1);
}
