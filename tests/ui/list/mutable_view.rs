use ndarray::array;
use slice_core::{StridedSliceExt, s};

fn main() {
    let mut a = array![1, 2, 3];
    a.at_mut(s![[0, 2]]).fill(0);
}
