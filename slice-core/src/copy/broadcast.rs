//! NumPy's broadcasting rule for assignments.
//!
//! Axes are compared from the last to the first. Each axis of the value must either be as long as the corresponding
//! axis of the slice or have length 1, in which case it is repeated. A value with fewer axes than the slice is repeated
//! along the missing leading axes. If the value has more axes than the slice, the superfluous leading axes must have
//! length 1.
//!
//! Source: `PyArray_AssignArray` of NumPy 2.4, which applies the rule to empty slices as well, and omits superfluous
//! leading axes of length 1 from the shape in its error message.

use crate::error::SliceError;
use crate::resolve::selection::PerAxis;
use crate::resolve::shape::common_shape;

/// Returns the strides with which a value can be read as an array of shape `shape`.
///
/// # Errors
///
/// Returns [`SliceError::Broadcast`] if the value cannot be broadcast to `shape`.
pub(crate) fn broadcast(
    value_shape: &[usize],
    value_strides: &[isize],
    shape: &[usize],
) -> Result<PerAxis<isize>, SliceError> {
    let surplus = value_shape.len().saturating_sub(shape.len());
    let unit_axes = value_shape[..surplus]
        .iter()
        .take_while(|&&size| size == 1)
        .count();
    let (value_shape, value_strides) = (&value_shape[unit_axes..], &value_strides[unit_axes..]);
    if common_shape(value_shape, shape).as_deref() != Some(shape) {
        return Err(SliceError::Broadcast {
            value: value_shape.into(),
            slice: shape.into(),
        });
    }
    let missing = shape.len() - value_shape.len();
    let mut strides = PerAxis::from_elem(0, shape.len());
    let axes = value_shape.iter().zip(value_strides).zip(&shape[missing..]);
    for (slot, ((&size, &stride), &slice_size)) in strides[missing..].iter_mut().zip(axes) {
        if size == slice_size {
            *slot = stride;
        }
    }
    Ok(strides)
}
