//! The resolved steps of a selection: one for each input axis and each new axis.

use crate::resolve::axis::AxisRange;

/// The origin of an axis of the result.
///
/// # Example
///
/// ```
/// use slice_core::{OutputAxis, s};
///
/// let selection = s![0, newaxis, ::2].resolve(&[4, 5])?;
/// assert_eq!(selection.output_axes(), [OutputAxis::New { len: 1 }, OutputAxis::Input(1)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputAxis {
    /// The input axis with this number.
    Input(usize),
    /// A new axis. In a [`Selection`](crate::Selection), its length is 1, or 0 if
    /// [composing](crate::Selection::compose) selections has emptied the axis. In an
    /// [`OuterSelection`](crate::OuterSelection), it can have any length.
    New {
        /// The length of the axis.
        len: usize,
    },
}

/// The effect of a selection on one axis: the next input axis is kept or dropped, or a new axis is inserted before it.
///
/// A selection is equivalent to a sequence of steps, from left to right.
/// [`Selection::resolved_steps`](crate::Selection::resolved_steps) returns the steps of a selection, and
/// [`Selection::from_steps`](crate::Selection::from_steps) creates a selection from steps.
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, ResolvedStep, s};
///
/// let selection = s![-1, newaxis, ::2].resolve(&[4, 5])?;
/// let steps: Vec<_> = selection.resolved_steps().collect();
/// let range = AxisRange::new(0, 2, 3);
/// assert_eq!(steps, [ResolvedStep::Drop(3), ResolvedStep::Insert { len: 1 }, ResolvedStep::Keep(range)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolvedStep {
    /// Keeps the axis, but only the positions in this range.
    Keep(AxisRange),
    /// Selects this position and drops the axis.
    Drop(usize),
    /// Inserts an axis. Its length is 1, or 0 if [composing](crate::Selection::compose) selections has emptied the
    /// axis.
    Insert {
        /// The length of the axis, 1 or 0.
        len: usize,
    },
}

impl ResolvedStep {
    /// Returns the positions that the step selects on its input axis, or `None` if it inserts an axis.
    #[inline]
    pub(crate) const fn input_range(self) -> Option<AxisRange> {
        match self {
            ResolvedStep::Keep(range) => Some(range),
            ResolvedStep::Drop(position) => Some(AxisRange::single(position)),
            ResolvedStep::Insert { .. } => None,
        }
    }
}

/// An iterator over the steps of a selection. A new axis comes directly before the next kept axis, or at the end.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSteps<'a> {
    axes: &'a [AxisRange],
    /// The remaining axes of the result. The input axes among them are in ascending order.
    output: &'a [OutputAxis],
    /// The next input axis.
    axis: usize,
}

impl<'a> ResolvedSteps<'a> {
    /// Creates the iterator. The input axes in `output` must be in ascending order.
    #[inline]
    pub(crate) fn new(axes: &'a [AxisRange], output: &'a [OutputAxis]) -> Self {
        let axis = 0;
        ResolvedSteps { axes, output, axis }
    }

    /// Returns the next kept input axis, or the rank of the input if no further axis is kept.
    #[inline]
    fn next_kept_axis(&self) -> usize {
        let mut kept_axes = self.output.iter().filter_map(|origin| match *origin {
            OutputAxis::Input(axis) => Some(axis),
            OutputAxis::New { .. } => None,
        });
        kept_axes.next().unwrap_or(self.axes.len())
    }
}

impl Iterator for ResolvedSteps<'_> {
    type Item = ResolvedStep;

    #[inline]
    fn next(&mut self) -> Option<ResolvedStep> {
        let axis = self.axis;
        let step = match self.output.first() {
            Some(&OutputAxis::Input(kept)) if axis == kept => {
                self.axis += 1;
                ResolvedStep::Keep(self.axes[axis])
            }
            Some(&OutputAxis::New { len }) if axis == self.next_kept_axis() => {
                ResolvedStep::Insert { len }
            }
            _ => {
                let dropped = self.axes.get(axis)?;
                self.axis += 1;
                return Some(ResolvedStep::Drop(dropped.start));
            }
        };
        self.output = &self.output[1..];
        Some(step)
    }
}
