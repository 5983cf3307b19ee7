//! Finds the touched chunks on one axis of a selection. The chunks of a range are computed, and the positions of a list
//! are grouped by chunk.
//!
//! A chunk may consist of units that are decoded one by one, such as the inner chunks of a shard. In that case,
//! positions are grouped by unit, and a chunk corresponds to one or more consecutive groups.

#[cfg(feature = "zarrs")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{AxisPositions, AxisRange};

use super::grouped::{Check, Grouped, Groups, Move, Singles};
use super::range::{RangeChunks, Segment};

/// The touched chunks of an axis, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TouchedChunks {
    chunk_len: usize,
    unit_len: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Range {
        chunks: RangeChunks,
        units: RangeChunks,
    },
    /// A list grouped by unit. If a chunk consists of several units, `chunks` contains the number of touched units
    /// before each touched chunk, followed by the total number.
    Listed {
        units: Grouped,
        chunks: Option<Vec<usize>>,
    },
}

/// A touched chunk of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AxisChunk {
    /// The positions of a range that lie in the chunk.
    Range(Segment),
    /// The position of the chunk along the axis of the chunk grid, and the index of the chunk among the touched chunks of
    /// a list.
    Listed { chunk: usize, index: usize },
}

impl AxisChunk {
    /// Returns the position of the chunk along the axis of the chunk grid.
    #[inline]
    pub(crate) fn chunk(&self) -> usize {
        match *self {
            AxisChunk::Range(Segment { chunk, .. }) | AxisChunk::Listed { chunk, .. } => chunk,
        }
    }
}

/// The selected positions in consecutive touched units of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPart<'a> {
    /// The first position of the chunk or unit.
    pub(crate) offset: usize,
    pub(crate) positions: PartPositions<'a>,
}

/// The selected positions in a part, and the output positions that they fill.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartPositions<'a> {
    /// A range of positions, which fill consecutive output positions beginning at `begin`.
    Range { range: AxisRange, begin: usize },
    /// Positions of a list.
    Listed(Groups<'a>),
}

impl TouchedChunks {
    /// Finds the touched chunks of length `chunk_len`, which consist of units of length `unit_len`. `unit_len` must not
    /// be zero, and must divide `chunk_len`. Returns `None` or an error if [`Grouped::new`] does.
    pub(crate) fn new<E>(
        positions: &AxisPositions<'_>,
        chunk_len: usize,
        unit_len: usize,
        check: Check<'_, E>,
    ) -> Result<Option<Self>, E> {
        let kind = match positions {
            AxisPositions::Range(range) => {
                let chunks = RangeChunks::new(*range, chunk_len);
                let units = match unit_len == chunk_len {
                    true => chunks,
                    false => RangeChunks::new(*range, unit_len),
                };
                Kind::Range { chunks, units }
            }
            list => {
                let Some(units) = Grouped::new(list, unit_len, check)? else {
                    return Ok(None);
                };
                let list = Singles::of(list);
                let chunks = (unit_len != chunk_len).then(|| {
                    let (mut chunks, mut last) = (Vec::new(), None);
                    for unit in 0..units.len() {
                        let chunk = units.first(list, unit) / chunk_len;
                        if last.replace(chunk) != Some(chunk) {
                            chunks.push(unit);
                        }
                    }
                    chunks.push(units.len());
                    chunks
                });
                Kind::Listed { units, chunks }
            }
        };
        Ok(Some(TouchedChunks {
            chunk_len,
            unit_len,
            kind,
        }))
    }

    /// Returns the number of chunks that hold at least one selected position.
    pub(crate) fn len(&self) -> usize {
        match &self.kind {
            Kind::Range { chunks, .. } => chunks.len(),
            Kind::Listed {
                units,
                chunks: None,
            } => units.len(),
            Kind::Listed {
                chunks: Some(chunks),
                ..
            } => chunks.len() - 1,
        }
    }

    /// Returns the number of units that hold at least one selected position.
    pub(crate) fn units(&self) -> usize {
        match &self.kind {
            Kind::Range { units, .. } => units.len(),
            Kind::Listed { units, .. } => units.len(),
        }
    }

    /// Returns the grouped list, or `None` if the axis has a range.
    pub(crate) fn list(&self) -> Option<&Grouped> {
        match &self.kind {
            Kind::Range { .. } => None,
            Kind::Listed { units, .. } => Some(units),
        }
    }

