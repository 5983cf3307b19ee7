//! The parts of a plan: blocks of the result that begin and end at chunk boundaries.

use alloc::vec::Vec;

use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection};

use super::ReadPlan;
use super::bounds::PartBounds;
use crate::chunks::grouped::Move;
use crate::chunks::joined::JoinedAxes;
use crate::chunks::{ChunkPlan, list};

/// A block of the result, and the elements of the array that fill it.
///
/// [`ReadPlan::parts`] returns an iterator over these parts.
///
/// Python equivalent: one iteration of `for part in plan: out[part.output()] = z[part.selection()]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan};
///
/// let array = ChunkedArray { shape: vec![10], item_size: 4, chunk_shape: vec![4], ..ChunkedArray::default() };
/// let plan = ReadPlan::new(array, s![::-1].resolve(&[10])?)?;
/// // Chunks of the array end after elements 3 and 7.
/// let parts: Vec<_> = plan.split(3).map(|plan| plan.parts().next().unwrap().output()).collect();
/// assert_eq!(parts, [s![0:2].resolve(&[10])?, s![2:6].resolve(&[10])?, s![6:10].resolve(&[10])?].map(Into::into));
///
/// let second = plan.split(3).nth(1).unwrap();
/// let part = second.parts().next().unwrap();
/// assert_eq!(part.selection(), s![7:3:-1].resolve(&[10])?.into());
/// assert_eq!((part.begin(), part.end(), part.len()), (&[2][..], &[6][..], 4));
/// assert_eq!(part.chunks().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlanPart<'a> {
    plan: &'a ReadPlan,
    bounds: &'a PartBounds,
}

impl<'a> PlanPart<'a> {
    pub(super) fn new(plan: &'a ReadPlan, bounds: &'a PartBounds) -> Self {
        PlanPart { plan, bounds }
    }

