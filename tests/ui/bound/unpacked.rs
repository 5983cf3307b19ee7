use ndarray::Array2;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let args = [0, 1];
    let _ = a.at(s![*args]);
    let indices = vec![0, 1];
    let _ = a.at(s![*indices, ...]);
}
