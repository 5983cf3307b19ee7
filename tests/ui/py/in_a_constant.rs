//! The expansion of `py!` calls functions that are not `const`, so the compiler must reject `py!` in a constant.

use std::sync::LazyLock;

use ndarray::{Array1, array};
use slice_core::py;

static X: LazyLock<Array1<f64>> = LazyLock::new(|| array![1.0, 2.0]);
const TAIL: f64 = py!(X[1:].sum());

fn main() {
    println!("{TAIL}");
}
