//! TensorStore's `IndexTransform`, which maps each position of a domain to an element of an array.
//!
//! A transform consists of a domain, with an interval for each *input dimension*, and of an *output index map* for each
//! axis of the array. A map is a constant, or `offset + stride * i`, where `i` is the position on one input dimension, or
//! an index of the map's *index array*.
//! TensorStore applies these rules in order:
//!
//! 1. There are at most 32 dimensions, and one output index map for each axis of the array. The bounds of a dimension
//!    are finite unless they are implicit, and the lower bound is not above the upper bound.
//! 2. A constant must lie within its axis. Nothing is clamped, and nothing counts from the end: -1 is out of bounds.
//! 3. If a map names a dimension with an implicit bound, this bound is replaced by the bound that the length of the
//!    map's axis implies. Then, unless the dimension is empty, all of its positions must be mapped to positions within
//!    the axis. An empty dimension may have any bounds.
//!
//! The lower bound of a dimension does not affect the indices of the result: index 0 of the result is the first
//! position of the dimension.
//!
//! In a [`Selection`], the axes come in the order of the array, each at most once. A transform that transposes axes,
//! takes a diagonal, or repeats elements along a separate dimension therefore cannot be resolved, and the error states
//! the reason. A transform with index arrays is resolved to a slice with lists and points.
//!
//! Source: TensorStore 0.1.86. TensorStore computes in 64 bits, and rejects some transforms whose offset or stride is
//! near the limits of 64-bit integers. This crate accepts such transforms.

pub(crate) mod error;
mod index_arrays;
mod operation;

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::element_count;
use slice_core::{AxisRange, NdList, ResolvedStep, Selection};

use crate::Dims;
use crate::error::OperationError;
use crate::tensorstore::error::TransformError;

#[cfg(feature = "serde")]
mod json;

/// A bound of `INFINITY` or `-INFINITY` means that there is no bound; finite bounds lie between them.
///
/// Python equivalent: `tensorstore.inf`.
///
/// # Example
///
/// ```
/// use slice_systems::tensorstore::INFINITY;
///
/// assert_eq!(INFINITY, 4_611_686_018_427_387_903); // 2**62 - 1
/// ```
pub const INFINITY: i64 = (1 << 62) - 1;

/// The maximum number of dimensions of a transform.
pub(crate) const MAX_RANK: usize = 32;

/// TensorStore's `IndexTransform`. The fields have the names of the constructor's parameters.
///
/// Python equivalent: `tensorstore.IndexTransform(input_inclusive_min=..., input_exclusive_max=..., output=...)`.
///
/// With the feature `serde`, a transform can be deserialized from TensorStore's JSON format, and serialized to it.
///
/// # Example
///
/// ```
/// use slice_systems::tensorstore::{IndexTransform, OutputIndexMap};
/// use slice_core::s;
///
/// // TensorStore's transform for `x[1, ::-1]`, whose domain starts below zero.
/// let transform = IndexTransform {
///     input_inclusive_min: vec![-3],
///     input_exclusive_max: vec![1],
///     output: vec![
///         OutputIndexMap { offset: 1, ..OutputIndexMap::default() },
///         OutputIndexMap { stride: -1, input_dimension: Some(0), ..OutputIndexMap::default() },
///     ],
///     ..IndexTransform::default()
/// };
/// assert_eq!(transform.resolve(&[3, 4])?, s![1, ::-1].resolve(&[3, 4])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexTransform {
    /// The first position of each dimension.
    pub input_inclusive_min: Vec<i64>,
    /// One past the last position of each dimension.
    pub input_exclusive_max: Vec<i64>,
    /// For each dimension, whether its lower bound is implicit, and may therefore differ for a different array. The
    /// vector is empty if no lower bound is implicit.
    pub implicit_lower_bounds: Vec<bool>,
    /// For each dimension, whether its upper bound is implicit, and may therefore differ for a different array. The
    /// vector is empty if no upper bound is implicit.
    pub implicit_upper_bounds: Vec<bool>,
    /// The label of each dimension, or an empty string for a dimension without a label. The vector is empty if no
    /// dimension has a label. Labels do not affect the selection.
    pub input_labels: Vec<String>,
    /// The output index map of each axis of the array.
    pub output: Vec<OutputIndexMap>,
}

