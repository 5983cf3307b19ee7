use ndarray::{Array2, ArrayView2};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let n = 3;
    let _: ArrayView2<f32> = a.at(s![1 to 3, 0 to n - 1]);
}
