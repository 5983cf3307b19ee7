//! Assigns to slices with NumPy's broadcasting, using the copy engine of this crate.
//!
//! If an array is contiguous in some order of its axes, the engine may access all of its memory. Otherwise, the gaps
//! between the elements may be borrowed elsewhere, so the engine accesses only the elements.

#![expect(unsafe_code)]

use core::slice;

use ndarray::{ArrayRef, ArrayViewD, ArrayViewMut, Axis, Dimension};

use super::bridge::view_mut;
use super::buffer::{axes, buffer_start, distance, elements, elements_mut, is_in_c_order};
use super::rank::SliceFor;
use crate::copy::broadcast::broadcast;
use crate::copy::copy;
use crate::copy::elements::Elements;
use crate::copy::plain::is_plain;
use crate::copy::plan::CopyPlan;
use crate::copy::strided_copy::{Source, Target};
use crate::error::SliceError;
use crate::resolve::selection::PerAxis;
use crate::resolve::strided::{StridedAxis, strided_axes};

/// The largest number of elements for which ndarray's own loops are always used. For such small copies, the copy engine
/// would take longer to choose a kernel than to copy.
const MAX_LOOP_ELEMENTS: usize = 64;

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
    let target = view_mut(array, spec)?;
    // For a few elements, checking below whether the arrays are contiguous would take as long as the loop.
    if target.len() <= MAX_LOOP_ELEMENTS {
        if target.shape() != value.shape() {
            broadcast(value.shape(), value.strides(), target.shape())?;
        }
        if !target.is_empty() {
            assign_each(target, value);
        }
        return Ok(());
    }
    let start = buffer_start(array);
    let (len, in_order) = (array.len(), is_in_c_order(array) && is_in_c_order(value));
    let mut target = view_mut(array, spec)?;
    if let Some(start) = start
        && in_order
        && target.shape() == value.shape()
    {
        // Both arrays are in C order, so reordering the axes would not help.
        let plan = CopyPlan::new(distance(start, target.as_ptr()), axes(&target), len);
        let plan = plan.expect("the view should lie within its buffer");
        plan.scatter_clones(elements(value), elements_mut(array));
        return Ok(());
    }
    let strides = broadcast(value.shape(), value.strides(), target.shape())?;
    let value_start = buffer_start(value);
    let uses_engine = is_plain::<A>() || start.is_some() && value_start.is_some();
    if !uses_engine {
        assign_each(target, value);
        return Ok(());
    }
    let source_axes = strided_axes(target.shape(), &strides).collect();
    let source = match value_start {
        Some(start) => {
            let offset = distance(start, value.as_ptr());
            Source::of_buffer(elements(value), offset, source_axes)
        }
        // SAFETY: `source_axes` are the axes of the borrowed value, broadcast with strides of 0, so they reach only
        // elements of the value.
        None => unsafe { Source::of_view(value.as_ptr(), source_axes) },
    };
    let (first, axes) = (target.as_mut_ptr(), axes(&target).collect());
    // SAFETY: `first` and `axes` belong to `target`, a mutable view of the array.
    copy(source, unsafe { copy_target(array, first, axes) });
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
    let uses_engine = is_plain::<A>() || buffer_start(array).is_some();
    let mut target = view_mut(array, spec)?;
    if target.is_empty() {
        return Ok(());
    }
    if target.len() <= MAX_LOOP_ELEMENTS || !uses_engine {
        target.fill(value);
        return Ok(());
    }
    let repeated = axes(&target).map(|axis| StridedAxis { stride: 0, ..axis });
    let source = Source::of_buffer(slice::from_ref(&value), 0, repeated.collect());
    let (first, axes) = (target.as_mut_ptr(), axes(&target).collect());
    // SAFETY: `first` and `axes` belong to `target`, a mutable view of the array.
    copy(source, unsafe { copy_target(array, first, axes) });
    Ok(())
}

/// Calls `update` with each element of a slice and the value for that element, using ndarray's own loops.
pub(super) fn update<A, D: Dimension, E: Dimension>(
    mut slice: ArrayViewMut<'_, A, D>,
    value: &ArrayRef<A, E>,
    update: impl FnMut(&mut A, &A),
) -> Result<(), SliceError> {
    if value.shape() != slice.shape() {
        // As in NumPy, the broadcast result of an operator has all axes of the value, and must have the shape of the
        // slice. Unlike in an assignment, superfluous leading axes of length 1 are therefore an error.
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

/// Returns the copy target for the elements of an array along `axes`, starting at `first`.
///
/// # Safety
///
/// `first` and `axes` must belong to a mutable view of the array.
unsafe fn copy_target<A, D: Dimension>(
    array: &mut ArrayRef<A, D>,
    first: *mut A,
    axes: PerAxis<StridedAxis>,
) -> Target<'_, A> {
    match buffer_start(array) {
        Some(start) => Target::of_buffer(elements_mut(array), distance(start, first), axes),
        // SAFETY: the caller guarantees that `first` and `axes` belong to a mutable view of the array, so their
        // elements may be written while the array is borrowed. The target keeps the array borrowed.
        None => unsafe { Target::of_view(first, axes) },
    }
}

/// Assigns `value`, which must be broadcastable to the shape of `target`, using ndarray's own loops.
fn assign_each<A: Clone, O: Dimension, E: Dimension>(
    mut target: ArrayViewMut<'_, A, O>,
    value: &ArrayRef<A, E>,
) {
    if value.ndim() == target.ndim() {
        return target.assign(value);
    }
    let value = without_surplus_axes(value, target.ndim());
    target.assign(&value);
}

/// Returns a value without its first axes, so that at most `rank` axes are left. The first axes have length 1.
pub(super) fn without_surplus_axes<A, E: Dimension>(
    value: &ArrayRef<A, E>,
    rank: usize,
) -> ArrayViewD<'_, A> {
    let mut value = value.view().into_dyn();
    while value.ndim() > rank {
        value = value.index_axis_move(Axis(0), 0);
    }
    value
}