    /// Returns the first position of the part in the result, along each axis.
    ///
    /// On an axis with a list, positions are counted in the plan's list after it has been grouped by chunk, in
    /// ascending order of the chunks. If an item gives several axes of the result, they count as one axis.
    #[must_use]
    pub fn begin(&self) -> &'a [usize] {
        &self.bounds.begin
    }

    /// Returns the position after the last position of the part in the result, along each axis, counted as in
    /// [`begin`](Self::begin).
    #[must_use]
    pub fn end(&self) -> &'a [usize] {
        &self.bounds.end
    }

    /// Returns the number of elements in the part.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the region of the result that the part fills.
    pub fn output(&self) -> Selection {
        let output = self.merged_output();
        match self.plan.joined_axes() {
            None => output,
            Some(joined_axes) => {
                let keeps_axes = self.keeps_result_axes(joined_axes);
                joined_axes.separated_output(&output, self.plan.shape(), keeps_axes)
            }
        }
    }

    /// Returns the region of the plan's result that the part fills.
    pub(super) fn merged_output(&self) -> Selection {
        let shape = self.plan.orthogonal().output_shape();
        let axes = (0..shape.len()).map(|axis| self.array_and_output_positions(axis).1);
        let kept: Vec<OutputAxis> = (0..shape.len()).map(OutputAxis::Input).collect();
        let output = Selection::from_axes(shape, axes, &kept);
        let output = output.expect("the part should lie within the result");
        match shape == self.plan.merged_shape() {
            true => output,
            false => {
                let output = self.plan.output.compose(&output);
                output.expect("the positions should lie within the whole result")
            }
        }
    }

    /// Returns the selection that reads the part's elements from the array. They are in the same order as in
    /// [`output`](Self::output).
    pub fn selection(&self) -> Selection {
        let (plan, selection) = (self.plan, self.orthogonal());
        match plan.joined_axes() {
            None => selection,
            Some(joined_axes) => {
                let keeps_axes = self.keeps_result_axes(joined_axes);
                let is_whole = |axis| keeps_axes && joined_axes.result_axes(axis).len() > 1;
                joined_axes.separated(&selection, &plan.array.shape, is_whole)
            }
        }
    }

    /// Returns `true` if the part is a block of the result that is whole on all axes that an item with several axes gives.
    /// Otherwise, the elements on these axes are listed together.
    fn keeps_result_axes(&self, joined_axes: &JoinedAxes) -> bool {
        let shape = self.plan.merged_shape().iter().enumerate();
        let mut several = shape.filter(|&(axis, _)| joined_axes.result_axes(axis).len() > 1);
        several.all(|(axis, len)| self.bounds.end[axis] - self.bounds.begin[axis] == *len)
            && self.merged_output().is_strided()
    }

    /// Returns the orthogonal selection that reads the part's elements.
    pub(super) fn orthogonal(&self) -> Selection {
        let all = self.plan.orthogonal();
        // Lists are replaced below by the positions of the part.
        let ranges = (0..all.input_shape().len()).map(|axis| all.range(axis));
        let ranges = ranges.map(|range| range.unwrap_or(AxisRange::whole(0)));
        let mut axes: Vec<AxisPositions> = ranges.map(AxisPositions::from).collect();
        let mut output = Vec::new();
        for (axis, &origin) in self.plan.orthogonal().output_axes().iter().enumerate() {
            output.push(match origin {
                OutputAxis::Input(input) => {
                    axes[input] = self.array_and_output_positions(axis).0;
                    origin
                }
                OutputAxis::New { .. } => OutputAxis::New {
                    len: self.bounds.end[axis] - self.bounds.begin[axis],
                },
            });
        }
        let selection = Selection::from_axes(all.input_shape(), axes, &output);
        selection.expect("the part should lie within the selection")
    }

    /// Returns the positions of the part on an axis of the result: first, the positions in the array, and second, the
    /// positions in the output of the plan's selection. For a new axis, which has no positions in the array, both are
    /// the positions in the output.
    fn array_and_output_positions(&self, axis: usize) -> (AxisPositions, AxisPositions) {
        let plan = self.plan;
        let (begin, end) = (self.bounds.begin[axis], self.bounds.end[axis]);
        let output = AxisRange::new(begin, 1, end - begin);
        let OutputAxis::Input(input) = plan.orthogonal().output_axes()[axis] else {
            return (output.into(), output.into());
        };
        if let Some(range) = plan.orthogonal().range(input) {
            let positions = AxisRange::new(range.position(begin), range.step(), end - begin);
            return (positions.into(), output.into());
        }
        let positions = list(plan.orthogonal(), input);
        if end - begin == positions.len() {
            return (positions.clone(), output.into());
        }
        let grouped = plan.axes.touched[input].list();
        let grouped = grouped.expect("all lists should be grouped");
        let mut moves: Vec<Move> = grouped.moves(positions, begin..end).collect();
        moves.sort_unstable_by_key(|list_move| list_move.to);
        let from = moves.iter().map(Move::positions);
        let to = moves.iter().map(Move::output);
        (AxisPositions::from_runs(from), AxisPositions::from_runs(to))
    }

    /// Returns the chunks that hold the elements of the part, and the selected elements of each chunk.
    pub fn chunks(&self) -> ChunkPlan {
        let shape = &self.plan.array.chunk_shape;
        let chunks = ChunkPlan::new(&self.selection(), shape);
        chunks.expect("the chunk shape and the runs of the lists should be valid")
    }
}

impl ReadPlan {
    /// Returns the parts of the result that this plan fills. They do not overlap.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ChunkedArray, ReadPlan};
    ///
    /// let array = ChunkedArray { shape: vec![10], item_size: 4, chunk_shape: vec![4], ..ChunkedArray::default() };
    /// let plan = ReadPlan::new(array, s![::-1].resolve(&[10])?)?;
    /// assert_eq!(plan.parts().map(|part| part.len()).sum::<usize>(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts(&self) -> impl ExactSizeIterator<Item = PlanPart<'_>> {
        let parts = self.parts.iter();
        parts.map(|bounds| PlanPart::new(self, bounds))
    }
}
