//! Splits the output into disjoint parts, one for each chunk, without collecting them.

use ndarray::{ArrayViewMut, Axis, IxDyn};
use slice_core::OutputAxis;

use crate::chunks::ChunkPlan;
use crate::chunks::part::ChunkPart;

/// A splitter of an output into the views that the parts of a plan fill, in the order of the parts.
///
/// Parts come in C order of the grid, so the rest of the output is one block on each axis. The next band is split off
/// at the start of the block, or at its end if the step of the selection is negative.
pub(crate) struct Splitter<'a, T> {
    /// For each axis of the output that comes from the input: the input axis, the output axis, whether the step is
    /// negative, and the begin of the current band.
    axes: Vec<(usize, usize, bool, usize)>,
    /// For each of these axes, the rest of the current band of the preceding axes.
    rest: Vec<Option<ArrayViewMut<'a, T, IxDyn>>>,
    first: bool,
}

impl<'a, T> Splitter<'a, T> {
    /// Creates a splitter of `output`, which has the shape of the plan's output, and possibly more axes at the end.
    pub(crate) fn new(plan: &ChunkPlan, output: ArrayViewMut<'a, T, IxDyn>) -> Self {
        let origins = plan.selection().output_axes().iter().enumerate();
        let axes: Vec<_> = origins
            .filter_map(|(position, &origin)| match origin {
                OutputAxis::Input(axis) => {
                    let downwards = plan.selection().axes()[axis].step() < 0;
                    Some((axis, position, downwards, 0))
                }
                OutputAxis::New { .. } => None,
            })
            .collect();
        let mut rest: Vec<_> = axes.iter().map(|_| None).collect();
        rest.insert(0, Some(output));
        Splitter {
            axes,
            rest,
            first: true,
        }
    }

    /// Returns the view that `part` fills. Call this for each part of the plan, in order.
    pub(crate) fn next(&mut self, part: &ChunkPart<'_>) -> ArrayViewMut<'a, T, IxDyn> {
        let begins: Vec<usize> = part.begin().collect();
        let lens: Vec<usize> = part.axes().map(|range| range.len()).collect();
        let changed = self
            .axes
            .iter()
            .position(|&(axis, _, _, begin)| begins[axis] != begin);
        let level = if self.first { Some(0) } else { changed };
        self.first = false;
        for level in level.unwrap_or(self.axes.len())..self.axes.len() {
            let (axis, position, downwards, begin) = &mut self.axes[level];
            *begin = begins[*axis];
            let block = self.rest[level].take().expect("each block has a part");
            let (len, whole) = (lens[*axis], block.len_of(Axis(*position)));
            let (band, left) = if *downwards {
                let (left, band) = block.split_at(Axis(*position), whole - len);
                (band, left)
            } else {
                block.split_at(Axis(*position), len)
            };
            self.rest[level] = Some(left);
            self.rest[level + 1] = Some(band);
        }
        let last = self.rest.last_mut().and_then(Option::take);
        last.expect("each part is returned once")
    }
}
