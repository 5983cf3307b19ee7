//! The errors of plans.

use slice_core::SliceError;

/// The maximum number of axes of an array and of a result, as in NumPy.
pub(super) const MAX_RANK: usize = 64;

/// The maximum number of parts of a deserialized plan. Deserialization compares all pairs of parts, so their number is
/// limited. A plan created by [`ReadPlan::split`](super::ReadPlan::split) has only a few parts for each axis.
pub(super) const MAX_PARTS: usize = 1024;

/// The maximum number of times that the runs of a list may be cut at chunk boundaries. The number of cuts is estimated. No
/// practical read touches this many chunks.
pub(crate) const MAX_RUN_CUTS: usize = 1 << 22;

/// The reason why a plan is invalid.
///
/// Parts and axes are numbered from 0.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkPlan, PlanError};
///
/// let selection = s![::2].resolve(&[10])?;
/// let error = ChunkPlan::new(&selection, &[0]).unwrap_err();
/// assert!(matches!(error, PlanError::EmptyChunk { .. }));
/// assert_eq!(format!("{error:?}"), error.to_string());
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The array or the selection is invalid, or they do not fit together.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// The chunks of the array or of the output have no elements.
    #[error("chunk length cannot be zero, but axis {axis} has chunks of length 0; use at least 1")]
    EmptyChunk {
        /// The first axis on which a chunk has length 0.
        axis: usize,
    },
    /// A chunk has more than `isize::MAX` elements.
    #[error(
        "chunk is too big: length {len} on axis {axis} brings it to more than {} elements; use smaller lengths",
        isize::MAX
    )]
    ChunkTooLarge {
        /// The axis at which the number of elements exceeds the limit.
        axis: usize,
        /// The length of the chunk on that axis.
        len: usize,
    },
    /// The runs of a list would be cut at chunk boundaries more than 2^22 times.
    #[error(
        "a list crosses about {cuts} chunk boundaries, but at most {MAX_RUN_CUTS} are supported; use longer chunks, or \
         select fewer elements at a time"
    )]
    TooManyCuts {
        /// The estimated number of cuts.
        cuts: usize,
    },
    /// The length of a shard is not a multiple of the length of an inner chunk.
    #[error("inner chunks of length {inner} do not divide chunks of length {chunk} on axis {axis}")]
    InnerChunks {
        /// The axis of the array.
        axis: usize,
        /// The length of a shard on this axis.
        chunk: usize,
        /// The length of an inner chunk on this axis.
        inner: usize,
    },
    /// The array or the result has more than 64 axes, the maximum in NumPy.
    #[error("there are {rank} axes, but at most {MAX_RANK} are supported")]
    TooManyAxes {
        /// The number of axes.
        rank: usize,
    },
    /// A plan has more than 1024 parts.
    #[error("there are {parts} parts, but at most {MAX_PARTS} are supported")]
    TooManyParts {
        /// The number of parts.
        parts: usize,
    },
    /// A part has a different number of axes than the result.
    #[error("part {part} of the plan has {actual} axes, but the result has {expected}")]
    PartRank {
        /// The number of the part.
        part: usize,
        /// The number of axes of the result.
        expected: usize,
        /// The number of axes of the part.
        actual: usize,
    },
    /// A part is empty, or extends beyond the result.
    #[error(
        "part {part} of the plan is {begin}:{end} on axis {axis} of the result, which has size {size}; a part must \
         not be empty or extend beyond the result"
    )]
    PartRange {
        /// The number of the part.
        part: usize,
        /// The axis of the result.
        axis: usize,
        /// The `begin` of the part on this axis.
        begin: usize,
        /// The end of the part on this axis.
        end: usize,
        /// The length of the axis.
        size: usize,
    },
    /// A part begins or ends within a chunk.
    #[error(
        "part {part} of the plan begins or ends at position {position} on axis {axis} of the result, where no chunk \
         begins or ends"
    )]
    PartInsideChunk {
        /// The number of the part.
        part: usize,
        /// The axis of the result.
        axis: usize,
        /// The `begin` or the `end` of the part on this axis, which lies within a chunk.
        position: usize,
    },
    /// The plan's *places*, which are the positions that it fills in the whole result, are not in ascending order on an
    /// axis, or their number differs from the number of selected positions.
    #[error(
        "axis {axis} of the result must have one place for each selected position, in ascending order"
    )]
    Places {
        /// The axis of the result.
        axis: usize,
    },
    /// Two parts overlap.
    #[error("parts {other} and {part} of the plan overlap, but each element may be read only once")]
    Overlap {
        /// The number of the later part.
        part: usize,
        /// The number of the earlier part.
        other: usize,
    },
}

debug_is_message! { PlanError }
