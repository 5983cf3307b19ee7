//! The trait [`SelectFor`], which is implemented for slices with or without lists, and the actions on the selected
//! elements of an array: copies and assignments.

use ndarray::{Array, ArrayRef, ArrayViewMut, Dimension};

use super::assign::{assign, fill};
use super::bridge::view_mut;
use super::gather::{gather, gather_into};
use super::listed::{assign_lists, change_lists, fill_lists, gather_lists, gather_lists_into};
use super::rank::SliceFor;
use super::sealed;
use crate::error::SliceError;
use crate::resolve::selection::Selection;

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

    /// Performs an action on the selected elements.
    #[doc(hidden)]
    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError>;
}

/// An action on the selected elements of an array of dimension `D`. `O` is the dimension of the result.
pub trait Action<D: Dimension, O: Dimension> {
    /// The result of the action.
    type Output;

    /// Returns the shape of the array.
    fn shape(&self) -> &[usize];

    /// Performs the action for a slice without lists.
    fn strided<I: SliceFor<D, OutDim = O>>(self, spec: &I) -> Result<Self::Output, SliceError>;

    /// Performs the action for the selection of a slice that may have lists, which applies to the shape of the array.
    fn listed(self, selection: &Selection) -> Result<Self::Output, SliceError>;
}

/// Returns the selected elements in a new array in C order.
pub struct Copy<'a, A, D>(pub(crate) &'a ArrayRef<A, D>);

impl<A: Clone, D: Dimension, O: Dimension> Action<D, O> for Copy<'_, A, D> {
    type Output = Array<A, O>;

    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    #[inline(always)]
    fn strided<I: SliceFor<D, OutDim = O>>(self, spec: &I) -> Result<Array<A, O>, SliceError> {
        gather(self.0, spec)
    }

    fn listed(self, selection: &Selection) -> Result<Array<A, O>, SliceError> {
        gather_lists(self.0, selection)
    }
}

/// Copies the selected elements to an array with the shape of the slice.
pub struct CopyInto<'a, 'o, A, D, E>(
    pub(crate) &'a ArrayRef<A, D>,
    pub(crate) &'o mut ArrayRef<A, E>,
);

/// Writes values to the selected elements.
pub struct Write<'a, 'v, A, D, E>(
    pub(crate) &'a mut ArrayRef<A, D>,
    pub(crate) &'v ArrayRef<A, E>,
);

/// Writes one value to all selected elements.
pub struct WriteOne<'a, A, D>(pub(crate) &'a mut ArrayRef<A, D>, pub(crate) A);

/// Changes the selected elements by calling a function. If the slice has no lists, the elements are changed in place.
/// Otherwise, the elements are changed in a copy, which is then written back. If a list repeats a position, the last
/// change remains.
pub struct Change<'a, A, D, F>(pub(crate) &'a mut ArrayRef<A, D>, pub(crate) F);

/// Implements [`Action`] for a type that contains the array and one more argument, with the functions for slices without
/// and with lists.
macro_rules! actions {
    ($([$($generics:tt)*] $type:ty, $strided:path, $listed:path;)*) => { $(
        impl<A: Clone, D: Dimension, $($generics)* O: Dimension> Action<D, O> for $type {
            type Output = ();

            fn shape(&self) -> &[usize] {
                self.0.shape()
            }

            #[inline(always)]
            fn strided<I: SliceFor<D, OutDim = O>>(self, spec: &I) -> Result<(), SliceError> {
                $strided(self.0, spec, self.1)
            }

            fn listed(self, selection: &Selection) -> Result<(), SliceError> {
                $listed(self.0, selection, self.1)
            }
        }
    )* };
}

actions! {
    [E: Dimension,] CopyInto<'_, '_, A, D, E>, gather_into, gather_lists_into;
    [E: Dimension,] Write<'_, '_, A, D, E>, assign, assign_lists;
    [] WriteOne<'_, A, D>, fill, fill_lists;
    [F: FnOnce(ArrayViewMut<'_, A, O>) -> Result<(), SliceError>,] Change<'_, A, D, F>, change, change_lists;
}

#[inline(always)]
fn change<A, D: Dimension, I: SliceFor<D>>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    change: impl FnOnce(ArrayViewMut<'_, A, I::OutDim>) -> Result<(), SliceError>,
) -> Result<(), SliceError> {
    change(view_mut(array, spec)?)
}
