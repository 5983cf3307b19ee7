//! Checks that `py!` can be used in asynchronous functions, and can contain `.await`.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// `loaded` awaits nothing, but must be asynchronous so that `tail` can await it.
#![allow(clippy::unused_async)]

use ndarray::{Array1, array};
use slice_core::py;

static X: std::sync::LazyLock<Array1<i32>> = std::sync::LazyLock::new(|| array![1, 2]);

async fn loaded(x: &Array1<i32>) -> Array1<i32> {
    x.clone()
}

async fn tail(x: &Array1<i32>) -> i32 {
    py!(loaded(x).await[1:].sum() + (x[1:] * loaded(x).await).sum())
}

pub fn main() {
    let future = tail(&X);
    drop(future);
}
