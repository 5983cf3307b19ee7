use ndarray::Array3;
use slice_core::{StridedSliceMove, s};

fn main() {
    let a = Array3::<f32>::zeros((4, 5, 6));
    let _ = a.at_move(s![&[0, 2], 0]);
}
