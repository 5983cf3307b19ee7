//! The parts of an [`OuterChunkPlan`], one for each touched chunk.

use alloc::vec::Vec;

use slice_core::{AxisPositions, AxisRange, AxisRun, OutputAxis, Selection};

use super::axis::{AxisPart, PartPositions};
use super::{OuterChunkPlan, singles, unravel};
use crate::Dims;

/// The region that lists select from one chunk, and the region of the output that it fills.
///
/// [`OuterChunkPlan::parts`] returns an iterator over these parts.
///
/// Python equivalent: one iteration of
/// `for part in touched: out.oindex[part.output()] = chunk.oindex[part.selection()]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::OuterChunkPlan;
///
/// // Two chunks of three elements hold an array of five elements; the sixth element is padding.
/// let chunks = [[10, 11, 12], [13, 14, 99]];
/// let selection = s![[4, 0, 3, 0]].resolve(&[5])?;
/// let mut out = [0; 4];
/// for part in OuterChunkPlan::new(selection, &[3])?.parts() {
///     let chunk = &chunks[part.chunk().next().unwrap()];
///     let values = part.selection().gather(chunk)?;
///     part.output().scatter(&values, &mut out)?;
/// }
/// assert_eq!(out, [14, 10, 13, 10]);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OuterChunkPart<'a> {
    plan: &'a OuterChunkPlan,
    number: usize,
    /// On each axis, the index of the chunk among the touched chunks.
    indices: Dims,
}

/// The positions selected from a chunk or a unit.
#[derive(Clone, Debug)]
pub(crate) struct SelectedPositions<'a> {
    #[cfg_attr(
        not(feature = "zarrs"),
        expect(dead_code, reason = "used only by reads")
    )]
    pub(crate) plan: &'a OuterChunkPlan,
    pub(crate) axes: Dims<AxisPart<'a>>,
}

impl<'a> OuterChunkPart<'a> {
    pub(super) fn new(plan: &'a OuterChunkPlan, number: usize) -> Self {
        let lens = plan.axes.iter().map(|axis| axis.touched());
        OuterChunkPart {
            plan,
            number,
            indices: unravel(number, lens),
        }
    }

    /// Returns the number of parts that precede this one in the plan.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the position of the chunk along each axis of the chunk grid.
    pub fn chunk(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        let axes = self.plan.axes.iter().zip(&self.indices).enumerate();
        axes.map(|(axis, (chunks, &k))| chunks.chunk(singles(&self.plan.selection, axis), k))
    }

