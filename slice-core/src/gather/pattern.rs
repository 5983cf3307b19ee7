//! The innermost axes of a job: what is copied at once, and where the next of it is.
//!
//! A *cell* is one run of contiguous bytes, or all runs of a few axes so short that they lie within reach of one
//! vector of output and a few of input: three of four colour bytes, three of five floats, a short row.

use super::bytes::Job;
use super::cursor::Cursor;
use super::plan::Dim;

/// Which axes of a job are the cell, which is the row, and which repeat the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    /// Contiguous bytes.
    pub(super) run: usize,
    /// Bytes per cell.
    pub(super) cell: usize,
    /// From the first byte of a cell to its lowest, never positive.
    pub(super) low: isize,
    /// From the lowest byte of a cell to behind its highest.
    pub(super) span: usize,
    /// Cells per row and the bytes between them.
    pub(super) row: Dim,
    job: &'a Job<'a>,
    /// How many axes of the job repeat the row.
    outer: usize,
}

impl<'a> Pattern<'a> {
    /// The runs of a job as cells; or the bytes, if the runs are longer than `most`.
    #[inline(always)]
    pub(super) fn new(job: &'a Job<'a>, most: usize) -> Self {
        let (run, row, outer) = match job.dims.split_last() {
            Some((&row, outer)) if job.run <= most => (job.run, job.scaled(row), outer.len()),
            _ => (
                1,
                Dim {
                    len: job.run,
                    stride: 1,
                },
                job.dims.len(),
            ),
        };
        Self {
            run,
            cell: run,
            low: 0,
            span: run,
            row,
            job,
            outer,
        }
    }

    /// Whether the cells of a row follow each other without gaps.
    #[inline(always)]
    pub(super) fn is_contiguous(&self) -> bool {
        self.row.stride == self.cell as isize
    }

    /// Whether a cell is a single run.
    #[inline(always)]
    pub(super) fn is_run(&self) -> bool {
        self.cell == self.run
    }

    /// Makes whole rows the cells, as long as these are at most `cell` bytes out of `span`.
    #[inline(always)]
    pub(super) fn fold(mut self, cell: usize, span: usize) -> Self {
        while let Some((&row, outer)) = self.job.dims[..self.outer].split_last() {
            let reach = self.row.stride * (self.row.len as isize - 1);
            let too_far = reach.unsigned_abs() > span.saturating_sub(self.span);
            if too_far || self.row.len > cell / self.cell {
                break;
            }
            self.cell *= self.row.len;
            self.span += reach.unsigned_abs();
            self.low += reach.min(0);
            (self.row, self.outer) = (self.job.scaled(row), outer.len());
        }
        self
    }

    /// How many neighbouring cells have at most `bytes` bytes and lie within `span`.
    #[inline(always)]
    pub(super) fn cells_within(&self, bytes: usize, span: usize) -> usize {
        match span.checked_sub(self.span) {
            None => 0,
            Some(reach) => {
                let near = reach / self.row.stride.unsigned_abs().max(1) + 1;
                (bytes / self.cell).min(near).min(self.row.len)
            }
        }
    }

    /// From the lowest byte of neighbouring cells to behind their highest; no cells have none.
    #[inline(always)]
    pub(super) fn span_of(&self, cells: usize) -> usize {
        match cells {
            0 => 0,
            _ => (cells - 1) * self.row.stride.unsigned_abs() + self.span,
        }
    }

    /// The bytes from the first run of a cell to each of its runs.
    #[inline(always)]
    pub(super) fn runs_of_cell(&self) -> impl Iterator<Item = isize> {
        let inner = match self.is_run() {
            true => &[],
            false => &self.job.dims[self.outer + 1..],
        };
        let (row, outer) = match inner.split_last() {
            Some((&row, outer)) => (self.job.scaled(row), outer),
            None => (Dim { len: 1, stride: 0 }, inner),
        };
        let mut cursor = Cursor::new(0, outer, self.job.size, row);
        (0..self.cell / self.run).map(move |_| cursor.take(1).offset as isize)
    }

    /// At the first cell.
    #[inline(always)]
    pub(super) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(
            self.job.offset,
            &self.job.dims[..self.outer],
            self.job.size,
            self.row,
        )
    }
}
