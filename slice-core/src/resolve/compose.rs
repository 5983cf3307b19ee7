//! Composition of selections: one selection with the effect of two.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::layout::c_strides;
use crate::resolve::positions::AxisPositions;
use crate::resolve::selection::Selection;
use crate::resolve::shape::{check_shape, element_count};
use crate::resolve::step::{ListedAxes, OutputAxis, ResolvedStep};

impl Selection {
    /// Returns one selection with the same effect as this selection followed by `then`.
    ///
    /// Python equivalent: `x[a][b]` as one index.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`] unless `then` was resolved for the output shape of this selection, and
    /// [`SliceError::TooLarge`] if the shape of the result is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let rows = s![1:4].resolve(&[6, 2])?;
    /// let both = rows.compose(&s![::-1, 0].resolve(rows.output_shape())?)?;
    /// assert_eq!(both, s![3:0:-1, 0].resolve(&[6, 2])?);
    ///
    /// let lists = s![[2, 0, 0]].resolve(rows.output_shape())?;
    /// assert_eq!(rows.compose(&lists)?, s![[3, 1, 1]].resolve(&[6, 2])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn compose(&self, then: &Selection) -> Result<Selection, SliceError> {
        check_shape(self.output_shape(), then.input_shape())?;
        let shape = self.input_shape();
        let mut selection = Selection::without_axes(shape)?;
        let (mut following, mut axis) = (then.resolved_steps(), 0);
        let mut firsts = self.resolved_steps();
        while let Some(first) = firsts.next() {
            let start = axis;
            axis += first.input_axes();
            if let ResolvedStep::Drop(_) = first {
                selection.push(first);
                continue;
            }
            let second = following.find(|&second| match second {
                ResolvedStep::Insert { .. } => {
                    selection.push(second);
                    false
                }
                _ => true,
            });
            let Some(second) = second else { break };
            if is_orthogonal(first) && is_orthogonal(second) {
                selection.push_steps(first, second)?;
                continue;
            }
            // The axes between the two selections that are joined to each other, directly or through other axes.
            let (mut group, mut next) = (Vec::from([first]), Vec::from([second]));
            let (mut between, mut used) = (first.output_axes(), second.input_axes());
            while between != used {
                let step = if between < used {
                    firsts.next()
                } else {
                    following.next()
                };
                let Some(step) = step else { break };
                if between < used {
                    axis += step.input_axes();
                    between += step.output_axes();
                    group.push(step);
                } else {
                    used += step.input_axes();
                    next.push(step);
                }
            }
            let group = Selection::from_valid_steps(&shape[start..axis], group)?;
            let next = Selection::from_valid_steps(group.output_shape(), next)?;
            selection.push_selections(&group, &next)?;
        }
        // Only new axes are left.
        following.for_each(|step| selection.push(step));
        selection.set_len()?;
        Ok(selection)
    }

    /// Creates a selection whose first axes are those of `lists`, which selects from an array with only the axes `axes`. The
    /// axes of `others` follow, which selects from the axes up to the last list, with one position on each of `axes`, and then
    /// those of `rest`, which selects from the axes after the last list.
    pub(crate) fn moved_to_front(
        shape: &[usize],
        lists: &Selection,
        axes: &[usize],
        others: &Selection,
        rest: &Selection,
    ) -> Result<Selection, SliceError> {
        let strides = c_strides(others.input_shape());
        let offset = |mut position: usize| {
            let mut offset = 0_usize;
            for &axis in axes.iter().rev() {
                let size = shape[axis];
                offset += position % size * strides[axis].cast_unsigned();
                position /= size;
            }
            offset
        };
        let kept = others.output_axes().iter().zip(others.output_shape());
        let kept = kept.filter(|(origin, _)| match origin {
            OutputAxis::Input(axis) => !axes.contains(axis),
            OutputAxis::New { .. } => true,
        });
        let front: Vec<usize> = lists
            .output_shape()
            .iter()
            .chain(kept.map(|(_, len)| len))
            .copied()
            .collect();
        let len = element_count(&front)?;
        let mut positions = Vec::new();
        if len > 0 {
            let others = collected(others.len(), others.indices())?;
            let lists = lists.indices().map(offset);
            let sums = lists.flat_map(|list| others.iter().map(move |other| list + other));
            positions = collected(len, sums)?;
        }
        let positions = AxisPositions::from_positions(positions);
        let listed = ListedAxes::new(others.input_shape().len(), &front, positions);
        let first = ResolvedStep::List(&listed);
        let steps = [first].into_iter().chain(rest.resolved_steps());
        Selection::from_valid_steps(shape, steps)
    }

    /// Adds the axes of two selections, one after the other, by listing all positions.
    fn push_selections(&mut self, first: &Selection, second: &Selection) -> Result<(), SliceError> {
        let (input, output) = (first.input_shape(), second.output_shape());
        let positions = match input {
            // All axes are new.
            [] => AxisPositions::of_run(AxisRange::new(0, 0, second.len())),
            _ => {
                let from = collected(first.len(), first.indices())?;
                let positions = second.indices().map(|k| from[k]);
                AxisPositions::from_positions(collected(second.len(), positions)?)
            }
        };
        self.push_positions(input.len(), output, positions);
        Ok(())
    }

    /// Adds two steps on one axis, one after the other. If the first step inserts the axis and the second step drops it, there
    /// is nothing to add.
    fn push_steps(
        &mut self,
        first: ResolvedStep<'_>,
        second: ResolvedStep<'_>,
    ) -> Result<(), SliceError> {
        match (kept(first), kept(second), second) {
            (Some(first), Some(second), _) => {
                self.push_positions(1, &[second.len()], first.then(&second)?);
            }
            (Some(first), None, ResolvedStep::Drop(k)) => {
                self.push(ResolvedStep::Drop(first.position(k)));
            }
            (None, Some(second), _) => self.push(ResolvedStep::Insert { len: second.len() }),
            _ => {}
        }
        Ok(())
    }
}

