//! Errors that coremltools reports, or should report.

/// The reason why an operation of MIL, Core ML's intermediate language, cannot be applied. Errors that other systems
/// also report are variants of [`OperationError`](crate::OperationError).
///
/// # Example
///
/// ```
/// use slice_systems::OperationError;
/// use slice_systems::coreml::{MilError, SliceByIndex};
///
/// let op = SliceByIndex { begin: vec![3], end: vec![1], ..SliceByIndex::default() };
/// let error = MilError::CrossedBounds { axis: 0, begin: 3, end: 1, stride: 1 };
/// assert_eq!(op.resolve(&[4]), Err(OperationError::CoreMl(error)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum MilError {
    /// A number does not fit in the 32 bits of its parameter.
    #[error(
        "{parameter} has 32-bit entries, but entry {} is {value}; use a number that fits in 32 bits (to omit a \
         bound, set its mask)",
        *.item as u128 + 1
    )]
    Int32 {
        /// The name of the parameter.
        parameter: &'static str,
        /// The index of the entry, counted from 0.
        item: usize,
        /// The number.
        value: i64,
    },
    /// The input has no axes, so `begin` would have to be empty, which coremltools does not allow.
    #[error("cannot slice scalars: array is 0-dimensional, and begin cannot be empty")]
    Scalar,
    /// A parameter does not have one entry for each axis.
    #[error(
        "size of '{parameter}', {entries}, is not equal to the rank of input, which is {rank}; give one entry for \
         each axis"
    )]
    Length {
        /// The name of the parameter.
        parameter: &'static str,
        /// The number of entries.
        entries: usize,
        /// The number of axes.
        rank: usize,
    },
    /// The `begin` of a range is past its end in the direction of the stride, and both count from the same side.
    #[error(
        "unsupported values in for dimension {axis}, (begin, end, stride) : ({begin}, {end}, {stride}); to select \
         nothing, use begin as the end"
    )]
    CrossedBounds {
        /// The axis.
        axis: usize,
        /// The `begin`.
        begin: i64,
        /// The end.
        end: i64,
        /// The stride.
        stride: i64,
    },
    /// Type inference and constant folding compute different lengths for an axis. coremltools does not check this, so a
    /// model may declare one length and contain constants of the other length.
    #[error(
        "type inference gives axis {axis} the length {inferred}, but constant folding gives it the length {folded}; \
         use bounds and sizes within the axis, and to select nothing, use slice_by_index with begin as the end"
    )]
    Disagreement {
        /// The axis.
        axis: usize,
        /// The length according to type inference.
        inferred: i64,
        /// The length according to constant folding.
        folded: usize,
    },
}
