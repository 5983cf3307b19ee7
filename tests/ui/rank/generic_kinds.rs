use ndarray::Array2;
use slice_core::{SliceSpec, StridedSliceExt};

fn count<K>(x: &Array2<f32>, spec: SliceSpec<2, K>) -> usize {
    x.at(spec).len()
}

fn main() {}
