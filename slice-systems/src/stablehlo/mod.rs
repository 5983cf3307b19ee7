//! StableHLO's `slice`, and short programs for the slices that `slice` cannot express.
//!
//! `slice` supports no negative indices and does not clamp bounds; the verifier rejects out-of-range values. A negative
//! stride needs [`Op::Reverse`], and an index or a new axis needs [`Op::Reshape`]. [`Op::DynamicSlice`] is a different
//! operation: it selects a window, which consists of consecutive positions on each axis. If the window does not fit in
//! the array, it is moved until it fits. This crate can apply a `dynamic_slice`, but no translation produces one.
//!
//! The verifier checks `slice` in this order:
//!
//! 1. `start_indices`, `limit_indices` and `strides` have the same length, which is the rank of the operand.
//! 2. For each axis in order: the start is not negative, the limit is not beyond the axis, the start is not beyond the
//!    limit, and the stride is positive.
//!
//! Source: the parser, verifier and reference interpreter of StableHLO in jaxlib 0.10.2.

mod defects;
pub(crate) mod error;
mod op;
mod operation;
mod text;

pub use op::{Op, Program};

use alloc::vec::Vec;

use slice_core::resolve::range_at;
use slice_core::{ResolvedStep, Selection};

use crate::axes::select_each_axis;
use crate::error::OperationError;
use crate::stablehlo::error::VerifyError;

/// StableHLO's `slice`.
///
/// Python equivalent: `jax.lax.slice(x, start_indices, limit_indices, strides)`, or
/// `x[start_indices[0]:limit_indices[0]:strides[0], ...]` if all bounds lie within their axes.
///
/// # Example
///
/// ```
/// use slice_systems::stablehlo::Slice;
/// use slice_core::s;
///
/// let op = Slice { start_indices: vec![1, 0], limit_indices: vec![3, 4], strides: vec![1, 2] };
/// assert_eq!(op.resolve(&[4, 5])?, s![1:3, 0:4:2].resolve(&[4, 5])?);
/// assert_eq!(op.to_string(), "stablehlo.slice %x [1:3, 0:4:2]");
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Slice {
    /// The first position on each axis.
    pub start_indices: Vec<i64>,
    /// One past the last position on each axis.
    pub limit_indices: Vec<i64>,
    /// The distance between neighboring positions on each axis.
    pub strides: Vec<i64>,
}

impl Slice {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// In the verifier's order:
    ///
    /// * [`OperationError::System`] if `start_indices`, `limit_indices` and `strides` have different lengths, or do not have
    ///   one entry for each axis.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape.
    /// * [`OperationError::System`], for each axis in order, if the start is negative, if the limit is beyond the axis, if the
    ///   start is beyond the limit, or if the stride is not positive.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::stablehlo::Slice;
    ///
    /// let op = Slice { start_indices: vec![0], limit_indices: vec![4], strides: vec![2] };
    /// assert_eq!(op.resolve(&[4])?.output_shape(), [2]);
    /// assert_eq!(op.resolve(&[3]).unwrap_err().to_string(), "limit index 4 is larger than dimension size 3 in dimension 0; use 3"); // limits are not clamped
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check_lengths()?;
        check_rank(self.strides.len(), shape.len())?;
        select_each_axis(shape, |axis, size| {
            let (start, limit, stride) = self.checked_entry(axis, size)?;
            let range = range_at(axis, axis, Some(start), Some(limit), stride, size)?;
            Ok(ResolvedStep::Keep(range))
        })
    }

    fn check_lengths(&self) -> Result<(), VerifyError> {
        let [start_indices, limit_indices, strides] =
            [&self.start_indices, &self.limit_indices, &self.strides].map(Vec::len);
        if start_indices == limit_indices && limit_indices == strides {
            return Ok(());
        }
        Err(VerifyError::Lengths {
            start_indices,
            limit_indices,
            strides,
        })
    }

    /// Checks the entry of an axis with at most `size` elements, and returns its start, limit and stride.
    fn checked_entry(&self, axis: usize, size: usize) -> Result<(i64, i64, i64), VerifyError> {
        let (start, limit) = (self.start_indices[axis], self.limit_indices[axis]);
        let stride = self.strides[axis];
        if start < 0 {
            return Err(VerifyError::Start { axis, start });
        }
        if usize::try_from(limit).is_ok_and(|limit| limit > size) {
            return Err(VerifyError::Limit { axis, limit, size });
        }
        if start > limit {
            return Err(VerifyError::StartAfterLimit { axis, start, limit });
        }
        if stride <= 0 {
            return Err(VerifyError::Stride { axis, stride });
        }
        Ok((start, limit, stride))
    }
}

fn check_rank(entries: usize, rank: usize) -> Result<(), VerifyError> {
    match entries == rank {
        true => Ok(()),
        false => Err(VerifyError::Rank { entries, rank }),
    }
}
