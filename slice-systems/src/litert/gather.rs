//! Defines LiteRT's `GATHER`, which selects positions on one axis.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::{check_axes, check_int32};
use crate::error::OperationError;
use crate::lists::Split;
use crate::lists::gather::{axis_from_either_end, resolve_gather_from_front};

/// LiteRT's `GATHER` with a list of indices and without `batch_dims`, which selects positions on an axis in any order.
///
/// Python equivalent: `np.take(x, indices, axis)`, except that negative indices are errors.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::litert::Gather;
///
/// let op = Gather { indices: vec![2, 0, 0], axis: -1 };
/// assert_eq!(op.resolve(&[2, 3])?.resolve()?, s![:, [2, 0, 0]].resolve(&[2, 3])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Gather {
    /// The indices, counted from the front. In LiteRT, they have 32 or 64 bits.
    pub indices: Vec<i64>,
    /// The axis. A negative number counts from the end.
    #[cfg_attr(feature = "serde", serde(default))]
    pub axis: i64,
}

impl Gather {
    /// Applies the operator to an array with the shape `shape`. The returned [`Split`] consists of the whole array and
    /// a list of positions on one axis.
    ///
    /// # Errors
    ///
    /// * [`KernelError::Int32`](super::KernelError::Int32) if `axis` does not fit in 32 bits.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape or the shape of the
    ///   result, or if an axis has more than `i32::MAX` elements.
    /// * [`OperationError::AxisOutOfRange`] if the axis does not exist.
    /// * [`OperationError::ListIndex`] if an index is outside the axis. If the result is empty, LiteRT does not check
    ///   the indices, but this crate does.
    /// * [`SliceError::TooManyItems`](slice_core::SliceError::TooManyItems) if the axis is neither among the first 64
    ///   nor among the last 63.
    pub fn resolve(&self, shape: &[usize]) -> Result<Split, OperationError> {
        check_int32("axis", &[self.axis])?;
        check_axes(shape)?;
        let axis = axis_from_either_end(self.axis, shape.len())?;
        resolve_gather_from_front(shape, axis, &self.indices)
    }
}

impl Display for Gather {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GATHER(x, {:?}, axis={})", self.indices, self.axis)
    }
}
