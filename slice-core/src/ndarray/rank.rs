//! The rank of the result, computed by the compiler from the rank of the array and the kinds of the items.

use ndarray::{Dim, Dimension, Ix, IxDyn};

use crate::item::Encoded;
use crate::kind::{Ellipsis, Index, NewAxis, Range};
use crate::{DynSliceSpec, SliceSpec};

/// Dimensions that have an axis left to index: all but `Ix0`.
#[diagnostic::on_unimplemented(
    message = "too many indices for array: the slice indexes more axes than the array has",
    label = "more indices and ranges than the array has axes",
    note = "`newaxis` and `...` consume no axis; indices and ranges consume one each"
)]
pub trait HasAxis: Dimension {}

macro_rules! has_axis {
    ($($rank:literal)*) => { $(impl HasAxis for Dim<[Ix; $rank]> {})* };
}

has_axis!(1 2 3 4 5 6);

impl HasAxis for IxDyn {}

/// Lists of item kinds that can be applied to an array of dimension `D`: they consume no more axes than it has.
pub trait Consumes<D: Dimension> {}

impl<D: Dimension> Consumes<D> for () {}
impl<D: HasAxis, Rest: Consumes<D::Smaller>> Consumes<D> for (Range, Rest) {}
impl<D: HasAxis, Rest: Consumes<D::Smaller>> Consumes<D> for (Index, Rest) {}
impl<D: Dimension, Rest: Consumes<D>> Consumes<D> for (NewAxis, Rest) {}
impl<D: Dimension, Rest: Consumes<D>> Consumes<D> for (Ellipsis, Rest) {}

/// Lists of item kinds, as functions from a dimension to a dimension.
///
/// All drops come before all insertions, so that a result of rank 6 or less has a static rank even where a slice that
/// first inserts and then drops would pass through rank 7.
pub trait TypedRank {
    /// The dimension without the axes that indices drop.
    type Dropped<D: Dimension>: Dimension;
    /// The dimension with the axes that `newaxis` inserts.
    type Inserted<D: Dimension>: Dimension;
}

impl TypedRank for () {
    type Dropped<D: Dimension> = D;
    type Inserted<D: Dimension> = D;
}

impl<Rest: TypedRank> TypedRank for (Range, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
}

impl<Rest: TypedRank> TypedRank for (Ellipsis, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
}

impl<Rest: TypedRank> TypedRank for (Index, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D::Smaller>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
}

impl<Rest: TypedRank> TypedRank for (NewAxis, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D::Larger>;
}

/// Slices that an array of dimension `D` accepts: [`SliceSpec`], [`DynSliceSpec`], and references to them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice for an array of dimension `{D}`",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` at run time"
)]
pub trait SliceFor<D: Dimension> {
    /// The dimension of the result.
    type OutDim: Dimension;

    /// The spec without its type.
    #[doc(hidden)]
    fn encoded(&self) -> Encoded<'_>;
}

impl<D, const M: usize, K> SliceFor<D> for SliceSpec<M, K>
where
    D: Dimension,
    K: TypedRank + Consumes<D>,
{
    type OutDim = K::Inserted<K::Dropped<D>>;

    #[inline]
    fn encoded(&self) -> Encoded<'_> {
        SliceSpec::encoded(self)
    }
}

impl<D: Dimension> SliceFor<D> for DynSliceSpec {
    type OutDim = IxDyn;

    #[inline]
    fn encoded(&self) -> Encoded<'_> {
        DynSliceSpec::encoded(self)
    }
}

impl<D: Dimension, T: SliceFor<D> + ?Sized> SliceFor<D> for &T {
    type OutDim = T::OutDim;

    #[inline]
    fn encoded(&self) -> Encoded<'_> {
        T::encoded(self)
    }
}
