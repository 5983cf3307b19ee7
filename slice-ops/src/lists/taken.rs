//! The operations that gather positions along an axis, resolved.

use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Selection, SliceError};

use super::{AxisList, Split};
use crate::error::OperationError;

/// Returns positions of an axis of arrays of this shape, each found by `position` from an index and the length of the
/// axis.
///
/// # Errors
///
/// The error that `refused` returns for the first index without a position, from the index and its place in the list.
pub(crate) fn taken(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
    position: impl Fn(i64, usize) -> Option<usize>,
    refused: impl Fn(usize, i64) -> OperationError,
) -> Result<Split, OperationError> {
    let slice = DynSliceSpec::default().resolve(shape)?;
    let found = indices
        .iter()
        .enumerate()
        .map(|(place, &index)| position(index, shape[axis]).ok_or_else(|| refused(place, index)));
    let positions = found.collect::<Result<_, _>>()?;
    let lists = Vec::from([AxisList { axis, positions }]);
    Ok(Split::new(slice, lists)?)
}

/// Returns positions on an axis, selected by indices that count from the front only.
pub(crate) fn taken_from_front(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    let in_axis = |index, size| usize::try_from(index).ok().filter(|&index| index < size);
    taken(shape, axis, indices, in_axis, |place, index| {
        OperationError::ListIndex {
            place,
            axis,
            index,
            size,
        }
    })
}

/// Returns positions on an axis, selected by indices of which negative ones count from the end.
pub(crate) fn taken_from_either_end(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    taken(
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

/// Returns the axis with this number; a negative number counts from the end.
pub(crate) fn axis_from_either_end(axis: i64, rank: usize) -> Result<usize, OperationError> {
    let item = 0;
    slice_core::resolve::index(axis, rank).ok_or(OperationError::AxisOutOfRange {
        item,
        axis,
        rank,
    })
}

/// Returns the selection, if the lists are equal to ranges.
pub(crate) fn strided(split: &Split, operation: &'static str) -> Result<Selection, OperationError> {
    let selection = split.resolve()?.to_selection();
    selection.ok_or(OperationError::List { operation })
}
