//! Copies and assignment with lists and masks, for ndarray arrays.
//!
//! For slices with lists, the copy engine of this crate accesses only arrays that are contiguous in some order of their
//! axes. In other arrays, the gaps between elements may be borrowed elsewhere. The elements of such arrays are copied
//! with ndarray's own methods, position by position.

use alloc::vec::Vec;

use ndarray::{
    Array, ArrayBase, ArrayRef, ArrayViewD, ArrayViewMutD, Axis, Dimension, IxDyn, RawData, Zip,
    arr0,
};

use super::assign::{assign, fill};
use super::bridge::{view, view_mut};
use super::buffer::{buffer_start, distance, elements, elements_mut, is_in_c_order};
use super::gather::{gather, gather_into};
use super::indexed::FitsIn;
use super::rank::{Action, SelectFor, SliceFor, TypedRank};
use super::view_parts::ViewPartsBuilder;
use crate::copy::broadcast::broadcast;
#[cfg(feature = "py")]
use crate::copy::lists::filter;
use crate::copy::lists::walk::{JoinedOffsets, LoopPlan};
use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::shape::check_shape;
use crate::resolve::step::ResolvedStep;
use crate::s;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

// Compiler messages quote this implementation.
impl<D: Dimension, const M: usize, K: TypedRank<Axes: FitsIn<D>>> SelectFor<D> for SliceSpec<M, K> {
    type OutDim = K::Inserted<K::Dropped<D>>;

    #[inline(always)]
    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        action.strided(self)
    }
}

impl<D: Dimension> SelectFor<D> for DynSliceSpec {
    type OutDim = IxDyn;

    fn perform<T: Action<D, IxDyn>>(&self, action: T) -> Result<T::Output, SliceError> {
        if self.is_strided() {
            return action.strided(self);
        }
        let selection = self.resolve(action.shape())?;
        action.listed(&selection)
    }
}

impl<D, const M: usize, K> SelectFor<D> for ListSpec<'_, M, K>
where
    D: Dimension,
    K: TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = K::Inserted<K::Dropped<D>>;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        // The selection is not moved, because moving it takes as long as copying a few elements.
        match self.resolve(action.shape()) {
            Ok(ref selection) => action.listed(selection),
            Err(error) => Err(error),
        }
    }
}

impl<D: Dimension> SelectFor<D> for Selection {
    type OutDim = IxDyn;

    fn perform<T: Action<D, IxDyn>>(&self, action: T) -> Result<T::Output, SliceError> {
        if self.is_strided() {
            return action.strided(self);
        }
        self.check_shape(action.shape())?;
        action.listed(self)
    }
}

impl<D: Dimension, T: SelectFor<D> + ?Sized> SelectFor<D> for &T {
    type OutDim = T::OutDim;

    #[inline(always)]
    fn perform<A: Action<D, T::OutDim>>(&self, action: A) -> Result<A::Output, SliceError> {
        T::perform(self, action)
    }
}

/// Lists of item kinds, with lists among them, that select a view of an array of dimension `D`. No type implements this
/// trait, which exists only for its compiler message.
#[diagnostic::on_unimplemented(
    message = "a slice with a list does not produce a view of the array",
    label = "the positions in a list need not be evenly spaced: copy the elements with `gather`",
    note = "`gather` and `gather_into` copy the selected elements; `set` and `fill_at` write to them"
)]
pub trait AreAView<D>: TypedRank<Axes: FitsIn<D>> {
    /// Cannot be called, because nothing implements the trait.
    #[doc(hidden)]
    fn never<T>() -> T;
}

// These methods cannot be called, because no view can represent a slice with lists.
impl<D: Dimension, const M: usize, K: AreAView<D>> SliceFor<D> for ListSpec<'_, M, K> {
    fn rank(&self, _: &[usize]) -> Result<usize, SliceError> {
        K::never()
    }

    fn apply(&self, _: &mut ViewPartsBuilder<'_>) -> Result<(), SliceError> {
        K::never()
    }

    fn selection(&self, _: &[usize]) -> Result<Selection, SliceError> {
        K::never()
    }
}

/// Returns the copy engine's plan, or `None` if the array has no [`buffer_start`], because its elements are not
/// contiguous or are zero-sized. `joined_offsets` stores offsets for the plan.
#[inline(always)]
fn plan<'s, A, D: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &'s Selection,
    joined_offsets: &'s mut Vec<JoinedOffsets>,
) -> Option<LoopPlan<'s>> {
    let start = buffer_start(array)?;
    let offset = distance(start, array.as_ptr());
    *joined_offsets = JoinedOffsets::of_selection(selection, array.strides());
    Some(LoopPlan::new(
        selection,
        joined_offsets,
        offset,
        array.strides(),
    ))
}

