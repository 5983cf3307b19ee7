//! Slices, with lists or without, that copy elements of an array and write to them.

use ndarray::{Array, ArrayRef, ArrayViewMut, Dimension};

use super::sealed;
use crate::error::SliceError;

/// Slices by which elements of an array of dimension `D` are copied and written: what [`SliceFor`](crate::SliceFor) has, and those with lists:
/// [`OuterSpec`](crate::OuterSpec), [`DynOuterSpec`](crate::DynOuterSpec), an [`OuterSelection`](crate::OuterSelection) made for its shape, and references to them.
#[diagnostic::on_unimplemented(
    message = "only what `slice_core::s![]` makes can slice this array",
    label = "`{Self}` is not a slice",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` or a `DynOuterSpec` at run time",
    note = "ndarray's prelude has an `s!` of its own: `use slice_core::s;` comes before any glob"
)]
pub trait SelectFor<D: Dimension>: sealed::Slice {
    /// The dimension of the result.
    type OutDim: Dimension;

    /// The selected elements in C order.
    #[doc(hidden)]
    fn copy<A: Clone>(&self, array: &ArrayRef<A, D>) -> Result<Array<A, Self::OutDim>, SliceError>;

    /// Copies the selected elements to an array of the same shape.
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

    /// Changes the selected elements where they are; those of a list in a copy, which is written back: of an element that is
    /// there more than once, the last change stays.
    #[doc(hidden)]
    fn change<A: Clone>(
        &self,
        array: &mut ArrayRef<A, D>,
        change: impl FnOnce(ArrayViewMut<'_, A, Self::OutDim>) -> Result<(), SliceError>,
    ) -> Result<(), SliceError>;
}
