use ndarray::Array1;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array1::<f32>::zeros(3);
    a.at_mut(s![1:]).fill(0.0);
}
