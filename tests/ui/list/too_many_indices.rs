use ndarray::Array2;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    a.gather(s![[0, 1], 0, [1]]);
}
