//! NumPy's rule for what fits a slice in an assignment.
//!
//! Seen from the last axis, each axis of the value is as long as that of the slice, or 1: then its one element counts for
//! all. Axes that the value lacks in front count as 1; axes that it has too many must be 1.
//!
//! Source: `PyArray_AssignArray` of NumPy 2.4, which checks even where the slice is empty, and which leaves those
//! superfluous axes out of its message.

use crate::error::SliceError;
use crate::resolve::selection::Dims;

/// The strides with which a value is read as if it had this shape.
///
/// # Errors
///
/// [`SliceError::Broadcast`].
pub(crate) fn broadcast(
    value_shape: &[usize],
    value_strides: &[isize],
    shape: &[usize],
) -> Result<Dims<isize>, SliceError> {
    let surplus = value_shape.len().saturating_sub(shape.len());
    let ones = value_shape[..surplus]
        .iter()
        .take_while(|&&size| size == 1)
        .count();
    let (value_shape, value_strides) = (&value_shape[ones..], &value_strides[ones..]);
    let mismatch = || SliceError::Broadcast {
        value: value_shape.into(),
        slice: shape.into(),
    };
    let missing = shape
        .len()
        .checked_sub(value_shape.len())
        .ok_or_else(mismatch)?;
    let mut strides = Dims::from_elem(0, shape.len());
    let axes = value_shape.iter().zip(value_strides).zip(&shape[missing..]);
    for (slot, ((&size, &stride), &wanted)) in strides[missing..].iter_mut().zip(axes) {
        if size == wanted {
            *slot = stride;
        } else if size != 1 {
            return Err(mismatch());
        }
    }
    Ok(strides)
}
