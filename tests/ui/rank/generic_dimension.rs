use ndarray::{ArrayRef, ArrayView, RemoveAxis};
use slice_core::{StridedSliceExt, s};

fn first<A, D: RemoveAxis>(x: &ArrayRef<A, D>) -> ArrayView<'_, A, D::Smaller> {
    x.at(s![0])
}

fn main() {}
