use ndarray::ArrayView1;
use slice_core::{StridedSliceMove, s};

fn main() {
    let a = ArrayView1::from(&[1, 2, 3]);
    let _ = a.strided_slice_move(s![0, 1]);
}
