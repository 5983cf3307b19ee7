//! The steps of a selection, one for each axis.

use crate::resolve::axis::AxisRange;

/// Where an axis of the result comes from.
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
    /// This axis of the input, sliced.
    Input(usize),
    /// A new axis. Its length is 1, unless a [composed](crate::Selection::compose) slice emptied it: then 0.
    New {
        /// 1 or 0.
        len: usize,
    },
}

/// The effect on the next axis of the input, or the axis that is inserted before it.
///
/// A selection is a list of these, from left to right: [`Selection::resolved_steps`](crate::Selection::resolved_steps) gives
/// it, and [`Selection::from_steps`](crate::Selection::from_steps) takes it.
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
    /// The axis stays, with these positions.
    Keep(AxisRange),
    /// The axis is dropped at this position.
    Drop(usize),
    /// An axis is inserted. Its length is 1, unless a [composed](crate::Selection::compose) slice emptied it: then 0.
    Insert {
        /// 1 or 0.
        len: usize,
    },
}

impl ResolvedStep {
    /// The position or positions of an axis of the input; nothing for a new axis.
    #[inline]
    pub(crate) const fn of_input(self) -> Option<AxisRange> {
        match self {
            ResolvedStep::Keep(range) => Some(range),
            ResolvedStep::Drop(position) => Some(AxisRange::single(position)),
            ResolvedStep::Insert { .. } => None,
        }
    }
}

/// The steps of a selection, of which an axis is inserted as late as possible.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSteps<'a> {
    axes: &'a [AxisRange],
    /// The axes of the result that are to come; they name axes of the input in ascending order.
    output: &'a [OutputAxis],
    /// The next axis of the input.
    axis: usize,
}

impl<'a> ResolvedSteps<'a> {
    /// `output` names axes in ascending order.
    #[inline]
    pub(crate) fn new(axes: &'a [AxisRange], output: &'a [OutputAxis]) -> Self {
        let axis = 0;
        ResolvedSteps { axes, output, axis }
    }

    /// The axis of the input that stays next; the rank after the last.
    #[inline]
    fn kept(&self) -> usize {
        let mut kept = self.output.iter().filter_map(|origin| match *origin {
            OutputAxis::Input(axis) => Some(axis),
            OutputAxis::New { .. } => None,
        });
        kept.next().unwrap_or(self.axes.len())
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
            Some(&OutputAxis::New { len }) if axis == self.kept() => ResolvedStep::Insert { len },
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
