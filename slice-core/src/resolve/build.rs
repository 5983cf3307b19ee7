//! Builds selections, from the resolved items of a spec, from steps, or from the positions on each axis.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::positions::form::Form;
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::shape::element_count;
use crate::resolve::step::{ListedAxes, OutputAxis, ResolvedStep, invalid_range};
use crate::resolve::walk::{StepVisitor, each_step, ellipsis_axes};
use crate::spec::item::Encoded;

/// A selection whose axes are being added.
pub(crate) struct Unfinished<'a>(&'a mut Selection);

impl StepVisitor for Unfinished<'_> {
    #[inline(always)]
    fn visit(&mut self, step: ResolvedStep<'static>) {
        self.0.push(step);
    }
}

impl Selection {
    #[inline]
    pub(crate) fn new(spec: Encoded<'_>, shape: &[usize]) -> Result<Self, SliceError> {
        ellipsis_axes(shape.len(), spec.consuming_items())?;
        Selection::of_steps(shape, |visitor| each_step(spec, shape, visitor))
    }

    /// Creates a selection from the steps that `steps` passes to a visitor.
    #[inline(always)]
    pub(crate) fn of_steps(
        shape: &[usize],
        steps: impl FnOnce(&mut Unfinished<'_>) -> Result<(), SliceError>,
    ) -> Result<Self, SliceError> {
        let mut selection = Selection::without_axes(shape)?;
        steps(&mut Unfinished(&mut selection))?;
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
        debug_assert_eq!(self.axes.len(), self.input_shape.len());
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
        if let (1, [_], Some(range)) = (list.axes(), shape, list.positions().range()) {
            return self.push(ResolvedStep::Keep(range));
        }
        if list.axes() == 0 {
            let inserted = shape.iter().map(|&len| ResolvedStep::Insert { len });
            return inserted.for_each(|step| self.push(step));
        }
        let axes = axis..axis + list.axes();
        if shape.is_empty() {
            // A list without axes in the result has one position.
            let position = list.positions().position(0);
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
        let placeholder = AxisRange::new(0, 1, list.positions().len());
        self.axes.extend(axes.map(|_| placeholder));
        self.lists.push((axis, list));
        self.is_strided = false;
    }

    /// Selects positions of the next `axes` input axes. `shape` contains the lengths of the axes of the result that take
    /// their place.
    pub(super) fn push_positions(
        &mut self,
        axes: usize,
        shape: &[usize],
        positions: AxisPositions,
    ) {
        self.push_list(ListedAxes::new(axes, shape, positions));
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
        Selection::from_valid_steps(input_shape, steps)
    }

    /// Version of [`from_steps`](Self::from_steps) for the steps of other selections, which need no checks.
    #[inline]
    pub(super) fn from_valid_steps<'a>(
        input_shape: &[usize],
        steps: impl IntoIterator<Item = ResolvedStep<'a>>,
    ) -> Result<Selection, SliceError> {
        let mut selection = Selection::without_axes(input_shape)?;
        steps.into_iter().for_each(|step| selection.push(step));
        selection.set_len()?;
        Ok(selection)
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
    /// let axes = [AxisRange::single(1).into(), AxisPositions::from_positions([2, 0, 2])];
    /// let selection = Selection::from_axes(&[2, 3], axes, &[OutputAxis::Input(1)])?;
    /// assert_eq!(selection, s![1, [2, 0, 2]].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn from_axes(
        input_shape: &[usize],
        axes: impl IntoIterator<Item: Into<AxisPositions>>,
        output_axes: &[OutputAxis],
    ) -> Result<Selection, SliceError> {
        let (mut ranges, mut lists) = (PerAxis::<AxisRange>::new(), Vec::new());
        let mut sizes = input_shape.iter();
        let mut invalid = None;
        for positions in axes {
            let axis = ranges.len();
            // If there are too many axes, the length does not matter, because an error is returned below.
            let size = sizes.next().copied().unwrap_or(0);
            let (range, outside) = match positions.into().0 {
                Form::Range(run) => (run.range, !run.range.lies_within(size)),
                form => {
                    let positions = AxisPositions(form);
                    let outside = positions.outside(size);
                    let whole = AxisRange::whole(positions.len());
                    lists.push((axis, ListedAxes::new(1, &[whole.len], positions)));
                    (outside.unwrap_or(whole), outside.is_some())
                }
            };
            if outside {
                invalid.get_or_insert(invalid_range(axis, range, size));
            }
            ranges.push(range);
        }
        let (expected, actual) = (input_shape.len(), ranges.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        if let Some(error) = invalid {
            return Err(error);
        }
        check_output_axes(&ranges, output_axes)?;
        // Calling `from_valid_steps` would take a third more time, because the axes would be converted to steps, which would
        // be taken apart again.
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
