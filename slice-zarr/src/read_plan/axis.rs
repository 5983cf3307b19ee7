//! One axis of the result: after which of its positions a chunk ends.

use slice_core::AxisRange;

use crate::chunks::axis::AxisChunks;

/// The selected positions of an axis in chunks, counted in the order of the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultAxis {
    range: AxisRange,
    /// The same positions in ascending order.
    ascending: AxisRange,
    chunks: AxisChunks,
    chunk_len: usize,
}

impl ResultAxis {
    /// For chunks of `chunk_len` elements, which is not zero.
    pub(super) fn new(range: AxisRange, chunk_len: usize) -> Self {
        ResultAxis {
            range,
            ascending: range.ascending(),
            chunks: AxisChunks::new(range, chunk_len),
            chunk_len,
        }
    }

    /// Whether a chunk ends between the positions `at - 1` and `at`.
    pub(super) fn is_border(&self, at: usize) -> bool {
        let chunk = |k| self.range.position(k) / self.chunk_len;
        at == 0 || at >= self.range.len() || chunk(at - 1) != chunk(at)
    }

    /// After how many positions the places where chunks end are the same again.
    pub(super) fn period(&self) -> usize {
        self.chunk_len / gcd(self.chunk_len, self.range.step().unsigned_abs())
    }

    /// How many chunks hold the first `positions` positions, after which a chunk ends.
    pub(super) fn before(&self, positions: usize) -> usize {
        let all = self.range.len();
        if self.range.step() > 0 {
            self.of_lowest(positions)
        } else {
            self.of_lowest(all) - self.of_lowest(all - positions)
        }
    }

    /// How many chunks hold the lowest `positions` positions.
    fn of_lowest(&self, positions: usize) -> usize {
        let up = self.ascending;
        match positions {
            0 => 0,
            _ if up.step().unsigned_abs() >= self.chunk_len => positions,
            _ => up.position(positions - 1) / self.chunk_len - up.start() / self.chunk_len + 1,
        }
    }

    /// How many positions the first `chunks` touched chunks hold.
    pub(super) fn positions(&self, chunks: usize) -> usize {
        let touched = self.chunks.touched();
        if chunks >= touched {
            self.range.len()
        } else if self.range.step() > 0 {
            self.chunks.segment(chunks).begin
        } else {
            self.chunks.segment(touched - 1 - chunks).begin
        }
    }
}

/// The greatest common divisor; at least one of both is not zero.
pub(super) fn gcd(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
