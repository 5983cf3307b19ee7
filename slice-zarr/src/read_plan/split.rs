//! Splits a plan into several plans that read nearly equal numbers of bytes.
//!
//! On each axis of a part, the possible cuts and the number of bytes before each cut are computed. The cuts divide the
//! part into a grid of *cells*, which are distributed among the plans in C order. A binary search on each axis finds
//! the last cell of each plan, without a loop over chunks.

use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::axis::ResultAxis;
use super::bounds::PartBounds;
use super::{Division, PlanError, ReadPlan};
use crate::Dims;
use crate::chunks::check_lengths;
use crate::chunks::range::gcd;

/// The maximum number of possible cuts that are listed for an axis.
const MAX_LISTED_CUTS: usize = 1 << 16;

/// The maximum number of ends of output chunks that are tried as the first cut, on an axis with more than
/// [`MAX_LISTED_CUTS`] such ends.
const MAX_TRIED_CUTS: usize = 1 << 20;

impl ReadPlan {
    /// Splits the plan into `n` plans that read nearly equal numbers of bytes. No two of the plans touch the same
    /// chunk.
    ///
    /// Together, the plans fill the same elements as this plan. They are returned in the order of the result, or, on an
    /// axis with a list, in the order of the chunks. There are fewer than `n` plans if this plan touches fewer than `n`
    /// chunks, but there is always at least one.
    ///
    /// Each plan is created on demand. Without lists, the time to create a plan does not depend on the number of chunks.
    /// Splitting the same plan in the same way produces the same plans on every machine.
    ///
    /// Plans with more than 1024 parts cannot be deserialized. Splitting a plan that is close to this limit may create
    /// such plans.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ChunkedArray, ReadPlan};
    ///
    /// let shape = vec![1000, 1000];
    /// let array = ChunkedArray { shape, item_size: 4, chunk_shape: vec![100, 100], ..ChunkedArray::default() };
    /// let plan = ReadPlan::new(array, s![::2, :].resolve(&[1000, 1000])?)?;
    /// let plans: Vec<_> = plan.split(3).collect();
    /// assert_eq!(plans.iter().map(ReadPlan::touched_chunks).collect::<Vec<_>>(), [33, 34, 33]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(&self, n: usize) -> PlanSplit<'_> {
        PlanSplit::new(self, n, None)
    }

    /// Splits the plan for an output array whose chunks have the shape `output_chunks`. No two of the plans fill
    /// elements of the same output chunk.
    ///
    /// A plan ends only where a chunk of the array and a chunk of the output both end. If there are too few such
    /// positions, there are fewer than `n` plans, and their sizes differ. Ideally, on at least one axis, the length of
    /// an output chunk times the step divides the length of a chunk of the array, and the slice begins at the start of
    /// a chunk.
    ///
    /// # Errors
    ///
    /// Returns [`PlanError::Slice`] if the number of lengths in `output_chunks` differs from the number of axes of the
    /// result, and [`PlanError::EmptyChunk`] if one of the lengths is zero.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ChunkedArray, ReadPlan};
    ///
    /// let array = ChunkedArray { shape: vec![1000], item_size: 4, chunk_shape: vec![100], ..ChunkedArray::default() };
    /// let plan = ReadPlan::new(array, s![::2].resolve(&[1000])?)?;
    /// // Chunks of the array end every 50 elements of the result, and chunks of the output every 125. Both therefore end
    /// // every 250 elements.
    /// let begins: Vec<_> = plan.split_for(4, &[125])?.map(|plan| plan.parts().next().unwrap().begin()[0]).collect();
    /// assert_eq!(begins, [0, 250]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split_for(&self, n: usize, output_chunks: &[usize]) -> Result<PlanSplit<'_>, PlanError> {
        check_lengths(self.shape().len(), output_chunks)?;
        Ok(PlanSplit::new(self, n, Some(output_chunks)))
    }

    /// Returns `true` if the plan fills each output chunk of shape `output_chunks` either completely or not at all.
    ///
    /// In this case, no other plan of the same split writes to these output chunks.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`split_for`](Self::split_for).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ChunkedArray, ReadPlan};
    ///
    /// let array = ChunkedArray { shape: vec![10], item_size: 4, chunk_shape: vec![4], ..ChunkedArray::default() };
    /// let plan = ReadPlan::new(array, s![::-1].resolve(&[10])?)?;
    /// assert!(plan.fills_whole(&[5])?);
    /// let first = plan.split(3).next().unwrap(); // fills the first two elements of the result
    /// assert!(first.fills_whole(&[2])? && !first.fills_whole(&[5])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fills_whole(&self, output_chunks: &[usize]) -> Result<bool, PlanError> {
        check_lengths(self.shape().len(), output_chunks)?;
        let mut parts = self.parts.iter();
        Ok(parts.all(|bounds| {
            let mut axes = 0..self.merged_shape().len();
            axes.all(|axis| {
                let (begin, end) = (bounds.begin[axis], bounds.end[axis]);
                let chunked = self.output_chunked_axes(axis, output_chunks);
                if self.is_scattered(axis) {
                    return self.fills_whole_chunks(axis, begin..end, chunked);
                }
                let len = chunked.chunks[0];
                begin % len == 0 && (end % len == 0 || end == chunked.sizes[0])
            })
        }))
    }
}

