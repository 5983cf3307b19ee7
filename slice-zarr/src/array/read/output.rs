//! The regions of an output that the chunks of a plan and the inner chunks of a shard fill.

use ndarray::{ArrayViewMut, Axis, IxDyn};
use slice_core::OutputAxis;

use crate::array::element::Unit;
use crate::array::read::lists::bands::Bands;
use crate::array::read::piece::Region;
use crate::chunks::ChunkPlan;
use crate::chunks::axis::AxisPart;

/// The output of a plan, or of a part of a plan.
pub(crate) enum Output<'a, U> {
    /// An output of which each chunk fills a block.
    Blocks(Splitter<'a, U>),
    /// An output whose positions are given by lists.
    Lists(&'a Bands<'a, U>),
}

impl<'a, U: Unit> Output<'a, U> {
    /// Creates the output of the inner chunks of a shard, whose part of a plan fills `region`.
    pub(crate) fn of_region(plan: &ChunkPlan, region: Region<'a, U>) -> Self {
        match region {
            Region::Block(view) => Output::Blocks(Splitter::new(plan, view)),
            Region::Lists(bands) => Output::Lists(bands),
        }
    }

    /// Returns the region for a part, which contains the selected positions on each axis. Must be called once for each
    /// part, in order.
    pub(crate) fn next(&mut self, part: &[AxisPart<'_>]) -> Region<'a, U> {
        match self {
            Output::Blocks(splitter) => Region::Block(splitter.next(part)),
            Output::Lists(bands) => Region::Lists(bands),
        }
    }
}

/// Splits an output into views, each of which is filled by one part of a plan. The views are returned in the order of
/// the parts.
///
/// A *band* is the part of an output axis that one chunk fills. The parts of a plan are in C order of the chunk grid,
/// so the positions of an axis that have not yet been split off always form one block. The next band is split off at
/// the start of this block, or at its end if the step of the selection is negative.
pub(crate) struct Splitter<'a, T> {
    /// For each output axis that corresponds to an input axis: the input axis, the output axis, whether the step is
    /// negative, and the first position of the current band.
    axes: Vec<(usize, usize, bool, usize)>,
    /// For each of these axes, the block that remains of the preceding axis's current band (for the first axis, of the
    /// output). The last element is the view of the current part.
    rest: Vec<Option<ArrayViewMut<'a, T, IxDyn>>>,
    is_first: bool,
}

impl<'a, T> Splitter<'a, T> {
    /// Creates a splitter for `output`, which has the shape of the plan's output, and possibly more axes at the end.
    pub(crate) fn new(plan: &ChunkPlan, output: ArrayViewMut<'a, T, IxDyn>) -> Self {
        let origins = plan.selection().output_axes().iter().enumerate();
        let axes: Vec<_> = origins
            .filter_map(|(position, &origin)| match origin {
                OutputAxis::Input(axis) => {
                    let range = plan.selection().range(axis);
                    let is_descending = range.is_some_and(|range| range.step() < 0);
                    Some((axis, position, is_descending, 0))
                }
                OutputAxis::New { .. } => None,
            })
            .collect();
        let mut rest: Vec<_> = axes.iter().map(|_| None).collect();
        rest.insert(0, Some(output));
        Splitter {
            axes,
            rest,
            is_first: true,
        }
    }

    /// Returns the view that a part fills. `part` contains the selected positions on each axis. Must be called once for
    /// each part, in order.
    pub(crate) fn next(&mut self, part: &[AxisPart<'_>]) -> ArrayViewMut<'a, T, IxDyn> {
        let segment = |axis: usize| match &part[axis] {
            AxisPart::Range(segment) => segment,
            AxisPart::Listed { .. } => unreachable!("a part of a block has no lists"),
        };
        let changed = self
            .axes
            .iter()
            .position(|&(axis, _, _, begin)| segment(axis).begin != begin);
        let level = if self.is_first { Some(0) } else { changed };
        self.is_first = false;
        for level in level.unwrap_or(self.axes.len())..self.axes.len() {
            let (axis, position, is_descending, begin) = &mut self.axes[level];
            *begin = segment(*axis).begin;
            let block = self.rest[level]
                .take()
                .expect("the parts should be passed in order");
            let (len, whole) = (
                segment(*axis).positions.len(),
                block.len_of(Axis(*position)),
            );
            let (band, left) = if *is_descending {
                let (left, band) = block.split_at(Axis(*position), whole - len);
                (band, left)
            } else {
                block.split_at(Axis(*position), len)
            };
            self.rest[level] = Some(left);
            self.rest[level + 1] = Some(band);
        }
        let last = self.rest.last_mut().and_then(Option::take);
        last.expect("each part should be passed once")
    }
}
