use ndarray::Array3;
use slice_core::{StridedSliceExt, s};

fn main() {
    let mut a = Array3::<f32>::zeros((4, 5, 6));
    a.at_mut(s![[0], 0]).fill(1.0);
}
