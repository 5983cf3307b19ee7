//! The chunks of a plan and the inner chunks of a shard, each with its part of the output.

use slice_core::Selection;

use crate::array::element::Unit;
use crate::array::read::lists::bands::SharedOutput;
use crate::array::read::output::Splitter;
use crate::array::read::piece::Target;
use crate::chunks::ChunkPlan;
use crate::chunks::part::ChunkPart;
use crate::chunks::parts::ChunkParts;
use crate::read_plan::error::PlanError;

/// The remaining chunks of a plan.
pub(crate) enum PartsToRead<'a, U> {
    /// Chunks that fill blocks of the output.
    Blocks {
        parts: ChunkParts<'a>,
        output: Splitter<'a, U>,
    },
    /// Chunks that fill output positions given by lists.
    Lists {
        parts: ChunkParts<'a>,
        output: &'a (dyn SharedOutput<U> + 'a),
    },
}

/// The selection from a chunk or a shard, and the region of the output that the selected elements fill.
pub(crate) enum PartToRead<'a, U> {
    Block(Target<'a, U>),
    Lists(ChunkPart<'a>, &'a (dyn SharedOutput<U> + 'a)),
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
        output: &'a (dyn SharedOutput<U> + 'a),
    },
}

impl<'a, U: Unit> PartsToRead<'a, U> {
    /// Returns the position of the next chunk in the chunk grid, and the part for this chunk, or `None` if no chunks
    /// remain.
    pub(crate) fn next(&mut self) -> Option<(Vec<u64>, PartToRead<'a, U>)> {
        match self {
            PartsToRead::Blocks { parts, output } => {
                let part = parts.next()?;
                let target = Target::Block {
                    selection: part.selection(),
                    view: output.next(&part),
                };
                let indices = part.chunk().map(|k| k as u64);
                Some((indices.collect(), PartToRead::Block(target)))
            }
            PartsToRead::Lists { parts, output } => {
                let part = parts.next()?;
                let indices = part.chunk().map(|k| k as u64);
                Some((indices.collect(), PartToRead::Lists(part, *output)))
            }
        }
    }
}

impl<'a, U: Unit> PartToRead<'a, U> {
    /// Returns the target for the chunk as a whole.
    pub(crate) fn target(self) -> Target<'a, U> {
        match self {
            PartToRead::Block(target) => target,
            PartToRead::Lists(part, output) => Target::Lists {
                selected: part.selected_positions(),
                output,
            },
        }
    }

    /// Splits the part into inner chunks of shape `shape`.
    pub(crate) fn inner(self, shape: &[usize]) -> Result<InnerChunks<'a, U>, PlanError> {
        Ok(match self {
            PartToRead::Block(Target::Block { selection, view }) => {
                let plan = ChunkPlan::new(&selection, shape)?;
                let output = Splitter::new(&plan, view);
                InnerChunks::Blocks { plan, output }
            }
            PartToRead::Lists(part, output) => InnerChunks::Lists { part, output },
            PartToRead::Block(Target::Lists { .. }) => {
                unreachable!("a part with lists is never a block")
            }
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
                let selection: Selection = part.selection();
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
