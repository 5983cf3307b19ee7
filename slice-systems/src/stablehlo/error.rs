//! Errors that StableHLO's verifier reports.

/// The reason why a StableHLO operation is invalid. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError). Each variant of this enum applies to `slice`, unless it names a different
/// operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[doc(hidden)]
pub enum VerifyError {
    #[error(
        "all of {{start_indices, limit_indices, strides}} must have same size, but have {start_indices}, \
         {limit_indices} and {strides} entries"
    )]
    Lengths {
        start_indices: usize,
        limit_indices: usize,
        strides: usize,
    },
    #[error(
        "the number of elements in start_indices ({entries}) does not match the rank of the operand ({rank}); give \
         one index for each axis"
    )]
    Rank { entries: usize, rank: usize },
    #[error(
        "negative start index {start} in dimension {axis}; use an index counted from the front"
    )]
    Start { axis: usize, start: i64 },
    #[error(
        "limit index {limit} is larger than dimension size {size} in dimension {axis}; use {size}"
    )]
    Limit {
        axis: usize,
        limit: i64,
        size: usize,
    },
    #[error(
        "start index {start} is larger than limit index {limit} in dimension {axis}; to select nothing, use the \
         start as the limit"
    )]
    StartAfterLimit { axis: usize, start: i64, limit: i64 },
    #[error(
        "stride must be positive but got {stride} in dimension {axis}; use reverse to go backwards"
    )]
    Stride { axis: usize, stride: i64 },
    #[error(
        "dynamic_slice has mismatched number of slice sizes ({slice_sizes}) and number of start indices \
         ({start_indices})"
    )]
    Sizes {
        slice_sizes: usize,
        start_indices: usize,
    },
    #[error("slice size {size} in dimension {axis} is not in 0..={len}")]
    Size { axis: usize, size: i64, len: usize },
    #[error("slice size {size} in dimension {axis} is negative")]
    NegativeSize { axis: usize, size: i64 },
    #[error(
        "number of output elements ({actual}) doesn't match expected number of elements ({expected})"
    )]
    Elements { expected: usize, actual: usize },
    #[error("this reshape does more than add and drop axes of length 1, so it is not a slice")]
    NotASlice,
}
