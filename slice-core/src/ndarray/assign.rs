//! Assignment to a slice: NumPy's broadcasting, at the engine's speed.
//!
//! The engine may touch everything in an array that is contiguous in memory, in whatever order of axes. What lies between
//! the elements of any other view may belong to somebody else; it then keeps to the elements.

#![expect(unsafe_code)]

use ndarray::{ArrayRef, ArrayViewMut, Axis, Dimension};

use super::StridedSliceExt;
use super::rank::SliceFor;
use crate::SliceError;
use crate::broadcast::broadcast;
use crate::gather::{Source, StridedCopy, Target, extent, is_plain};
use crate::selection::Dims;

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
    let mut target = array.try_strided_slice_mut(spec)?;
    let strides = broadcast(value.shape(), value.strides(), target.shape())?;
    if target.is_empty() {
        return Ok(());
    }
    let elements = buffer_start(value).and(value.as_slice_memory_order());
    if !is_plain::<A>() && (start.is_none() || elements.is_none()) {
        assign_each(target, value);
        return Ok(());
    }
    let (first, source) = match elements {
        Some(elements) => (
            distance(elements.as_ptr(), value.as_ptr()),
            Source::from(elements),
        ),
        None => {
            let (first, len) = extent(target.shape().iter().copied().zip(strides.iter().copied()));
            (
                first,
                Source::parts(value.as_ptr().wrapping_sub(first), len),
            )
        }
    };
    let (block, parts) = block((first, &strides), start, &mut target);
    let mut target = parts.unwrap_or_else(|| whole_buffer(array).into());
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
    let mut target = array.try_strided_slice_mut(spec)?;
    if target.is_empty() {
        return Ok(());
    }
    if !is_plain::<A>() && start.is_none() {
        target.fill(value);
        return Ok(());
    }
    let anywhere = Dims::from_elem(0, target.ndim());
    let (block, parts) = block((0, &anywhere), start, &mut target);
    let mut target = parts.unwrap_or_else(|| whole_buffer(array).into());
    // SAFETY: as in `assign`.
    unsafe { block.fill_with(&value, &mut target) };
    Ok(())
}

/// Where the array's elements begin in memory, if there is nothing else between them, and if they have a size.
pub(super) fn buffer_start<A, D: Dimension>(array: &ArrayRef<A, D>) -> Option<*const A> {
    match array.as_slice_memory_order() {
        Some(elements) if size_of::<A>() != 0 => Some(elements.as_ptr()),
        _ => None,
    }
}

/// The elements of an array that has a `buffer_start`.
fn whole_buffer<A, D: Dimension>(array: &mut ArrayRef<A, D>) -> &mut [A] {
    array.as_slice_memory_order_mut().expect("still contiguous")
}

/// The copy to a view of the array whose elements begin at `start`; or, if there is more than these, to the elements of
/// the view, which may be written for `'a`.
fn block<'a, A: Clone, O: Dimension>(
    from: (usize, &[isize]),
    start: Option<*const A>,
    view: &mut ArrayViewMut<'_, A, O>,
) -> (StridedCopy, Option<Target<'a, A>>) {
    let (first, parts) = match start {
        Some(start) => (distance(start, view.as_ptr()), None),
        None => {
            let (first, len) = extent(
                view.shape()
                    .iter()
                    .copied()
                    .zip(view.strides().iter().copied()),
            );
            let lowest = view.as_mut_ptr().wrapping_sub(first);
            (first, Some(Target::parts(lowest, len)))
        }
    };
    let to = (first, view.strides());
    (StridedCopy::new(view.shape(), from, to), parts)
}

/// Elements, which have a size, from one place of a buffer to a later one.
pub(super) fn distance<A>(start: *const A, place: *const A) -> usize {
    (place.addr() - start.addr()) / size_of::<A>()
}

/// Assignment with ndarray's own loops.
fn assign_each<A: Clone, O: Dimension, E: Dimension>(
    mut target: ArrayViewMut<'_, A, O>,
    value: &ArrayRef<A, E>,
) {
    let mut value = value.view().into_dyn();
    while value.ndim() > target.ndim() {
        value = value.index_axis_move(Axis(0), 0);
    }
    target.assign(&value);
}