/// Collects `len` positions.
fn collected(len: usize, positions: impl Iterator<Item = usize>) -> Result<Vec<usize>, SliceError> {
    let mut all = Vec::new();
    let reserved = all.try_reserve_exact(len);
    reserved.map_err(|_| SliceError::Allocation { elements: len })?;
    all.extend(positions);
    Ok(all)
}

/// Returns `true` if the step applies to at most one axis, and gives at most one axis.
fn is_orthogonal(step: ResolvedStep<'_>) -> bool {
    match step {
        ResolvedStep::List(list) => list.is_orthogonal(),
        _ => true,
    }
}

/// Returns the positions of a step that keeps its input axis.
fn kept(step: ResolvedStep<'_>) -> Option<Cow<'_, AxisPositions>> {
    match step {
        ResolvedStep::Keep(range) => Some(Cow::Owned(range.into())),
        ResolvedStep::List(list) => Some(Cow::Borrowed(list.positions())),
        ResolvedStep::Drop(_) | ResolvedStep::Insert { .. } => None,
    }
}

impl AxisRange {
    /// Composes ranges: `second` selects from the positions of `self`.
    fn then(self, second: AxisRange) -> AxisRange {
        // If `second` has two positions or more, the product of the steps is a distance on the axis and cannot overflow.
        // Otherwise `new` ignores the product.
        let step = self.step.wrapping_mul(second.step);
        AxisRange::new(self.position(second.start), step, second.len)
    }
}

impl AxisPositions {
    /// Composes positions: `second` selects from the positions of `self`.
    fn then(&self, second: &AxisPositions) -> Result<AxisPositions, SliceError> {
        if let (Some(first), Some(second)) = (self.range(), second.range()) {
            return Ok(first.then(second).into());
        }
        let mut positions = collected(second.len(), second.iter())?;
        match self.range() {
            Some(first) => positions.iter_mut().for_each(|k| *k = first.position(*k)),
            None => {
                let first = collected(self.len(), self.iter())?;
                positions.iter_mut().for_each(|k| *k = first[*k]);
            }
        }
        Ok(AxisPositions::from_positions(positions))
    }
}
