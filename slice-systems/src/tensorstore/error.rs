//! Defines the errors of TensorStore transforms.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The reason why a transform cannot be applied to an array, or is not a slice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[doc(hidden)]
pub enum TransformError {
    #[error(
        "there are {rank} dimensions or output index maps, but TensorStore supports at most 32"
    )]
    TooManyDimensions { rank: usize },
    #[error("{field} must have one element for each of the {rank} dimensions, but has {len}")]
    Length {
        field: &'static str,
        rank: usize,
        len: usize,
    },
    #[error(
        "dimension label(s) {} not unique; give each dimension a different label, or an empty one",
        quoted(.labels)
    )]
    RepeatedLabels { labels: Vec<String> },
    #[error(
        "input_inclusive_min {min} and input_exclusive_max {max} of dimension {dimension} do not form an interval"
    )]
    Interval {
        dimension: usize,
        min: i64,
        max: i64,
    },
    #[error(
        "dimension {dimension} is unbounded; give it finite bounds, or make them implicit if an axis of the array \
         determines them"
    )]
    Unbounded { dimension: usize },
    #[error(
        "input_dimension {dimension} of the output index map for axis {axis} is out of bounds: there are {rank} \
         dimensions"
    )]
    Dimension {
        axis: usize,
        dimension: usize,
        rank: usize,
    },
    #[error(
        "the transform has output index maps for {expected} axes, but the array has {actual} axes"
    )]
    Rank { expected: usize, actual: usize },
    #[error(
        "position {position} is out of bounds for axis {axis} with size {size}; TensorStore neither clamps nor \
         counts from the end"
    )]
    OutOfBounds {
        axis: usize,
        position: i128,
        size: usize,
    },
    #[error(
        "dimension {dimension} is used for axis {first} and for axis {second}: a diagonal is not a slice"
    )]
    Diagonal {
        dimension: usize,
        first: usize,
        second: usize,
    },
    #[error(
        "dimension {dimension} is used for axis {axis}, which comes before the axis of an earlier dimension: a slice \
         does not transpose; apply the transform with its dimensions in the order of the axes, then transpose"
    )]
    Transposed { dimension: usize, axis: usize },
    #[error(
        "dimension {dimension} is not used for an axis and has length {len}: a slice does not repeat elements; a new \
         axis has length 1"
    )]
    Repeated { dimension: usize, len: usize },
    /// The positions of a dimension depend on the length of its axis in a way that a slice cannot express, or an index
    /// array lies along a dimension with an implicit bound.
    #[error(
        "the positions within the implicit bounds of dimension {dimension} depend on the length of the axis; give \
         the dimension explicit bounds"
    )]
    Implicit { dimension: usize },
    #[error(
        "the index array of axis {axis} must have one axis for each dimension, with the length of the dimension or \
         length 1, and the map must not have an input_dimension"
    )]
    IndexArray { axis: usize },
}

impl TransformError {
    /// Replaces the axes named by an error that depends on the shape.
    pub(super) fn map_axes(mut self, of: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            TransformError::OutOfBounds { axis, .. } | TransformError::Transposed { axis, .. } => {
                *axis = of(*axis);
            }
            TransformError::Diagonal { first, second, .. } => {
                (*first, *second) = (of(*first), of(*second));
            }
            _ => {}
        }
        self
    }
}

fn quoted(labels: &[String]) -> String {
    let quoted: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
    quoted.join(", ")
}
