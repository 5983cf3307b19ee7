//! Finds the byte ranges of an uncompressed chunk that hold selected elements.

use core::iter::FusedIterator;
use core::ops::Range;

use slice_core::AxisRange;

use crate::Dims;

/// An iterator over the byte ranges that hold the selected elements of a chunk, in ascending order, created by
/// [`ChunkPart::byte_runs`](super::part::ChunkPart::byte_runs).
///
/// Adjacent ranges are not always merged: a range may begin where the previous range ends.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::ChunkPlan;
///
/// let plan = ChunkPlan::new(&s![1:, :2].resolve(&[3, 4])?, &[2, 2])?;
/// let first = plan.parts().next().unwrap();
/// assert!(first.byte_runs(4)?.eq([8..16])); // row 1 of a chunk of shape (2, 2)
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ByteRuns {
    /// For each iterated axis, beginning with the last: the number of positions, the distance between neighboring
    /// positions in bytes, and the index of the current position.
    axes: Dims<(usize, u64, usize)>,
    run: u64,
    offset: u64,
    remaining: usize,
}

impl ByteRuns {
    /// Creates the iterator for the elements selected by `ranges` from a chunk of shape `shape`. No range may be empty,
    /// and the chunk must have at most `isize::MAX` bytes.
    pub(crate) fn new(
        ranges: impl DoubleEndedIterator<Item = AxisRange> + ExactSizeIterator,
        shape: &[usize],
        item_size: usize,
    ) -> Self {
        let mut axes = Dims::new();
        let mut remaining = usize::from(item_size > 0);
        let (mut run, mut offset, mut stride) = (item_size as u64, 0, item_size);
        for (range, &size) in ranges.zip(shape).rev() {
            let range = range.ascending();
            let (len, step) = (range.len(), range.step().unsigned_abs() * stride);
            offset += (range.start() * stride) as u64;
            if axes.is_empty() && step as u64 == run {
                run *= len as u64;
            } else if len > 1 {
                axes.push((len, step as u64, 0));
                remaining *= len;
            }
            stride *= size;
        }
        ByteRuns {
            axes,
            run,
            offset,
            remaining,
        }
    }
}

impl Iterator for ByteRuns {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let run = self.offset..self.offset + self.run;
        for (len, step, index) in &mut self.axes {
            *index += 1;
            if *index < *len {
                self.offset += *step;
                break;
            }
            self.offset -= *step * (*len as u64 - 1);
            *index = 0;
        }
        Some(run)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    fn count(self) -> usize {
        self.remaining
    }
}

impl ExactSizeIterator for ByteRuns {}

impl FusedIterator for ByteRuns {}