    /// Returns the memory, in bytes, held by the groups.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> usize {
        match &self.kind {
            Kind::Range { .. } => 0,
            Kind::Listed { units, chunks } => {
                units.held_bytes() + size_of_val(chunks.as_deref().unwrap_or_default())
            }
        }
    }

    /// Returns the selected positions of touched chunks, each with the number of chunks that it stands for: the distances
    /// between the selected positions are the same in these chunks. On an axis with a range, there are at most four.
    #[cfg(feature = "zarrs")]
    pub(crate) fn distinct_chunks<'a>(
        &'a self,
        list: Singles<'a>,
    ) -> Box<dyn Iterator<Item = (AxisPart<'a>, usize)> + 'a> {
        match &self.kind {
            Kind::Range { chunks, .. } => {
                let step = chunks.range().ascending().step();
                Box::new(chunks.lens().map(move |(len, chunks)| {
                    let range = AxisRange::new(0, step, len);
                    let positions = PartPositions::Range { range, begin: 0 };
                    (
                        AxisPart {
                            offset: 0,
                            positions,
                        },
                        chunks,
                    )
                }))
            }
            Kind::Listed { .. } => Box::new((0..self.len()).map(move |k| {
                let chunk = self.chunk(|| list, k);
                (self.part(list, &chunk), 1)
            })),
        }
    }

    /// Returns the `k`-th touched chunk. `list` returns the single positions of the axis.
    #[inline]
    pub(crate) fn chunk<'l>(&self, list: impl FnOnce() -> Singles<'l>, k: usize) -> AxisChunk {
        match &self.kind {
            Kind::Range { chunks, .. } => AxisChunk::Range(chunks.segment(k)),
            Kind::Listed { units, .. } => AxisChunk::Listed {
                chunk: units.first(list(), self.listed_units(k).start) / self.chunk_len,
                index: k,
            },
        }
    }

    /// Returns the indices, among the touched units of a list, of the units in the `k`-th touched chunk.
    fn listed_units(&self, k: usize) -> Range<usize> {
        match &self.kind {
            Kind::Listed {
                chunks: Some(chunks),
                ..
            } => chunks[k]..chunks[k + 1],
            _ => k..k + 1,
        }
    }

    /// Returns the indices, among the touched units, of the units in a touched chunk.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units_of(&self, chunk: &AxisChunk) -> Range<usize> {
        match (&self.kind, chunk) {
            (Kind::Range { units, .. }, AxisChunk::Range(segment)) => {
                let positions = segment.positions.ascending();
                let first = segment.chunk * self.chunk_len;
                let unit = |k| units.index_of((first + positions.position(k)) / self.unit_len);
                let ends = (unit(0), unit(positions.len() - 1));
                let (Some(first), Some(last)) = ends else {
                    unreachable!("every selected position lies in a touched unit");
                };
                first..last + 1
            }
            (_, AxisChunk::Listed { index, .. }) => self.listed_units(*index),
            (Kind::Listed { .. }, AxisChunk::Range(_)) => {
                unreachable!("an axis has a range or a list")
            }
        }
    }

    /// Returns the index, among all units of the axis, of the `unit`-th touched unit.
    #[cfg(feature = "zarrs")]
    pub(crate) fn unit(&self, list: Singles<'_>, unit: usize) -> usize {
        match &self.kind {
            Kind::Range { units, .. } => units.segment(unit).chunk,
            Kind::Listed { units, .. } => units.first(list, unit) / self.unit_len,
        }
    }

    /// Returns the selected positions in a touched chunk.
    pub(crate) fn part<'a>(&'a self, list: Singles<'a>, chunk: &AxisChunk) -> AxisPart<'a> {
        let offset = chunk.chunk() * self.chunk_len;
        let positions = match (&self.kind, chunk) {
            (Kind::Listed { units, .. }, AxisChunk::Listed { index, .. }) => {
                let Range { start, end } = self.listed_units(*index);
                PartPositions::Listed(units.groups(list, start, end))
            }
            (_, AxisChunk::Range(segment)) => segment.part_positions(offset),
            (Kind::Range { .. }, AxisChunk::Listed { .. }) => {
                unreachable!("an axis has a range or a list")
            }
        };
        AxisPart { offset, positions }
    }

    /// Returns the selected positions in the `unit`-th touched unit, whose index among all units of the axis is `index`.
    #[cfg(feature = "zarrs")]
    pub(crate) fn unit_part<'a>(
        &'a self,
        list: Singles<'a>,
        unit: usize,
        index: usize,
    ) -> AxisPart<'a> {
        let offset = index * self.unit_len;
        let positions = match &self.kind {
            Kind::Range { units, .. } => units.segment(unit).part_positions(offset),
            Kind::Listed { units, .. } => PartPositions::Listed(units.groups(list, unit, unit + 1)),
        };
        AxisPart { offset, positions }
    }
}

impl Segment {
    /// Returns the positions of the segment. `offset` is the first position of the chunk.
    fn part_positions<'a>(&self, offset: usize) -> PartPositions<'a> {
        let (positions, begin) = (self.positions, self.begin);
        let start = positions.start() + offset;
        let range = AxisRange::new(start, positions.step(), positions.len());
        PartPositions::Range { range, begin }
    }
}

impl AxisPart<'_> {
    /// Returns the number of selected positions.
    pub(crate) fn position_count(&self) -> usize {
        match &self.positions {
            PartPositions::Range { range, .. } => range.len(),
            PartPositions::Listed(groups) => groups.position_count(),
        }
    }

    /// Returns the number of [`Move`]s.
    pub(crate) fn move_count(&self) -> usize {
        match &self.positions {
            PartPositions::Range { .. } => 1,
            PartPositions::Listed(groups) => groups.move_count(),
        }
    }

    /// Returns the `n`-th move. Its positions are counted from the start of the chunk or unit.
    #[inline]
    pub(crate) fn nth_move(&self, n: usize) -> Move {
        let mut result = match &self.positions {
            PartPositions::Range { range, begin } => Move {
                from: range.start(),
                to: *begin,
                step: range.step(),
                len: range.len(),
            },
            PartPositions::Listed(groups) => groups.nth_move(n),
        };
        result.from -= self.offset;
        result
    }

    /// Returns an iterator over all moves.
    pub(crate) fn moves(&self) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        (0..self.move_count()).map(|n| self.nth_move(n))
    }
}
