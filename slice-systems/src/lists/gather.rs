//! Defines [`Gather`], and resolves gathers: operations that select a list of positions on one axis.

use alloc::vec::Vec;

use slice_core::{DynSliceSpec, SliceError};

use super::{AxisList, Split};
use crate::error::OperationError;

/// The gather of TensorFlow (`GatherV2`), OpenVINO (`Gather-8`), MindSpore, ONNX, LiteRT and Core ML, with a list of
/// indices and without `batch_dims`. It selects positions on an axis in any order.
///
/// Python equivalent: `np.take(x, indices, axis)`. In TensorFlow and LiteRT, negative indices are errors.
///
/// An index outside the axis is an error in this crate. OpenVINO returns zeros or memory from outside the array for such
/// an index, type inference of Core ML accepts it, and most systems do not check the indices if the result is empty.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::litert::{Gather, Op, Program};
///
/// let program = Program::from(vec![Op::Gather(Gather { indices: vec![2, 0, 0], axis: -1 })]);
/// assert_eq!(program.to_string(), "GATHER(x, [2, 0, 0], axis=-1)");
/// assert_eq!(program.resolve(&[2, 3])?, s![:, [2, 0, 0]].resolve(&[2, 3])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Gather {
    /// The indices. Negative indices count from the end, except in TensorFlow and LiteRT.
    pub indices: Vec<i64>,
    /// The axis. A negative number counts from the end.
    pub axis: i64,
}

impl Gather {
    /// Applies a gather in which a negative index is an error to an array with the shape `shape`.
    pub(crate) fn split_from_front(&self, shape: &[usize]) -> Result<Split, OperationError> {
        let axis = axis_from_either_end(self.axis, shape.len())?;
        resolve_gather_from_front(shape, axis, &self.indices)
    }

    /// Applies a gather in which a negative index counts from the end to an array with the shape `shape`.
    pub(crate) fn split_from_either_end(&self, shape: &[usize]) -> Result<Split, OperationError> {
        let axis = axis_from_either_end(self.axis, shape.len())?;
        resolve_gather_from_either_end(shape, axis, &self.indices)
    }
}

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
fn axis_from_either_end(axis: i64, rank: usize) -> Result<usize, OperationError> {
    let item = 0;
    slice_core::resolve::index(axis, rank).ok_or(OperationError::AxisOutOfRange {
        item,
        axis,
        rank,
    })
}
