use ndarray::{Array1, s};
use slice_core::StridedSliceExt;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at(s![1..]);
}