/// Maps positions on an input dimension to positions on an axis of the array.
///
/// Python equivalent: `tensorstore.OutputIndexMap(offset=..., stride=..., input_dimension=..., index_array=...)`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::tensorstore::{IndexTransform, OutputIndexMap};
///
/// // In `x[1::2, 3]`, position `i` of the result is at `1 + 2 * i` of axis 0, and at 3 of axis 1.
/// let selection = s![1::2, 3].resolve(&[4, 5]).expect("the slice should fit the shape");
/// let transform = IndexTransform::from_selection(&selection)?.op;
/// assert_eq!(transform.output, [
///     OutputIndexMap { offset: 1, stride: 2, input_dimension: Some(0), index_array: None },
///     OutputIndexMap { offset: 3, ..OutputIndexMap::default() },
/// ]);
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutputIndexMap {
    /// The position on the axis for position 0 of the input dimension or, if there is no input dimension, the constant
    /// position.
    pub offset: i64,
    /// The distance on the axis between neighboring positions of the input dimension. The stride is ignored if there
    /// is neither an input dimension nor an index array. If the stride is 0, the input dimension is ignored.
    pub stride: i64,
    /// The input dimension, if the position is neither constant nor in an index array.
    pub input_dimension: Option<usize>,
    /// The indices, with one axis for each dimension of the domain. The length along a dimension is the length of the
    /// dimension, or 1 if the positions do not depend on the dimension. An index `i` selects position
    /// `offset + stride * i`. Arrays that lie along the same dimension select points.
    pub index_array: Option<NdList<i64>>,
}

impl OutputIndexMap {
    /// Returns the input dimension, or `None` if the position is constant or in an index array.
    pub(crate) fn dimension(&self) -> Option<usize> {
        self.input_dimension.filter(|_| self.stride != 0)
    }

    /// Returns the position on the axis for a position on the dimension.
    pub(crate) fn axis_position(&self, position: i128) -> i128 {
        // The product of two 64-bit numbers plus a third one fits in 128 bits.
        i128::from(self.offset) + i128::from(self.stride) * position
    }

    /// Returns the interval of the positions on the dimension that are mapped to positions on an axis of length `size`:
    /// the first position, and one past the last.
    fn domain(&self, size: usize) -> (i128, i128) {
        let (offset, last) = (i128::from(self.offset), size as i128 - 1);
        let (low, high) = match self.stride > 0 {
            true => (-offset, last - offset),
            // On an empty axis, TensorStore's interval starts at the position that is mapped to position 0.
            false if size == 0 => (offset, offset - 1),
            false => (offset - last, offset),
        };
        // Rounds the first position up, and the last one down.
        let distance = i128::from(self.stride).abs();
        let first = -(-low).div_euclid(distance);
        (first, first.max(high.div_euclid(distance) + 1))
    }
}

/// A dimension or an axis of the array.
pub(crate) enum Entry {
    /// A dimension that belongs to no axis.
    New(usize),
    /// An axis, with its dimension if there is one.
    Axis(usize),
}

/// The lower or the upper bound of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DimensionBound {
    pub(crate) value: i64,
    pub(crate) implicit: bool,
}

impl IndexTransform {
    /// Returns the number of dimensions of the domain.
    ///
    /// Python equivalent: `transform.input_rank`.
    pub(crate) fn input_rank(&self) -> usize {
        self.input_inclusive_min.len()
    }

