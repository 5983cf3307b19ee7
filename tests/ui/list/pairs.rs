use ndarray::array;
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = array![[1, 2], [3, 4]];
    let points = vec![(0, 1), (1, 0)];
    let _ = a.gather(s![zip(&points)]);
}
