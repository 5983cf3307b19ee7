//! Errors that StableHLO's verifier reports.

use core::fmt::{self, Display};

/// The reason why a StableHLO operation is invalid. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError). Each variant of this enum applies to `slice`, unless it names a different
/// operation.
///
/// # Example
///
/// ```
/// use slice_systems::OperationError;
/// use slice_systems::stablehlo::{Slice, VerifyError};
///
/// let op = Slice { start_indices: vec![3], limit_indices: vec![1], strides: vec![1] };
/// let error = VerifyError::StartAfterLimit { axis: 0, start: 3, limit: 1 };
/// assert_eq!(op.resolve(&[4]), Err(OperationError::StableHlo(error)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VerifyError {
    /// `start_indices`, `limit_indices` and `strides` have different lengths.
    Lengths {
        /// The number of starts.
        start_indices: usize,
        /// The number of limits.
        limit_indices: usize,
        /// The number of strides.
        strides: usize,
    },
    /// The vectors of `slice` or `dynamic_slice` do not have one entry for each axis.
    Rank {
        /// The number of entries.
        entries: usize,
        /// The number of axes.
        rank: usize,
    },
    /// A start is negative.
    Start {
        /// The axis.
        axis: usize,
        /// The start.
        start: i64,
    },
    /// A limit is beyond its axis.
    Limit {
        /// The axis.
        axis: usize,
        /// The limit.
        limit: i64,
        /// The length of the axis.
        size: usize,
    },
    /// A start is beyond its limit.
    StartAfterLimit {
        /// The axis.
        axis: usize,
        /// The start.
        start: i64,
        /// The limit.
        limit: i64,
    },
    /// A stride is not positive.
    Stride {
        /// The axis.
        axis: usize,
        /// The stride.
        stride: i64,
    },
    /// `dynamic_slice` does not have as many starts as sizes.
    Sizes {
        /// The number of sizes.
        slice_sizes: usize,
        /// The number of starts.
        start_indices: usize,
    },
    /// A size of `dynamic_slice` is negative or larger than its axis, or `gather` selects from an axis of length 0.
    Size {
        /// The axis.
        axis: usize,
        /// The size.
        size: i64,
        /// The length of the axis.
        len: usize,
    },
    /// A `reshape` changes the number of elements.
    Elements {
        /// The number of elements of the input.
        expected: usize,
        /// The number of elements of the new shape.
        actual: usize,
    },
    /// A `reshape` does more than add and drop axes of length 1. Such a `reshape` is valid, but it is not a slice.
    NotASlice,
}

impl Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            VerifyError::Lengths {
                start_indices,
                limit_indices,
                strides,
            } => write!(
                f,
                "all of {{start_indices, limit_indices, strides}} must have same size, but have {start_indices}, \
                 {limit_indices} and {strides} entries"
            ),
            VerifyError::Rank { entries, rank } => write!(
                f,
                "the number of elements in start_indices ({entries}) does not match the rank of the operand ({rank}); \
                 give one index for each axis"
            ),
            VerifyError::Start { axis, start } => write!(
                f,
                "negative start index {start} in dimension {axis}; use an index counted from the front"
            ),
            VerifyError::Limit { axis, limit, size } => write!(
                f,
                "limit index {limit} is larger than dimension size {size} in dimension {axis}; use {size}"
            ),
            VerifyError::StartAfterLimit { axis, start, limit } => write!(
                f,
                "start index {start} is larger than limit index {limit} in dimension {axis}; \
                 to select nothing, use the start as the limit"
            ),
            VerifyError::Stride { axis, stride } => write!(
                f,
                "stride must be positive but got {stride} in dimension {axis}; use reverse to go backwards"
            ),
            VerifyError::Sizes {
                slice_sizes,
                start_indices,
            } => write!(
                f,
                "dynamic_slice has mismatched number of slice sizes ({slice_sizes}) and number of start indices ({start_indices})"
            ),
            VerifyError::Size { axis, size, len } => write!(
                f,
                "slice size {size} in dimension {axis} is not in 0..={len}"
            ),
            VerifyError::Elements { expected, actual } => write!(
                f,
                "number of output elements ({actual}) doesn't match expected number of elements ({expected})"
            ),
            VerifyError::NotASlice => f.write_str(
                "this reshape does more than add and drop axes of length 1, so it is not a slice",
            ),
        }
    }
}

impl core::error::Error for VerifyError {}
