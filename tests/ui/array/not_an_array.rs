use std::collections::VecDeque;

use slice_core::{StridedSliceExt, s};

fn main() {
    let a = VecDeque::from([1, 2, 3]);
    let _ = a.at(s![1:]);
}
