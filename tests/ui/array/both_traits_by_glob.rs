//! If ndarray's prelude and slice-core are both imported by glob, the compiler must say which `s!` to import.

use ndarray::prelude::*;
use slice_core::*;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at(s![1:]);
}
