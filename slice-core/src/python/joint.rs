//! Slices with lists that are combined as in NumPy's own brackets, with the rank of the result as a type.

use core::fmt;
use core::marker::PhantomData;

use ndarray::Dimension;

use crate::error::SliceError;
use crate::ndarray::indexed::FitsIn;
use crate::ndarray::rank::{Action, Greater, ItemKind, Repeat, SelectFor, TypedRank};
use crate::ndarray::sealed;
use crate::resolve::brackets::Brackets;
use crate::spec::kind::Rank;

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
#[diagnostic::do_not_recommend]
impl<D, K> SelectFor<D> for JointSpec<K>
where
    D: Dimension,
    K: JointRank<Axes: FitsIn<D>>,
{
    type OutDim = <K::Greatest as Repeat>::Larger<K::WithoutLists<K::Dropped<D>>>;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let selection = self.brackets.resolve(action.shape())?;
        action.listed(&selection)
    }
}

/// A list of item kinds, from which the compiler computes the rank of the result. The indices and lists together give the
/// axes of the list with the most axes.
pub trait JointRank: TypedRank {
    /// The dimension `D` with the axes inserted by `newaxis`.
    type WithoutLists<D: Dimension>: Dimension;
    /// The greatest rank of a list.
    type Greatest: Repeat;
}

impl JointRank for () {
    type WithoutLists<D: Dimension> = D;
    type Greatest = Rank<0>;
}

impl<K: ItemKind<ListRank: Greater<R::Greatest>>, R: JointRank> JointRank for (K, R) {
    type WithoutLists<D: Dimension> = R::WithoutLists<K::Inserted<D>>;
    type Greatest = <K::ListRank as Greater<R::Greatest>>::Result;
}