/// An iterator over the plans of a split, created by [`ReadPlan::split`] and [`ReadPlan::split_for`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan};
///
/// let array = ChunkedArray { shape: vec![10], item_size: 4, chunk_shape: vec![4], ..ChunkedArray::default() };
/// let plan = ReadPlan::new(array, s![::-1].resolve(&[10])?)?;
/// let plans = plan.split(3); // for three machines
/// assert_eq!(plans.len(), 3);
/// assert_eq!(plans.map(|plan| plan.touched_chunks()).sum::<usize>(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct PlanSplit<'a> {
    plan: &'a ReadPlan,
    /// The grid of each part.
    grids: Vec<Grid<'a>>,
    /// The number of cells in all grids.
    cells: usize,
    /// The number of bytes in all grids.
    bytes: u128,
    /// The number of plans.
    n: usize,
    /// The number of plans created so far.
    next: usize,
    /// The number of cells in the plans created so far.
    assigned_cells: usize,
}

impl<'a> PlanSplit<'a> {
    /// Splits `plan` into `n` plans. If `output_chunks` is given, it is the shape of the output chunks, and `plan` is
    /// cut only at their ends.
    fn new(plan: &'a ReadPlan, n: usize, output_chunks: Option<&[usize]>) -> Self {
        let parts = plan.parts.iter();
        let grids: Vec<_> = parts
            .map(|bounds| Grid::new(plan, bounds, output_chunks))
            .collect();
        let cells: usize = grids.iter().map(Grid::cells).sum();
        let n = n.clamp(1, cells.max(1));
        PlanSplit {
            plan,
            cells,
            bytes: grids.iter().map(Grid::bytes).sum(),
            grids,
            n,
            next: 0,
            assigned_cells: 0,
        }
    }

    /// Returns the number of leading cells whose total size is nearest to `k` of `n` equal shares of all bytes.
    fn end(&self, k: usize) -> usize {
        let (n, k) = (self.n as u128, k as u128);
        let mut target = self.bytes / n * k + self.bytes % n * k / n;
        let mut before = 0;
        for grid in &self.grids {
            let bytes = grid.bytes();
            if target < bytes {
                return before + grid.nearest_cell_count(target);
            }
            target -= bytes;
            before += grid.cells();
        }
        before
    }
}

impl Iterator for PlanSplit<'_> {
    type Item = ReadPlan;

    fn next(&mut self) -> Option<ReadPlan> {
        if self.next == self.n {
            return None;
        }
        self.next += 1;
        let remaining = self.n - self.next;
        let to = match remaining {
            0 => self.cells,
            // This plan and each remaining plan get at least one cell.
            _ => self
                .end(self.next)
                .clamp(self.assigned_cells + 1, self.cells - remaining),
        };
        let (mut parts, mut before) = (Vec::new(), 0);
        for grid in &self.grids {
            let cells = grid.cells();
            let from = self.assigned_cells.saturating_sub(before).min(cells);
            let end = (to - before.min(to)).min(cells);
            if from < end {
                grid.push_parts(&mut Dims::new(), from, end, &mut parts);
            }
            before += cells;
        }
        self.assigned_cells = to;
        Some(self.plan.with_parts(parts))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = self.n - self.next;
        (remaining, Some(remaining))
    }
}

impl ExactSizeIterator for PlanSplit<'_> {}

impl FusedIterator for PlanSplit<'_> {}

