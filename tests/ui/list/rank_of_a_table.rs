use ndarray::{Array1, array};
use slice_core::{StridedSliceExt, s};

fn main() {
    let table = array![[0, 1], [1, 0]];
    let _: Array1<i32> = array![1, 2].gather(s![&table]);
}
