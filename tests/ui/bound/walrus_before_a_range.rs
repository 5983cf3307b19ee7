use ndarray::array;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = array![1, 2, 3];
    let _ = a.at(s![n := 2:]);
}
