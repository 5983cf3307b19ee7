use ndarray::{Array2, ArrayView0, ArrayView2};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let _: ArrayView0<f32> = a.at(s![(0, 1)]);
    let _: ArrayView2<f32> = a.at(s![(1:, :)]);
    let _: ArrayView2<f32> = a.at(s![()]);
}
