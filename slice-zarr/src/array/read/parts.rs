//! The regions of an output that the chunks of a plan and the inner chunks of a shard fill.

use crate::array::element::Unit;
use crate::array::read::lists::bands::Bands;
use crate::array::read::output::Splitter;
use crate::array::read::piece::{Region, Target};
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

/// The touched inner chunks of a shard.
pub(crate) struct InnerChunks<'a, U> {
    part: ChunkPart<'a>,
    output: Output<'a, U>,
}

impl<'a, U: Unit> Output<'a, U> {
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

    /// Splits the part into the inner chunks of the shard.
    pub(crate) fn inner(self) -> InnerChunks<'a, U> {
        let PartToRead { part, region } = self;
        let output = match region {
            Region::Block(view) => Output::Blocks(Splitter::new(part.plan, view)),
            Region::Lists(bands) => Output::Lists(bands),
        };
        InnerChunks { part, output }
    }
}

impl<'a, U: Unit> InnerChunks<'a, U> {
    /// Returns the number of touched inner chunks.
    pub(crate) fn len(&self) -> usize {
        self.part.units()
    }

    /// Returns the number, in C order of the shard's grid of shape `grid`, of the touched inner chunk with index `number`,
    /// and the target for this inner chunk. Must be called once for each touched inner chunk, in order.
    pub(crate) fn get(&mut self, number: usize, grid: &[usize]) -> (usize, Target<'a, U>) {
        let (position, selected) = self.part.unit(number);
        let grid = selected.plan.merged(grid);
        let axes = position.iter().zip(&*grid);
        let number_in_shard = axes.fold(0, |sum, (k, &len)| sum * len + k);
        let region = self.output.next(&selected.axes);
        (number_in_shard, Target { selected, region })
    }
}
