//! Traits from which the compiler computes the rank of the result, given the rank of the array and the kinds of the
//! items. The traits of slices call each other, so they are in one file.

use ndarray::{Dimension, IxDyn};

use super::indexed::{Count, FitsIn, NoAxis};
use super::sealed;
use super::view_parts::ViewParts;
use crate::error::SliceError;
use crate::resolve::selection::Selection;
use crate::resolve::step::{OutputAxis, ResolvedStep};
use crate::resolve::walk::{StepVisitor, each_step, ellipsis_axes};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Encoded;
use crate::spec::kind::{Ellipsis, Erased, Index, List, NewAxis, Points, Range, Rank};
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::{Kinds, SliceSpec};

/// The list of item kinds in the type of a slice, or [`Erased`].
///
/// A function that accepts a `SliceSpec<M, K>` with any kinds needs `K: TypedRank`. See the
/// [guide to generic code](crate::guide::generic_code).
///
/// # Example
///
/// ```
/// use slice_core::kind::TypedRank;
/// use slice_core::{SliceSpec, s};
///
/// /// Returns the number of items, for slices of any kinds.
/// fn items<const M: usize, K: TypedRank>(slice: SliceSpec<M, K>) -> usize {
///     slice.len()
/// }
/// assert_eq!(items(s![1:, ..., 0]), 3);
/// ```
// All axes are dropped before any axis is inserted. A result of rank 6 or less then has a static rank, even if
// inserting first would give an intermediate rank of 7.
#[diagnostic::on_unimplemented(
    message = "the item kinds of this slice are unknown",
    label = "`{Self}` may be any type",
    note = "declare the parameter as `S: SliceFor<D>`, or use a type without kinds: `DynSliceSpec`, returned by `to_dyn`, \
            or `SliceSpec<M, Erased>`, returned by `erase`"
)]
pub trait TypedRank: Kinds {
    /// The number of axes that the items consume.
    type Axes: Count;
    /// The dimension `D` without the axes dropped by indices.
    #[doc(hidden)]
    type Dropped<D: Dimension>: Dimension;
    /// The dimension `D` with the axes inserted by `newaxis` and lists.
    #[doc(hidden)]
    type Inserted<D: Dimension>: Dimension;
    /// The dimension `D` with the axes inserted by `newaxis`, without those of lists.
    #[doc(hidden)]
    type NewAxes<D: Dimension>: Dimension;
    /// The greatest rank of a list.
    #[doc(hidden)]
    type Greatest: Repeat;
}

impl Kinds for Erased {}
impl<Rest> Kinds for (Erased, Rest) {}
impl<Rest, const AXES: usize, const RANK: usize> Kinds for (List<AXES, RANK>, Rest) {}
impl<Rest, Ranks> Kinds for (Points<Ranks>, Rest) {}

impl TypedRank for () {
    type Axes = NoAxis;
    type Dropped<D: Dimension> = D;
    type Inserted<D: Dimension> = D;
    type NewAxes<D: Dimension> = D;
    type Greatest = Rank<0>;
}

impl<Rest: TypedRank> TypedRank for (Range, Rest) {
    type Axes = <Rest::Axes as Count>::Next;
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D>;
    type Greatest = Rest::Greatest;
}

/// A list replaces its axes.
impl<Rest: TypedRank, const AXES: usize, const RANK: usize> TypedRank for (List<AXES, RANK>, Rest)
where
    Rank<AXES>: Repeat,
    Rank<RANK>: Repeat + Greater<Rest::Greatest>,
{
    type Axes = <Rank<AXES> as Repeat>::Next<Rest::Axes>;
    type Dropped<D: Dimension> = Rest::Dropped<<Rank<AXES> as Repeat>::Smaller<D>>;
    type Inserted<D: Dimension> = Rest::Inserted<<Rank<RANK> as Repeat>::Larger<D>>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D>;
    type Greatest = <Rank<RANK> as Greater<Rest::Greatest>>::Result;
}

