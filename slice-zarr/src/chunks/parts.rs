//! Iterates over the parts of a plan.

use core::iter::FusedIterator;
use core::ops::Range;

use super::ChunkPlan;
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
        ChunkParts {
            plan: self,
            numbers: range.start.min(end)..end,
        }
    }

    /// Computes a part from its number.
    fn part(&self, number: usize) -> ChunkPart<'_> {
        let mut rest = number;
        let axes = (0..self.axes.touched.len()).rev().map(|axis| {
            let touched = self.axes.touched[axis].len();
            let k = rest % touched;
            rest /= touched;
            self.axis_chunk(axis, k)
        });
        let mut axes: Dims<_> = axes.collect();
        axes.reverse();
        ChunkPart::new(self, number, axes)
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
    /// The numbers of the remaining parts.
    numbers: Range<usize>,
}

impl<'a> Iterator for ChunkParts<'a> {
    type Item = ChunkPart<'a>;

    fn next(&mut self) -> Option<ChunkPart<'a>> {
        self.numbers.next().map(|number| self.plan.part(number))
    }

    /// Runs in time proportional to the rank, regardless of `n`.
    fn nth(&mut self, n: usize) -> Option<ChunkPart<'a>> {
        self.numbers.nth(n).map(|number| self.plan.part(number))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }

    fn count(self) -> usize {
        self.numbers.len()
    }
}

impl ExactSizeIterator for ChunkParts<'_> {}

impl FusedIterator for ChunkParts<'_> {}
