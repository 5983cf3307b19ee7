//! Checks slices of arrays whose dimension is a type parameter, and slices whose item kinds are a type parameter.

use ndarray::{Array2, ArrayRef, ArrayView, ArrayViewD, Dimension, Ix2};
use slice_core::kind::{Axes, FitsIn, TypedRank};
use slice_core::{SliceFor, SliceSpec, StridedSliceExt, s};

/// Applies `spec` to `x`.
fn apply<A, D: Dimension, S: SliceFor<D>>(
    x: &ArrayRef<A, D>,
    spec: S,
) -> ArrayView<'_, A, S::OutDim> {
    x.at(spec)
}

/// Selects position 0 of axis 0. `rank/generic_dimension.rs` lacks the trait bound `Axes<1>: FitsIn<D>`, which the
/// compiler suggests.
fn first<A, D: Dimension>(x: &ArrayRef<A, D>) -> ArrayView<'_, A, D::Smaller>
where
    Axes<1>: FitsIn<D>,
{
    x.at(s![0])
}

/// Selects the last position of axis 0. Panics if the rank is 0.
fn last<A, D: Dimension>(x: &ArrayRef<A, D>) -> ArrayViewD<'_, A> {
    x.at(s![-1].erase())
}

/// Returns the number of elements selected by `spec`, whose items may be of any kind.
fn count<K: TypedRank<Axes: FitsIn<Ix2>>>(x: &Array2<u8>, spec: SliceSpec<2, K>) -> usize {
    x.at(spec).len()
}

pub fn main() {
    let x = Array2::<u8>::zeros((2, 3));
    assert_eq!(apply(&x, s![::-1]).shape(), [2, 3]);
    assert_eq!(first(&x).shape(), [3]);
    assert_eq!(last(&x).shape(), [3]);
    assert_eq!(count(&x, s![0, 1:]), 2);
    assert_eq!(count(&x, s![..., newaxis].erase()), 6);
}