/// A list of dynamic rank replaces a number of axes that is known only at run time, so the result has a dynamic rank.
impl<Rest: TypedRank> TypedRank for (Erased, Rest) {
    type Axes = Rest::Axes;
    type Dropped<D: Dimension> = IxDyn;
    type Inserted<D: Dimension> = IxDyn;
    type NewAxes<D: Dimension> = IxDyn;
    type Greatest = Rest::Greatest;
}

/// Points replace their axes.
impl<Rest: TypedRank, Ranks> TypedRank for (Points<Ranks>, Rest)
where
    Ranks: PointRanks<Greatest: Greater<Rest::Greatest>>,
{
    type Axes = Ranks::Next<Rest::Axes>;
    type Dropped<D: Dimension> = Rest::Dropped<Ranks::Smaller<D>>;
    type Inserted<D: Dimension> = Rest::Inserted<<Ranks::Greatest as Repeat>::Larger<D>>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D>;
    type Greatest = <Ranks::Greatest as Greater<Rest::Greatest>>::Result;
}

/// The ranks of the lists of points, as nested pairs.
pub trait PointRanks {
    /// The greatest rank.
    type Greatest: Repeat;
    /// The number `C`, increased by the number of lists.
    type Next<C: Count>: Count;
    /// The dimension `D` without an axis for each list.
    type Smaller<D: Dimension>: Dimension;
}

impl PointRanks for () {
    type Greatest = Rank<0>;
    type Next<C: Count> = C;
    type Smaller<D: Dimension> = D;
}

impl<One: Greater<Rest::Greatest>, Rest: PointRanks> PointRanks for (One, Rest) {
    type Greatest = One::Result;
    type Next<C: Count> = Rest::Next<C::Next>;
    type Smaller<D: Dimension> = Rest::Smaller<D::Smaller>;
}

/// The greater of two ranks.
pub trait Greater<Other> {
    /// The greater rank.
    type Result: Repeat;
}

macro_rules! greater {
    ($($one:literal: $($other:literal)*;)*) => { $(
        impl Greater<Rank<$one>> for Rank<$one> {
            type Result = Rank<$one>;
        }

        $(
            impl Greater<Rank<$other>> for Rank<$one> {
                type Result = Rank<$one>;
            }

            impl Greater<Rank<$one>> for Rank<$other> {
                type Result = Rank<$one>;
            }
        )*
    )* };
}

greater! {
    0:;
    1: 0;
    2: 0 1;
    3: 0 1 2;
    4: 0 1 2 3;
    5: 0 1 2 3 4;
    6: 0 1 2 3 4 5;
}

/// Types that change a number or a dimension several times.
pub trait Repeat {
    /// The number `C`, increased `N` times.
    type Next<C: Count>: Count;
    /// The dimension `D` without `N` axes.
    type Smaller<D: Dimension>: Dimension;
    /// The dimension `D` with `N` more axes.
    type Larger<D: Dimension>: Dimension;
}

impl Repeat for Rank<0> {
    type Next<C: Count> = C;
    type Smaller<D: Dimension> = D;
    type Larger<D: Dimension> = D;
}

macro_rules! repeat {
    ($($n:literal $before:literal;)*) => { $(
        impl Repeat for Rank<$n> {
            type Next<C: Count> = <Rank<$before> as Repeat>::Next<C::Next>;
            type Smaller<D: Dimension> = <Rank<$before> as Repeat>::Smaller<D::Smaller>;
            type Larger<D: Dimension> = <Rank<$before> as Repeat>::Larger<D::Larger>;
        }
    )* };
}

repeat! { 1 0; 2 1; 3 2; 4 3; 5 4; 6 5; }

impl<Rest: TypedRank> TypedRank for (Index, Rest) {
    type Axes = <Rest::Axes as Count>::Next;
    type Dropped<D: Dimension> = Rest::Dropped<D::Smaller>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D>;
    type Greatest = Rest::Greatest;
}

