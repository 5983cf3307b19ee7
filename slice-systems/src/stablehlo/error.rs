//! Errors that StableHLO's verifier reports.

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
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// `start_indices`, `limit_indices` and `strides` have different lengths.
    #[error(
        "all of {{start_indices, limit_indices, strides}} must have same size, but have {start_indices}, \
         {limit_indices} and {strides} entries"
    )]
    Lengths {
        /// The number of starts.
        start_indices: usize,
        /// The number of limits.
        limit_indices: usize,
        /// The number of strides.
        strides: usize,
    },
    /// The vectors of `slice` or `dynamic_slice` do not have one entry for each axis.
    #[error(
        "the number of elements in start_indices ({entries}) does not match the rank of the operand ({rank}); give \
         one index for each axis"
    )]
    Rank {
        /// The number of entries.
        entries: usize,
        /// The number of axes.
        rank: usize,
    },
    /// A start is negative.
    #[error(
        "negative start index {start} in dimension {axis}; use an index counted from the front"
    )]
    Start {
        /// The axis.
        axis: usize,
        /// The start.
        start: i64,
    },
    /// A limit is beyond its axis.
    #[error(
        "limit index {limit} is larger than dimension size {size} in dimension {axis}; use {size}"
    )]
    Limit {
        /// The axis.
        axis: usize,
        /// The limit.
        limit: i64,
        /// The length of the axis.
        size: usize,
    },
    /// A start is beyond its limit.
    #[error(
        "start index {start} is larger than limit index {limit} in dimension {axis}; to select nothing, use the \
         start as the limit"
    )]
    StartAfterLimit {
        /// The axis.
        axis: usize,
        /// The start.
        start: i64,
        /// The limit.
        limit: i64,
    },
    /// A stride is not positive.
    #[error(
        "stride must be positive but got {stride} in dimension {axis}; use reverse to go backwards"
    )]
    Stride {
        /// The axis.
        axis: usize,
        /// The stride.
        stride: i64,
    },
    /// `dynamic_slice` does not have as many starts as sizes.
    #[error(
        "dynamic_slice has mismatched number of slice sizes ({slice_sizes}) and number of start indices \
         ({start_indices})"
    )]
    Sizes {
        /// The number of sizes.
        slice_sizes: usize,
        /// The number of starts.
        start_indices: usize,
    },
    /// A size of `dynamic_slice` is negative or larger than its axis, or `gather` selects from an axis of length 0.
    #[error("slice size {size} in dimension {axis} is not in 0..={len}")]
    Size {
        /// The axis.
        axis: usize,
        /// The size.
        size: i64,
        /// The length of the axis.
        len: usize,
    },
    /// A `reshape` changes the number of elements.
    #[error(
        "number of output elements ({actual}) doesn't match expected number of elements ({expected})"
    )]
    Elements {
        /// The number of elements of the input.
        expected: usize,
        /// The number of elements of the new shape.
        actual: usize,
    },
    /// A `reshape` does more than add and drop axes of length 1. Such a `reshape` is valid, but it is not a slice.
    #[error("this reshape does more than add and drop axes of length 1, so it is not a slice")]
    NotASlice,
}
