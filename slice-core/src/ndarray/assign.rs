//! Assignment to a slice: NumPy's broadcasting, at the engine's speed.
//!
//! The engine may touch everything in an array that is contiguous in memory, in whatever order of axes. What lies between
//! the elements of any other view may be borrowed elsewhere, so only the elements are touched.

#![expect(unsafe_code)]

use ndarray::{ArrayRef, ArrayViewMut, Axis, Dimension};

use super::StridedSliceExt;
use super::buffer::{axes, buffer_start, distance, elements, elements_mut, is_in_c_order};
use super::rank::SliceFor;
use crate::copy::broadcast::broadcast;
use crate::copy::{GatherPlan, Source, StridedCopy, Target, extent, is_plain};
use crate::error::SliceError;
use crate::resolve::selection::Dims;

/// So few elements take less time than to find out how best to copy them.
const SMALL: usize = 64;

pub(super) fn assign<A, D, E, I>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    value: &ArrayRef<A, E>,
) -> Result<(), SliceError>
where
    A: Clone,
    D: Dimension,
    E: Dimension,
    I: SliceFor<D>,
{
    let start = buffer_start(array);
    let (len, in_order) = (array.len(), is_in_c_order(array) && is_in_c_order(value));
    let mut target = array.try_at_mut(spec)?;
    if let Some(start) = start
        && in_order
        && target.len() > SMALL
        && target.shape() == value.shape()
    {
        // There is no better order of the axes to be found.
        let plan = GatherPlan::new(distance(start, target.as_ptr()), axes(&target), len);
        let plan = plan.expect("a view of an array stays within its buffer");
        return plan.scatter_cloned(elements(value), elements_mut(array));
    }
    let strides = broadcast(value.shape(), value.strides(), target.shape())?;
    if target.is_empty() {
        return Ok(());
    }
    let value_start = buffer_start(value);
    let engine = is_plain::<A>() || start.is_some() && value_start.is_some();
    if target.len() <= SMALL || !engine {
        assign_each(target, value);
        return Ok(());
    }
    let (first, source) = match value_start {
        Some(start) => (distance(start, value.as_ptr()), elements(value).into()),
        None => {
            let axes = target.shape().iter().copied();
            let (first, len) = extent(axes.zip(strides.iter().copied()));
            let lowest = value.as_ptr().wrapping_sub(first);
            (first, Source::parts(lowest, len))
        }
    };
    let (place, parts) = place(start, &mut target);
    let block = StridedCopy::new(target.shape(), (first, &strides), (place, target.strides()));
    let mut target = parts.unwrap_or_else(|| elements_mut(array).into());
    // SAFETY: where a side is made of parts, the places of the block are the elements of a view that is borrowed, the
    // target mutably.
    unsafe { block.run(&source, &mut target) };
    Ok(())
}

pub(super) fn fill<A, D, I>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    value: A,
) -> Result<(), SliceError>
where
    A: Clone,
    D: Dimension,
    I: SliceFor<D>,
{
    let start = buffer_start(array);
    let mut target = array.try_at_mut(spec)?;
    if target.is_empty() {
        return Ok(());
    }
    if target.len() <= SMALL || !is_plain::<A>() && start.is_none() {
        target.fill(value);
        return Ok(());
    }
    let anywhere = Dims::from_elem(0, target.ndim());
    let (place, parts) = place(start, &mut target);
    let block = StridedCopy::new(target.shape(), (0, &anywhere), (place, target.strides()));
    let mut target = parts.unwrap_or_else(|| elements_mut(array).into());
    // SAFETY: as in `assign`.
    unsafe { block.fill_with(&value, &mut target) };
    Ok(())
}

/// Calls `update` with each element of a slice and the value for it, by ndarray's own loops.
pub(super) fn update<A, D: Dimension, E: Dimension>(
    mut slice: ArrayViewMut<'_, A, D>,
    value: &ArrayRef<A, E>,
    update: impl FnMut(&mut A, &A),
) -> Result<(), SliceError> {
    if value.shape() != slice.shape() {
        // An operator's result has all axes of the value, and here it has to fit the slice: unlike in assignment, axes of
        // length 1 in front are one too many.
        if value.ndim() > slice.ndim() {
            return Err(SliceError::Broadcast {
                value: value.shape().into(),
                slice: slice.shape().into(),
            });
        }
        broadcast(value.shape(), value.strides(), slice.shape())?;
    }
    slice.zip_mut_with(value, update);
    Ok(())
}

/// Where a view begins in the buffer of the array that begins at `start`; or, without a buffer, among the elements of the
/// view, which may be written for `'a`.
fn place<'a, A: Clone, O: Dimension>(
    start: Option<*const A>,
    view: &mut ArrayViewMut<'_, A, O>,
) -> (usize, Option<Target<'a, A>>) {
    match start {
        Some(start) => (distance(start, view.as_ptr()), None),
        None => {
            let (first, len) = extent(axes(view));
            let lowest = view.as_mut_ptr().wrapping_sub(first);
            (first, Some(Target::parts(lowest, len)))
        }
    }
}

/// Assignment with ndarray's own loops.
fn assign_each<A: Clone, O: Dimension, E: Dimension>(
    mut target: ArrayViewMut<'_, A, O>,
    value: &ArrayRef<A, E>,
) {
    if value.ndim() == target.ndim() {
        return target.assign(value);
    }
    let mut value = value.view().into_dyn();
    while value.ndim() > target.ndim() {
        value = value.index_axis_move(Axis(0), 0);
    }
    target.assign(&value);
}
