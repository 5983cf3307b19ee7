//! Iterates over the parts of a plan.

use core::iter::FusedIterator;
use core::ops::Range;

use super::ChunkPlan;
use super::axis::AxisPart;
use super::part::ChunkPart;
use crate::Dims;

impl ChunkPlan {
    /// Returns one part for each touched chunk, in C order of the chunk grid.
    pub fn parts(&self) -> ChunkParts<'_> {
        self.parts_in(0..self.len)
    }

    /// Returns the parts whose numbers lie in `range`, in the order of [`parts`](Self::parts).
    ///
    /// A range that extends beyond the last part is clamped, as in Python. Use consecutive ranges to divide the work
    /// among threads or machines.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::ChunkPlan;
    ///
    /// let plan = ChunkPlan::new(&s![:, :5].resolve(&[100, 100])?, &[10, 10])?;
    /// assert_eq!(plan.len(), 10);
    /// let rows = plan.parts_in(4..6).map(|part| part.chunk().next());
    /// assert!(rows.eq([Some(4), Some(5)]));
    /// # Ok::<(), slice_zarr::PlanError>(())
    /// ```
    pub fn parts_in(&self, range: Range<usize>) -> ChunkParts<'_> {
        let end = range.end.min(self.len);
        let start = range.start.min(end);
        let rank = self.axes.touched.len();
        let mut parts = ChunkParts {
            plan: self,
            indices: Dims::from_elem(0, rank),
            axes: Dims::new(),
            next: start,
            end,
        };
        if start < end {
            let first = (0..rank).map(|axis| self.axis_chunk(axis, 0));
            parts.axes.extend(first);
            parts.seek();
        }
        parts
    }
}

/// An iterator over the parts of a plan, created by [`ChunkPlan::parts`] and [`ChunkPlan::parts_in`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::ChunkPlan;
///
/// let plan = ChunkPlan::new(&s![1:, :2].resolve(&[3, 4])?, &[2, 2])?;
/// let parts = plan.parts();
/// assert_eq!(parts.len(), 2);
/// let chunks: Vec<Vec<usize>> = parts.map(|part| part.chunk().collect()).collect();
/// assert_eq!(chunks, [[0, 0], [1, 0]]);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ChunkParts<'a> {
    plan: &'a ChunkPlan,
    /// On each axis, the index of the next part's chunk among the touched chunks.
    indices: Dims,
    /// For the next part, the selected positions in the chunk on each axis. From one part to the next, usually only those
    /// on the last axes change.
    axes: Dims<AxisPart<'a>>,
    next: usize,
    end: usize,
}

impl ChunkParts<'_> {
    /// Computes the next part from its number.
    fn seek(&mut self) {
        let mut rest = self.next;
        for (axis, chunks) in self.plan.axes.touched.iter().enumerate().rev() {
            let k = rest % chunks.len();
            rest /= chunks.len();
            self.indices[axis] = k;
            self.axes[axis] = self.plan.axis_chunk(axis, k);
        }
    }

    /// Computes the next part from the previous part.
    fn advance(&mut self) {
        for (axis, chunks) in self.plan.axes.touched.iter().enumerate().rev() {
            let next = self.indices[axis] + 1;
            let k = if next < chunks.len() { next } else { 0 };
            self.indices[axis] = k;
            self.axes[axis] = self.plan.axis_chunk(axis, k);
            if k != 0 {
                return;
            }
        }
    }
}

impl<'a> Iterator for ChunkParts<'a> {
    type Item = ChunkPart<'a>;

    fn next(&mut self) -> Option<ChunkPart<'a>> {
        if self.next >= self.end {
            return None;
        }
        let part = ChunkPart::new(self.plan, self.next, &self.axes);
        self.next += 1;
        if self.next < self.end {
            self.advance();
        }
        Some(part)
    }

    /// Runs in time proportional to the rank, regardless of `n`.
    fn nth(&mut self, n: usize) -> Option<ChunkPart<'a>> {
        if n >= self.end - self.next {
            self.next = self.end;
            return None;
        }
        if n > 0 {
            self.next += n;
            self.seek();
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.end - self.next;
        (len, Some(len))
    }

    fn count(self) -> usize {
        self.end - self.next
    }
}

impl ExactSizeIterator for ChunkParts<'_> {}

impl FusedIterator for ChunkParts<'_> {}
