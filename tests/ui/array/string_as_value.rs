use ndarray::Array1;
use slice_core::{StridedSliceExt, s};

fn main() {
    let mut a = Array1::<f32>::zeros(3);
    a.set(s![1:], "1, 2");
}
