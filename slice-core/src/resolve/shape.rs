//! Functions that check and broadcast shapes, and count the elements of arrays.

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::error::resolve_error::ResolveError;
use crate::resolve::axis::MAX_AXIS_LEN;

/// Checks that two shapes are equal.
///
/// # Errors
///
/// Returns [`SliceError::ShapeMismatch`] if the shapes differ.
///
/// # Example
///
/// ```
/// use slice_core::resolve::check_shape;
///
/// assert!(check_shape(&[4, 5], &[4, 5]).is_ok());
/// let error = check_shape(&[4, 5], &[4, 6]).unwrap_err();
/// assert_eq!(error.to_string(), "shapes differ: expected (4,5), but got (4,6)");
/// ```
#[inline]
pub fn check_shape(expected: &[usize], actual: &[usize]) -> Result<(), SliceError> {
    if expected == actual {
        return Ok(());
    }
    let (expected, actual) = (expected.into(), actual.into());
    Err(SliceError::ShapeMismatch { expected, actual })
}

/// Returns the shape to which two shapes broadcast, as in NumPy: axes are compared from the last to the first, and an axis of
/// length 1, or a missing axis, takes the length of the other. Returns `None` if two lengths differ and neither is 1.
pub(crate) fn common_shape(one: &[usize], other: &[usize]) -> Option<SmallVec<[usize; 6]>> {
    let (long, short) = match one.len() < other.len() {
        true => (other, one),
        false => (one, other),
    };
    let mut common = SmallVec::from_slice(long);
    for (common, &len) in common.iter_mut().rev().zip(short.iter().rev()) {
        match (*common, len) {
            (_, 1) => {}
            (1, _) => *common = len,
            (one, other) if one == other => {}
            _ => return None,
        }
    }
    Some(common)
}

/// Returns the number of elements in an array with the shape `shape`.
///
/// # Errors
///
/// Returns [`SliceError::TooLarge`] if an axis is longer than `isize::MAX`, or if no axis is empty and the product of
/// the lengths is greater than `isize::MAX`.
#[inline]
pub(crate) const fn element_count(shape: &[usize]) -> Result<usize, ResolveError> {
    let mut len = 1_usize;
    let mut overflow = None;
    let mut empty = false;
    let mut axis = 0;
    while axis < shape.len() {
        let size = shape[axis];
        if size > MAX_AXIS_LEN {
            return Err(ResolveError::new(SliceError::TooLarge { axis, size }));
        }
        empty |= size == 0;
        len = match len.checked_mul(size) {
            Some(product) if product <= MAX_AXIS_LEN => product,
            _ => {
                if overflow.is_none() {
                    overflow = Some((axis, size));
                }
                1
            }
        };
        axis += 1;
    }
    match overflow {
        _ if empty => Ok(0),
        Some((axis, size)) => Err(ResolveError::new(SliceError::TooLarge { axis, size })),
        None => Ok(len),
    }
}
