//! The trait [`SelectFor`], which is implemented for slices with or without lists. Its methods copy and write the
//! selected elements of an array.

use ndarray::{Array, ArrayRef, ArrayViewMut, Dimension};

use super::sealed;
use crate::error::SliceError;

/// Slices that select elements of an array of dimension `D` to be copied or written.
///
/// The trait is implemented for the slices listed in [`SliceFor`](crate::SliceFor), with or without lists, for
/// [`ListSpec`](crate::ListSpec), and for references to them.
///
/// # Example
///
/// ```
/// use ndarray::{Array, ArrayView2, Dimension, array};
/// use slice_core::{SelectFor, StridedSliceExt, s};
///
/// /// Copies the selected elements, for slices with and without lists.
/// fn copy<S: SelectFor<ndarray::Ix2>>(x: ArrayView2<'_, i32>, slice: S) -> Array<i32, S::OutDim> {
///     x.gather(slice)
/// }
/// let x = array![[1, 2], [3, 4]];
/// assert_eq!(copy(x.view(), s![::-1, 0]), array![3, 1]);
/// assert_eq!(copy(x.view(), s![[1, 1, 0]]), array![[3, 4], [3, 4], [1, 2]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "expected a slice from `slice_core`, found `{Self}`",
    label = "not a slice from `slice_core`",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` at run time",
    note = "ndarray's prelude has an `s!` of its own: an explicit `use slice_core::s;` takes precedence over glob imports"
)]
pub trait SelectFor<D: Dimension>: sealed::Slice {
    /// The dimension of the result.
    type OutDim: Dimension;

    /// Returns the selected elements in a new array in C order.
    #[doc(hidden)]
    fn copy<A: Clone>(&self, array: &ArrayRef<A, D>) -> Result<Array<A, Self::OutDim>, SliceError>;

    /// Copies the selected elements to an array with the shape of the slice.
    #[doc(hidden)]
    fn copy_into<A: Clone, E: Dimension>(
        &self,
        array: &ArrayRef<A, D>,
        out: &mut ArrayRef<A, E>,
    ) -> Result<(), SliceError>;

    /// Writes values to the selected elements.
    #[doc(hidden)]
    fn write<A: Clone, E: Dimension>(
        &self,
        array: &mut ArrayRef<A, D>,
        value: &ArrayRef<A, E>,
    ) -> Result<(), SliceError>;

    /// Writes one value to all selected elements.
    #[doc(hidden)]
    fn write_one<A: Clone>(&self, array: &mut ArrayRef<A, D>, value: A) -> Result<(), SliceError>;

    /// Changes the selected elements by calling `change`. If the slice has no lists, the elements are changed in place.
    /// Otherwise, the elements are changed in a copy, which is then written back. If a list repeats a position, the
    /// last change remains.
    #[doc(hidden)]
    fn change<A: Clone>(
        &self,
        array: &mut ArrayRef<A, D>,
        change: impl FnOnce(ArrayViewMut<'_, A, Self::OutDim>) -> Result<(), SliceError>,
    ) -> Result<(), SliceError>;
}