/// A part, divided into a grid of cells. A cell is the region between neighboring cuts. The size of a cell is counted
/// in *units*, which are elements if the array is uncompressed, and decoding units otherwise.
#[derive(Clone, Debug)]
struct Grid<'a> {
    axes: Vec<CutAxis<'a>>,
    unit_bytes: u64,
    index_bytes: u64,
}

/// Counts of cells, units and chunks.
#[derive(Clone, Copy, Debug)]
struct Counts {
    cells: usize,
    units: usize,
    chunks: usize,
}

impl<'a> Grid<'a> {
    fn new(plan: &'a ReadPlan, bounds: &PartBounds, output_chunks: Option<&[usize]>) -> Self {
        let array = &plan.array;
        let unit = match array.uncompressed {
            true => Division::Elements,
            false => Division::DecodingUnits,
        };
        let axes = (0..plan.merged_shape().len()).map(|axis| {
            let (begin, end) = (bounds.begin[axis], bounds.end[axis]);
            let chunks = plan.result_axis(axis, Division::Chunks);
            let cuts = output_chunks.map(|output_chunks| {
                let chunked = plan.output_chunked_axes(axis, output_chunks);
                match plan.is_scattered(axis) {
                    true => plan.cuts(axis, begin..end, chunked),
                    false => common_ends(chunks, begin, end, chunked.chunks[0]),
                }
            });
            CutAxis {
                begin,
                cells: match &cuts {
                    Some(cuts) => cuts.len() - 1,
                    None => chunks.chunks_before(end) - chunks.chunks_before(begin),
                },
                chunks,
                units: plan.result_axis(axis, unit),
                cuts,
            }
        });
        Grid {
            axes: axes.collect(),
            unit_bytes: match array.uncompressed {
                true => array.item_size as u64,
                false => array.decoded_bytes(),
            },
            index_bytes: array.index_bytes,
        }
    }

    /// Returns the numbers of cells, units and chunks for `axis` and all later axes together: the products of the
    /// counts on these axes.
    ///
    /// None of the products overflows, because each is at most the number of elements.
    fn counts_from(&self, axis: usize) -> Counts {
        let axes = self.axes[axis..].iter().map(CutAxis::counts);
        axes.fold(
            Counts {
                cells: 1,
                units: 1,
                chunks: 1,
            },
            |one, other| Counts {
                cells: one.cells * other.cells,
                units: one.units * other.units,
                chunks: one.chunks * other.chunks,
            },
        )
    }

    fn cells(&self) -> usize {
        self.counts_from(0).cells
    }

    fn bytes(&self) -> u128 {
        let Counts { units, chunks, .. } = self.counts_from(0);
        self.bytes_of(units, chunks)
    }

    /// Returns the total size, in bytes, of `units` units and `chunks` shard indices. The sum does not overflow,
    /// because both counts are less than 2^63 and both sizes are less than 2^64.
    fn bytes_of(&self, units: usize, chunks: usize) -> u128 {
        units as u128 * u128::from(self.unit_bytes) + chunks as u128 * u128::from(self.index_bytes)
    }

