//! The parts of a plan: blocks of the result that whole chunks fill.

use core::iter::FusedIterator;

use slice_core::{AxisRange, ResolvedStep, Selection};

use super::ReadPlan;
use super::block::Block;
use crate::chunks::ChunkPlan;

/// A part of the result that a plan fills; made by [`ReadPlan::parts`].
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
/// assert_eq!(parts, [s![0:2].resolve(&[10])?, s![2:6].resolve(&[10])?, s![6:10].resolve(&[10])?]);
///
/// let second = plan.split(3).nth(1).unwrap();
/// assert_eq!(second.parts().next().unwrap().selection(), s![7:3:-1].resolve(&[10])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlanPart<'a> {
    plan: &'a ReadPlan,
    block: &'a Block,
}

impl<'a> PlanPart<'a> {
    /// The first position in the result, along each axis.
    #[must_use]
    pub fn begin(&self) -> &'a [usize] {
        &self.block.begin
    }

    /// One past the last position in the result, along each axis.
    #[must_use]
    pub fn end(&self) -> &'a [usize] {
        &self.block.end
    }

    /// The number of elements.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        self.block.len()
    }

    /// The part of the result, which the elements fill.
    pub fn output(&self) -> Selection {
        let axes = self.block.begin.iter().zip(&self.block.end);
        let steps =
            axes.map(|(&begin, &end)| ResolvedStep::Keep(AxisRange::new(begin, 1, end - begin)));
        Selection::from_steps(self.plan.shape(), steps).expect("the part is in the result")
    }

    /// The elements of the array.
    pub fn selection(&self) -> Selection {
        let all = &self.plan.selection;
        all.compose(&self.output()).expect("it is of the result")
    }

    /// The chunks that hold the elements, and what is taken from each.
    pub fn chunks(&self) -> ChunkPlan {
        let chunks = ChunkPlan::new(&self.selection(), &self.plan.array.chunk_shape);
        chunks.expect("the plan has checked the shape of the chunk")
    }
}

/// The parts of a plan; made by [`ReadPlan::parts`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct PlanParts<'a> {
    plan: &'a ReadPlan,
    blocks: core::slice::Iter<'a, Block>,
}

impl ReadPlan {
    /// The parts of the result that this plan fills; they do not overlap.
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
        self.blocks.next().map(|block| PlanPart { plan, block })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.blocks.size_hint()
    }
}

impl ExactSizeIterator for PlanParts<'_> {}

impl FusedIterator for PlanParts<'_> {}
