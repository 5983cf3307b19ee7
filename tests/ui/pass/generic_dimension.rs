//! Slices of arrays whose dimension is a parameter.

use ndarray::{Array2, ArrayRef, ArrayView, ArrayViewD, Dimension};
use slice_core::kind::{Axes, FitsIn};
use slice_core::{SliceFor, StridedSliceExt, s};

/// The caller brings the slice.
fn reversed<A, D: Dimension, S: SliceFor<D>>(
    x: &ArrayRef<A, D>,
    spec: S,
) -> ArrayView<'_, A, S::OutDim> {
    x.at(spec)
}

/// As the compiler suggests.
fn first<A, D: Dimension>(x: &ArrayRef<A, D>) -> ArrayView<'_, A, D::Smaller>
where
    Axes<1>: FitsIn<D>,
{
    x.at(s![0])
}

/// Any rank; one that does not suffice is an error at run time.
fn last<A, D: Dimension>(x: &ArrayRef<A, D>) -> ArrayViewD<'_, A> {
    x.at(s![-1].erase())
}

pub fn main() {
    let x = Array2::<u8>::zeros((2, 3));
    assert_eq!(reversed(&x, s![::-1]).shape(), [2, 3]);
    assert_eq!(first(&x).shape(), [3]);
    assert_eq!(last(&x).shape(), [3]);
}
