use ndarray::array;
use slice_core::{StridedSliceExt, s};

fn main() {
    let (rows, columns) = (vec![0, 1], vec![1, 0]);
    let a = array![[1, 2], [3, 4]];
    let _ = a.gather(s![zip(&rows, &columns), 0]);
}
