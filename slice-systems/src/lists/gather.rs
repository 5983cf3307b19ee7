//! Resolves gathers: operations that select a list of positions on one axis.

use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Selection, SliceError};

use super::{AxisList, Split};
use crate::error::OperationError;

/// Returns the [`Split`] that selects `indices` on the axis `axis` of an array with the shape `shape`. `position`
/// converts an index to a position, given the length of the axis.
///
/// # Errors
///
/// Returns an error for the first index for which `position` returns `None`. `out_of_bounds` creates this error from
/// the index's position in the list and the index itself. Otherwise, returns the same errors as [`Split::new`].
pub(crate) fn resolve_gather(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
    position: impl Fn(i64, usize) -> Option<usize>,
    out_of_bounds: impl Fn(usize, i64) -> OperationError,
) -> Result<Split, OperationError> {
    let slice = DynSliceSpec::default().resolve(shape)?;
    let positions = indices.iter().enumerate().map(|(place, &index)| {
        position(index, shape[axis]).ok_or_else(|| out_of_bounds(place, index))
    });
    let positions = positions.collect::<Result<_, _>>()?;
    let lists = Vec::from([AxisList { axis, positions }]);
    Ok(Split::new(slice, lists)?)
}

/// Returns the [`Split`] that selects `indices` on the axis `axis` of an array with the shape `shape`. A negative index
/// is an error.
pub(crate) fn resolve_gather_from_front(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    let position_in_axis = |index, size| usize::try_from(index).ok().filter(|&index| index < size);
    resolve_gather(shape, axis, indices, position_in_axis, |place, index| {
        OperationError::ListIndex {
            place,
            axis,
            index,
            size,
        }
    })
}

/// Returns the [`Split`] that selects `indices` on the axis `axis` of an array with the shape `shape`. A negative index
/// counts from the end.
pub(crate) fn resolve_gather_from_either_end(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    resolve_gather(
        shape,
        axis,
        indices,
        slice_core::resolve::index,
        |place, index| {
            let item = 0;
            SliceError::ListIndexOutOfBounds {
                item,
                place,
                axis,
                index: index.into(),
                size,
            }
            .into()
        },
    )
}

/// Returns `axis` as an axis counted from the front. A negative `axis` counts from the end.
pub(crate) fn axis_from_either_end(axis: i64, rank: usize) -> Result<usize, OperationError> {
    let item = 0;
    slice_core::resolve::index(axis, rank).ok_or(OperationError::AxisOutOfRange {
        item,
        axis,
        rank,
    })
}

/// Returns `split` as a selection, or an error if one of its lists is not equivalent to a range.
pub(crate) fn strided_selection(
    split: &Split,
    operation: &'static str,
) -> Result<Selection, OperationError> {
    let selection = split.resolve()?.to_selection();
    selection.ok_or(OperationError::List { operation })
}
