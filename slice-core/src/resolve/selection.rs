//! `Selection`: a spec applied to a shape. A selection contains no masks, and all its positions are counted from 0.

use core::ops::Range;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::shape::{check_shape, element_count, shapes_and_lengths};
use crate::resolve::step::{OutputAxis, ResolvedStep, ResolvedSteps};
use crate::resolve::walk::ResolvedItems;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Encoded;
use crate::spec::slice_spec::SliceSpec;

/// A shape, or another list with one value per axis. Up to six values are stored inline.
pub(crate) type PerAxis<T = usize> = SmallVec<[T; 6]>;

/// The elements selected from an array of a known shape, and the shape of the result.
///
/// Python equivalent: none. NumPy computes a selection internally from `x.shape` and the slice.
///
/// Each input axis has a start, a step and a length ([`axes`](Self::axes)). An input axis that is not among the
/// [output axes](Self::output_axes) was dropped by an index.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let selection = s![1, ::-1].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3]);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [5, 4, 3]);
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [15, 14, 13]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a selection does nothing until it is used to copy or view elements"]
pub struct Selection {
    // INVARIANT: `axes` has one range for each axis of `input_shape`, whose positions lie on that axis. The input axes
    // in `output` are in ascending order, without repetition. An input axis that is not in `output` has exactly one
    // position. `input_len` is the product of `input_shape`, and `len` is the product of `output_shape`. The two
    // products are at most `isize::MAX`.
    input_shape: PerAxis,
    axes: PerAxis<AxisRange>,
    output: PerAxis<OutputAxis>,
    output_shape: PerAxis,
    input_len: usize,
    len: usize,
}

impl<const M: usize, K> SliceSpec<M, K> {
    /// Determines the elements that the spec selects from an array with the shape `shape`.
    ///
    /// Python equivalent: `x[spec]` for an array `x` with `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// * [`SliceError::TooManyIndices`] if the shape has too few axes. As in NumPy, this error is reported before all
    ///   others.
    /// * [`SliceError::IndexOutOfBounds`] if an index is out of bounds, and [`SliceError::ZeroStep`] if a step is zero.
    ///   If several items are invalid, the error describes the leftmost of them.
    /// * [`SliceError::TooLarge`] if `shape` is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
    /// assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::new(self.encoded(), shape)
    }
}

impl DynSliceSpec {
    /// Determines the elements that the spec selects from an array with the shape `shape`, as [`SliceSpec::resolve`]
    /// does.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`].
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::new(self.encoded(), shape)
    }
}

shapes_and_lengths!(Selection);

impl Selection {
    #[inline]
    pub(crate) fn new(spec: Encoded<'_>, shape: &[usize]) -> Result<Self, SliceError> {
        let items = ResolvedItems::new(spec, shape)?;
        Selection::build(shape, items)
    }

    /// Creates a selection from `steps`, for arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if `shape` is too large for any array, or the first error in `steps`.
    #[inline]
    fn build<E: Into<SliceError>>(
        shape: &[usize],
        steps: impl IntoIterator<Item = Result<ResolvedStep, E>>,
    ) -> Result<Self, SliceError> {
        let mut selection = Selection::without_axes(shape)?;
        for step in steps {
            selection.push(step.map_err(E::into)?);
        }
        debug_assert_eq!(selection.axes.len(), shape.len());
        selection.set_len();
        Ok(selection)
    }

    /// Creates an incomplete selection for arrays with the shape `shape`. The caller adds the axes.
    #[inline(always)]
    fn without_axes(shape: &[usize]) -> Result<Self, SliceError> {
        // The selection is filled in place, because moving a struct of this size takes half as long as resolving a
        // slice with few axes.
        Ok(Selection {
            input_shape: PerAxis::from_slice(shape),
            axes: PerAxis::new(),
            output: PerAxis::new(),
            output_shape: PerAxis::new(),
            input_len: element_count(shape)?,
            len: 0,
        })
    }

    /// Sets the number of elements, after the last axis of the result has been added.
    #[inline]
    fn set_len(&mut self) {
        // The product fits in a `usize`, because the result has no more elements than the input. But if a length is 0,
        // the product of the lengths before it could overflow, so `len` stays 0.
        if !self.output_shape.contains(&0) {
            self.len = self.output_shape.iter().product();
        }
    }

