//! `Selection`: a spec applied to a shape. A selection contains no masks, and all its positions are counted from 0.

use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::runs::Positions;
use crate::resolve::shape::{check_shape, element_count};
use crate::resolve::step::{Joined, OutputAxis, ResolvedStep, ResolvedSteps, invalid_range};
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
/// with several axes, [join](ResolvedStep::Joined) their axes. A selection without lists is [strided](Self::is_strided): each
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
    // among the axes of an entry of `joined`, the range has the length of the entry, and its positions have no meaning.
    // The input axes in `output` are in ascending order, and only the first axis of an entry of `joined` is repeated. An
    // input axis that is not in `output` has exactly one position, unless it is another axis of such an entry. `joined` is
    // in the order of `output`; it contains each new axis in `output` that is longer than 1. `input_len` is the product of
    // `input_shape`, and `len` is the product of `output_shape`. The two products are at most `isize::MAX`.
    pub(super) input_shape: PerAxis,
    pub(super) axes: PerAxis<AxisRange>,
    pub(super) output: PerAxis<OutputAxis>,
    pub(super) output_shape: PerAxis,
    pub(super) input_len: usize,
    pub(super) len: usize,
    /// The joined axes, each with the number of its first input axis, or 0 if it has none. A strided selection has no
    /// joined axes.
    pub(super) joined: Vec<(usize, Joined)>,
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
        self.joined.is_empty()
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
        match self
            .joined
            .iter()
            .find(|(_, joined)| !joined.is_orthogonal())
        {
            None => Ok(()),
            Some((axis, joined)) => Err(SliceError::JoinedAxes {
                axis: *axis,
                axes: joined.axes(),
                rank: joined.shape().len(),
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
    /// Returns [`SliceError::TooLarge`] if `shape` is too large for any array, or the first error in `steps`.
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
        selection.set_len();
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
            joined: Vec::new(),
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
            }
            ResolvedStep::Joined(joined) => self.push_joined(joined.clone()),
        }
    }

    /// Appends the axes of the result that take the place of joined input axes.
    pub(super) fn push_joined(&mut self, joined: Joined) {
        if joined.axes() == 0 {
            return joined.shape().iter().for_each(|&len| self.insert(len));
        }
        let axis = self.axes.len();
        let origin = OutputAxis::Input(axis);
        self.output.extend(joined.shape().iter().map(|_| origin));
        let placeholder = AxisRange::canonical(0, 1, joined.len());
        self.axes.extend((0..joined.axes()).map(|_| placeholder));
        self.output_shape.extend_from_slice(joined.shape());
        self.joined.push((axis, joined));
    }

    /// Keeps these positions on the next input axis.
    pub(super) fn keep(&mut self, positions: Positions) {
        match positions {
            Positions::Range(range) => self.push(ResolvedStep::Keep(range)),
            Positions::List(list) => self.push_joined(Joined::of_axis(list)),
        }
    }

    /// Selects the position `position`, in C order, of the next input axes, whose lengths are in `sizes`, and drops the axes.
    pub(super) fn drop_axes(&mut self, position: usize, sizes: &[usize]) {
        for (axis, size) in sizes.iter().enumerate() {
            let inner: usize = sizes[axis + 1..].iter().product();
            self.push(ResolvedStep::Drop(position / inner % size));
        }
    }

    /// Inserts an axis, which repeats its position if a list selects from it.
    pub(super) fn insert(&mut self, len: usize) {
        match len {
            0 | 1 => self.push(ResolvedStep::Insert { len }),
            _ => {
                self.output.push(OutputAxis::New { len });
                self.output_shape.push(len);
                self.joined.push((0, Joined::repeated(len)));
            }
        }
    }

    /// Returns the selection, to which all axes have been added.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if the shape of the result is too large for any array.
    pub(super) fn finished(mut self) -> Result<Self, SliceError> {
        self.len = element_count(&self.output_shape)?;
        Ok(self)
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
        let selection = Selection::build(input_shape, steps.into_iter().map(check_step))?;
        match selection.is_strided() {
            true => Ok(selection),
            false => selection.finished(),
        }
    }

    /// Version of [`from_steps`](Self::from_steps) for steps of other selections, which may repeat new axes.
    pub(super) fn from_any_steps<'a>(
        input_shape: &[usize],
        steps: impl IntoIterator<Item = ResolvedStep<'a>>,
    ) -> Result<Selection, SliceError> {
        let mut selection = Selection::without_axes(input_shape)?;
        for step in steps {
            match step {
                ResolvedStep::Insert { len } => selection.insert(len),
                step => selection.push(step),
            }
        }
        selection.finished()
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
                Ok(Positions::List(list)) => {
                    let placeholder = AxisRange::canonical(0, 1, list.len());
                    lists.push((axis, Joined::of_axis(list)));
                    placeholder
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
        selection.axes = ranges;
        selection.joined = lists;
        let is_repeated = |origin: &OutputAxis| matches!(origin, OutputAxis::New { len: 2.. });
        if output_axes.iter().any(is_repeated) {
            selection.join_repeated_axes();
        }
        if selection.is_strided() {
            selection.set_len();
        } else {
            selection.len = element_count(&selection.output_shape)?;
        }
        Ok(selection)
    }

    /// Adds the new axes that are longer than 1 to the joined axes, in the order of the output.
    fn join_repeated_axes(&mut self) {
        let mut lists = core::mem::take(&mut self.joined).into_iter().peekable();
        for &origin in &self.output {
            match origin {
                OutputAxis::New { len: len @ 2.. } => self.joined.push((0, Joined::repeated(len))),
                OutputAxis::New { .. } => {}
                OutputAxis::Input(kept) => {
                    let list = lists.next_if(|&(axis, _)| axis == kept);
                    self.joined.extend(list);
                }
            }
        }
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

    /// Returns the selected positions on an input axis. A dropped axis has one position. If several axes are
    /// [joined](ResolvedStep::Joined), the positions on each of them have the same order, as in the arrays that
    /// `np.nonzero` returns.
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
        let covers = |first: usize, joined: &Joined| (first..first + joined.axes()).contains(&axis);
        match self
            .joined
            .iter()
            .find(|(first, joined)| covers(*first, joined))
        {
            None => AxisPositions::Range(self.axes[axis]),
            Some((_, joined)) if joined.axes() == 1 => joined.positions(),
            Some((first, joined)) => {
                let size = self.input_shape[axis];
                let inner = &self.input_shape[axis + 1..first + joined.axes()];
                // If the product wraps, the input is empty, so nothing is selected.
                let inner: usize = inner.iter().fold(1, |all, &size| all.wrapping_mul(size));
                let positions = joined.list().to_positions().into_iter();
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
        ResolvedSteps::new(&self.axes, &self.output, &self.joined)
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
fn check_step(step: ResolvedStep<'_>) -> Result<ResolvedStep<'_>, SliceError> {
    match step {
        ResolvedStep::Keep(AxisRange { start, step, len }) => {
            Ok(ResolvedStep::Keep(AxisRange::canonical(start, step, len)))
        }
        ResolvedStep::Insert { len } => Ok(ResolvedStep::Insert { len: new_len(len)? }),
        ResolvedStep::Drop(_) | ResolvedStep::Joined(_) => Ok(step),
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

#[cfg(test)]
impl Selection {
    /// Stores single positions as `usize`, as is done for axes that are too long for four-byte positions.
    pub(crate) fn widened(mut self) -> Self {
        self.joined
            .iter_mut()
            .for_each(|(_, joined)| joined.widen());
        self
    }
}
