//! `TensorStridedSliceUpdate`: a copy of an array in which a slice is replaced.

use alloc::vec::Vec;

use slice_core::SliceError;
use slice_core::resolve::element_count;

use super::StridedSlice;
use crate::error::OperationError;

/// Returns a copy of `input` in which the slice is replaced by `value`.
///
/// Python equivalent: `tf.raw_ops.TensorStridedSliceUpdate(input=input, begin=..., ..., value=value)`. `input` and
/// `value` each consist of a shape and the elements in C order. The result contains the elements of an array with the
/// shape of `input`. To assign in place, call [`assign`](slice_core::Selection::assign) on the selection returned by
/// [`StridedSlice::resolve`].
///
/// Source: TensorFlow 2.21.0. `value` is broadcast to the slice as in NumPy, and may have superfluous leading axes of
/// length 1. If the slice is empty, a value of any shape is accepted, and nothing changes.
///
/// # Errors
///
/// * The same errors as [`StridedSlice::resolve`].
/// * [`SliceError::Broadcast`] if the slice is not empty, and `value` does not broadcast to it.
/// * [`SliceError::TooLarge`] if the slice is empty, and no array can have the shape of `value`.
/// * [`SliceError::BufferLength`] if the number of elements in `input` or `value` does not match its shape.
///
/// [`SliceError::Broadcast`]: slice_core::SliceError::Broadcast
/// [`SliceError::TooLarge`]: slice_core::SliceError::TooLarge
/// [`SliceError::BufferLength`]: slice_core::SliceError::BufferLength
///
/// # Example
///
/// ```
/// use slice_systems::tensorflow::{StridedSlice, tensor_strided_slice_update};
///
/// // x[:, 1:] = [[8], [9]]
/// let op = StridedSlice {
///     begin: vec![0, 1],
///     end: vec![0, 0],
///     strides: vec![1, 1],
///     begin_mask: 1,
///     end_mask: 3,
///     ..StridedSlice::default()
/// };
/// let x = [1, 2, 3, 4, 5, 6];
/// let updated = tensor_strided_slice_update((&[2, 3], &x), &op, (&[2, 1], &[8, 9]))?;
/// assert_eq!(updated, [1, 8, 8, 4, 9, 9]);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
pub fn tensor_strided_slice_update<T: Clone>(
    input: (&[usize], &[T]),
    op: &StridedSlice,
    value: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    let selection = op.resolve(input.0)?;
    check_len(selection.input_len(), input.1.len())?;
    let mut updated = input.1.to_vec();
    if selection.is_empty() {
        check_len(element_count(value.0)?, value.1.len())?;
    } else {
        selection.assign(value.0, value.1, &mut updated)?;
    }
    Ok(updated)
}

fn check_len(expected: usize, actual: usize) -> Result<(), SliceError> {
    match expected == actual {
        true => Ok(()),
        false => Err(SliceError::BufferLength { expected, actual }),
    }
}