/// Returns the selected elements in C order.
pub(super) fn gather_lists<A: Clone, D: Dimension, O: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &Selection,
) -> Result<Array<A, O>, SliceError> {
    let shape = selection.output_shape();
    let gathered = if selection.is_empty() {
        Vec::new()
    } else if let Some(plan) = plan(array, selection, &mut Vec::new()) {
        plan.gather_cloned(elements(array))?
    } else if selection.is_strided() {
        return Ok(into_rank(gather(array, selection)?));
    } else {
        // The output is first filled with clones of one element of the array, which are overwritten below.
        let filler = array.iter().take(1).cycle().take(selection.len());
        let mut out = crate::copy::cloned(filler, selection.len())?;
        let (strided, lists) = split_lists(selection)?;
        let Ok(to) = ArrayViewMutD::from_shape(IxDyn(shape), &mut out) else {
            unreachable!("the length matches the shape")
        };
        copy_each::<A, true>(view(array, &strided)?, to, &lists)?;
        out
    };
    // The rank of `O` is that of the selection.
    let mut dim = O::zeros(shape.len());
    dim.slice_mut().copy_from_slice(shape);
    match Array::from_shape_vec(dim, gathered) {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("the length matches the shape"),
    }
}

/// Returns the elements of a contiguous array for which `select` writes `true`, or `None` if they cannot be filtered in one
/// pass. See [`filter`].
#[cfg(feature = "py")]
pub(crate) fn gather_selected<A: Clone, D: Dimension, O: Dimension>(
    array: &ArrayRef<A, D>,
    select: impl Fn(usize, &mut [bool; 16]),
) -> Option<Array<A, O>> {
    let selected = filter(array.as_slice()?, select)?;
    Some(into_rank(Array::from(selected).into_dyn()))
}

fn into_rank<A, O: Dimension>(array: Array<A, IxDyn>) -> Array<A, O> {
    match array.into_dimensionality() {
        Ok(array) => array,
        Err(_) => unreachable!("the rank matches the type"),
    }
}

pub(super) fn gather_lists_into<A: Clone, D: Dimension, E: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &Selection,
    out: &mut ArrayRef<A, E>,
) -> Result<(), SliceError> {
    check_shape(selection.output_shape(), out.shape())?;
    if selection.is_empty() {
        return Ok(());
    }
    match plan(array, selection, &mut Vec::new()) {
        Some(plan) if buffer_start(out).is_some() && is_in_c_order(out) => {
            plan.gather_cloned_into(elements(array), elements_mut(out));
            Ok(())
        }
        _ if selection.is_strided() => gather_into(array, selection, out),
        _ => {
            let (strided, lists) = split_lists(selection)?;
            copy_each::<A, true>(view(array, &strided)?, out.view_mut().into_dyn(), &lists)
        }
    }
}

pub(super) fn assign_lists<A: Clone, D: Dimension, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    selection: &Selection,
    value: &ArrayRef<A, E>,
) -> Result<(), SliceError> {
    let shape = selection.output_shape();
    let is_broadcast = value.shape() != shape;
    if is_broadcast && broadcast(value.shape(), value.strides(), shape).is_err() {
        return Err(SliceError::BroadcastToLists {
            value: value.shape().into(),
            result: shape.into(),
        });
    }
    if selection.is_empty() {
        return Ok(());
    }
    let is_dense = !is_broadcast && buffer_start(value).is_some() && is_in_c_order(value);
    match plan(array, selection, &mut Vec::new()) {
        Some(plan) if is_dense => plan.scatter_cloned(elements(value), elements_mut(array)),
        _ if selection.is_strided() => return assign(array, selection, value),
        Some(plan) => {
            let dense = with_broadcast(value, shape, |value| gather(&value, &s![...]))?;
            plan.scatter_cloned(elements(&dense), elements_mut(array));
        }
        None => {
            let (strided, lists) = split_lists(selection)?;
            let to = view_mut(array, &strided)?;
            with_broadcast(value, shape, |value| {
                copy_each::<A, false>(value, to, &lists)
            })?;
        }
    }
    Ok(())
}

pub(super) fn fill_lists<A: Clone, D: Dimension>(
    array: &mut ArrayRef<A, D>,
    selection: &Selection,
    value: A,
) -> Result<(), SliceError> {
    if selection.is_empty() {
        return Ok(());
    }
    if selection.is_strided() {
        return fill(array, selection, value);
    }
    if let Some(plan) = plan(array, selection, &mut Vec::new()) {
        plan.fill(&value, elements_mut(array));
        return Ok(());
    }
    let (strided, lists) = split_lists(selection)?;
    let to = view_mut(array, &strided)?;
    with_broadcast(&arr0(value), selection.output_shape(), |value| {
        copy_each::<A, false>(value, to, &lists)
    })
}