    /// Returns the number of elements of the output that the chunk fills.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        let inserted = self
            .plan
            .selection
            .output_axes()
            .iter()
            .map(|&origin| match origin {
                OutputAxis::New { len } => len,
                OutputAxis::Input(_) => 1,
            });
        let kept = self.selected_positions().axes;
        // The product does not overflow, because it is at most the number of elements of the output.
        inserted.product::<usize>() * kept.iter().map(AxisPart::position_count).product::<usize>()
    }

    /// Returns the shape of the chunk without padding: a chunk that extends beyond the end of an axis is cut off there.
    pub fn cut_off_shape(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let shape = self.plan.selection.input_shape();
        let axes = shape.iter().zip(self.plan.chunk_shape()).zip(self.chunk());
        axes.map(|((&size, &len), chunk)| len.min(size - chunk * len))
    }

    /// Returns `true` if all elements of the array in this chunk are selected. In this case, a write need not read the
    /// chunk first.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let selected = self.selected_positions();
        let mut axes = selected.axes.iter().zip(self.cut_off_shape());
        axes.all(|(part, len)| part.position_count() >= len && sorted_distinct(part).len() == len)
    }

    /// Returns the selection from a chunk that is stored with padding beyond the end of the array, as in Zarr.
    pub fn selection(&self) -> Selection {
        let plan = self.plan;
        let selected = self.selected_positions();
        let axes = selected.axes.iter().map(positions_in_chunk);
        let output = plan.selection.output_axes();
        let selection = Selection::from_axes(&plan.chunk_shape, axes, output);
        selection.expect(
            "the positions should lie within the chunk, and the part should have no more elements than the output",
        )
    }

    /// Returns the region of the output that the chunk fills. Its elements are in the same order as in
    /// [`selection`](Self::selection).
    pub fn output(&self) -> Selection {
        let whole = &self.plan.selection;
        let selected = self.selected_positions();
        let axes = whole.output_axes().iter().map(|&origin| match origin {
            OutputAxis::New { len } => AxisPositions::Range(AxisRange::whole(len)),
            OutputAxis::Input(axis) => output_positions(&selected.axes[axis]),
        });
        let kept: Dims<_> = (0..whole.output_shape().len())
            .map(OutputAxis::Input)
            .collect();
        let selection = Selection::from_axes(whole.output_shape(), axes, &kept);
        selection.expect("the positions should lie within the output")
    }

    /// Returns the positions selected from the chunk.
    pub(crate) fn selected_positions(&self) -> SelectedPositions<'a> {
        let plan = self.plan;
        let axes = plan.axes.iter().zip(&self.indices).enumerate();
        let axes = axes.map(|(axis, (chunks, &k))| {
            let list = singles(&plan.selection, axis);
            let offset = chunks.chunk(list, k) * plan.chunk_shape[axis];
            chunks.part(list, chunks.units_of(k), offset)
        });
        SelectedPositions {
            plan,
            axes: axes.collect(),
        }
    }

    /// Returns the number of touched units of the chunk.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units(&self) -> usize {
        let axes = self.plan.axes.iter().zip(&self.indices);
        axes.map(|(chunks, &k)| chunks.units_of(k).len()).product()
    }

    /// Returns the `number`-th touched unit of the chunk in C order: its position along each axis of the chunk, counted
    /// in units, and the positions selected from it.
    #[cfg(feature = "zarrs")]
    pub(crate) fn unit(&self, number: usize) -> (Dims, SelectedPositions<'a>) {
        let plan = self.plan;
        let units = plan.axes.iter().zip(&self.indices);
        let units: Dims<_> = units.map(|(chunks, &k)| chunks.units_of(k)).collect();
        let positions = unravel(number, units.iter().map(ExactSizeIterator::len));
        let (mut indices, mut axes) = (Dims::new(), Dims::new());
        for (axis, (chunks, (units, position))) in plan
            .axes
            .iter()
            .zip(units.iter().zip(positions))
            .enumerate()
        {
            let list = singles(&plan.selection, axis);
            let unit = units.start + position;
            let index = chunks.unit(list, unit);
            let len = plan.unit_shape[axis];
            indices.push(index % (plan.chunk_shape[axis] / len));
            axes.push(chunks.part(list, unit..unit + 1, index * len));
        }
        (indices, SelectedPositions { plan, axes })
    }
}

/// Returns the positions of a part, counted from the first position of its chunk.
fn positions_in_chunk<'p>(part: &AxisPart<'_>) -> AxisPositions<'p> {
    match part.positions {
        PartPositions::Range { range, .. } => AxisPositions::Range(AxisRange::new(
            range.start() - part.offset,
            range.step(),
            range.len(),
        )),
        PartPositions::Listed(_) => positions_of_runs(part.moves().map(|list_move| AxisRun {
            start: list_move.from,
            step: list_move.step,
            len: list_move.len,
        })),
    }
}

/// Returns the output positions that a part fills.
fn output_positions<'p>(part: &AxisPart<'_>) -> AxisPositions<'p> {
    positions_of_runs(part.moves().map(|list_move| AxisRun {
        start: list_move.to,
        step: 1,
        len: list_move.len,
    }))
}

/// Converts runs to the positions of a list.
fn positions_of_runs<'p>(
    runs: impl ExactSizeIterator<Item = AxisRun> + Clone,
) -> AxisPositions<'p> {
    if runs.clone().all(|run| run.len == 1) {
        AxisPositions::Singles(runs.map(|run| run.start).collect())
    } else {
        AxisPositions::Runs(runs.collect())
    }
}

/// Returns the positions of a part in ascending order, without repetitions.
pub(crate) fn sorted_distinct(part: &AxisPart<'_>) -> Vec<usize> {
    // The capacity is limited because a run may repeat a single position any number of times.
    let mut sorted = Vec::with_capacity(part.position_count().min(1 << 16));
    for list_move in part.moves() {
        let count = if list_move.step == 0 {
            1
        } else {
            list_move.len
        };
        let positions =
            (0..count as isize).map(|k| list_move.from.wrapping_add_signed(k * list_move.step));
        sorted.extend(positions);
    }
    sorted.sort_unstable();
    sorted.dedup();
    sorted.shrink_to_fit();
    sorted
}
