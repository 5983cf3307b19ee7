use ndarray::array;
use slice_core::{StridedSliceExt, s};

fn main() {
    let mask = array![[true, false], [false, true]];
    let a = array![1, 2];
    let _ = a.gather(s![&mask]);
}
