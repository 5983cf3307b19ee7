//! Errors of plans.

use core::fmt;

use slice_core::SliceError;

use super::{MAX_PARTS, MAX_RANK, SplitId, SplitPlace};

/// The reason why a plan is not valid.
///
/// Numbers of parts and axes count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanError {
    /// The selection or the chunks do not fit the array.
    Slice(SliceError),
    /// The inner chunks of a shard do not divide it.
    InnerChunks {
        /// The axis.
        axis: usize,
        /// The length of a shard.
        chunk: usize,
        /// The length of an inner chunk.
        inner: usize,
    },
    /// The array or the result has more axes than an array of NumPy can have.
    TooManyAxes {
        /// The number of axes.
        rank: usize,
    },
    /// A plan has more parts than any split creates.
    TooManyParts {
        /// The number of parts.
        parts: usize,
    },
    /// A part has another number of axes than the result.
    PartRank {
        /// The number of the part.
        part: usize,
        /// The number of axes of the result.
        expected: usize,
        /// The number of axes of the part.
        actual: usize,
    },
    /// A part is empty, or reaches beyond the result.
    PartRange {
        /// The number of the part.
        part: usize,
        /// The axis of the result.
        axis: usize,
        /// The begin of the part on this axis.
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
        /// The begin or the end of the part on this axis.
        position: usize,
    },
    /// An axis of the result does not have one place for each position, in ascending order.
    Places {
        /// The axis of the result.
        axis: usize,
    },
    /// Two parts have elements in common.
    Overlap {
        /// The number of the part.
        part: usize,
        /// The number of the earlier part.
        other: usize,
    },
    /// The text is not the identity of a split.
    SplitId,
    /// A plan has a number that its split does not have.
    SplitNumber {
        /// The number of the plan.
        number: usize,
        /// The number of plans.
        plans: usize,
    },
    /// A plan does not belong to this split.
    OtherSplit {
        /// The expected split.
        split: SplitId,
        /// The number of the plan in another split, if it has one.
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
                    "there are {rank} axes, but a plan has at most {MAX_RANK}"
                )
            }
            PlanError::TooManyParts { parts } => {
                write!(
                    f,
                    "there are {parts} parts, but a plan has at most {MAX_PARTS}"
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
                "part {part} of the plan is {begin}:{end} on axis {axis} of the result, which has size {size}: it must not \
                 be empty or reach beyond"
            ),
            PlanError::PartInsideChunk {
                part,
                axis,
                position,
            } => write!(
                f,
                "part {part} of the plan begins or ends at position {position} on axis {axis} of the result, where no chunk \
                 does"
            ),
            PlanError::Places { axis } => write!(
                f,
                "the places on axis {axis} of the result must be one for each position, in ascending order"
            ),
            PlanError::Overlap { part, other } => write!(
                f,
                "parts {other} and {part} of the plan overlap: each element is read once"
            ),
            PlanError::SplitId => f.write_str(
                "a split is 32 hexadecimal digits, a hyphen and the number of its plans",
            ),
            PlanError::SplitNumber { number, plans } => write!(
                f,
                "there is no plan {number} in a split of {plans}: they count from 0"
            ),
            PlanError::OtherSplit {
                split,
                place: Some(place),
            } => write!(
                f,
                "this is {place}, and not of the split {split}; run the plans of one split only"
            ),
            PlanError::OtherSplit { split, place: None } => {
                write!(
                    f,
                    "this is a plan of no split, and not of the split {split}"
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