    /// Appends a step. A step that keeps or drops an input axis applies to the next input axis, which must exist.
    #[inline]
    fn push(&mut self, step: ResolvedStep) {
        let axis = self.axes.len();
        match step {
            ResolvedStep::Keep(range) => {
                debug_assert!(range.len <= self.input_shape[axis]);
                self.output.push(OutputAxis::Input(axis));
                self.output_shape.push(range.len);
                self.axes.push(range);
            }
            ResolvedStep::Drop(position) => {
                debug_assert!(position < self.input_shape[axis]);
                self.axes.push(AxisRange::single(position));
            }
            ResolvedStep::Insert { len } => {
                self.output.push(OutputAxis::New { len });
                self.output_shape.push(len);
            }
        }
    }

    /// Creates a selection from `steps`, for arrays with the shape `input_shape`. This function is the inverse of
    /// [`resolved_steps`](Self::resolved_steps).
    ///
    /// # Errors
    ///
    /// * [`SliceError::RankMismatch`] unless `steps` has one step for each input axis, not counting steps that insert
    ///   an axis.
    /// * [`SliceError::InvalidRange`] if a range with several positions has a step of 0, if a position is not on its
    ///   axis, if an axis is longer than `isize::MAX`, or if a new axis has a length other than 0 or 1.
    /// * [`SliceError::TooLarge`] if no array can have the shape `input_shape`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, ResolvedStep, Selection, s};
    ///
    /// let backwards = ResolvedStep::Keep(AxisRange::new(2, -1, 3));
    /// let steps = [ResolvedStep::Drop(1), backwards, ResolvedStep::Insert { len: 1 }];
    /// assert_eq!(Selection::from_steps(&[2, 3], steps)?, s![1, ::-1, newaxis].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn from_steps(
        input_shape: &[usize],
        steps: impl IntoIterator<Item = ResolvedStep>,
    ) -> Result<Selection, SliceError> {
        let steps: PerAxis<ResolvedStep> = steps.into_iter().collect();
        let ranges = steps.iter().filter_map(|step| step.input_range());
        let (expected, actual) = (input_shape.len(), ranges.clone().count());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        check_ranges(ranges, input_shape)?;
        Selection::build(input_shape, steps.into_iter().map(check_step))
    }

    /// Creates a selection from the range on each input axis and the origin of each output axis. This function is the
    /// inverse of [`input_shape`](Self::input_shape), [`axes`](Self::axes) and [`output_axes`](Self::output_axes).
    ///
    /// # Errors
    ///
    /// * [`SliceError::RankMismatch`] unless `axes` has one range for each input axis.
    /// * [`SliceError::InvalidRange`] if a range with several positions has a step of 0, if a position is not on its
    ///   axis, if an axis is longer than `isize::MAX`, or if a new axis has a length other than 0 or 1.
    /// * [`SliceError::InvalidOutputAxis`] unless the input axes in `output_axes` exist, are in ascending order, and
    ///   include every axis whose range does not have exactly one position.
    /// * [`SliceError::TooLarge`] if no array can have the shape `input_shape`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, OutputAxis, Selection, s};
    ///
    /// let axes = [AxisRange::new(1, 1, 1), AxisRange::new(2, -1, 3)];
    /// let output = [OutputAxis::Input(1), OutputAxis::New { len: 1 }];
    /// let selection = Selection::from_axes(&[2, 3], &axes, &output)?;
    /// assert_eq!(selection, s![1, ::-1, newaxis].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn from_axes(
        input_shape: &[usize],
        axes: &[AxisRange],
        output_axes: &[OutputAxis],
    ) -> Result<Selection, SliceError> {
        let (expected, actual) = (input_shape.len(), axes.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        check_ranges(axes.iter().copied(), input_shape)?;
        check_output_axes(axes, output_axes)?;
        // Calling `build` would take a third more time, because the axes would be converted to steps, which `build`
        // would take apart again.
        let mut selection = Selection::without_axes(input_shape)?;
        let canonical = |&AxisRange { start, step, len }| AxisRange::canonical(start, step, len);
        selection.axes.extend(axes.iter().map(canonical));
        selection.output.extend_from_slice(output_axes);
        for &origin in output_axes {
            selection.output_shape.push(match origin {
                OutputAxis::Input(axis) => axes[axis].len,
                OutputAxis::New { len } => new_len(len)?,
            });
        }
        selection.set_len();
        Ok(selection)
    }

    /// Returns the selected positions on each input axis.
    #[must_use]
    pub fn axes(&self) -> &[AxisRange] {
        &self.axes
    }

    /// Returns the origin of each axis of the result.
    #[must_use]
    pub fn output_axes(&self) -> &[OutputAxis] {
        &self.output
    }

    /// Returns the effect of the selection on each axis, from left to right. A new axis comes after any dropped axes,
    /// directly before the next kept axis or at the end.
    ///
    /// Dropped axes also have steps, so callers need not search for the input axes that are missing from the output
    /// axes.
    ///
    /// # Example
    ///
    /// See [`ResolvedStep`].
    pub fn resolved_steps(&self) -> impl Iterator<Item = ResolvedStep> + Clone + '_ {
        ResolvedSteps::new(&self.axes, &self.output)
    }

    /// Returns one selection with the same effect as this selection followed by `then`.
    ///
    /// Python equivalent: `x[a][b]` as one index.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`] unless `then` was resolved for the output shape of this selection.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let rows = s![1:4].resolve(&[6, 2])?;
    /// let both = rows.compose(&s![::-1, 0].resolve(rows.output_shape())?)?;
    /// assert_eq!(both, s![3:0:-1, 0].resolve(&[6, 2])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn compose(&self, then: &Selection) -> Result<Selection, SliceError> {
        check_shape(&self.output_shape, &then.input_shape)?;
        let mut axes = self.axes.clone();
        for (axis, &origin) in self.output.iter().enumerate() {
            if let OutputAxis::Input(input) = origin {
                let (first, second) = (axes[input], then.axes[axis]);
                // If `second` has two positions or more, the product of the steps is a distance on the axis and cannot
                // overflow. Otherwise `canonical` ignores the product.
                axes[input] = AxisRange::canonical(
                    first.position(second.start),
                    first.step.wrapping_mul(second.step),
                    second.len,
                );
            }
        }
        let output = then.output.iter().map(|&origin| match origin {
            OutputAxis::New { .. } => origin,
            OutputAxis::Input(axis) => match self.output[axis] {
                OutputAxis::New { .. } => OutputAxis::New {
                    len: then.axes[axis].len,
                },
                origin @ OutputAxis::Input(_) => origin,
            },
        });
        Ok(Selection {
            input_shape: self.input_shape.clone(),
            axes,
            output: output.collect(),
            output_shape: then.output_shape.clone(),
            input_len: self.input_len,
            len: then.len,
        })
    }
}