    /// Applies the transform to an array with the shape `shape`. The positions on each axis of the array start at 0.
    ///
    /// Python equivalent: `x[transform]` for a TensorStore `x` with `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// * [`OperationError::System`] if there are more than 32 dimensions or output index maps, if a vector does not have one
    ///   element for each dimension, if two dimensions have the same label, if the bounds of a dimension do not form an
    ///   interval or are infinite and the array does not determine them, if an output index map names a dimension that does
    ///   not exist, or if the array does not have one axis for each output index map.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape.
    /// * [`OperationError::System`] if an index array does not fit the domain, if its map has an input dimension, or if a
    ///   dimension along which it lies has an implicit bound; then, for each axis in order, if a position is outside the
    ///   axis; then, for each dimension in order, if it belongs to several axes or to an axis that comes before the axis
    ///   of an earlier dimension, or if it belongs to no axis and has more than one position.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::tensorstore::{IndexTransform, OutputIndexMap};
    ///
    /// // `x[:3]`, whose upper bound does not depend on the array
    /// let transform = IndexTransform {
    ///     input_inclusive_min: vec![0],
    ///     input_exclusive_max: vec![3],
    ///     output: vec![OutputIndexMap { stride: 1, input_dimension: Some(0), ..OutputIndexMap::default() }],
    ///     ..IndexTransform::default()
    /// };
    /// assert_eq!(transform.resolve(&[4])?.output_shape(), [3]);
    /// assert_eq!(transform.resolve(&[2]).unwrap_err().to_string(), "position 2 is out of bounds for axis 0 with size 2; TensorStore neither clamps nor counts from the end");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check()?;
        if self.output.len() != shape.len() {
            let (expected, actual) = (self.output.len(), shape.len());
            return Err(TransformError::Rank { expected, actual }.into());
        }
        if self.has_arrays() {
            let [lists, slice] = self.steps(shape)?;
            return Ok(lists.compose(&slice)?);
        }
        element_count(shape)?;
        let ranges = self.output.iter().zip(shape).enumerate();
        let ranges = ranges.map(|(axis, (map, &size))| self.range(axis, map, size));
        let ranges = ranges.collect::<Result<Dims<AxisRange>, _>>()?;
        let steps = self.entries()?.into_iter().map(|entry| match entry {
            Entry::New(dimension) => {
                let len = self.len(dimension);
                ResolvedStep::Insert { len }
            }
            Entry::Axis(axis) => match self.output[axis].dimension() {
                Some(_) => ResolvedStep::Keep(ranges[axis]),
                None => ResolvedStep::Drop(ranges[axis].start()),
            },
        });
        Ok(Selection::from_steps(shape, steps)?)
    }

    /// Returns the axes in order, with each dimension without an axis before the axis of the next dimension. Returns an
    /// error if dimensions do not come in the order of their axes, or if a dimension repeats elements.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, TransformError> {
        let (mut entries, mut new, mut next_axis) = (Vec::new(), Vec::new(), 0);
        for dimension in 0..self.input_rank() {
            let axes = self.output.iter().enumerate();
            let mut axes = axes.filter(|(_, map)| map.dimension() == Some(dimension));
            match (axes.next(), axes.next()) {
                (Some((first, _)), Some((second, _))) => {
                    return Err(TransformError::Diagonal {
                        dimension,
                        first,
                        second,
                    });
                }
                (Some((axis, _)), None) if axis < next_axis => {
                    return Err(TransformError::Transposed { dimension, axis });
                }
                (Some((axis, _)), None) => {
                    entries.extend((next_axis..axis).map(Entry::Axis));
                    entries.append(&mut new);
                    entries.push(Entry::Axis(axis));
                    next_axis = axis + 1;
                }
                (None, _) => match self.len(dimension) {
                    ..=1 => new.push(Entry::New(dimension)),
                    len => return Err(TransformError::Repeated { dimension, len }),
                },
            }
        }
        entries.extend((next_axis..self.output.len()).map(Entry::Axis));
        entries.append(&mut new);
        Ok(entries)
    }

    /// Performs all checks that do not depend on the shape.
    pub(crate) fn check(&self) -> Result<(), TransformError> {
        let rank = self.input_rank();
        if rank > MAX_RANK || self.output.len() > MAX_RANK {
            let rank = rank.max(self.output.len());
            return Err(TransformError::TooManyDimensions { rank });
        }
        for (field, len, may_be_empty) in [
            ("input_exclusive_max", self.input_exclusive_max.len(), false),
            (
                "implicit_lower_bounds",
                self.implicit_lower_bounds.len(),
                true,
            ),
            (
                "implicit_upper_bounds",
                self.implicit_upper_bounds.len(),
                true,
            ),
            ("input_labels", self.input_labels.len(), true),
        ] {
            if len != rank && !(may_be_empty && len == 0) {
                return Err(TransformError::Length { field, rank, len });
            }
        }
        let mut labels: Vec<&String> = self.input_labels.iter().collect();
        labels.sort_unstable();
        let repeated = labels.chunk_by(|one, other| one == other);
        let repeated = repeated.filter(|group| group.len() > 1 && !group[0].is_empty());
        let labels: Vec<String> = repeated.map(|group| group[0].clone()).collect();
        if !labels.is_empty() {
            return Err(TransformError::RepeatedLabels { labels });
        }
        for dimension in 0..rank {
            let (min, max) = (
                self.input_inclusive_min[dimension],
                self.input_exclusive_max[dimension],
            );
            let is_min_valid = (-INFINITY..=INFINITY).contains(&min);
            if min > max || !is_min_valid || max > INFINITY {
                return Err(TransformError::Interval {
                    dimension,
                    min,
                    max,
                });
            }
        }
        for (axis, map) in self.output.iter().enumerate() {
            if let Some(dimension) = map.input_dimension
                && dimension >= rank
            {
                return Err(TransformError::Dimension {
                    axis,
                    dimension,
                    rank,
                });
            }
        }
        for dimension in 0..rank {
            let unbounded = [self.lower(dimension), self.upper(dimension)]
                .iter()
                .any(|bound| bound.value.abs() == INFINITY && !bound.implicit);
            let is_named = self
                .output
                .iter()
                .any(|map| map.dimension() == Some(dimension));
            let (min, max) = (
                self.input_inclusive_min[dimension],
                self.input_exclusive_max[dimension],
            );
            if unbounded || !is_named && (min == -INFINITY || max == INFINITY) {
                return Err(TransformError::Unbounded { dimension });
            }
        }
        Ok(())
    }

    /// Returns the lower bound of a dimension.
    pub(crate) fn lower(&self, dimension: usize) -> DimensionBound {
        DimensionBound {
            value: self.input_inclusive_min[dimension],
            implicit: self.implicit_lower_bounds.get(dimension) == Some(&true),
        }
    }

    /// Returns the upper bound of a dimension.
    pub(crate) fn upper(&self, dimension: usize) -> DimensionBound {
        DimensionBound {
            value: self.input_exclusive_max[dimension],
            implicit: self.implicit_upper_bounds.get(dimension) == Some(&true),
        }
    }

    /// Returns the length of a dimension according to its written bounds.
    pub(crate) fn len(&self, dimension: usize) -> usize {
        let (min, max) = (self.lower(dimension), self.upper(dimension));
        // The subtraction cannot overflow, because `check` ensures that the bounds are in order and between the
        // infinities.
        (max.value - min.value) as usize
    }

    /// Returns the positions that `map` selects on `axis`, which has length `size`.
    fn range(
        &self,
        axis: usize,
        map: &OutputIndexMap,
        size: usize,
    ) -> Result<AxisRange, TransformError> {
        let out_of_bounds = |position| TransformError::OutOfBounds {
            axis,
            position,
            size,
        };
        let Some(dimension) = map.dimension() else {
            let position = usize::try_from(map.offset).ok();
            let position = position.filter(|&position| position < size);
            return match position {
                Some(position) => Ok(AxisRange::single(position)),
                None => Err(out_of_bounds(map.offset.into())),
            };
        };
        let (lower, upper) = (self.lower(dimension), self.upper(dimension));
        let (first, end) = map.domain(size);
        let (mut min, mut max) = (i128::from(lower.value), i128::from(upper.value));
        if lower.implicit && upper.implicit {
            (min, max) = (first, end);
        } else if lower.implicit {
            min = first.min(max);
        } else if upper.implicit {
            max = end.max(min);
        }
        if min == max {
            return Ok(AxisRange::new(0, 1, 0));
        }
        if min < first || max > end {
            let position = if min < first { min } else { max - 1 };
            return Err(out_of_bounds(map.axis_position(position)));
        }
        // All positions lie within the axis, so the stride fits in an `isize` if there is more than one position. If
        // there is only one, the stride is ignored.
        let (start, len) = (map.axis_position(min) as usize, (max - min) as usize);
        Ok(AxisRange::new(start, map.stride as isize, len))
    }
}
