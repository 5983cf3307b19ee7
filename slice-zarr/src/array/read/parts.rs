//! The regions of an output that the chunks of a plan and the inner chunks of a shard fill.

use crate::array::element::Unit;
use crate::array::read::lists::bands::Bands;
use crate::array::read::output::Splitter;
use crate::array::read::piece::{Region, Target};
use crate::chunks::ChunkPlan;
use crate::chunks::axis::AxisPart;
use crate::chunks::part::ChunkPart;

/// The output of a plan, or of a part of a plan.
pub(crate) enum Output<'a, U> {
    /// An output of which each chunk fills a block.
    Blocks(Splitter<'a, U>),
    /// An output whose positions are given by lists.
    Lists(&'a Bands<'a, U>),
}

/// The selection from a chunk or a shard, and the region of the output that the selected elements fill.
pub(crate) struct PartToRead<'a, U> {
    pub(crate) part: ChunkPart<'a>,
    pub(crate) region: Region<'a, U>,
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

impl<'a, U: Unit> PartToRead<'a, U> {
    /// Returns the target for the chunk as a whole.
    pub(crate) fn target(self) -> Target<'a, U> {
        Target {
            selected: self.part.selected_positions(),
            region: self.region,
        }
    }
}
