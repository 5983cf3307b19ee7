//! `OuterSelection`: a slice with lists applied to a shape.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::outer::runs::OuterAxis;
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::shape::{check_shape, element_count, shapes_and_lengths};
use crate::resolve::step::ResolvedStep;

/// The elements selected from an array of a known shape by a slice with lists, and the shape of the result.
///
/// Python equivalent: none. The closest is the result of `np.ix_`. The positions on each axis are selected
/// independently of the other axes, by a range or by a list. The positions in a list may be in any order and may
/// repeat.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let selection = s![[1, 0, 1], 1:].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3, 2]);
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [14, 15, 11, 12, 14, 15]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a selection does nothing until it is used to copy or assign elements"]
pub struct OuterSelection {
    // INVARIANT: each axis of `input_shape` has one step, not counting insertions, with all positions on the axis. A
    // new axis comes after dropped axes, directly before the next kept axis. `input_len` is the product of
    // `input_shape`, and `len` is the product of `output_shape`. The two products are at most `isize::MAX`.
    input_shape: PerAxis,
    steps: SmallVec<[OuterStep; 4]>,
    output_shape: PerAxis,
    input_len: usize,
    len: usize,
}

/// The effect on the next input axis, or an axis inserted before it: a [`ResolvedStep`] in which a kept axis may have a
/// list of positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OuterStep {
    /// Keeps the axis, but only these positions, in this order.
    Keep(OuterAxis),
    /// Selects this position and drops the axis.
    Drop(usize),
    /// Inserts an axis. Its length is 1, unless composing selections has emptied the axis or, with a list, repeated its
    /// position.
    Insert { len: usize },
}

shapes_and_lengths!(OuterSelection);

impl OuterSelection {
    /// Creates a selection from `steps`, for arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if `shape`, or the shape of the result, is too large for any array, or the
    /// first error in `steps`.
    pub(crate) fn build(
        shape: &[usize],
        steps: impl Iterator<Item = Result<OuterStep, SliceError>>,
    ) -> Result<Self, SliceError> {
        let mut selection = OuterSelection {
            input_shape: PerAxis::from_slice(shape),
            steps: SmallVec::new(),
            output_shape: PerAxis::new(),
            input_len: element_count(shape)?,
            len: 0,
        };
        for step in steps {
            selection.push(step?);
        }
        selection.len = element_count(&selection.output_shape)?;
        Ok(selection)
    }

    fn push(&mut self, step: OuterStep) {
        let mut index = self.steps.len();
        match &step {
            OuterStep::Keep(axis) => self.output_shape.push(axis.len()),
            OuterStep::Insert { len } => self.output_shape.push(*len),
            OuterStep::Drop(_) => {
                let is_insertion = |step: &&OuterStep| matches!(step, OuterStep::Insert { .. });
                index -= self.steps.iter().rev().take_while(is_insertion).count();
            }
        }
        self.steps.insert(index, step);
    }

    /// Returns the selected positions on an input axis, in order. A dropped axis has one position.
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
    /// let selection = s![[2, -1, 0], 1].resolve(&[3, 4])?;
    /// assert_eq!((selection.positions(0), selection.positions(1)), (vec![2, 2, 0], vec![1]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn positions(&self, axis: usize) -> Vec<usize> {
        match self.step(axis) {
            OuterStep::Keep(axis) => axis.to_positions(),
            OuterStep::Drop(position) => alloc::vec![*position],
            OuterStep::Insert { .. } => Vec::new(),
        }
    }

    /// Returns the selected positions on an input axis as a range, or `None` if the step between the positions is not
    /// constant, or is 0.
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
        match self.step(axis) {
            OuterStep::Keep(OuterAxis::Range(range)) => Some(*range),
            OuterStep::Drop(position) => Some(AxisRange::single(*position)),
            OuterStep::Keep(OuterAxis::List(_)) | OuterStep::Insert { .. } => None,
        }
    }

    /// Returns the step for an input axis.
    pub(super) fn step(&self, axis: usize) -> &OuterStep {
        let is_input_step = |step: &&OuterStep| !matches!(step, OuterStep::Insert { .. });
        match self.steps.iter().filter(is_input_step).nth(axis) {
            Some(step) => step,
            None => panic!(
                "axis {axis} does not exist, because the input has {} axes",
                self.input_shape.len()
            ),
        }
    }

    /// Returns the steps, one for each input axis and each new axis, from left to right.
    pub(crate) fn steps(&self) -> &[OuterStep] {
        &self.steps
    }

    /// Returns the selection as a [`Selection`], or `None` if the positions on an axis are not a range, or if a list
    /// repeats the position of a new axis. The positions in a list are a range if they have a constant step other than
    /// 0, or if there is at most one position.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![[1, 2, 3], 0].resolve(&[6, 2])?;
    /// assert_eq!(selection.to_selection(), Some(s![1:4, 0].resolve(&[6, 2])?));
    /// assert_eq!(s![[1, 2, 5], 0].resolve(&[6, 2])?.to_selection(), None);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn to_selection(&self) -> Option<Selection> {
        let is_listed = |step: &OuterStep| matches!(step, OuterStep::Keep(OuterAxis::List(_)));
        if self.steps.iter().any(is_listed) {
            return None;
        }
        let steps = self.steps.iter().map(|step| match step {
            OuterStep::Keep(OuterAxis::Range(range)) => Some(ResolvedStep::Keep(*range)),
            OuterStep::Keep(OuterAxis::List(_)) => None,
            OuterStep::Drop(position) => Some(ResolvedStep::Drop(*position)),
            OuterStep::Insert { len } => Some(ResolvedStep::Insert { len: *len }),
        });
        let steps: Option<SmallVec<[ResolvedStep; 6]>> = steps.collect();
        Selection::from_steps(&self.input_shape, steps?).ok()
    }

    /// Returns one selection with the same effect as this selection followed by `then`, which may also be a
    /// [`Selection`].
    ///
    /// Python equivalent: `x[a][b]` as one index. If the first of the two selections is a [`Selection`], convert it
    /// with `OuterSelection::from`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`] unless `then` was resolved for the output shape of this selection, and
    /// [`SliceError::TooLarge`] if the shape of the result is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{OuterSelection, s};
    ///
    /// let rows = s![[5, 0, 3]].resolve(&[6, 2])?;
    /// let reversed = rows.compose(s![::-1, 0].resolve(rows.output_shape())?)?;
    /// assert_eq!(reversed, s![[3, 0, 5], 0].resolve(&[6, 2])?);
    ///
    /// let slice = s![1::2].resolve(&[6, 2])?;
    /// let lists = s![[2, 0, 0]].resolve(slice.output_shape())?;
    /// assert_eq!(OuterSelection::from(&slice).compose(lists)?, s![[5, 1, 1]].resolve(&[6, 2])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn compose(&self, then: impl Into<OuterSelection>) -> Result<OuterSelection, SliceError> {
        let then = then.into();
        check_shape(&self.output_shape, &then.input_shape)?;
        let mut steps = Vec::with_capacity(self.steps.len() + then.steps.len());
        let mut following = then.steps.iter();
        for first in &self.steps {
            if let OuterStep::Drop(_) = first {
                steps.push(first.clone());
                continue;
            }
            for second in following.by_ref() {
                if let OuterStep::Insert { .. } = second {
                    steps.push(second.clone());
                    continue;
                }
                steps.extend(first.then(second));
                break;
            }
        }
        steps.extend(following.cloned());
        OuterSelection::build(&self.input_shape, steps.into_iter().map(Ok))
    }
}

