use ndarray::Array0;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array0::<f32>::zeros(());
    let _ = a.at(s![0]);
}
