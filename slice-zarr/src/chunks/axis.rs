//! Finds the touched chunks on one axis of a selection. The chunks of a range are computed, and the positions of a list
//! are grouped by chunk.
//!
//! A chunk may consist of units that are decoded one by one, such as the inner chunks of a shard. In that case,
//! positions are grouped by unit, and a chunk corresponds to one or more consecutive groups.

#[cfg(feature = "zarrs")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

#[cfg(feature = "zarrs")]
use slice_core::AxisRange;
use slice_core::{AxisPositions, Selection};

use super::grouped::{Check, Grouped, Groups, Move};
use super::range::{RangeChunks, Segment};
use crate::read_plan::error::PlanError;

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
    /// A list grouped by unit. If a chunk consists of several units, `chunks` contains the number of positions before
    /// each touched chunk, followed by the total number.
    Listed {
        units: Grouped,
        chunks: Option<Vec<usize>>,
    },
}

/// The selected positions in a touched chunk or unit of an axis, and the output positions that they fill.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AxisPart<'a> {
    /// Positions of a range.
    Range(Segment),
    /// Positions of a list.
    Listed {
        /// The position of the chunk or unit along the axis of its grid.
        chunk: usize,
        /// The first position of the chunk or unit.
        offset: usize,
        /// The index of the chunk or unit among the touched ones.
        #[cfg_attr(
            not(feature = "zarrs"),
            expect(dead_code, reason = "only reads need units")
        )]
        index: usize,
        groups: Groups<'a>,
    },
}

impl TouchedChunks {
    /// Finds the chunks of length `chunk_len`, which consist of units of length `unit_len`, that an orthogonal selection
    /// touches on an axis. `unit_len` must not be zero, and must divide `chunk_len`. Returns an error if
    /// [`Grouped::new`] does.
    pub(crate) fn new<E: From<PlanError>>(
        selection: &Selection,
        axis: usize,
        chunk_len: usize,
        unit_len: usize,
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let kind = match selection.range(axis) {
            Some(range) => {
                let chunks = RangeChunks::new(range, chunk_len);
                let units = match unit_len == chunk_len {
                    true => chunks,
                    false => RangeChunks::new(range, unit_len),
                };
                Kind::Range { chunks, units }
            }
            None => {
                let list = &*selection.axis(axis);
                let units = Grouped::new(list, unit_len, check)?;
                let chunks = (unit_len != chunk_len).then(|| {
                    let (mut chunks, mut last) = (Vec::new(), None);
                    for unit in 0..units.len() {
                        let chunk = units.groups(list, unit..unit + 1).first() / chunk_len;
                        if last.replace(chunk) != Some(chunk) {
                            chunks.push(units.begins[unit]);
                        }
                    }
                    chunks.push(list.len());
                    chunks
                });
                Kind::Listed { units, chunks }
            }
        };
        Ok(TouchedChunks {
            chunk_len,
            unit_len,
            kind,
        })
    }

    /// Returns the number of chunks that hold at least one selected position.
    pub(crate) fn len(&self) -> usize {
        match &self.kind {
            Kind::Range { chunks, .. } => chunks.len(),
            Kind::Listed { units, chunks } => chunks.as_ref().unwrap_or(&units.begins).len() - 1,
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
    /// between the selected positions are the same in these chunks. On an axis with a range, there are at most four. `list`
    /// returns the list of the axis.
    #[cfg(feature = "zarrs")]
    pub(crate) fn distinct_chunks<'a>(
        &'a self,
        list: impl Fn() -> &'a AxisPositions + 'a,
    ) -> Box<dyn Iterator<Item = (AxisPart<'a>, usize)> + 'a> {
        match &self.kind {
            Kind::Range { chunks, .. } => Box::new(chunks.lens().map(move |(len, count)| {
                let segment = Segment {
                    chunk: 0,
                    positions: AxisRange::new(0, chunks.step as isize, len),
                    begin: 0,
                };
                (AxisPart::Range(segment), count)
            })),
            Kind::Listed { .. } => {
                Box::new((0..self.len()).map(move |k| (self.chunk(&list, k), 1)))
            }
        }
    }

    /// Returns the selected positions in the `k`-th touched chunk. `list` returns the list of the axis.
    #[inline]
    pub(crate) fn chunk<'a>(
        &'a self,
        list: impl FnOnce() -> &'a AxisPositions,
        k: usize,
    ) -> AxisPart<'a> {
        match &self.kind {
            Kind::Range { chunks, .. } => AxisPart::Range(chunks.segment(k)),
            Kind::Listed { units, .. } => {
                let groups = units.groups(list(), self.listed_units(k));
                AxisPart::listed(groups, k, self.chunk_len)
            }
        }
    }

