//! The errors of plans and splits.

use core::fmt;

use slice_core::SliceError;

use super::{MAX_PARTS, MAX_RANK, SplitId, SplitPlace};

/// The reason why a plan or the ID of a split is invalid, or why a plan does not belong to a split.
///
/// Parts, axes and plans are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanError {
    /// The array, its chunks or the selection is invalid, or they do not fit together.
    Slice(SliceError),
    /// The length of a shard is not a multiple of the length of an inner chunk.
    InnerChunks {
        /// The axis of the array.
        axis: usize,
        /// The length of a shard on this axis.
        chunk: usize,
        /// The length of an inner chunk on this axis.
        inner: usize,
    },
    /// The array or the result has more than 64 axes, the maximum in NumPy.
    TooManyAxes {
        /// The number of axes.
        rank: usize,
    },
    /// A plan has more than 1024 parts.
    TooManyParts {
        /// The number of parts.
        parts: usize,
    },
    /// A part has a different number of axes than the result.
    PartRank {
        /// The number of the part.
        part: usize,
        /// The number of axes of the result.
        expected: usize,
        /// The number of axes of the part.
        actual: usize,
    },
    /// A part is empty, or extends beyond the result.
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
    Places {
        /// The axis of the result.
        axis: usize,
    },
    /// Two parts overlap.
    Overlap {
        /// The number of the later part.
        part: usize,
        /// The number of the earlier part.
        other: usize,
    },
    /// The string is not a valid split ID.
    SplitId,
    /// The number of a plan is not less than the number of plans in the split.
    SplitNumber {
        /// The number of the plan.
        number: usize,
        /// The number of plans in the split.
        plans: usize,
    },
    /// A plan does not belong to the expected split.
    OtherSplit {
        /// The expected split.
        split: SplitId,
        /// The place of the plan in its own split, if it comes from a split.
        place: Option<SplitPlace>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PlanError::Slice(ref error) => error.fmt(f),
            PlanError::InnerChunks { axis, chunk, inner } => write!(
                f,
                "inner chunks of length {inner} do not divide chunks of length {chunk} on axis {axis}"
            ),
            PlanError::TooManyAxes { rank } => {
                write!(
                    f,
                    "there are {rank} axes, but at most {MAX_RANK} are supported"
                )
            }
            PlanError::TooManyParts { parts } => {
                write!(
                    f,
                    "there are {parts} parts, but at most {MAX_PARTS} are supported"
                )
            }
            PlanError::PartRank {
                part,
                expected,
                actual,
            } => write!(
                f,
                "part {part} of the plan has {actual} axes, but the result has {expected}"
            ),
            PlanError::PartRange {
                part,
                axis,
                begin,
                end,
                size,
            } => write!(
                f,
                "part {part} of the plan is {begin}:{end} on axis {axis} of the result, which has size {size}; a part must \
                 not be empty or extend beyond the result"
            ),
            PlanError::PartInsideChunk {
                part,
                axis,
                position,
            } => write!(
                f,
                "part {part} of the plan begins or ends at position {position} on axis {axis} of the result, where no chunk \
                 begins or ends"
            ),
            PlanError::Places { axis } => write!(
                f,
                "axis {axis} of the result must have one place for each selected position, in ascending order"
            ),
            PlanError::Overlap { part, other } => write!(
                f,
                "parts {other} and {part} of the plan overlap, but each element may be read only once"
            ),
            PlanError::SplitId => f.write_str(
                "invalid split ID: it must consist of 32 lowercase hexadecimal digits, a hyphen and the number of plans",
            ),
            PlanError::SplitNumber { number, plans } => write!(
                f,
                "there is no plan {number} in a split into {plans} plans, which are numbered from 0"
            ),
            PlanError::OtherSplit {
                split,
                place: Some(place),
            } => write!(
                f,
                "this is {place}, but a plan of the split {split} is needed"
            ),
            PlanError::OtherSplit { split, place: None } => {
                write!(
                    f,
                    "this plan does not come from a split, but a plan of the split {split} is needed"
                )
            }
        }
    }
}

impl core::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            PlanError::Slice(error) => error.source(),
            _ => None,
        }
    }
}

impl From<SliceError> for PlanError {
    fn from(error: SliceError) -> Self {
        PlanError::Slice(error)
    }
}
