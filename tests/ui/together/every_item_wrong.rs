//! The compiler must report the mistakes in all items in one compilation.

use ndarray::{Array6, ArrayView5};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array6::<f32>::zeros((1, 2, 3, 4, 5, 6));
    let x = 1.5;
    let _: ArrayView5<f32> = a.at(s![1.5, ..., ::0, 1..3, NewAxis, x, ..., x++:, 0:1:2:3]);
}
