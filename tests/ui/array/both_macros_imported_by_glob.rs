//! If glob imports bring ndarray's prelude and slice-core into scope, the compiler must state which `s!` to import.

use ndarray::prelude::*;
use slice_core::*;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at(s![1:]);
}
