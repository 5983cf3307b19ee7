//! Slices with lists that are combined as in NumPy's own brackets, with the rank of the result as a type.

use core::marker::PhantomData;

use ndarray::Dimension;

use crate::error::SliceError;
use crate::ndarray::indexed::FitsIn;
use crate::ndarray::rank::{Action, Repeat, SelectFor, TypedRank};
use crate::ndarray::sealed;
use crate::resolve::brackets::Brackets;

/// A slice with at least one list. `K` lists the kinds of its items.
#[derive(Debug)]
pub struct JointSpec<K>(pub(super) Brackets, pub(super) PhantomData<fn() -> K>);

impl<K> sealed::Slice for JointSpec<K> {}

#[doc(hidden)]
impl<D, K> SelectFor<D> for JointSpec<K>
where
    D: Dimension,
    K: TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = <K::Greatest as Repeat>::Larger<K::NewAxes<K::Dropped<D>>>;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let selection = self.0.resolve(action.shape())?;
        action.listed(&selection)
    }
}
