//! The chunks that a range touches on one axis. Each touched chunk is computed from its number, without a loop.

use slice_core::AxisRange;

/// The part of a range that is in one chunk of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The number of the chunk on the axis.
    pub(crate) chunk: usize,
    /// The selected positions, counted from the start of the chunk; never empty.
    pub(crate) inside: AxisRange,
    /// The number of selected positions of the range before this segment.
    pub(crate) begin: usize,
}

/// The chunks that a range touches, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AxisChunks {
    range: AxisRange,
    /// The lowest position of the range, and the step in ascending order.
    lowest: usize,
    step: usize,
    chunk_len: usize,
    /// The chunk of the lowest position.
    first: usize,
    touched: usize,
}

impl AxisChunks {
    /// Finds the touched chunks of `chunk_len` elements, which is not zero.
    pub(crate) fn new(range: AxisRange, chunk_len: usize) -> Self {
        let ascending = range.ascending();
        let (start, len) = (ascending.start(), ascending.len());
        let step = ascending.step().unsigned_abs();
        let first = start / chunk_len;
        let touched = match len {
            0 => 0,
            // No chunk holds two selected elements.
            _ if step >= chunk_len => len,
            _ => (start + (len - 1) * step) / chunk_len - first + 1,
        };
        AxisChunks {
            range,
            lowest: start,
            step,
            chunk_len,
            first,
            touched,
        }
    }

    /// Returns the number of chunks that hold at least one selected element.
    pub(crate) fn touched(&self) -> usize {
        self.touched
    }

    /// Returns the index of a chunk among the touched chunks, or `None` if it is not touched.
    pub(crate) fn index_of(&self, chunk: usize) -> Option<usize> {
        let k = if self.step >= self.chunk_len {
            let begin = chunk * self.chunk_len;
            begin.saturating_sub(self.lowest).div_ceil(self.step)
        } else {
            chunk.checked_sub(self.first)?
        };
        (k < self.touched && self.segment(k).chunk == chunk).then_some(k)
    }

    /// Returns the part of the range in the `k`-th touched chunk, for `k < touched`.
    #[inline]
    pub(crate) fn segment(&self, k: usize) -> Segment {
        let AxisChunks {
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
        // In ascending order, these are the elements `first..end` of the range.
        let (first, end) = if step >= chunk_len {
            (k, k + 1)
        } else {
            // The sum does not overflow, because both terms are at most `isize::MAX`.
            let first = steps(offset.saturating_sub(lowest), step);
            let end = steps(offset + chunk_len - lowest, step);
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
            inside: AxisRange::new(start - offset, range.step(), len),
            begin,
        }
    }
}

/// Returns the smallest number of steps that cover `distance`.
fn steps(distance: usize, step: usize) -> usize {
    if step == 1 {
        distance
    } else {
        distance.div_ceil(step)
    }
}
