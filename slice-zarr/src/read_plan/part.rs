//! The parts of a plan: blocks of the result that whole chunks fill.

use core::iter::FusedIterator;

use alloc::vec::Vec;

use slice_core::{AxisPositions, AxisRange, OuterSelection, OutputAxis};

use super::ReadPlan;
use super::block::Block;
use crate::chunks::lists::OuterChunkPlan;

/// A part of the result that a plan fills, created by [`ReadPlan::parts`].
///
/// Python equivalent: one step of `for part in plan: out[part.output()] = z[part.selection()]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan};
///
/// let array = ChunkedArray { shape: vec![10], item_size: 4, chunk_shape: vec![4], ..ChunkedArray::default() };
/// let plan = ReadPlan::new(array, s![::-1].resolve(&[10])?)?;
/// // Chunks end after elements 3 and 7.
/// let parts: Vec<_> = plan.split(3).map(|plan| plan.parts().next().unwrap().output()).collect();
/// assert_eq!(parts, [s![0:2].resolve(&[10])?, s![2:6].resolve(&[10])?, s![6:10].resolve(&[10])?].map(Into::into));
///
/// let second = plan.split(3).nth(1).unwrap();
/// assert_eq!(second.parts().next().unwrap().selection(), s![7:3:-1].resolve(&[10])?.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlanPart<'a> {
    plan: &'a ReadPlan,
    block: &'a Block,
}

impl<'a> PlanPart<'a> {
    pub(super) fn new(plan: &'a ReadPlan, block: &'a Block) -> Self {
        PlanPart { plan, block }
    }

    /// Returns the first position in the result, along each axis.
    ///
    /// On an axis with a list, the plan's positions are counted in groups by chunk, beginning with the lowest chunk.
    #[must_use]
    pub fn begin(&self) -> &'a [usize] {
        &self.block.begin
    }

    /// Returns the position after the last position in the result, along each axis, counted like
    /// [`begin`](Self::begin).
    #[must_use]
    pub fn end(&self) -> &'a [usize] {
        &self.block.end
    }

    /// Returns the number of elements.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        self.block.len()
    }

    /// Returns the region of the result that the elements fill.
    pub fn output(&self) -> OuterSelection {
        let shape = self.plan.selection.output_shape();
        let axes = (0..shape.len()).map(|axis| self.taken(axis).1);
        let kept: Vec<OutputAxis> = (0..shape.len()).map(OutputAxis::Input).collect();
        let output = OuterSelection::from_axes(shape, axes, &kept);
        let output = output.expect("part is in the result");
        match shape == self.plan.shape() {
            true => output,
            false => {
                let output = self.plan.output.compose(output);
                output.expect("the places are in the result")
            }
        }
    }

    /// Returns the selection of the array, in the order of [`output`](Self::output).
    pub fn selection(&self) -> OuterSelection {
        let all = &self.plan.selection;
        let mut axes: Vec<AxisPositions<'_>> = (0..all.input_shape().len())
            .map(|axis| match all.axis(axis) {
                AxisPositions::Range(range) => AxisPositions::Range(range),
                // Replaced below by the positions of the part.
                _ => AxisPositions::Range(AxisRange::whole(0)),
            })
            .collect();
        let mut output = Vec::new();
        for (axis, &origin) in self.plan.derived.origins().iter().enumerate() {
            output.push(match origin {
                OutputAxis::Input(input) => {
                    axes[input] = self.taken(axis).0;
                    origin
                }
                OutputAxis::New { .. } => OutputAxis::New {
                    len: self.block.end[axis] - self.block.begin[axis],
                },
            });
        }
        let selection = OuterSelection::from_axes(all.input_shape(), axes, &output);
        selection.expect("the part is within the selection")
    }

    /// Returns the positions on an axis of the result: in the array, if the axis comes from it, and in the result.
    fn taken(&self, axis: usize) -> (AxisPositions<'_>, AxisPositions<'_>) {
        let plan = self.plan;
        let (begin, end) = (self.block.begin[axis], self.block.end[axis]);
        let places = AxisRange::new(begin, 1, end - begin);
        let OutputAxis::Input(input) = plan.derived.origins()[axis] else {
            return (AxisPositions::Range(places), AxisPositions::Range(places));
        };
        match (plan.selection.axis(input), plan.derived.list(input)) {
            (AxisPositions::Range(range), _) => {
                let start = range.position(begin);
                let taken = AxisRange::new(start, range.step(), end - begin);
                (AxisPositions::Range(taken), AxisPositions::Range(places))
            }
            (list, _) if end - begin == list.len() => (list, AxisPositions::Range(places)),
            (_, list) => {
                let list = list.expect("all lists are grouped");
                let [from, to] = list.taken(&plan.selection, input, begin..end);
                (from, to)
            }
        }
    }

    /// Returns the chunks that hold the elements, and the selection from each.
    pub fn chunks(&self) -> OuterChunkPlan {
        let chunks = OuterChunkPlan::new(self.selection(), &self.plan.array.chunk_shape);
        chunks.expect("the plan has checked the shape and the number of the chunks")
    }
}

/// The parts of a plan, created by [`ReadPlan::parts`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct PlanParts<'a> {
    plan: &'a ReadPlan,
    blocks: core::slice::Iter<'a, Block>,
}

impl ReadPlan {
    /// Returns the parts of the result that this plan fills, which do not overlap.
    pub fn parts(&self) -> PlanParts<'_> {
        PlanParts {
            plan: self,
            blocks: self.parts.iter(),
        }
    }
}

impl<'a> Iterator for PlanParts<'a> {
    type Item = PlanPart<'a>;

    fn next(&mut self) -> Option<PlanPart<'a>> {
        let plan = self.plan;
        self.blocks.next().map(|block| PlanPart::new(plan, block))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.blocks.size_hint()
    }
}

impl ExactSizeIterator for PlanParts<'_> {}

impl FusedIterator for PlanParts<'_> {}