/// Calls `then` with `value` broadcast to `shape`. The caller must have checked that `value` can be broadcast to
/// `shape`.
fn with_broadcast<A, E: Dimension, R>(
    value: &ArrayRef<A, E>,
    shape: &[usize],
    then: impl FnOnce(ArrayViewD<'_, A>) -> R,
) -> R {
    let mut value: ArrayViewD<'_, A> = value.view().into_dyn();
    while value.ndim() > shape.len() {
        value = value.index_axis_move(Axis(0), 0);
    }
    match value.broadcast(IxDyn(shape)) {
        Some(value) => then(value),
        None => unreachable!("the caller checks that the value can be broadcast"),
    }
}

/// Positions that are listed together.
struct ListOnAxes {
    /// The first axis of the list, in a view from which the axes of all lists before it have been dropped.
    axis: usize,
    /// The lengths of the input axes.
    sizes: PerAxis,
    /// The lengths of the axes of the result.
    shape: PerAxis,
    positions: Vec<usize>,
}

/// Splits a selection into a selection without lists, and the lists. In the selection without lists, the axes to which a
/// list applies are kept in full. A repeated new axis is inserted with length 1, and gets a list that repeats position 0.
fn split_lists(selection: &Selection) -> Result<(Selection, Vec<ListOnAxes>), SliceError> {
    let shape = selection.input_shape();
    let (mut input, mut axis, mut lists, mut steps) = (0, 0, Vec::new(), Vec::new());
    for step in selection.resolved_steps() {
        let sizes = &shape[input..input + step.input_axes()];
        input += sizes.len();
        let ResolvedStep::Joined(joined) = step else {
            axis += usize::from(!matches!(step, ResolvedStep::Drop(_)));
            steps.push(step);
            continue;
        };
        let mut sizes = PerAxis::from_slice(sizes);
        if sizes.is_empty() {
            sizes.push(1);
            steps.push(ResolvedStep::Insert { len: 1 });
        } else {
            let whole = sizes.iter().map(|&size| AxisRange::whole(size));
            steps.extend(whole.map(ResolvedStep::Keep));
        }
        lists.push(ListOnAxes {
            axis,
            sizes,
            shape: PerAxis::from_slice(joined.shape()),
            positions: joined.list().to_positions(),
        });
    }
    Ok((Selection::from_steps(shape, steps)?, lists))
}

impl ListOnAxes {
    /// Returns the only axis, or `None` if the list applies to several axes, or gives several axes.
    fn one_axis(&self) -> Option<Axis> {
        (self.sizes.len() == 1 && self.shape.len() == 1).then_some(Axis(self.axis))
    }
}

/// Selects the position `position`, in C order, of the axes from `first` on, whose lengths are in `sizes`.
fn at_flat<S: RawData>(
    mut array: ArrayBase<S, IxDyn>,
    first: usize,
    sizes: &[usize],
    mut position: usize,
) -> ArrayBase<S, IxDyn> {
    for (axis, &size) in sizes.iter().enumerate().rev() {
        array = array.index_axis_move(Axis(first + axis), position % size);
        position /= size;
    }
    array
}

/// The minimum number of elements per list position for which a copy loops over the positions. With fewer elements per
/// position, the copy loops over the rows along the axis of the list instead.
const MIN_ELEMENTS_PER_POSITION: usize = 32;

/// Returns `true` if the copy loops over the rows along `axis` rather than over positions. `rest` contains the lists
/// that follow the list on `axis`.
fn loops_over_rows<A>(array: &ArrayViewD<'_, A>, axis: Axis, rest: &[ListOnAxes]) -> bool {
    rest.is_empty() && array.len() / array.len_of(axis).max(1) < MIN_ELEMENTS_PER_POSITION
}

/// If `GATHERS` is true, copies the elements at the listed positions of `from` to `to`. Otherwise, copies all elements of
/// `from` to the listed positions of `to`; if a position is listed several times, the last value remains. The axes of lists
/// that have already been applied have been dropped from both.
fn copy_each<A: Clone, const GATHERS: bool>(
    from: ArrayViewD<'_, A>,
    mut to: ArrayViewMutD<'_, A>,
    lists: &[ListOnAxes],
) -> Result<(), SliceError> {
    let Some((list, rest)) = lists.split_first() else {
        return assign(&mut to, &s![...], &from);
    };
    let places = list.positions.iter().enumerate();
    // For each position, its place in `from` and in `to`.
    let places = places.map(|(place, &position)| match GATHERS {
        true => (position, place),
        false => (place, position),
    });
    let loops_over_rows = |axis| match GATHERS {
        true => loops_over_rows(&from, axis, rest),
        false => loops_over_rows(&to.view(), axis, rest),
    };
    if let Some(axis) = list.one_axis()
        && loops_over_rows(axis)
    {
        Zip::from(to.lanes_mut(axis))
            .and(from.lanes(axis))
            .for_each(|mut to, from| {
                for (place, into) in places.clone() {
                    to[into].clone_from(&from[place]);
                }
            });
        return Ok(());
    }
    let (from_sizes, to_sizes) = match GATHERS {
        true => (&list.sizes, &list.shape),
        false => (&list.shape, &list.sizes),
    };
    for (place, into) in places {
        let from = at_flat(from.view(), list.axis, from_sizes, place);
        let to = at_flat(to.view_mut(), list.axis, to_sizes, into);
        copy_each::<A, GATHERS>(from, to, rest)?;
    }
    Ok(())
}
