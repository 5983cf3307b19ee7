//! Slices with lists that are combined as in NumPy's own brackets, with the rank of the result as a type.

use core::fmt;
use core::marker::PhantomData;

use ndarray::{Dimension, IxDyn};

use crate::error::SliceError;
use crate::ndarray::indexed::{Count, FitsIn, NoAxis};
use crate::ndarray::rank::{Action, Greater, PointRanks, Repeat, SelectFor};
use crate::ndarray::sealed;
use crate::resolve::brackets::Brackets;
use crate::spec::kind::{AnyKinds, Ellipsis, Index, List, NewAxis, Points, Range, Rank};

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
    type OutDim = <K::Greatest as Repeat>::Larger<K::Inserted<K::Dropped<D>>>;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let selection = self.brackets.resolve(action.shape())?;
        action.listed(&selection)
    }
}

/// A list of item kinds, from which the compiler computes the rank of the result. The indices and lists together give the
/// axes of the list with the most axes.
pub trait JointRank {
    /// The number of axes that the items consume.
    type Axes: Count;
    /// The dimension `D` without the axes of indices and lists.
    type Dropped<D: Dimension>: Dimension;
    /// The dimension `D` with the axes inserted by `newaxis`.
    type Inserted<D: Dimension>: Dimension;
    /// The greatest rank of a list.
    type Greatest: Repeat;
}

impl JointRank for () {
    type Axes = NoAxis;
    type Dropped<D: Dimension> = D;
    type Inserted<D: Dimension> = D;
    type Greatest = Rank<0>;
}

impl<R: JointRank> JointRank for (Range, R) {
    type Axes = <R::Axes as Count>::Next;
    type Dropped<D: Dimension> = R::Dropped<D>;
    type Inserted<D: Dimension> = R::Inserted<D>;
    type Greatest = R::Greatest;
}

impl<R: JointRank> JointRank for (Index, R) {
    type Axes = <R::Axes as Count>::Next;
    type Dropped<D: Dimension> = R::Dropped<D::Smaller>;
    type Inserted<D: Dimension> = R::Inserted<D>;
    type Greatest = R::Greatest;
}

impl<R: JointRank> JointRank for (NewAxis, R) {
    type Axes = R::Axes;
    type Dropped<D: Dimension> = R::Dropped<D>;
    type Inserted<D: Dimension> = R::Inserted<D::Larger>;
    type Greatest = R::Greatest;
}

impl<R: JointRank> JointRank for (Ellipsis, R) {
    type Axes = R::Axes;
    type Dropped<D: Dimension> = R::Dropped<D>;
    type Inserted<D: Dimension> = R::Inserted<D>;
    type Greatest = R::Greatest;
}

impl<R: JointRank, const AXES: usize, const RANK: usize> JointRank for (List<AXES, RANK>, R)
where
    Rank<AXES>: Repeat,
    Rank<RANK>: Greater<R::Greatest>,
{
    type Axes = <Rank<AXES> as Repeat>::Next<R::Axes>;
    type Dropped<D: Dimension> = R::Dropped<<Rank<AXES> as Repeat>::Smaller<D>>;
    type Inserted<D: Dimension> = R::Inserted<D>;
    type Greatest = <Rank<RANK> as Greater<R::Greatest>>::Result;
}

impl<R: JointRank> JointRank for (AnyKinds, R) {
    type Axes = R::Axes;
    type Dropped<D: Dimension> = IxDyn;
    type Inserted<D: Dimension> = IxDyn;
    type Greatest = R::Greatest;
}

impl<R: JointRank, Ranks: PointRanks<Greatest: Greater<R::Greatest>>> JointRank
    for (Points<Ranks>, R)
{
    type Axes = Ranks::Next<R::Axes>;
    type Dropped<D: Dimension> = R::Dropped<Ranks::Smaller<D>>;
    type Inserted<D: Dimension> = R::Inserted<D>;
    type Greatest = <Ranks::Greatest as Greater<R::Greatest>>::Result;
}