/// Returns the error for a range that is invalid on its axis, or for a new axis that is longer than 1.
fn invalid_range(
    axis: usize,
    AxisRange { start, step, len }: AxisRange,
    size: usize,
) -> SliceError {
    SliceError::InvalidRange {
        axis,
        start,
        step,
        len,
        size,
    }
}

/// Checks that each range is valid on its axis.
fn check_ranges(
    ranges: impl Iterator<Item = AxisRange>,
    shape: &[usize],
) -> Result<(), SliceError> {
    let mut axes = ranges.zip(shape).enumerate();
    match axes.find(|(_, (range, size))| !range.lies_within(**size)) {
        Some((axis, (range, &size))) => Err(invalid_range(axis, range, size)),
        None => Ok(()),
    }
}

/// Checks that the input axes in `output_axes` exist and are in ascending order, and that every other input axis has
/// exactly one position.
fn check_output_axes(axes: &[AxisRange], output_axes: &[OutputAxis]) -> Result<(), SliceError> {
    let rank = axes.len();
    let dropped = |mut between: Range<usize>| match between.find(|&axis| axes[axis].len != 1) {
        Some(axis) => Err(SliceError::InvalidOutputAxis { axis }),
        None => Ok(()),
    };
    let mut next = 0;
    for origin in output_axes {
        if let OutputAxis::Input(kept) = *origin {
            let is_to_come = (next..rank).contains(&kept);
            dropped(next..if is_to_come { kept } else { rank })?;
            if !is_to_come {
                return Err(SliceError::InvalidOutputAxis { axis: kept });
            }
            next = kept + 1;
        }
    }
    dropped(next..rank)
}

/// Returns a step in canonical form, or an error if it inserts an axis longer than 1.
#[inline]
fn check_step(step: ResolvedStep) -> Result<ResolvedStep, SliceError> {
    match step {
        ResolvedStep::Keep(AxisRange { start, step, len }) => {
            Ok(ResolvedStep::Keep(AxisRange::canonical(start, step, len)))
        }
        ResolvedStep::Insert { len } => Ok(ResolvedStep::Insert { len: new_len(len)? }),
        ResolvedStep::Drop(_) => Ok(step),
    }
}

/// Returns the length of a new axis, or an error if it is longer than 1.
fn new_len(len: usize) -> Result<usize, SliceError> {
    let (start, step) = (0, 1);
    match len {
        0 | 1 => Ok(len),
        _ => Err(invalid_range(0, AxisRange { start, step, len }, 1)),
    }
}
