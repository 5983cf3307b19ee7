use ndarray::ArrayView1;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = ArrayView1::from(&[1, 2, 3]);
    let _ = a.gather(s![0, 1]);
}
