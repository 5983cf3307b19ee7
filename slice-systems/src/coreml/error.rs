//! Errors that coremltools reports, or should report.

/// The reason why an operation of MIL, Core ML's intermediate language, cannot be applied. Errors that other systems
/// also report are variants of [`OperationError`](crate::OperationError).
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[doc(hidden)]
pub enum MilError {
    #[error(
        "{parameter} has 32-bit entries, but entry {} is {value}; use a number that fits in 32 bits (to omit a \
         bound, set its mask)",
        *.item as u128 + 1
    )]
    Int32 {
        parameter: &'static str,
        item: usize,
        value: i64,
    },
    #[error("cannot slice scalars: array is 0-dimensional, and begin cannot be empty")]
    Scalar,
    #[error(
        "size of '{parameter}', {entries}, is not equal to the rank of input, which is {rank}; give one entry for \
         each axis"
    )]
    Length {
        parameter: &'static str,
        entries: usize,
        rank: usize,
    },
    #[error(
        "unsupported values in for dimension {axis}, (begin, end, stride) : ({begin}, {end}, {stride}); to select \
         nothing, use begin as the end"
    )]
    CrossedBounds {
        axis: usize,
        begin: i64,
        end: i64,
        stride: i64,
    },
    /// Type inference and constant folding compute different lengths for an axis. coremltools does not check this, so a
    /// model may declare one length and contain constants of the other length.
    #[error(
        "type inference gives axis {axis} the length {inferred}, but constant folding gives it the length {folded}; \
         use bounds and sizes within the axis, and to select nothing, use slice_by_index with begin as the end"
    )]
    Disagreement {
        axis: usize,
        inferred: i64,
        folded: usize,
    },
}
