//! Asynchronous functions.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// The functions are asynchronous so that other functions can await them.
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
