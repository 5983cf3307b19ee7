//! Errors that LiteRT's interpreter reports, or should report.

/// The reason why a LiteRT operator cannot be applied. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError).
///
/// LiteRT performs few checks. If a variant is marked as unchecked, LiteRT reports no error: it accesses memory outside
/// its tensors, returns the wrong elements, or crashes. This crate returns an error instead.
///
/// # Example
///
/// ```
/// use slice_systems::litert::{Slice, KernelError};
/// use slice_systems::OperationError;
///
/// let op = Slice { begin: vec![1], size: vec![3] };
/// let error = KernelError::BeginAndSize { axis: 0, begin: 1, size: 3, len: 3 };
/// assert_eq!(op.resolve(&[3]), Err(OperationError::LiteRt(error)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A number does not fit in the 32 bits of its operand.
    #[error(
        "{operand} has 32-bit entries, but entry {} is {value}; use the nearest number that fits",
        *.item as u128 + 1
    )]
    Int32 {
        /// The name of the operand.
        operand: &'static str,
        /// The index of the entry, counted from 0.
        item: usize,
        /// The number.
        value: i64,
    },
    /// The stride of a range is `i32::MIN`.
    #[error(
        "stride value INT32_MIN is not supported, but entry {} on axis {axis} has this stride; use {}",
        *.item as u128 + 1, -i32::MAX
    )]
    LowestStride {
        /// The index of the entry, counted from 0.
        item: usize,
        /// The axis.
        axis: usize,
    },
    /// An ellipsis covers no axis, and entries come after it. Unchecked: LiteRT lets the ellipsis cover one axis
    /// anyway.
    #[error(
        "the ellipsis (entry {}) covers no axis, but LiteRT makes it cover one anyway; omit the ellipsis",
        *.item as u128 + 1
    )]
    EmptyEllipsis {
        /// The index of the entry that is the ellipsis, counted from 0.
        item: usize,
    },
    /// A bit of `new_axis_mask` beyond the last entry is set. Unchecked: LiteRT inserts an axis, and drops an axis of
    /// the input.
    #[error(
        "bit {bit} of new_axis_mask is beyond the last entry (number of entries: {entries}), but LiteRT inserts an \
         axis for it; clear the bit"
    )]
    NewAxisBeyond {
        /// The index of the bit, counted from 0.
        bit: usize,
        /// The number of entries.
        entries: usize,
    },
    /// `offset` is set, and an axis is a new axis or has neither a range nor an index. Unchecked: LiteRT takes the
    /// length of this axis from an unrelated element of `end`, or from memory beyond `end`.
    #[error(
        "if offset is set, each of the {axes} axes needs its own range or index, but there are only {entries}; new \
         axes and an ellipsis are not supported"
    )]
    OffsetElsewhere {
        /// The number of entries that are ranges or indices.
        entries: usize,
        /// The number of axes, including new axes.
        axes: usize,
    },
    /// An operand of `SLICE` does not have one entry for each axis.
    #[error("{operand} must have one entry for each of the {rank} axes, but has {entries}")]
    OperandLength {
        /// The name of the operand.
        operand: &'static str,
        /// The number of axes.
        rank: usize,
        /// The number of entries of the operand.
        entries: usize,
    },
    /// A `begin` of `SLICE` is outside its axis.
    #[error("invalid begin: {begin} is not in 0..={len} on axis {axis} with size {len}")]
    Begin {
        /// The axis.
        axis: usize,
        /// The `begin`.
        begin: i64,
        /// The length of the axis.
        len: usize,
    },
    /// A size of `SLICE` is below -1.
    #[error("invalid size: {size} on axis {axis}; use -1 for the rest of the axis")]
    Size {
        /// The axis.
        axis: usize,
        /// The size.
        size: i64,
    },
    /// The elements selected by a `begin` and a size of `SLICE` extend beyond the axis.
    #[error(
        "invalid begin and size: {size} elements starting at position {begin} extend beyond axis {axis} with size \
         {len}; use -1 for the rest of the axis"
    )]
    BeginAndSize {
        /// The axis.
        axis: usize,
        /// The `begin`.
        begin: i64,
        /// The size.
        size: i64,
        /// The length of the axis.
        len: usize,
    },
    /// The axes of `REVERSE_V2` are not adjacent, or one is repeated.
    #[error("non-contiguous `axes` not supported: give adjacent axes, without repetitions")]
    NotAdjacent,
    /// `REVERSE_V2` is given no axes. Unchecked: LiteRT crashes.
    #[error("there are no axes to reverse, and LiteRT crashes in this case; omit the operator")]
    NoAxes,
    /// There are more axes, including new axes, than the operator supports.
    #[error("there are {rank} axes, including new axes, but LiteRT supports at most {limit}")]
    Rank {
        /// The number of axes.
        rank: usize,
        /// The maximum number of axes.
        limit: usize,
    },
}