#[cfg(test)]
impl OuterSelection {
    /// Stores single positions as `usize`, as is done for axes that are too long for four-byte positions.
    pub(crate) fn widened(mut self) -> Self {
        use crate::outer::runs::ListPositions;
        use crate::outer::singles::Singles;

        for step in &mut self.steps {
            if let OuterStep::Keep(OuterAxis::List(ListPositions::Singles(singles))) = step {
                *singles = Singles::Wide(singles.to_positions());
            }
        }
        self
    }
}

impl OuterStep {
    /// Composes two steps on an axis. Returns `None` if the first step inserts the axis and the second step drops it.
    fn then(&self, second: &OuterStep) -> Option<OuterStep> {
        Some(match (self, second) {
            (OuterStep::Keep(first), OuterStep::Keep(second)) => {
                OuterStep::Keep(first.then(second))
            }
            (OuterStep::Keep(first), OuterStep::Drop(k)) => OuterStep::Drop(first.position(*k)),
            (OuterStep::Insert { .. }, OuterStep::Keep(second)) => {
                OuterStep::Insert { len: second.len() }
            }
            (OuterStep::Insert { .. }, OuterStep::Drop(_)) => return None,
            (OuterStep::Drop(_), _) | (_, OuterStep::Insert { .. }) => {
                unreachable!("the two steps apply to the same axis of the first output")
            }
        })
    }
}

impl OuterAxis {
    /// Composes positions: `second` selects from the positions of `self`.
    fn then(&self, second: &OuterAxis) -> OuterAxis {
        match (self, second) {
            (&OuterAxis::Range(first), &OuterAxis::Range(second)) => {
                OuterAxis::Range(AxisRange::new(
                    first.position(second.start()),
                    first.step().wrapping_mul(second.step()),
                    second.len(),
                ))
            }
            (OuterAxis::Range(first), OuterAxis::List(second)) => {
                let positions = second.to_positions().into_iter();
                OuterAxis::of_positions(positions.map(|k| first.position(k)).collect())
            }
            (OuterAxis::List(first), second) => {
                let first = first.to_positions();
                let mut positions = second.to_positions();
                positions.iter_mut().for_each(|k| *k = first[*k]);
                OuterAxis::of_positions(positions)
            }
        }
    }
}

impl From<&Selection> for OuterSelection {
    fn from(selection: &Selection) -> Self {
        let steps = selection.resolved_steps().map(|step| match step {
            ResolvedStep::Keep(range) => OuterStep::Keep(OuterAxis::Range(range)),
            ResolvedStep::Drop(position) => OuterStep::Drop(position),
            ResolvedStep::Insert { len } => OuterStep::Insert { len },
        });
        OuterSelection {
            input_shape: PerAxis::from_slice(selection.input_shape()),
            steps: steps.collect(),
            output_shape: PerAxis::from_slice(selection.output_shape()),
            input_len: selection.input_len(),
            len: selection.len(),
        }
    }
}

impl From<Selection> for OuterSelection {
    fn from(selection: Selection) -> Self {
        Self::from(&selection)
    }
}

impl From<&OuterSelection> for OuterSelection {
    fn from(selection: &OuterSelection) -> Self {
        selection.clone()
    }
}
