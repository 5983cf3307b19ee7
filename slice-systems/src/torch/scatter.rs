//! Defines `slice_scatter` and `select_scatter`, which return a copy of an array in which a slice is replaced.

use alloc::vec::Vec;

use slice_core::Selection;

use super::Slice;
use super::op::Select;
use crate::error::OperationError;
use crate::torch::error::AtenError;

/// Returns a copy of `input` in which the slice is replaced by `src`, which must have the slice's shape.
///
/// Python equivalent: `torch.slice_scatter(input, src, dim, start, end, step)`. `input` and `src` each consist of a
/// shape and the elements in C order. To assign in place, call [`assign`](Selection::assign) on the selection returned
/// by [`Slice::resolve`].
///
/// # Errors
///
/// * The same errors as [`Slice::resolve`].
/// * [`OperationError::System`] if the shape of `src` differs from the shape of the slice; `src` is not broadcast.
/// * `SliceError::BufferLength` if the number of elements in `input` or `src` does not match its shape.
///
/// # Example
///
/// ```
/// use slice_systems::torch::{Slice, slice_scatter};
///
/// // x[:, 1:] = [[8], [9]]
/// let op = Slice { dim: 1, start: Some(1), end: None, step: 1 };
/// let updated = slice_scatter((&[2, 2], &[1, 2, 3, 4]), &op, (&[2, 1], &[8, 9]))?;
/// assert_eq!(updated, [1, 8, 3, 9]);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
pub fn slice_scatter<T: Clone>(
    input: (&[usize], &[T]),
    op: &Slice,
    src: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    scatter(input, &op.resolve(input.0)?, src)
}

/// Returns a copy of `input` in which one position along an axis is replaced by `src`. The shape of `src` must be that
/// of `input` without that axis.
///
/// Python equivalent: `torch.select_scatter(input, src, dim, index)`.
///
/// # Errors
///
/// * [`OperationError::System`] if `input` has no axes.
/// * [`OperationError::AxisOutOfRange`] if the axis does not exist.
/// * `SliceError::TooLarge` if no array can have the shape of `input`.
/// * `SliceError::IndexOutOfBounds` if the index is outside the axis.
/// * [`OperationError::System`] and `SliceError::BufferLength`, as for [`slice_scatter`].
///
/// # Example
///
/// ```
/// use slice_systems::torch::{Select, select_scatter};
///
/// // x[:, 0] = [8, 9]
/// let op = Select { dim: 1, index: 0 };
/// let updated = select_scatter((&[2, 2], &[1, 2, 3, 4]), &op, (&[2], &[8, 9]))?;
/// assert_eq!(updated, [8, 2, 9, 4]);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
pub fn select_scatter<T: Clone>(
    input: (&[usize], &[T]),
    op: &Select,
    src: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    scatter(input, &op.on_axis(input.0.len())?.select(input.0)?, src)
}

fn scatter<T: Clone>(
    input: (&[usize], &[T]),
    selection: &Selection,
    src: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    if src.0 != selection.output_shape() {
        let (expected, actual) = (selection.output_shape().into(), src.0.into());
        return Err(AtenError::Source { expected, actual }.into());
    }
    let mut updated = input.1.to_vec();
    selection.assign(src.0, src.1, &mut updated)?;
    Ok(updated)
}
