//! Finds the touched chunks on one axis of a selection with lists. The chunks of a range are computed, and the
//! positions of a list are grouped by chunk.
//!
//! A chunk may consist of units that are decoded one by one, such as the inner chunks of a shard. In that case,
//! positions are grouped by unit, and a chunk corresponds to one or more consecutive groups.

#[cfg(feature = "zarrs")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{AxisPositions, AxisRange};

use super::super::axis::AxisChunks;
use super::grouped::{Check, Grouped, Groups, Move, Singles};

/// The touched chunks of an axis, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListAxis {
    chunk_len: usize,
    unit_len: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Range {
        range: AxisRange,
        chunks: AxisChunks,
        units: AxisChunks,
    },
    /// A list grouped by unit. If a chunk consists of several units, `chunks` contains the number of touched units
    /// before each touched chunk, followed by the total number.
    Listed {
        units: Grouped,
        chunks: Option<Vec<usize>>,
    },
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

impl ListAxis {
    /// Finds the touched chunks of length `chunk_len`, which consist of units of length `unit_len`. `unit_len` must not
    /// be zero, and must divide `chunk_len`. Returns `None` or an error if [`Grouped::new`] does.
    pub(crate) fn new<E>(
        positions: &AxisPositions<'_>,
        chunk_len: usize,
        unit_len: usize,
        check: Check<'_, E>,
    ) -> Result<Option<Self>, E> {
        let kind = match positions {
            AxisPositions::Range(range) => Kind::Range {
                range: *range,
                chunks: AxisChunks::new(*range, chunk_len),
                units: AxisChunks::new(*range, unit_len),
            },
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
        Ok(Some(ListAxis {
            chunk_len,
            unit_len,
            kind,
        }))
    }

    /// Returns the number of chunks that hold at least one selected position.
    pub(crate) fn touched(&self) -> usize {
        match &self.kind {
            Kind::Range { chunks, .. } => chunks.touched(),
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
            Kind::Range { units, .. } => units.touched(),
            Kind::Listed { units, .. } => units.len(),
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
            Kind::Range { range, chunks, .. } => {
                let step = range.ascending().step();
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
            Kind::Listed { .. } => Box::new((0..self.touched()).map(move |chunk| {
                let offset = self.chunk(list, chunk) * self.chunk_len;
                (self.part(list, self.units_of(chunk), offset), 1)
            })),
        }
    }

    /// Returns the indices, among the touched units, of the units in the `chunk`-th touched chunk.
    pub(crate) fn units_of(&self, chunk: usize) -> Range<usize> {
        match &self.kind {
            Kind::Range { chunks, units, .. } => {
                let segment = chunks.segment(chunk);
                let positions = segment.positions.ascending();
                let first = segment.chunk * self.chunk_len;
                let unit = |k| units.index_of((first + positions.position(k)) / self.unit_len);
                let ends = (unit(0), unit(positions.len() - 1));
                let (Some(first), Some(last)) = ends else {
                    unreachable!("every selected position lies in a touched unit");
                };
                first..last + 1
            }
            Kind::Listed { chunks: None, .. } => chunk..chunk + 1,
            Kind::Listed {
                chunks: Some(chunks),
                ..
            } => chunks[chunk]..chunks[chunk + 1],
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

    /// Returns the index, among all chunks of the axis, of the `chunk`-th touched chunk.
    pub(crate) fn chunk(&self, list: Singles<'_>, chunk: usize) -> usize {
        match &self.kind {
            Kind::Range { chunks, .. } => chunks.segment(chunk).chunk,
            Kind::Listed { units, .. } => {
                units.first(list, self.units_of(chunk).start) / self.chunk_len
            }
        }
    }

    /// Returns the selected positions in the touched units `numbers`. They are all units of one chunk, or a single
    /// unit, and `offset` is the first position of this chunk or unit.
    pub(crate) fn part<'a>(
        &'a self,
        list: Singles<'a>,
        numbers: Range<usize>,
        offset: usize,
    ) -> AxisPart<'a> {
        let positions = match &self.kind {
            Kind::Range { range, units, .. } => {
                let ends = [units.segment(numbers.start), units.segment(numbers.end - 1)];
                let [low, high] = ends;
                let [first, last] = if range.step() > 0 {
                    [low, high]
                } else {
                    [high, low]
                };
                let (begin, end) = (first.begin, last.begin + last.positions.len());
                let start = range.position(begin);
                PartPositions::Range {
                    range: AxisRange::new(start, range.step(), end - begin),
                    begin,
                }
            }
            Kind::Listed { units, .. } => {
                PartPositions::Listed(units.groups(list, numbers.start, numbers.end))
            }
        };
        AxisPart { offset, positions }
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
