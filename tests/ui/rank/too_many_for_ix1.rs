use ndarray::Array1;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array1::<f32>::zeros(4);
    let _ = a.at(s![0, 1]);
}
