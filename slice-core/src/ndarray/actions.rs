//! The actions on the selected elements of an array: copies and assignments.

use ndarray::{Array, ArrayRef, Dimension};

use super::assign::{assign, fill};
use super::gather::{gather, gather_into};
use super::listed::{assign_lists, fill_lists, gather_in_blocks, gather_lists, gather_lists_into};
use super::rank::{Action, SliceFor};
use crate::error::SliceError;
use crate::resolve::selection::Selection;
use crate::spec::list_spec::ListSpec;

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

    fn in_blocks<const M: usize, K>(&self, spec: &ListSpec<'_, M, K>) -> Option<Array<A, O>> {
        gather_in_blocks(self.0, spec)
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
}

/// Changes the selected elements by calling a function. If the slice has no lists, the elements are changed in place.
/// Otherwise, the elements are changed in a copy, which is then written back. If a list repeats a position, the last
/// change remains.
#[cfg(feature = "py")]
pub struct Change<'a, A, D, F>(pub(crate) &'a mut ArrayRef<A, D>, pub(crate) F);

#[cfg(feature = "py")]
impl<A: Clone, D: Dimension, O: Dimension, F> Action<D, O> for Change<'_, A, D, F>
where
    F: FnOnce(ndarray::ArrayViewMut<'_, A, O>) -> Result<(), SliceError>,
{
    type Output = ();

    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    #[inline(always)]
    fn strided<I: SliceFor<D, OutDim = O>>(self, spec: &I) -> Result<(), SliceError> {
        (self.1)(super::bridge::view_mut(self.0, spec)?)
    }

    fn listed(self, selection: &Selection) -> Result<(), SliceError> {
        let mut elements = gather_lists(self.0, selection)?;
        (self.1)(elements.view_mut())?;
        assign_lists(self.0, selection, &elements)
    }
}
