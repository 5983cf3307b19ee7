//! `Selection`: a spec applied to a shape. A selection contains no masks, and all its positions are counted from 0.

use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::runs::Positions;
use crate::resolve::shape::{check_shape, element_count};
use crate::resolve::step::{ListedAxes, OutputAxis, ResolvedStep, ResolvedSteps, invalid_range};
use crate::resolve::walk::ResolvedItems;
use crate::spec::item::Encoded;
use crate::spec::slice_spec::SliceSpec;

/// A shape, or another list with one value per axis. Up to six values are stored inline.
pub(crate) type PerAxis<T = usize> = SmallVec<[T; 6]>;

/// The elements selected from an array of a known shape, and the shape of the result.
///
/// Python equivalent: none. NumPy computes a selection internally from `x.shape` and the slice.
///
/// A range, and a list or mask with one axis, select positions on one axis, independently of the other axes. Points, and masks
/// with several axes, [list](ListedAxes) the positions of several axes together. A selection without lists is [strided](Self::is_strided): each
/// input axis has a start, a step and a length ([`axes`](Self::axes)), so the selected elements have a
/// [`layout`](Self::layout). A list with one axis whose positions have a constant step counts as a range. An input axis that
/// is not among the [output axes](Self::output_axes) was dropped by an index.
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
///
/// let selection = s![[1, 0, 1], 1:].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3, 2]);
/// assert!(!selection.is_strided());
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [14, 15, 11, 12, 14, 15]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a selection does nothing until it is used to copy or view elements"]
pub struct Selection {
    // INVARIANT: `axes` has one range for each axis of `input_shape`, whose positions lie on that axis. If the axis is
    // among the axes of a list, the range has the length of the list, and its positions have no meaning. The input axes in
    // `output` are in ascending order, and only the first axis of a list is repeated. An input axis that is not in `output`
    // has exactly one position, unless it is another axis of a list. `input_len` is the product of `input_shape`, and `len`
    // is the product of `output_shape`. The two products are at most `isize::MAX`.
    pub(super) input_shape: PerAxis,
    pub(super) axes: PerAxis<AxisRange>,
    pub(super) output: PerAxis<OutputAxis>,
    pub(super) output_shape: PerAxis,
    pub(super) input_len: usize,
    pub(super) len: usize,
    /// The listed axes, each with the number of the first of them, in the order of `output`.
    pub(super) lists: Vec<(usize, ListedAxes)>,
    /// `true` unless `lists` is not empty, or `output` has a new axis that is longer than 1.
    pub(super) is_strided: bool,
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

impl Selection {
    /// Returns the shape of the arrays to which the selection applies.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert_eq!((selection.input_shape(), selection.output_shape()), (&[2, 3][..], &[3][..]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn input_shape(&self) -> &[usize] {
        &self.input_shape
    }

    /// Returns the number of elements in an array with the input shape.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert_eq!((selection.input_len(), selection.len()), (6, 3));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// Returns the shape of the result.
    #[inline]
    #[must_use]
    pub fn output_shape(&self) -> &[usize] {
        &self.output_shape
    }