    /// Returns the number of leading cells, in C order, whose total size is nearest to `bytes`, which must be less than
    /// the total size of all cells.
    fn nearest_cell_count(&self, bytes: u128) -> usize {
        let (mut rest, mut cells) = (bytes, 0);
        // The products, over the preceding axes, of the unit counts and of the chunk counts of the cells found there.
        let (mut units, mut chunks) = (1, 1);
        for (at, axis) in self.axes.iter().enumerate() {
            let after = self.counts_from(at + 1);
            let before = |k: usize| {
                let Counts {
                    units: u,
                    chunks: c,
                    ..
                } = axis.counts_before(k);
                self.bytes_of(units * u * after.units, chunks * c * after.chunks)
            };
            // Searches for the last cell on this axis with at most `rest` bytes before it.
            let (mut low, mut high) = (0, axis.cells);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match before(middle) <= rest {
                    true => low = middle,
                    false => high = middle,
                }
            }
            rest -= before(low);
            cells += low * after.cells;
            let (one, other) = (axis.counts_before(low), axis.counts_before(low + 1));
            units *= other.units - one.units;
            chunks *= other.chunks - one.chunks;
        }
        let last = self.bytes_of(units, chunks);
        cells + usize::from(rest > last.saturating_sub(rest))
    }

    /// Appends the cells `from..to` of the later axes, numbered in C order, at the position `path` on the preceding axes.
    /// `from` must be less than `to`. Neighboring cells are combined, so only a few parts are appended.
    fn push_parts(&self, path: &mut Dims, from: usize, to: usize, parts: &mut Vec<PartBounds>) {
        let axis = path.len();
        if axis == self.axes.len() {
            parts.push(self.bounds_of_cells(path, 0..0));
            return;
        }
        let after = self.counts_from(axis + 1).cells;
        let (mut first, last) = (from / after, to / after);
        let (begin, end) = (from % after, to % after);
        if first == last {
            path.push(first);
            self.push_parts(path, begin, end, parts);
            path.pop();
            return;
        }
        if begin > 0 {
            path.push(first);
            self.push_parts(path, begin, after, parts);
            path.pop();
            first += 1;
        }
        if first < last {
            parts.push(self.bounds_of_cells(path, first..last));
        }
        if end > 0 {
            path.push(last);
            self.push_parts(path, 0, end, parts);
            path.pop();
        }
    }

    /// Returns the bounds of the cells at the position `path` on the first axes, at the positions `cells` on the next
    /// axis, and at all positions on the later axes.
    fn bounds_of_cells(&self, path: &[usize], cells: core::ops::Range<usize>) -> PartBounds {
        let bounds = self.axes.iter().enumerate().map(|(at, axis)| {
            let cells = match path.get(at) {
                Some(&cell) => cell..cell + 1,
                None if at == path.len() => cells.clone(),
                None => 0..axis.cells,
            };
            (axis.position(cells.start), axis.position(cells.end))
        });
        let (begin, end) = bounds.unzip();
        PartBounds { begin, end }
    }
}

/// An axis of a part, and its possible cuts.
#[derive(Clone, Debug)]
struct CutAxis<'a> {
    begin: usize,
    cells: usize,
    /// The axis divided into chunks.
    chunks: ResultAxis<'a>,
    /// The axis divided into units.
    units: ResultAxis<'a>,
    /// The positions of the possible cuts, or `None` if a cut is possible at the end of every chunk.
    cuts: Option<Vec<usize>>,
}

impl CutAxis<'_> {
    /// Returns the start of the `k`-th cell, which is the end of the previous cell.
    fn position(&self, k: usize) -> usize {
        match &self.cuts {
            Some(cuts) => cuts[k],
            None => {
                let before = self.chunks.chunks_before(self.begin);
                self.chunks.positions_before(before + k)
            }
        }
    }

    /// Returns the number of cells, units and chunks before the `k`-th cell.
    fn counts_before(&self, k: usize) -> Counts {
        let at = self.position(k);
        let count = |axis: &ResultAxis<'_>| axis.chunks_before(at) - axis.chunks_before(self.begin);
        Counts {
            cells: k,
            units: count(&self.units),
            chunks: count(&self.chunks),
        }
    }

    fn counts(&self) -> Counts {
        self.counts_before(self.cells)
    }
}

/// Returns the positions from `begin` to `end` at which both a chunk of the array and an output chunk of length `len` end.
/// Both `begin` and `end` are included.
fn common_ends(chunks: ResultAxis<'_>, begin: usize, end: usize, len: usize) -> Vec<usize> {
    let (first, last) = (begin / len + 1, (end - 1) / len);
    let mut cuts = Vec::from([begin]);
    // The common ends of output chunks and chunks of the array repeat after this number of output chunks.
    let period = chunks.period() / gcd(chunks.period(), len);
    let count = (last + 1).saturating_sub(first);
    let (from, interval) = match count.div_ceil(MAX_LISTED_CUTS) {
        0 | 1 => (first, 1),
        // If there are too many ends of output chunks, only some are listed, beginning at the first end where a chunk of
        // the array ends, too.
        interval => {
            let mut candidates = (first..=last).take(MAX_TRIED_CUTS);
            let from = candidates.find(|chunk| chunks.is_chunk_boundary(chunk * len));
            let interval = interval.checked_next_multiple_of(period);
            (from.unwrap_or(last + 1), interval.unwrap_or(usize::MAX))
        }
    };
    let inner = (from..=last).step_by(interval).map(|chunk| chunk * len);
    cuts.extend(inner.filter(|&at| chunks.is_chunk_boundary(at)));
    cuts.push(end);
    cuts
}
