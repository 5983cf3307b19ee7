//! Determines the positions on an axis of the result at which chunks end.
//!
//! A list is first grouped by chunk, so that the positions in each chunk are consecutive. On an axis with a list,
//! positions are counted in this grouped list.

use slice_core::AxisRange;

use crate::chunks::range::RangeChunks;

/// An axis of the result, divided into chunks or into smaller units, which are also called chunks in this module.
/// Positions are numbered in the order of the result or, on an axis with a list, in the order of the grouped list.
#[derive(Clone, Copy, Debug)]
pub(super) enum ResultAxis<'a> {
    Range(RangeChunks),
    /// A list, given by the number of positions before each touched chunk, followed by the total number.
    Listed(&'a [usize]),
    /// A list that is divided into single positions.
    Singles,
}

impl ResultAxis<'_> {
    /// Creates the axis of `range`, divided into chunks of length `chunk_len`, which must not be zero.
    pub(super) fn of_range(range: AxisRange, chunk_len: usize) -> Self {
        ResultAxis::Range(RangeChunks::new(range, chunk_len))
    }

    /// Returns `true` if a chunk ends between the positions `at - 1` and `at`, or if `at` is 0 or the length of the
    /// axis.
    pub(super) fn is_chunk_boundary(&self, at: usize) -> bool {
        match self {
            ResultAxis::Range(range) => range.is_boundary(at),
            ResultAxis::Listed(begins) => begins.binary_search(&at).is_ok(),
            ResultAxis::Singles => true,
        }
    }

    /// Returns the number of positions after which the pattern of chunk boundaries repeats, or 1 if the axis has a
    /// list.
    pub(super) fn period(&self) -> usize {
        match self {
            ResultAxis::Range(range) => range.period(),
            ResultAxis::Listed(_) | ResultAxis::Singles => 1,
        }
    }

    /// Returns the number of chunks that hold the first `positions` positions. A chunk must end after these positions.
    pub(super) fn chunks_before(&self, positions: usize) -> usize {
        match self {
            ResultAxis::Range(range) => range.chunks_before(positions),
            ResultAxis::Listed(begins) => begins.partition_point(|&begin| begin < positions),
            ResultAxis::Singles => positions,
        }
    }

    /// Returns the number of positions in the first `chunks` touched chunks.
    pub(super) fn positions_before(&self, chunks: usize) -> usize {
        match self {
            ResultAxis::Range(range) => range.positions_before(chunks),
            ResultAxis::Listed(begins) => begins[chunks.min(begins.len() - 1)],
            ResultAxis::Singles => chunks,
        }
    }
}
