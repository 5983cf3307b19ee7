use ndarray::Array2;
use slice_core::{StridedSliceExt, s};

fn main() {
    let mut a = Array2::<f32>::zeros((4, 5));
    a.at_mut(s![0, 1, 2]).fill(1.0);
}
