use ndarray::{Array2, Ix1};
use slice_core::{SliceFor, StridedSliceExt};

fn len(x: &Array2<f64>, slice: impl SliceFor<Ix1>) -> usize {
    x.at(slice).len()
}

fn main() {
    len(&Array2::zeros((2, 2)), slice_core::s![1:]);
}
