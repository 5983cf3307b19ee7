//! The parts of an output that the chunks of a plan and the inner chunks of a shard fill.

use ndarray::{ArrayViewMut, IxDyn};

use crate::array::element::Unit;
use crate::array::read::lists::bands::Bands;
use crate::array::read::output::Splitter;
use crate::array::read::piece::Target;
use crate::chunks::part::ChunkPart;

/// The output of a plan.
pub(crate) enum Output<'a, U> {
    /// An output of which each chunk fills a block.
    Blocks(Splitter<'a, U>),
    /// An output whose positions are given by lists.
    Lists(&'a Bands<'a, U>),
}

/// The selection from a chunk or a shard, and the region of the output that the selected elements fill.
pub(crate) enum PartToRead<'a, U> {
    Block(ChunkPart<'a>, ArrayViewMut<'a, U, IxDyn>),
    Lists(ChunkPart<'a>, &'a Bands<'a, U>),
}

/// The touched inner chunks of a shard.
pub(crate) struct InnerChunks<'a, U> {
    part: ChunkPart<'a>,
    output: Output<'a, U>,
}

impl<'a, U: Unit> Output<'a, U> {
    /// Returns the part for a chunk. Must be called once for each chunk of the plan, in order.
    pub(crate) fn next(&mut self, part: ChunkPart<'a>) -> PartToRead<'a, U> {
        match self {
            Output::Blocks(splitter) => {
                let view = splitter.next(&part.axes);
                PartToRead::Block(part, view)
            }
            Output::Lists(bands) => PartToRead::Lists(part, bands),
        }
    }
}

impl<'a, U: Unit> PartToRead<'a, U> {
    /// Returns the position of the chunk in the chunk grid.
    pub(crate) fn chunk(&self) -> Vec<u64> {
        let (PartToRead::Block(part, _) | PartToRead::Lists(part, _)) = self;
        part.chunk().map(|k| k as u64).collect()
    }

    /// Returns the target for the chunk as a whole.
    pub(crate) fn target(self) -> Target<'a, U> {
        match self {
            PartToRead::Block(part, view) => Target::Block {
                selection: part.selection(),
                view,
            },
            PartToRead::Lists(part, output) => Target::Lists {
                selected: part.selected_positions(),
                output,
            },
        }
    }

    /// Splits the part into the inner chunks of the shard.
    pub(crate) fn inner(self) -> InnerChunks<'a, U> {
        match self {
            PartToRead::Block(part, view) => {
                let output = Output::Blocks(Splitter::new(part.plan, view));
                InnerChunks { part, output }
            }
            PartToRead::Lists(part, bands) => {
                let output = Output::Lists(bands);
                InnerChunks { part, output }
            }
        }
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
        let target = match &mut self.output {
            Output::Blocks(splitter) => Target::Block {
                selection: selected.selection_in_unit(),
                view: splitter.next(&selected.axes),
            },
            Output::Lists(output) => Target::Lists { selected, output },
        };
        (number_in_shard, target)
    }
}
