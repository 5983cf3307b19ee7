//! Finds the chunks that a range touches on one axis. Each touched chunk is computed directly from its index among the
//! touched chunks, without a loop.

use slice_core::AxisRange;

/// The positions of a range that lie in one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The position of the chunk along this axis of the chunk grid.
    pub(crate) chunk: usize,
    /// The selected positions, counted from the start of the chunk. Never empty.
    pub(crate) positions: AxisRange,
    /// The number of positions that precede this segment in the range.
    pub(crate) begin: usize,
}

/// The chunks touched by a range, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RangeChunks {
    range: AxisRange,
    /// The lowest position of the range.
    lowest: usize,
    /// The distance between neighboring positions of the range, which is the absolute value of its step.
    pub(crate) step: usize,
    chunk_len: usize,
    /// The position, in the chunk grid, of the chunk that holds the lowest position.
    first: usize,
    touched: usize,
}

impl RangeChunks {
    /// Finds the touched chunks on an axis with chunks of length `chunk_len`, which must not be zero.
    pub(crate) fn new(range: AxisRange, chunk_len: usize) -> Self {
        let lowest = range.ascending().start();
        let step = range.ascending().step().unsigned_abs();
        let mut chunks = RangeChunks {
            range,
            lowest,
            step,
            chunk_len,
            first: lowest / chunk_len,
            touched: 0,
        };
        chunks.touched = chunks.of_lowest(range.len());
        chunks
    }

    /// Returns the number of chunks that hold the lowest `positions` positions.
    #[inline]
    fn of_lowest(&self, positions: usize) -> usize {
        match positions {
            0 => 0,
            // No chunk holds two selected elements, so each element has a chunk of its own.
            _ if self.step >= self.chunk_len => positions,
            _ => (self.lowest + (positions - 1) * self.step) / self.chunk_len - self.first + 1,
        }
    }

    /// Returns the number of chunks that hold at least one selected element.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.touched
    }

    /// Returns the numbers of selected positions in the touched chunks, each with the number of chunks that have it. If
    /// chunks hold several positions, all chunks but the first and the last hold equally many, or one more.
    #[cfg(feature = "zarrs")]
    pub(crate) fn lens(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let len_of = |k| self.segment(k).positions.len();
        let lens = match self.touched {
            0 => [(0, 0); 4],
            touched if self.step >= self.chunk_len => [(1, touched), (0, 0), (0, 0), (0, 0)],
            1 => [(len_of(0), 1), (0, 0), (0, 0), (0, 0)],
            touched => {
                let (first, last) = (len_of(0), len_of(touched - 1));
                let (between, chunks) = (self.range.len() - first - last, touched - 2);
                let len = between / chunks.max(1);
                let longer = between - len * chunks;
                [
                    (first, 1),
                    (last, 1),
                    (len, chunks - longer),
                    (len + 1, longer),
                ]
            }
        };
        lens.into_iter().filter(|&(_, chunks)| chunks > 0)
    }

    /// Returns the index of a chunk among the touched chunks, or `None` if the chunk is not touched.
    #[cfg(feature = "zarrs")]
    pub(crate) fn index_of(&self, chunk: usize) -> Option<usize> {
        let k = if self.step >= self.chunk_len {
            let begin = chunk * self.chunk_len;
            begin.saturating_sub(self.lowest).div_ceil(self.step)
        } else {
            chunk.checked_sub(self.first)?
        };
        (k < self.touched && self.segment(k).chunk == chunk).then_some(k)
    }

    /// Returns the positions in the `k`-th touched chunk. `k` must be less than `touched`.
    #[inline]
    pub(crate) fn segment(&self, k: usize) -> Segment {
        let RangeChunks {
            range,
            lowest,
            step,
            chunk_len,
            ..
        } = *self;
        let chunk = if step >= chunk_len {
            (lowest + k * step) / chunk_len
        } else {
            self.first + k
        };
        let offset = chunk * chunk_len;
        // The chunk holds the elements `first..end` of the range, numbered from 0 in ascending order.
        let (first, end) = if step >= chunk_len {
            (k, k + 1)
        } else {
            // The sum does not overflow, because both terms are at most `isize::MAX`.
            let first = steps_to_cover(offset.saturating_sub(lowest), step);
            let end = steps_to_cover(offset + chunk_len - lowest, step);
            (first, end.min(range.len()))
        };
        let len = end - first;
        let (begin, start) = if range.step() > 0 {
            (first, lowest + first * step)
        } else {
            (range.len() - end, lowest + (end - 1) * step)
        };
        Segment {
            chunk,
            positions: AxisRange::new(start - offset, range.step(), len),
            begin,
        }
    }

    /// Returns `true` if a chunk ends between the positions `at - 1` and `at` of the range, or if `at` is 0 or the length
    /// of the range.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        let chunk = |k| self.range.position(k) / self.chunk_len;
        at == 0 || at >= self.range.len() || chunk(at - 1) != chunk(at)
    }

    /// Returns the number of positions after which the pattern of chunk boundaries repeats.
    pub(crate) fn period(&self) -> usize {
        self.chunk_len / gcd(self.chunk_len, self.step)
    }

    /// Returns the number of chunks that hold the first `positions` positions. A chunk must end after these positions.
    pub(crate) fn chunks_before(&self, positions: usize) -> usize {
        if self.range.step() > 0 {
            self.of_lowest(positions)
        } else {
            self.touched - self.of_lowest(self.range.len() - positions)
        }
    }

    /// Returns the number of positions in the first `chunks` touched chunks, in the order of the range.
    pub(crate) fn positions_before(&self, chunks: usize) -> usize {
        if chunks >= self.touched {
            self.range.len()
        } else if self.range.step() > 0 {
            self.segment(chunks).begin
        } else {
            self.segment(self.touched - 1 - chunks).begin
        }
    }
}

/// Returns the smallest number of steps of length `step` that cover `distance`.
fn steps_to_cover(distance: usize, step: usize) -> usize {
    // Avoids a division in the most common case.
    if step == 1 {
        distance
    } else {
        distance.div_ceil(step)
    }
}

/// Returns the greatest common divisor. At least one of the numbers must be nonzero.
pub(crate) fn gcd(mut one: usize, mut other: usize) -> usize {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
