//! The rank of the result, computed by the compiler from the rank of the array and the kinds of the items.

use ndarray::{Dim, Dimension, Ix, IxDyn};

use super::bridge::{Parts, PartsBuilder};
use crate::item::Encoded;
use crate::kind::{Ellipsis, Index, NewAxis, Range};
use crate::resolve::{Step, Walk, covered, index_at, range_at};
use crate::{DynSliceSpec, SliceError, SliceSpec};

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

    /// How many items consume an axis.
    const CONSUMING: usize;

    /// Applies the items from `item` on. Which kind each item is is known to the compiler here, so that nothing of the
    /// walk over the items is left at run time.
    #[doc(hidden)]
    fn apply(
        spec: Encoded<'_>,
        item: usize,
        builder: &mut PartsBuilder<'_>,
    ) -> Result<(), SliceError>;
}

impl TypedRank for () {
    type Dropped<D: Dimension> = D;
    type Inserted<D: Dimension> = D;

    const CONSUMING: usize = 0;

    #[inline(always)]
    fn apply(_: Encoded<'_>, _: usize, builder: &mut PartsBuilder<'_>) -> Result<(), SliceError> {
        builder.rest(0);
        Ok(())
    }
}

impl<Rest: TypedRank> TypedRank for (Range, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;

    const CONSUMING: usize = 1 + Rest::CONSUMING;

    #[inline(always)]
    fn apply(
        spec: Encoded<'_>,
        item: usize,
        builder: &mut PartsBuilder<'_>,
    ) -> Result<(), SliceError> {
        let (begin, end, stride) = spec.bounds(item);
        let range = range_at(item, builder.axis(), begin, end, stride, builder.size())?;
        builder.keep(range);
        Rest::apply(spec, item + 1, builder)
    }
}

impl<Rest: TypedRank> TypedRank for (Index, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D::Smaller>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;

    const CONSUMING: usize = 1 + Rest::CONSUMING;

    #[inline(always)]
    fn apply(
        spec: Encoded<'_>,
        item: usize,
        builder: &mut PartsBuilder<'_>,
    ) -> Result<(), SliceError> {
        let position = index_at(item, builder.axis(), spec.begin[item], builder.size())?;
        builder.drop(position);
        Rest::apply(spec, item + 1, builder)
    }
}

impl<Rest: TypedRank> TypedRank for (NewAxis, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D::Larger>;

    const CONSUMING: usize = Rest::CONSUMING;

    #[inline(always)]
    fn apply(
        spec: Encoded<'_>,
        item: usize,
        builder: &mut PartsBuilder<'_>,
    ) -> Result<(), SliceError> {
        builder.insert();
        Rest::apply(spec, item + 1, builder)
    }
}

impl<Rest: TypedRank> TypedRank for (Ellipsis, Rest) {
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;

    const CONSUMING: usize = Rest::CONSUMING;

    #[inline(always)]
    fn apply(
        spec: Encoded<'_>,
        item: usize,
        builder: &mut PartsBuilder<'_>,
    ) -> Result<(), SliceError> {
        builder.rest(Rest::CONSUMING);
        Rest::apply(spec, item + 1, builder)
    }
}

/// Slices that an array of dimension `D` accepts: [`SliceSpec`], [`DynSliceSpec`], and references to them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice for an array of dimension `{D}`",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` at run time"
)]
pub trait SliceFor<D: Dimension> {
    /// The dimension of the result.
    type OutDim: Dimension;

    /// The view of an array with this shape and these strides, still to be made.
    #[doc(hidden)]
    fn parts(&self, shape: &[usize], strides: &[isize]) -> Result<Parts<Self::OutDim>, SliceError>;
}

impl<D, const M: usize, K> SliceFor<D> for SliceSpec<M, K>
where
    D: Dimension,
    K: TypedRank + Consumes<D>,
{
    type OutDim = K::Inserted<K::Dropped<D>>;

    #[inline(always)]
    fn parts(&self, shape: &[usize], strides: &[isize]) -> Result<Parts<Self::OutDim>, SliceError> {
        // Only a dynamic rank can be too small here: for a static one, `Consumes` has seen to it.
        covered(shape.len(), K::CONSUMING)?;
        let spec = self.encoded();
        Parts::build(shape, strides, spec.output_rank(shape.len()), |builder| {
            K::apply(spec, 0, builder)
        })
    }
}

impl<D: Dimension> SliceFor<D> for DynSliceSpec {
    type OutDim = IxDyn;

    #[inline(always)]
    fn parts(&self, shape: &[usize], strides: &[isize]) -> Result<Parts<IxDyn>, SliceError> {
        let mut walk = Walk::new(self.encoded(), shape)?;
        Parts::build(shape, strides, walk.output_rank(), |builder| {
            while let Some(step) = walk.next() {
                match step? {
                    Step::Keep(range) => builder.keep(range),
                    Step::Drop(position) => builder.drop(position),
                    Step::Insert => builder.insert(),
                }
            }
            Ok(())
        })
    }
}

impl<D: Dimension, T: SliceFor<D> + ?Sized> SliceFor<D> for &T {
    type OutDim = T::OutDim;

    #[inline(always)]
    fn parts(&self, shape: &[usize], strides: &[isize]) -> Result<Parts<Self::OutDim>, SliceError> {
        T::parts(self, shape, strides)
    }
}
