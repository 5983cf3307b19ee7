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
    Range(RangeAxis),
    /// A list, given by the number of positions before each touched chunk, followed by the total number.
    Listed(&'a [usize]),
    /// A list that is divided into single positions.
    Singles,
}

impl ResultAxis<'_> {
    /// Creates the axis of `range`, divided into chunks of length `chunk_len`, which must not be zero.
    pub(super) fn of_range(range: AxisRange, chunk_len: usize) -> Self {
        ResultAxis::Range(RangeAxis::new(range, chunk_len))
    }

    /// Returns `true` if a chunk ends between the positions `at - 1` and `at`, or if `at` is 0 or the length of the
    /// axis.
    pub(super) fn is_chunk_boundary(&self, at: usize) -> bool {
        match self {
            ResultAxis::Range(range) => range.is_chunk_boundary(at),
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

/// A range of positions on an axis that is divided into chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct RangeAxis {
    range: AxisRange,
    /// The positions in ascending order.
    ascending: AxisRange,
    chunks: RangeChunks,
    chunk_len: usize,
}

impl RangeAxis {
    /// Creates the axis of `range` with chunks of length `chunk_len`, which must not be zero.
    fn new(range: AxisRange, chunk_len: usize) -> Self {
        RangeAxis {
            range,
            ascending: range.ascending(),
            chunks: RangeChunks::new(range, chunk_len),
            chunk_len,
        }
    }

    /// Returns `true` if a chunk ends between the positions `at - 1` and `at`, or if `at` is 0 or the length of the
    /// axis.
    fn is_chunk_boundary(&self, at: usize) -> bool {
        let chunk = |k| self.range.position(k) / self.chunk_len;
        at == 0 || at >= self.range.len() || chunk(at - 1) != chunk(at)
    }

    /// Returns the number of positions after which the pattern of chunk boundaries repeats.
    fn period(&self) -> usize {
        self.chunk_len / gcd(self.chunk_len, self.range.step().unsigned_abs())
    }

    /// Returns the number of chunks that hold the first `positions` positions. A chunk must end after these positions.
    fn chunks_before(&self, positions: usize) -> usize {
        let count = self.range.len();
        if self.range.step() > 0 {
            self.chunks_of_lowest(positions)
        } else {
            self.chunks_of_lowest(count) - self.chunks_of_lowest(count - positions)
        }
    }

    /// Returns the number of chunks that hold the lowest `positions` positions.
    fn chunks_of_lowest(&self, positions: usize) -> usize {
        let ascending = self.ascending;
        match positions {
            0 => 0,
            _ if ascending.step().unsigned_abs() >= self.chunk_len => positions,
            _ => {
                ascending.position(positions - 1) / self.chunk_len
                    - ascending.start() / self.chunk_len
                    + 1
            }
        }
    }

    /// Returns the number of positions in the first `chunks` touched chunks.
    fn positions_before(&self, chunks: usize) -> usize {
        let touched = self.chunks.len();
        if chunks >= touched {
            self.range.len()
        } else if self.range.step() > 0 {
            self.chunks.segment(chunks).begin
        } else {
            self.chunks.segment(touched - 1 - chunks).begin
        }
    }
}

/// Returns the greatest common divisor. At least one of the numbers must be nonzero.
pub(super) fn gcd(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
