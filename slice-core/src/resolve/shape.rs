//! Functions that check shapes and count the elements of arrays.

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

/// Returns the number of elements in an array with the shape `shape`.
///
/// # Errors
///
/// Returns [`ResolveError::TooLarge`] if an axis is longer than `isize::MAX`, or if no axis is empty and the product of
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
            return Err(ResolveError::TooLarge { axis, size });
        }
        empty |= size == 0;
        len = match len.checked_mul(size) {
            Some(product) if product <= MAX_AXIS_LEN => product,
            _ => {
                if overflow.is_none() {
                    overflow = Some(ResolveError::TooLarge { axis, size });
                }
                1
            }
        };
        axis += 1;
    }
    match overflow {
        _ if empty => Ok(0),
        Some(error) => Err(error),
        None => Ok(len),
    }
}

/// Implements the methods of a selection that return or check shapes and lengths. `$Selection` must have the fields
/// `input_shape`, `input_len`, `output_shape` and `len`.
macro_rules! shapes_and_lengths {
    ($Selection:ident) => {
        impl $Selection {
            /// Returns the shape of the arrays to which the selection applies.
            #[must_use]
            pub fn input_shape(&self) -> &[usize] {
                &self.input_shape
            }

            /// Returns the number of elements in an array with the input shape.
            #[must_use]
            pub fn input_len(&self) -> usize {
                self.input_len
            }

            /// Returns the shape of the result.
            #[must_use]
            pub fn output_shape(&self) -> &[usize] {
                &self.output_shape
            }

            /// Returns the number of elements in the result.
            #[must_use]
            pub fn len(&self) -> usize {
                self.len
            }

            /// Returns `true` if nothing is selected.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// Checks that the selection applies to arrays with the shape `shape`.
            ///
            /// # Errors
            ///
            /// Returns [`SliceError::ShapeMismatch`](crate::SliceError::ShapeMismatch) if the selection was resolved
            /// for a different shape.
            pub fn check_shape(&self, shape: &[usize]) -> Result<(), $crate::SliceError> {
                $crate::resolve::shape::check_shape(&self.input_shape, shape)
            }
        }
    };
}
pub(crate) use shapes_and_lengths;
