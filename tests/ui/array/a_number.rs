use ndarray::array;
use slice_core::{StridedSliceExt, StridedSliceMove};

fn main() {
    let mut x = array![[1.0, 2.0]];
    let _ = x.at(0);
    x.at_mut(0).fill(0.0);
    let _ = x.at_move(0);
}
