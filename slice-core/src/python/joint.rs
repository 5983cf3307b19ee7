//! Slices with lists that are combined as in NumPy's own brackets, with the rank of the result as a type.

use core::fmt;
use core::marker::PhantomData;

use ndarray::Dimension;

use crate::error::SliceError;
use crate::ndarray::indexed::FitsIn;
use crate::ndarray::rank::{Action, Repeat, SelectFor, TypedRank};
use crate::ndarray::sealed;
use crate::resolve::brackets::Brackets;

/// A slice with at least one list. `K` lists the kinds of its items.
pub struct JointSpec<K> {
    brackets: Brackets,
    kinds: PhantomData<fn() -> K>,
}

impl<K> JointSpec<K> {
    pub(super) const fn new(brackets: Brackets) -> Self {
        JointSpec {
            brackets,
            kinds: PhantomData,
        }
    }
}

impl<K> fmt::Debug for JointSpec<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.brackets.fmt(f)
    }
}

impl<K> sealed::Slice for JointSpec<K> {}

#[doc(hidden)]
impl<D, K> SelectFor<D> for JointSpec<K>
where
    D: Dimension,
    K: TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = <K::Greatest as Repeat>::Larger<K::NewAxes<K::Dropped<D>>>;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let selection = self.brackets.resolve(action.shape())?;
        action.listed(&selection)
    }
}
