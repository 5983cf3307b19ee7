use ndarray::array;
use slice_core::{DynOuterSpec, StridedSliceExt};

fn main() {
    let a = array![1, 2, 3];
    let rows: DynOuterSpec = "[0, 2]".parse().unwrap();
    let _ = a.at(&rows);
}
