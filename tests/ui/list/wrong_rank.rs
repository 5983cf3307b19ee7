use ndarray::{Array2, array};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = array![[1, 2], [3, 4]];
    let _: Array2<i32> = a.gather(s![[0, 1], 0]);
}
