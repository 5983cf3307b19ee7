//! Errors that LiteRT's interpreter reports, or should report.

/// The reason why a LiteRT operator cannot be applied. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError).
///
/// LiteRT performs few checks. If a variant is marked as unchecked, LiteRT reports no error: it accesses memory outside
/// its tensors, returns the wrong elements, or crashes. This crate returns an error instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[doc(hidden)]
pub enum KernelError {
    #[error(
        "{operand} has 32-bit entries, but entry {} is {value}; use the nearest number that fits",
        *.item as u128 + 1
    )]
    Int32 {
        operand: &'static str,
        item: usize,
        value: i64,
    },
    #[error(
        "stride value INT32_MIN is not supported, but entry {} on axis {axis} has this stride; use {}",
        *.item as u128 + 1, -i32::MAX
    )]
    LowestStride { item: usize, axis: usize },
    /// An ellipsis covers no axis, and entries come after it. Unchecked: LiteRT lets the ellipsis cover one axis
    /// anyway.
    #[error(
        "the ellipsis (entry {}) covers no axis, but LiteRT makes it cover one anyway; omit the ellipsis",
        *.item as u128 + 1
    )]
    EmptyEllipsis { item: usize },
    /// A bit of `new_axis_mask` beyond the last entry is set. Unchecked: LiteRT inserts an axis, and drops an axis of
    /// the input.
    #[error(
        "bit {bit} of new_axis_mask is beyond the last entry (number of entries: {entries}), but LiteRT inserts an \
         axis for it; clear the bit"
    )]
    NewAxisBeyond { bit: usize, entries: usize },
    /// `offset` is set, and an axis is a new axis or has neither a range nor an index. Unchecked: LiteRT takes the
    /// length of this axis from an unrelated element of `end`, or from memory beyond `end`.
    #[error(
        "if offset is set, each of the {axes} axes needs its own range or index, but there are only {entries}; new \
         axes and an ellipsis are not supported"
    )]
    OffsetElsewhere { entries: usize, axes: usize },
    #[error("{operand} must have one entry for each of the {rank} axes, but has {entries}")]
    OperandLength {
        operand: &'static str,
        rank: usize,
        entries: usize,
    },
    #[error("invalid begin: {begin} is not in 0..={len} on axis {axis} with size {len}")]
    Begin { axis: usize, begin: i64, len: usize },
    #[error("invalid size: {size} on axis {axis}; use -1 for the rest of the axis")]
    Size { axis: usize, size: i64 },
    #[error(
        "invalid begin and size: {size} elements starting at position {begin} extend beyond axis {axis} with size \
         {len}; use -1 for the rest of the axis"
    )]
    BeginAndSize {
        axis: usize,
        begin: i64,
        size: i64,
        len: usize,
    },
    #[error("non-contiguous `axes` not supported: give adjacent axes, without repetitions")]
    NotAdjacent,
    /// `REVERSE_V2` is given no axes. Unchecked: LiteRT crashes.
    #[error("there are no axes to reverse, and LiteRT crashes in this case; omit the operator")]
    NoAxes,
    #[error("there are {rank} axes, including new axes, but LiteRT supports at most {limit}")]
    Rank { rank: usize, limit: usize },
}
