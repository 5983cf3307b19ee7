//! Checks that temporaries live until the end of the statement. If a `let` statement borrows them, they must live as
//! long as the variable that it declares.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, ArrayView1, array};
use slice_core::py;

static X: std::sync::LazyLock<Array1<i32>> = std::sync::LazyLock::new(|| array![1, 2]);

pub fn main() {
    let load = || array![1, 2, 3];
    let total = py!(load()[1:].sum() + (load()[:1] + load()[2:]).sum());
    assert_eq!(total, 9);
    let view: &ArrayView1<'_, i32> = py!(&X[1:]);
    assert_eq!(view.len(), 1);
}
