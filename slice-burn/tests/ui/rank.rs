//! Slices that do not fit the rank of a tensor, or of its result.

use burn_tensor::Tensor;
use slice_burn::TensorSliceExt;
use slice_core::s;

fn main() {
    let x: Tensor<2> = Tensor::zeros([2, 3], &Default::default());
    let _ = x.at(s![0, 1:, 2:]);
    let _ = x.clone().set(s![0, 1, [2, 0]], x.clone());
    let _: Tensor<2> = x.at(s![0]);
    let _ = x.at(s![0, 1]);
    let _: Tensor<1> = x.at(1..2);
}
