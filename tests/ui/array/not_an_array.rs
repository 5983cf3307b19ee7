use slice_core::{StridedSliceExt, s};

fn main() {
    let a = vec![1, 2, 3];
    let _ = a.at(s![1:]);
}
