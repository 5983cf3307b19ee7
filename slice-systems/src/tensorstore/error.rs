//! Defines the errors of TensorStore transforms.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The reason why a transform cannot be applied to an array, or is not a slice.
///
/// # Example
///
/// ```
/// use slice_systems::tensorstore::{IndexTransform, OutputIndexMap, TransformError};
///
/// let last = IndexTransform {
///     output: vec![OutputIndexMap { offset: -1, ..OutputIndexMap::default() }],
///     ..IndexTransform::default()
/// };
/// let error = last.resolve(&[4]).unwrap_err();
/// assert_eq!(error, TransformError::OutOfBounds { axis: 0, position: -1, size: 4 }.into());
/// assert_eq!(
///     error.to_string(),
///     "position -1 is out of bounds for axis 0 with size 4; TensorStore neither clamps nor counts from the end",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TransformError {
    /// The transform has more than 32 dimensions or more than 32 output index maps.
    #[error(
        "there are {rank} dimensions or output index maps, but TensorStore supports at most 32"
    )]
    TooManyDimensions {
        /// The number of dimensions or of output index maps, whichever is larger.
        rank: usize,
    },
    /// A vector does not have one element for each dimension.
    #[error("{field} must have one element for each of the {rank} dimensions, but has {len}")]
    Length {
        /// The name of the vector.
        field: &'static str,
        /// The number of dimensions, which is the length of `input_inclusive_min`.
        rank: usize,
        /// The length of the vector.
        len: usize,
    },
    /// Several dimensions have the same label.
    #[error(
        "dimension label(s) {} not unique; give each dimension a different label, or an empty one",
        quoted(.labels)
    )]
    RepeatedLabels {
        /// The repeated labels, sorted and without duplicates.
        labels: Vec<String>,
    },
    /// The lower bound of a dimension is above the upper bound, or a bound is not in `-INFINITY..=INFINITY`.
    #[error(
        "input_inclusive_min {min} and input_exclusive_max {max} of dimension {dimension} do not form an interval"
    )]
    Interval {
        /// The dimension.
        dimension: usize,
        /// The lower bound.
        min: i64,
        /// The upper bound.
        max: i64,
    },
    /// A dimension is infinite in at least one direction, and the array does not determine the bound.
    #[error(
        "dimension {dimension} is unbounded; give it finite bounds, or make them implicit if an axis of the array \
         determines them"
    )]
    Unbounded {
        /// The dimension.
        dimension: usize,
    },
    /// An output index map names a dimension that does not exist.
    #[error(
        "input_dimension {dimension} of the output index map for axis {axis} is out of bounds: there are {rank} \
         dimensions"
    )]
    Dimension {
        /// The axis of the array.
        axis: usize,
        /// The dimension.
        dimension: usize,
        /// The number of dimensions.
        rank: usize,
    },
    /// The number of axes of the array differs from the number of output index maps.
    #[error(
        "the transform has output index maps for {expected} axes, but the array has {actual} axes"
    )]
    Rank {
        /// The number of output index maps.
        expected: usize,
        /// The number of axes of the array.
        actual: usize,
    },
    /// A position is outside its axis.
    #[error(
        "position {position} is out of bounds for axis {axis} with size {size}; TensorStore neither clamps nor \
         counts from the end"
    )]
    OutOfBounds {
        /// The axis.
        axis: usize,
        /// The position.
        position: i128,
        /// The length of the axis.
        size: usize,
    },
    /// Two axes belong to the same dimension.
    #[error(
        "dimension {dimension} is used for axis {first} and for axis {second}: a diagonal is not a slice"
    )]
    Diagonal {
        /// The dimension.
        dimension: usize,
        /// The first axis.
        first: usize,
        /// The second axis.
        second: usize,
    },
    /// The dimensions are not in the order of their axes.
    #[error(
        "dimension {dimension} is used for axis {axis}, which comes before the axis of an earlier dimension: a slice \
         does not transpose; apply the transform with its dimensions in the order of the axes, then transpose"
    )]
    Transposed {
        /// The dimension.
        dimension: usize,
        /// The axis of the dimension, which comes before the axis of an earlier dimension.
        axis: usize,
    },
    /// A dimension that belongs to no axis does not have length 1, so it is not a new axis.
    #[error(
        "dimension {dimension} is not used for an axis and has length {len}: a slice does not repeat elements; a new \
         axis has length 1"
    )]
    Repeated {
        /// The dimension.
        dimension: usize,
        /// The length of the dimension.
        len: usize,
    },
    /// The positions of a dimension depend on the length of its axis in a way that a slice cannot express, or an index
    /// array lies along a dimension with an implicit bound.
    #[error(
        "the positions within the implicit bounds of dimension {dimension} depend on the length of the axis; give \
         the dimension explicit bounds"
    )]
    Implicit {
        /// The dimension.
        dimension: usize,
    },
    /// An index array does not fit the domain, or its map has an input dimension.
    #[error(
        "the index array of axis {axis} must have one axis for each dimension, with the length of the dimension or \
         length 1, and the map must not have an input_dimension"
    )]
    IndexArray {
        /// The axis of the array.
        axis: usize,
    },
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
