use ndarray::Array6;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array6::<f32>::zeros((1, 2, 3, 4, 5, 6));
    let _ = a.at(s![0, 1, newaxis, 2, ..., 3, 4, 5, 6]);
}
