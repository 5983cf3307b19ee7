use ndarray::{Array3, ArrayView2};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array3::<f32>::zeros((4, 5, 6));
    let _: ArrayView2<f32> = a.at(s![mask && other]);
}