    /// Returns the number of elements in the result.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if nothing is selected.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![2:].resolve(&[2, 3])?.is_empty());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Checks that the selection applies to arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`](SliceError::ShapeMismatch) if the selection was resolved
    /// for a different shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert!(selection.check_shape(&[2, 3]).is_ok());
    /// assert!(selection.check_shape(&[3, 3]).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn check_shape(&self, shape: &[usize]) -> Result<(), SliceError> {
        check_shape(&self.input_shape, shape)
    }

    /// Returns `true` if the selected elements have a [`layout`](Self::layout). A selection with lists is strided if each
    /// list, or mask, has one axis, and its positions have a constant step other than 0, or there is at most one position.
    /// A selection with points, or with lists or masks of several axes, is not strided.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[1, 2, 3], 0].resolve(&[6, 2])?.is_strided());
    /// assert!(!s![[1, 2, 5], 0].resolve(&[6, 2])?.is_strided());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_strided(&self) -> bool {
        self.is_strided
    }

    /// Checks that the positions on each axis do not depend on the other axes, and that each input axis gives at most one axis
    /// of the result. The lists of such a selection select as NumPy's `np.ix_` does, which zarr and xarray call orthogonal
    /// indexing. A mask or points on several axes, and a list with several axes, are not orthogonal.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::JoinedAxes`] for the first item that joins axes, or gives other than one axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[1, 2, 5], [0, 3]].resolve(&[6, 4])?.check_orthogonal().is_ok());
    /// assert!(s![[[1, 2], [5, 0]]].resolve(&[6, 4])?.check_orthogonal().is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn check_orthogonal(&self) -> Result<(), SliceError> {
        match self.lists.iter().find(|(_, list)| !list.is_orthogonal()) {
            None => Ok(()),
            Some((axis, list)) => Err(SliceError::JoinedAxes {
                axis: *axis,
                axes: list.axes(),
                rank: list.shape().len(),
            }),
        }
    }

    /// Returns an error if the selection is not strided.
    #[inline]
    pub(crate) fn check_strided(&self) -> Result<(), SliceError> {
        match self.is_strided() {
            true => Ok(()),
            false => Err(SliceError::NotStrided),
        }
    }

    #[inline]
    pub(crate) fn new(spec: Encoded<'_>, shape: &[usize]) -> Result<Self, SliceError> {
        let items = ResolvedItems::new(spec, shape)?;
        Selection::build(shape, items)
    }

    /// Creates a selection from `steps`, for arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if `shape`, or the shape of the result, is too large for any array, or the first error
    /// in `steps`.
    #[inline]
    fn build<'a, E: Into<SliceError>>(
        shape: &[usize],
        steps: impl IntoIterator<Item = Result<ResolvedStep<'a>, E>>,
    ) -> Result<Self, SliceError> {
        let mut selection = Selection::without_axes(shape)?;
        for step in steps {
            selection.push(step.map_err(E::into)?);
        }
        debug_assert_eq!(selection.axes.len(), shape.len());
        selection.set_len()?;
        Ok(selection)
    }

    /// Creates an incomplete selection for arrays with the shape `shape`. The caller adds the axes.
    #[inline(always)]
    pub(super) fn without_axes(shape: &[usize]) -> Result<Self, SliceError> {
        // The selection is filled in place, because moving a struct of this size takes half as long as resolving a
        // slice with few axes.
        Ok(Selection {
            input_shape: PerAxis::from_slice(shape),
            axes: PerAxis::new(),
            output: PerAxis::new(),
            output_shape: PerAxis::new(),
            input_len: element_count(shape)?,
            len: 0,
            lists: Vec::new(),
            is_strided: true,
        })
    }

    /// Sets the number of elements, after the last axis of the result has been added.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if the shape of the result is too large for any array.
    #[inline]
    pub(super) fn set_len(&mut self) -> Result<(), SliceError> {
        if !self.is_strided {
            self.len = element_count(&self.output_shape)?;
        } else if !self.output_shape.contains(&0) {
            // The product fits in a `usize`, because the result has no more elements than the input. But if a length is 0,
            // the product of the lengths before it could overflow, so `len` stays 0.
            self.len = self.output_shape.iter().product();
        }
        Ok(())
    }

    /// Appends a step. A step that keeps, drops or lists input axes applies to the next input axes, which must exist.
    #[inline]
    pub(super) fn push(&mut self, step: ResolvedStep<'_>) {
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
                self.is_strided &= len <= 1;
            }
            ResolvedStep::List(list) => self.push_list(list.clone()),
        }
    }

    /// Appends the axes of the result that take the place of listed input axes. Without input axes, they are new axes, and
    /// without axes of the result, the input axes are dropped.
    pub(super) fn push_list(&mut self, list: ListedAxes) {
        let (axis, shape) = (self.axes.len(), list.shape());
        if list.axes() == 0 {
            let inserted = shape.iter().map(|&len| ResolvedStep::Insert { len });
            return inserted.for_each(|step| self.push(step));
        }
        let axes = axis..axis + list.axes();
        if shape.is_empty() {
            let position = list.list().to_positions()[0];
            for axis in axes.clone() {
                let inner: usize = self.input_shape[axis + 1..axes.end].iter().product();
                self.push(ResolvedStep::Drop(
                    position / inner % self.input_shape[axis],
                ));
            }
            return;
        }
        self.output
            .extend(shape.iter().map(|_| OutputAxis::Input(axis)));
        self.output_shape.extend_from_slice(shape);
        let placeholder = AxisRange::canonical(0, 1, list.len());
        self.axes.extend(axes.map(|_| placeholder));
        self.lists.push((axis, list));
        self.is_strided = false;
    }

    /// Selects positions of the next `axes` input axes. `shape` contains the lengths of the axes of the result that take
    /// their place.
    pub(super) fn push_positions(&mut self, axes: usize, shape: &[usize], positions: Positions) {
        match (axes, shape, positions) {
            (1, [_], Positions::Range(range)) => self.push(ResolvedStep::Keep(range)),
            (_, _, positions) => self.push_list(ListedAxes::new(axes, shape, positions)),
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
    ///   axis, or if an axis is longer than `isize::MAX`.
    /// * [`SliceError::TooLarge`] if the input shape or the output shape is too large for any array.
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
    pub fn from_steps<'a>(
        input_shape: &[usize],
        steps: impl IntoIterator<Item = ResolvedStep<'a>>,
    ) -> Result<Selection, SliceError> {
        let steps: PerAxis<ResolvedStep<'a>> = steps.into_iter().collect();
        let (expected, actual) = (
            input_shape.len(),
            steps.iter().map(|step| step.input_axes()).sum(),
        );
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let mut axis = 0;
        for step in &steps {
            step.check(axis, input_shape)?;
            axis += step.input_axes();
        }
        let canonical = |step| match step {
            ResolvedStep::Keep(AxisRange { start, step, len }) => {
                ResolvedStep::Keep(AxisRange::canonical(start, step, len))
            }
            step => step,
        };
        Selection::from_valid_steps(input_shape, steps.into_iter().map(canonical))
    }

    /// Version of [`from_steps`](Self::from_steps) for the steps of other selections, which need no checks.
    #[inline]
    pub(super) fn from_valid_steps<'a>(
        input_shape: &[usize],
        steps: impl IntoIterator<Item = ResolvedStep<'a>>,
    ) -> Result<Selection, SliceError> {
        Selection::build(input_shape, steps.into_iter().map(Ok::<_, SliceError>))
    }

    /// Creates a selection from the positions on each input axis and the origin of each output axis. This function is the
    /// inverse of [`input_shape`](Self::input_shape), [`axis`](Self::axis) and [`output_axes`](Self::output_axes). The
    /// positions are [`AxisRange`]s or [`AxisPositions`].
    ///
    /// # Errors
    ///
    /// * [`SliceError::RankMismatch`] unless `axes` has one value for each input axis.
    /// * [`SliceError::InvalidRange`] if a position is not on its axis, if a range with several positions has a step of
    ///   0, if a run is empty or has more than `isize::MAX` positions, or if an axis with a range or with runs is longer
    ///   than `isize::MAX`.
    /// * [`SliceError::InvalidOutputAxis`] unless the input axes in `output_axes` exist, are in ascending order, and
    ///   include every axis that does not have exactly one position.
    /// * [`SliceError::TooLarge`] if the input shape or the output shape is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection, s};
    ///
    /// let axes = [AxisRange::new(1, 1, 1), AxisRange::new(2, -1, 3)];
    /// let output = [OutputAxis::Input(1), OutputAxis::New { len: 1 }];
    /// let selection = Selection::from_axes(&[2, 3], axes, &output)?;
    /// assert_eq!(selection, s![1, ::-1, newaxis].resolve(&[2, 3])?);
    ///
    /// let axes = [AxisRange::single(1).into(), AxisPositions::Singles(vec![2, 0, 2].into())];
    /// let selection = Selection::from_axes(&[2, 3], axes, &[OutputAxis::Input(1)])?;
    /// assert_eq!(selection, s![1, [2, 0, 2]].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn from_axes<'a>(
        input_shape: &[usize],
        axes: impl IntoIterator<Item: Into<AxisPositions<'a>>>,
        output_axes: &[OutputAxis],
    ) -> Result<Selection, SliceError> {
        let (mut ranges, mut lists) = (PerAxis::<AxisRange>::new(), Vec::new());
        let mut sizes = input_shape.iter();
        let mut invalid = None;
        for positions in axes {
            let axis = ranges.len();
            // If there are too many axes, the length does not matter, because an error is returned below.
            let size = sizes.next().copied().unwrap_or(0);
            let positions = match positions.into() {
                AxisPositions::Range(range) if range.lies_within(size) => {
                    Ok(Positions::Range(range))
                }
                positions => positions.into_positions(size),
            };
            ranges.push(match positions {
                Ok(Positions::Range(AxisRange { start, step, len })) => {
                    AxisRange::canonical(start, step, len)
                }
                Ok(positions) => {
                    let len = positions.len();
                    lists.push((axis, ListedAxes::new(1, &[len], positions)));
                    AxisRange::canonical(0, 1, len)
                }
                Err(range) => {
                    invalid.get_or_insert(invalid_range(axis, range, size));
                    AxisRange::single(0)
                }
            });
        }
        let (expected, actual) = (input_shape.len(), ranges.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        if let Some(error) = invalid {
            return Err(error);
        }
        check_output_axes(&ranges, output_axes)?;
        // Calling `build` would take a third more time, because the axes would be converted to steps, which `build`
        // would take apart again.
        let mut selection = Selection::without_axes(input_shape)?;
        selection.output.extend_from_slice(output_axes);
        for &origin in output_axes {
            selection.output_shape.push(match origin {
                OutputAxis::Input(axis) => ranges[axis].len,
                OutputAxis::New { len } => len,
            });
        }
        let is_repeated = |origin: &OutputAxis| matches!(origin, OutputAxis::New { len: 2.. });
        selection.is_strided = lists.is_empty() && !output_axes.iter().any(is_repeated);
        selection.axes = ranges;
        selection.lists = lists;
        selection.set_len()?;
        Ok(selection)
    }

    /// Returns the range on each input axis. A dropped axis has one position.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::NotStrided`] unless the selection [is strided](Self::is_strided). [`axis`](Self::axis) also
    /// returns the positions in a list.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, s};
    ///
    /// let selection = s![1, ::-2].resolve(&[2, 5])?;
    /// assert_eq!(selection.axes()?, [AxisRange::single(1), AxisRange::new(4, -2, 3)]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn axes(&self) -> Result<&[AxisRange], SliceError> {
        self.check_strided()?;
        Ok(&self.axes)
    }

    /// Returns the range on each input axis of a strided selection.
    #[inline(always)]
    pub(crate) fn ranges(&self) -> &[AxisRange] {
        debug_assert!(self.is_strided());
        &self.axes
    }

    /// Returns the selected positions on an input axis. A dropped axis has one position. If the positions of several axes are
    /// [listed together](ListedAxes), the positions on each of them have the same order, as in the arrays that `np.nonzero`
    /// returns.
    ///
    /// # Panics
    ///
    /// Panics if the input has no such axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![[2, 0], ::2].resolve(&[3, 5])?;
    /// assert_eq!(selection.axis(0).to_vec(), [2, 0]);
    /// assert_eq!(selection.axis(1).to_vec(), [0, 2, 4]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn axis(&self, axis: usize) -> AxisPositions<'_> {
        assert!(
            axis < self.axes.len(),
            "axis {axis} does not exist, because the input has {} axes",
            self.axes.len()
        );
        let mut lists = self.lists.iter();
        match lists.find(|(first, list)| (*first..first + list.axes()).contains(&axis)) {
            None => AxisPositions::Range(self.axes[axis]),
            Some((_, list)) if list.axes() == 1 => list.positions(),
            Some((first, list)) => {
                let size = self.input_shape[axis];
                let inner = &self.input_shape[axis + 1..first + list.axes()];
                // If the product wraps, the input is empty, so nothing is selected.
                let inner: usize = inner.iter().fold(1, |all, &size| all.wrapping_mul(size));
                let positions = list.list().to_positions().into_iter();
                let on_axis = positions.map(|k| k.checked_div(inner).unwrap_or(0) % size.max(1));
                AxisPositions::Singles(on_axis.collect())
            }
        }
    }

    /// Returns the selected positions on an input axis as a range, or `None` if the step between the positions is not
    /// constant, or is 0, or if points, or a list or mask of several axes, select them.
    ///
    /// # Panics
    ///
    /// Panics if the input has no such axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, s};
    ///
    /// let selection = s![[2, 1, 0], [0, 2, 3]].resolve(&[3, 4])?;
    /// assert_eq!((selection.range(0), selection.range(1)), (Some(AxisRange::new(2, -1, 3)), None));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn range(&self, axis: usize) -> Option<AxisRange> {
        match self.axis(axis) {
            AxisPositions::Range(range) => Some(range),
            _ => None,
        }
    }

    /// Returns the origin of each axis of the result.
    ///
    /// ```
    /// use slice_core::{OutputAxis, s};
    ///
    /// let selection = s![1, newaxis, :].resolve(&[2, 5])?;
    /// assert_eq!(selection.output_axes(), [OutputAxis::New { len: 1 }, OutputAxis::Input(1)]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
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
    /// ```
    /// use slice_core::{AxisRange, ResolvedStep, s};
    ///
    /// let selection = s![1:, newaxis, -1].resolve(&[4, 5])?;
    /// assert!(selection.resolved_steps().eq([
    ///     ResolvedStep::Keep(AxisRange::new(1, 1, 3)),
    ///     ResolvedStep::Drop(4),
    ///     ResolvedStep::Insert { len: 1 },
    /// ]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn resolved_steps(&self) -> impl Iterator<Item = ResolvedStep<'_>> + Clone + '_ {
        ResolvedSteps::new(&self.axes, &self.output, &self.lists)
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

#[cfg(test)]
impl Selection {
    /// Stores single positions as `usize`, as is done for axes that are too long for four-byte positions.
    pub(crate) fn widened(mut self) -> Self {
        { self.lists.iter_mut() }.for_each(|(_, list)| list.widen());
        self
    }
}
