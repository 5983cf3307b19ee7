use ndarray::ArrayView1;
use slice_core::{StridedSliceMove, s};

fn main() {
    let a = ArrayView1::from(&[1, 2, 3]);
    let _ = a.at_move(s![0, 1]);
}
