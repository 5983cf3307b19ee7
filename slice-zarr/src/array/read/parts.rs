//! The parts of an output that the chunks of a plan and the inner chunks of a shard fill.

use ndarray::{ArrayViewMut, IxDyn};

use crate::array::element::Unit;
use crate::array::read::lists::bands::Bands;
use crate::array::read::output::Splitter;
use crate::array::read::piece::Target;
use crate::chunks::ChunkPlan;
use crate::chunks::part::ChunkPart;
use crate::read_plan::error::PlanError;

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

/// The inner chunks of a shard.
#[expect(
    clippy::large_enum_variant,
    reason = "each open shard holds only one such value"
)]
pub(crate) enum InnerChunks<'a, U> {
    Blocks {
        plan: ChunkPlan,
        output: Splitter<'a, U>,
    },
    Lists {
        part: ChunkPart<'a>,
        output: &'a Bands<'a, U>,
    },
}

impl<'a, U: Unit> Output<'a, U> {
    /// Returns the part for a chunk. Must be called once for each chunk of the plan, in order.
    pub(crate) fn next(&mut self, part: ChunkPart<'a>) -> PartToRead<'a, U> {
        match self {
            Output::Blocks(splitter) => {
                let view = splitter.next(&part);
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

    /// Splits the part into inner chunks of shape `shape`.
    pub(crate) fn inner(self, shape: &[usize]) -> Result<InnerChunks<'a, U>, PlanError> {
        Ok(match self {
            PartToRead::Block(part, view) => {
                let plan = ChunkPlan::new(&part.selection(), shape)?;
                let output = Splitter::new(&plan, view);
                InnerChunks::Blocks { plan, output }
            }
            PartToRead::Lists(part, output) => InnerChunks::Lists { part, output },
        })
    }
}

impl<'a, U: Unit> InnerChunks<'a, U> {
    /// Returns the number of touched inner chunks.
    pub(crate) fn len(&self) -> usize {
        match self {
            InnerChunks::Blocks { plan, .. } => plan.len(),
            InnerChunks::Lists { part, .. } => part.units(),
        }
    }

    /// Returns the number, in C order of the shard's grid of shape `grid`, of the touched inner chunk with index `number`,
    /// and the target for this inner chunk. Must be called once for each touched inner chunk, in order.
    pub(crate) fn get(&mut self, number: usize, grid: &[usize]) -> Option<(usize, Target<'a, U>)> {
        let number_of = |position: &mut dyn Iterator<Item = usize>, grid: &[usize]| {
            position.zip(grid).fold(0, |sum, (k, &len)| sum * len + k)
        };
        match self {
            InnerChunks::Blocks { plan, output } => {
                let part = plan.parts_in(number..number + 1).next()?;
                let view = output.next(&part);
                let selection = part.selection();
                let target = Target::Block { selection, view };
                Some((number_of(&mut part.chunk(), grid), target))
            }
            InnerChunks::Lists { part, output } => {
                let (position, selected) = part.unit(number);
                let output = *output;
                let number = number_of(&mut position.into_iter(), &selected.plan.merged(grid));
                Some((number, Target::Lists { selected, output }))
            }
        }
    }
}
