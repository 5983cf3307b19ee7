//! `StridedSliceGrad`: computes the gradient of an array from the gradient of its slice.

use alloc::vec::Vec;

use super::StridedSlice;
use crate::error::OperationError;

/// Returns the gradient of an array, given the gradient `dy` of its slice. The gradient of an element that was not
/// selected is zero.
///
/// Python equivalent: `tf.raw_ops.StridedSliceGrad(shape=shape, begin=..., ..., dy=dy)`. `dy` consists of a shape and
/// the elements in C order. The result contains the elements of an array with the shape `shape`, also in C order.
///
/// This function calls [`Selection::scatter_new`](slice_core::Selection::scatter_new). If the elements are numbers, and
/// the operating system maps zeroed pages on demand, only the written pages of the result use memory.
///
/// Source: TensorFlow 2.21.0. `dy` must have exactly the shape of the slice, because it is not broadcast.
///
/// # Errors
///
/// * The same errors as [`StridedSlice::resolve`].
/// * [`OperationError::GradientShape`] if the shape of `dy` is not the shape of the slice.
/// * [`SliceError::BufferLength`] if the number of elements in `dy` does not match its shape.
/// * [`SliceError::Allocation`] if there is not enough memory for the result.
///
/// [`SliceError::BufferLength`]: slice_core::SliceError::BufferLength
/// [`SliceError::Allocation`]: slice_core::SliceError::Allocation
///
/// # Example
///
/// ```
/// use slice_systems::tensorflow::{StridedSlice, strided_slice_grad};
///
/// // x[:, 1] of a 2 x 3 array
/// let op = StridedSlice {
///     begin: vec![0, 1],
///     end: vec![0, 2],
///     strides: vec![1, 1],
///     begin_mask: 1,
///     end_mask: 1,
///     shrink_axis_mask: 2,
///     ..StridedSlice::default()
/// };
/// let dx = strided_slice_grad(&[2, 3], &op, (&[2], &[0.5, 0.25]))?;
/// assert_eq!(dx, [0.0, 0.5, 0.0, 0.0, 0.25, 0.0]);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
pub fn strided_slice_grad<T: Clone + Default>(
    shape: &[usize],
    op: &StridedSlice,
    dy: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    let selection = op.resolve(shape)?;
    let (dy_shape, dy) = dy;
    if dy_shape != selection.output_shape() {
        return Err(OperationError::GradientShape {
            expected: selection.output_shape().into(),
            actual: dy_shape.into(),
        });
    }
    Ok(selection.scatter_new(dy)?)
}
