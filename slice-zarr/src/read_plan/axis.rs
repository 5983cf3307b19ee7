//! Determines the positions on an axis of the result at which chunks end.
//!
//! A list is first grouped by chunk, so that the positions in each chunk are consecutive. On an axis with a list,
//! positions are counted in this grouped list.

use slice_core::AxisRange;

use super::Division;
use crate::chunks::axis::{Kind, TouchedChunks};
use crate::chunks::range::RangeChunks;

/// An axis of the result, divided into chunks or into smaller units, which are also called chunks in this module.
/// Positions are numbered in the order of the result or, on an axis with a list, in the order of the grouped list.
#[derive(Clone, Copy, Debug)]
pub(super) enum ResultAxis<'a> {
    Range(RangeChunks),
    /// A list, given by the number of positions before each touched chunk, followed by the total number.
    Listed(&'a [usize]),
}

impl<'a> ResultAxis<'a> {
    /// Divides an axis of length `len` as `division` specifies.
    pub(super) fn new(touched: &'a TouchedChunks, len: usize, division: Division) -> Self {
        match (division, &touched.kind) {
            (Division::Elements, _) => ResultAxis::in_blocks(len, 1),
            (Division::Chunks, Kind::Range { chunks, .. }) => ResultAxis::Range(*chunks),
            (Division::DecodingUnits, Kind::Range { units, .. }) => ResultAxis::Range(*units),
            (Division::Chunks, Kind::Listed { units, chunks }) => {
                ResultAxis::Listed(chunks.as_ref().unwrap_or(&units.begins))
            }
            (Division::DecodingUnits, Kind::Listed { units, .. }) => {
                ResultAxis::Listed(&units.begins)
            }
        }
    }

    /// Divides an axis of length `len` into chunks of length `chunk_len`, which must not be zero.
    pub(super) fn in_blocks(len: usize, chunk_len: usize) -> Self {
        ResultAxis::Range(RangeChunks::new(AxisRange::whole(len), chunk_len))
    }

    /// Returns `true` if a chunk ends between the positions `at - 1` and `at`, or if `at` is 0 or the length of the
    /// axis.
    pub(super) fn is_chunk_boundary(&self, at: usize) -> bool {
        match self {
            ResultAxis::Range(range) => range.is_boundary(at),
            ResultAxis::Listed(begins) => begins.binary_search(&at).is_ok(),
        }
    }

    /// Returns the number of positions after which the pattern of chunk boundaries repeats, or 1 if the axis has a list.
    pub(super) fn period(&self) -> usize {
        match self {
            ResultAxis::Range(range) => range.period(),
            ResultAxis::Listed(..) => 1,
        }
    }

    /// Returns the number of chunks that hold the first `positions` positions. A chunk must end after these positions.
    pub(super) fn chunks_before(&self, positions: usize) -> usize {
        match self {
            ResultAxis::Range(range) => range.chunks_before(positions),
            ResultAxis::Listed(begins) => begins.partition_point(|&begin| begin < positions),
        }
    }

    /// Returns the number of positions in the first `chunks` touched chunks.
    pub(super) fn positions_before(&self, chunks: usize) -> usize {
        match self {
            ResultAxis::Range(range) => range.positions_before(chunks),
            ResultAxis::Listed(begins) => begins[chunks.min(begins.len() - 1)],
        }
    }
}
