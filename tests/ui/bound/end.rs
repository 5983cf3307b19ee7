use ndarray::{Array2, ArrayView1, ArrayView2};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let _: ArrayView2<f32> = a.at(s![1:end, :end - 1]);
    let _: ArrayView1<f32> = a.at(s![end, 1:]);
    let _: ArrayView1<f32> = a.at(s![..., end - 1]);
}