impl<Rest: TypedRank> TypedRank for (NewAxis, Rest) {
    type Axes = Rest::Axes;
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D::Larger>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D::Larger>;
    type Greatest = Rest::Greatest;
}

impl<Rest: TypedRank> TypedRank for (Ellipsis, Rest) {
    type Axes = Rest::Axes;
    type Dropped<D: Dimension> = Rest::Dropped<D>;
    type Inserted<D: Dimension> = Rest::Inserted<D>;
    type NewAxes<D: Dimension> = Rest::NewAxes<D>;
    type Greatest = Rest::Greatest;
}

/// The kinds are unknown, so the result has a dynamic rank, and the rank of the array is checked only at run time.
impl TypedRank for Erased {
    type Axes = NoAxis;
    type Dropped<D: Dimension> = IxDyn;
    type Inserted<D: Dimension> = IxDyn;
    type NewAxes<D: Dimension> = IxDyn;
    type Greatest = Rank<0>;
}

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
    message = "`{Self}` is not a slice from `slice_core` for an array of dimension `{D}`",
    label = "not a slice for this array",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` at run time; resolve \
            `Brackets` first, as in `brackets.resolve(x.shape())?`; ndarray's prelude has an `s!` of its \
            own: an explicit `use slice_core::s;` takes precedence over glob imports"
)]
pub trait SelectFor<D: Dimension>: sealed::Slice {
    /// The dimension of the result.
    type OutDim: Dimension;

    /// See [`FitsIn::Fits`].
    #[doc(hidden)]
    type Fits;

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

    /// Performs the action while resolving the slice, or returns `None` if the slice is to be resolved before.
    fn in_blocks<const M: usize, K>(&self, _: &ListSpec<'_, M, K>) -> Option<Self::Output> {
        None
    }

    /// Performs the action for the selection of a slice that may have lists, which applies to the shape of the array.
    fn listed(self, selection: &Selection) -> Result<Self::Output, SliceError>;
}

/// Slices accepted by arrays of dimension `D`: [`SliceSpec`], [`DynSliceSpec`], a [`Selection`] resolved for the shape
/// of the array, and references to them.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayView2, array};
/// use slice_core::{DynSliceSpec, SliceFor, StridedSliceExt, s};
///
/// /// Returns the number of selected elements.
/// fn count(x: ArrayView2<'_, i32>, slice: impl SliceFor<ndarray::Ix2>) -> usize {
///     x.at(slice).len()
/// }
/// let x = array![[1, 2], [3, 4]];
/// assert_eq!(count(x.view(), s![1]), 2);
/// assert_eq!(count(x.view(), "::-1".parse::<DynSliceSpec>()?), 4);
/// # Ok::<(), slice_core::ParseSliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice from `slice_core` for an array of dimension `{D}`",
    label = "not a slice for this array",
    note = "write the slice with `slice_core::s![...]`, or parse a `DynSliceSpec` at run time; ndarray's prelude has an `s!` of its \
            own: an explicit `use slice_core::s;` takes precedence over glob imports"
)]
pub trait SliceFor<D: Dimension>: sealed::Slice + SelectFor<D> {
    /// Returns the rank of the result for an array with the shape `shape`.
    #[doc(hidden)]
    fn rank(&self, shape: &[usize]) -> Result<usize, SliceError>;

    /// Passes the effect of the slice on each axis of an array with the shape `shape` to `visitor`. The caller has called
    /// [`rank`](Self::rank).
    #[doc(hidden)]
    fn steps(&self, shape: &[usize], visitor: &mut impl StepVisitor) -> Result<(), SliceError>;

    /// Returns the parts of a view of an array with the shape `shape` and the strides `strides`.
    #[doc(hidden)]
    #[inline(always)]
    fn parts(
        &self,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<ViewParts<Self::OutDim>, SliceError> {
        ViewParts::build(strides, self.rank(shape)?, |builder| {
            self.steps(shape, builder)
        })
    }

    /// Resolves the slice for an array with the shape `shape`.
    #[doc(hidden)]
    fn selection(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        self.rank(shape)?;
        Selection::of_steps(shape, |visitor| self.steps(shape, visitor))
    }
}

/// All slices that implement [`SliceFor`]. The methods that return a view have this bound, because the compiler then reports
/// a slice that does not fit the array without the declaration of the method. Write the bound [`SliceFor`] instead.
pub trait ViewFor<D: Dimension>: SliceFor<D, OutDim = <Self as ViewFor<D>>::View> {
    /// The dimension of the view.
    type View: Dimension;
}

impl<D: Dimension, T: SliceFor<D> + ?Sized> ViewFor<D> for T {
    type View = T::OutDim;
}

// Compiler messages quote this implementation.
impl<D: Dimension, const M: usize, K: TypedRank<Axes: FitsIn<D>>> SliceFor<D> for SliceSpec<M, K> {
    #[inline(always)]
    fn rank(&self, shape: &[usize]) -> Result<usize, SliceError> {
        rank(self.encoded_with_kinds(), shape)
    }

    #[inline(always)]
    fn steps(&self, shape: &[usize], visitor: &mut impl StepVisitor) -> Result<(), SliceError> {
        each_step(self.encoded_with_kinds(), shape, visitor)
    }
}

#[inline(always)]
fn rank(spec: Encoded<'_>, shape: &[usize]) -> Result<usize, SliceError> {
    // `ellipsis_axes` can fail only if the rank is dynamic or the kinds are unknown. Otherwise, the compiler has
    // checked the rank of the array with `FitsIn`.
    ellipsis_axes(shape.len(), spec.consuming_items())?;
    Ok(spec.output_rank(shape.len()))
}

impl<D: Dimension> SliceFor<D> for DynSliceSpec {
    #[inline(always)]
    fn rank(&self, shape: &[usize]) -> Result<usize, SliceError> {
        rank(self.encoded()?, shape)
    }

    #[inline(always)]
    fn steps(&self, shape: &[usize], visitor: &mut impl StepVisitor) -> Result<(), SliceError> {
        each_step(self.encoded()?, shape, visitor)
    }
}

impl<D: Dimension> SliceFor<D> for Selection {
    fn rank(&self, shape: &[usize]) -> Result<usize, SliceError> {
        self.check_shape(shape)?;
        self.check_strided()?;
        Ok(self.output_shape().len())
    }

    fn steps(&self, _: &[usize], visitor: &mut impl StepVisitor) -> Result<(), SliceError> {
        // `resolved_steps` would also sort inserted axes after dropped axes. A view does not depend on this order, and
        // creating a view takes 4 % to 23 % less time without the sorting.
        let mut axes = self.ranges().iter().enumerate();
        for &origin in self.output_axes() {
            match origin {
                OutputAxis::New { len } => visitor.visit(ResolvedStep::Insert { len }),
                OutputAxis::Input(kept) => {
                    for (axis, &range) in axes.by_ref() {
                        if axis == kept {
                            visitor.visit(ResolvedStep::Keep(range));
                            break;
                        }
                        visitor.visit(ResolvedStep::Drop(range.start()));
                    }
                }
            }
        }
        axes.for_each(|(_, range)| visitor.visit(ResolvedStep::Drop(range.start())));
        Ok(())
    }
}

impl<D: Dimension, T: SliceFor<D> + ?Sized> SliceFor<D> for &T {
    #[inline(always)]
    fn rank(&self, shape: &[usize]) -> Result<usize, SliceError> {
        T::rank(self, shape)
    }

    #[inline(always)]
    fn steps(&self, shape: &[usize], visitor: &mut impl StepVisitor) -> Result<(), SliceError> {
        T::steps(self, shape, visitor)
    }
}
