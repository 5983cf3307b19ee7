//! Mistakes that LiteRT's interpreter refuses or should refuse.

use core::fmt::{self, Display};

/// The reason why an operator of LiteRT cannot be applied, for errors that no other system has.
///
/// LiteRT checks little. The variants marked as unchecked have no error in LiteRT, which reads or writes memory outside
/// its tensors, or returns wrong elements. This crate returns an error instead.
///
/// # Example
///
/// ```
/// use slice_ops::litert::{Slice, KernelError};
/// use slice_ops::OperationError;
///
/// let op = Slice { begin: vec![1], size: vec![3] };
/// let error = KernelError::BeginAndSize { axis: 0, begin: 1, size: 3, len: 3 };
/// assert_eq!(op.resolve(&[3]), Err(OperationError::LiteRt(error)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KernelError {
    /// A number does not fit the 32 bits of its operand.
    Int32 {
        /// The name of the operand.
        operand: &'static str,
        /// The entry.
        item: usize,
        /// The number.
        value: i64,
    },
    /// The stride of a range is the lowest number of 32 bits.
    LowestStride {
        /// The entry.
        item: usize,
        /// The axis.
        axis: usize,
    },
    /// An ellipsis covers no axis, and entries come after it. Unchecked: LiteRT gives it one axis anyway.
    EmptyEllipsis {
        /// The entry that is the ellipsis.
        item: usize,
    },
    /// A bit of `new_axis_mask` is beyond the entries. Unchecked: LiteRT drops an axis of the input.
    NewAxisBeyond {
        /// The bit.
        bit: usize,
        /// The number of entries.
        entries: usize,
    },
    /// With `offset`, an axis has no range or index: it has no entry, or is a new axis. Unchecked: LiteRT reads its
    /// length from another axis.
    OffsetElsewhere {
        /// The number of entries that are ranges or indices.
        entries: usize,
        /// The number of axes, new ones included.
        axes: usize,
    },
    /// An operand of SLICE does not have a number for each axis.
    OperandLength {
        /// The name of the operand.
        operand: &'static str,
        /// The number of axes.
        rank: usize,
        /// The number of entries of the operand.
        entries: usize,
    },
    /// A begin of SLICE is outside its axis.
    Begin {
        /// The axis.
        axis: usize,
        /// The begin.
        begin: i64,
        /// The length of the axis.
        len: usize,
    },
    /// A size of SLICE is below -1.
    Size {
        /// The axis.
        axis: usize,
        /// The size.
        size: i64,
    },
    /// A begin and size of SLICE reach beyond their axis.
    BeginAndSize {
        /// The axis.
        axis: usize,
        /// The begin.
        begin: i64,
        /// The size.
        size: i64,
        /// The length of the axis.
        len: usize,
    },
    /// Axes of REVERSE_V2 are not next to each other, or one is named twice.
    NotAdjacent,
    /// REVERSE_V2 has no axes. Unchecked: LiteRT crashes.
    NoAxes,
    /// The operator has more axes than LiteRT supports.
    Rank {
        /// The number of axes.
        rank: usize,
        /// The largest supported number of axes.
        limit: usize,
    },
}

impl Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            KernelError::Int32 {
                operand,
                item,
                value,
            } => write!(
                f,
                "{operand} has 32-bit entries, but entry {} is {value}; use the nearest number that fits",
                item as u128 + 1
            ),
            KernelError::LowestStride { item, axis } => write!(
                f,
                "stride value INT32_MIN is not supported: entry {} on axis {axis} has it; use {}",
                item as u128 + 1,
                -i32::MAX
            ),
            KernelError::EmptyEllipsis { item } => write!(
                f,
                "the ellipsis (entry {}) covers no axis, but LiteRT gives it one anyway; leave it out",
                item as u128 + 1
            ),
            KernelError::NewAxisBeyond { bit, entries } => write!(
                f,
                "bit {bit} of new_axis_mask is beyond the {entries} entries, but LiteRT inserts an axis for it; clear it"
            ),
            KernelError::OffsetElsewhere { entries, axes } => write!(
                f,
                "with offset each of the {axes} axes needs an entry of its own, and there are {entries}; new axes and \
                 an ellipsis are not possible"
            ),
            KernelError::OperandLength {
                operand,
                rank,
                entries,
            } => write!(
                f,
                "{operand} must have one entry for each of the {rank} axes, but has {entries}"
            ),
            KernelError::Begin { axis, begin, len } => write!(
                f,
                "invalid begin: {begin} is not in 0..={len} on axis {axis} with size {len}"
            ),
            KernelError::Size { axis, size } => write!(
                f,
                "invalid size: {size} on axis {axis}; use -1 for all that is left"
            ),
            KernelError::BeginAndSize {
                axis,
                begin,
                size,
                len,
            } => write!(
                f,
                "invalid begin and size: {size} elements from {begin} on are beyond axis {axis} with size {len}; use -1 \
                 for all that is left"
            ),
            KernelError::NotAdjacent => {
                f.write_str("non-contiguous `axes` not supported: name adjacent axes, each once")
            }
            KernelError::NoAxes => {
                f.write_str("no axes to reverse, with which LiteRT dies; leave the operator out")
            }
            KernelError::Rank { rank, limit } => write!(
                f,
                "array is {rank}-dimensional, but at most {limit} axes are possible, new ones included"
            ),
        }
    }
}

impl core::error::Error for KernelError {}
