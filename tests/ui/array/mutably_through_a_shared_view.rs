use ndarray::ArrayView1;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = ArrayView1::from(&[1, 2, 3]);
    a.at_mut(s![1:]).fill(0);
}
