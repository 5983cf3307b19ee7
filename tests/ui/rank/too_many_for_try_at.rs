use ndarray::Array2;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let _ = a.try_at(s![0, 1, 2]);
}
