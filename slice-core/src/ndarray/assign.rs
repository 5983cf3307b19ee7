//! Assignment to a slice: NumPy's broadcasting, and the engine's speed where the memory allows it.
//!
//! The engine works on a flat buffer from which nothing is missing, so both arrays must be contiguous in memory, in
//! whatever order of axes. What lies between the elements of any other view may belong to somebody else; ndarray's own
//! loops do the work there.

use ndarray::{ArrayRef, ArrayViewMut, Axis, Dimension};

use super::StridedSliceExt;
use super::rank::SliceFor;
use crate::SliceError;
use crate::broadcast::broadcast;
use crate::selection::Dims;
use crate::strided_copy::StridedCopy;

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
    match (start, value.as_slice_memory_order()) {
        (Some(start), Some(values)) => {
            let first = distance(values.as_ptr(), value.as_ptr());
            let block = block((first, &strides), start, &target);
            block.run(values, whole_buffer(array));
        }
        _ => {
            let mut value = value.view().into_dyn();
            while value.ndim() > target.ndim() {
                value = value.index_axis_move(Axis(0), 0);
            }
            target.assign(&value);
        }
    }
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
    match start {
        _ if target.is_empty() => {}
        Some(start) => {
            let anywhere = Dims::from_elem(0, target.ndim());
            let block = block((0, &anywhere), start, &target);
            block.fill(&value, whole_buffer(array));
        }
        None => target.fill(value),
    }
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

/// The copy to a view of the array whose elements begin at `start`.
fn block<A, O: Dimension>(
    from: (usize, &[isize]),
    start: *const A,
    target: &ArrayViewMut<'_, A, O>,
) -> StridedCopy {
    let to = (distance(start, target.as_ptr()), target.strides());
    StridedCopy::new(target.shape(), from, to)
}

/// Elements, which have a size, from one place of a buffer to a later one.
pub(super) fn distance<A>(start: *const A, place: *const A) -> usize {
    (place.addr() - start.addr()) / size_of::<A>()
}