    /// Returns the selected positions in the `k`-th touched unit. `list` returns the list of the axis.
    #[cfg(feature = "zarrs")]
    pub(crate) fn unit<'a>(
        &'a self,
        list: impl FnOnce() -> &'a AxisPositions,
        k: usize,
    ) -> AxisPart<'a> {
        match &self.kind {
            Kind::Range { units, .. } => AxisPart::Range(units.segment(k)),
            Kind::Listed { units, .. } => {
                AxisPart::listed(units.groups(list(), k..k + 1), k, self.unit_len)
            }
        }
    }

    /// Returns the indices, among the touched units of a list, of the units in the `k`-th touched chunk.
    fn listed_units(&self, k: usize) -> Range<usize> {
        match &self.kind {
            Kind::Listed {
                units,
                chunks: Some(chunks),
            } => units.numbers(chunks[k]..chunks[k + 1]),
            _ => k..k + 1,
        }
    }

    /// Returns the indices, among the touched units, of the units in a touched chunk.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units_of(&self, chunk: &AxisPart<'_>) -> Range<usize> {
        match (&self.kind, chunk) {
            (Kind::Range { units, .. }, AxisPart::Range(segment)) => {
                let positions = segment.positions.ascending();
                let first = segment.chunk * self.chunk_len;
                let unit = |k| units.index_of((first + positions.position(k)) / self.unit_len);
                let ends = (unit(0), unit(positions.len() - 1));
                let (Some(first), Some(last)) = ends else {
                    unreachable!("every selected position lies in a touched unit");
                };
                first..last + 1
            }
            (_, AxisPart::Listed { index, .. }) => self.listed_units(*index),
            (Kind::Listed { .. }, AxisPart::Range(_)) => {
                unreachable!("an axis has a range or a list")
            }
        }
    }
}

impl<'a> AxisPart<'a> {
    /// Creates the part for the chunk or unit of length `len` that holds the positions of `groups`.
    fn listed(groups: Groups<'a>, index: usize, len: usize) -> Self {
        let chunk = groups.first() / len;
        AxisPart::Listed {
            chunk,
            offset: chunk * len,
            index,
            groups,
        }
    }

    /// Returns the position of the chunk or unit along the axis of its grid.
    #[inline]
    pub(crate) fn chunk(&self) -> usize {
        match *self {
            AxisPart::Range(Segment { chunk, .. }) | AxisPart::Listed { chunk, .. } => chunk,
        }
    }

    /// Returns the number of selected positions.
    pub(crate) fn position_count(&self) -> usize {
        match self {
            AxisPart::Range(segment) => segment.positions.len(),
            AxisPart::Listed { groups, .. } => groups.position_count,
        }
    }

    /// Returns the number of [`Move`]s.
    pub(crate) fn move_count(&self) -> usize {
        match self {
            AxisPart::Range(_) => 1,
            AxisPart::Listed { groups, .. } => groups.move_count,
        }
    }

    /// Returns the `n`-th move. Its positions are counted from the start of the chunk or unit.
    #[inline]
    pub(crate) fn nth_move(&self, n: usize) -> Move {
        match self {
            AxisPart::Range(segment) => Move {
                from: segment.positions.start(),
                to: segment.begin,
                step: segment.positions.step(),
                len: segment.positions.len(),
            },
            AxisPart::Listed { groups, offset, .. } => {
                let mut list_move = groups.nth_move(n);
                list_move.from -= offset;
                list_move
            }
        }
    }

    /// Returns an iterator over all moves.
    pub(crate) fn moves(&self) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        (0..self.move_count()).map(|n| self.nth_move(n))
    }
}
