//! Runs that lie so close together that they are copied together.
//!
//! A *cell* is one run of a pattern, or all runs of a few axes so short that they lie within reach of one vector of
//! output and a few of input: three of four colour bytes, three of five floats, a short row. The axis outside a cell
//! makes rows of cells.

use super::super::super::cursor::Cursor;
use super::super::super::pattern::Pattern;
use super::super::super::plan::Dim;

/// Rows of cells at a constant distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'a> {
    /// Bytes per cell.
    pub(super) size: usize,
    /// From the first byte of a cell to its lowest, never positive.
    pub(super) low: isize,
    /// From the lowest byte of a cell to behind its highest.
    pub(super) span: usize,
    /// The pattern, in the rows of which there are cells instead of runs.
    pub(super) rows: Pattern<'a>,
}

impl<'a> Cells<'a> {
    /// The runs of a pattern, and then whole rows of these, as long as a cell has at most `size` bytes out of `span`.
    #[inline(always)]
    pub(super) fn new(runs: Pattern<'a>, size: usize, span: usize) -> Self {
        let mut cells = Self {
            size: runs.run,
            low: 0,
            span: runs.run,
            rows: runs,
        };
        while let Some((&row, outer)) = runs.job.dims[..cells.rows.outer].split_last() {
            let Dim { len, stride } = cells.rows.row;
            let reach = stride * (len as isize - 1);
            let too_far = reach.unsigned_abs() > span.saturating_sub(cells.span);
            if too_far || len > size / cells.size {
                break;
            }
            cells.size *= len;
            cells.span += reach.unsigned_abs();
            cells.low += reach.min(0);
            (cells.rows.row, cells.rows.outer) = (runs.job.scaled(row), outer.len());
        }
        cells
    }

    /// Whether a cell is a single run.
    #[inline(always)]
    pub(super) fn are_runs(&self) -> bool {
        self.size == self.rows.run
    }

    /// How many neighbouring cells have at most `bytes` bytes and lie within `span`.
    #[inline(always)]
    pub(super) fn within(&self, bytes: usize, span: usize) -> usize {
        let Some(reach) = span.checked_sub(self.span) else {
            return 0;
        };
        let near = reach / self.rows.row.stride.unsigned_abs().max(1) + 1;
        (bytes / self.size).min(near).min(self.rows.row.len)
    }

    /// From the lowest byte of `count` neighbouring cells, which is not 0, to behind their highest.
    #[inline(always)]
    pub(super) fn span_of(&self, count: usize) -> usize {
        (count - 1) * self.rows.row.stride.unsigned_abs() + self.span
    }

    /// The bytes from the first run of a cell to each of its runs.
    #[inline(always)]
    pub(super) fn runs(&self) -> impl Iterator<Item = isize> {
        let job = self.rows.job;
        let inner = match self.are_runs() {
            true => &[],
            false => &job.dims[self.rows.outer + 1..],
        };
        let (row, outer) = match inner.split_last() {
            Some((&row, outer)) => (job.scaled(row), outer),
            None => (Dim { len: 1, stride: 0 }, inner),
        };
        let mut cursor = Cursor::new(0, outer, job.size, row);
        (0..self.size / self.rows.run).map(move |_| cursor.take(1).offset as isize)
    }
}
