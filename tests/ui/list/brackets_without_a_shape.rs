use ndarray::array;
use slice_core::{Brackets, StridedSliceExt};

fn main() {
    let a = array![1, 2, 3];
    let brackets: Brackets = "[0, 2]".parse().unwrap();
    let _ = a.gather(&brackets);
}
