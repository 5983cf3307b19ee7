//! The innermost axes of a job: what is copied at once, and where the next of it is.
//!
//! A *cell* is one run of contiguous bytes, or all runs of a few axes so short that they lie within reach of one
//! vector of output and a few of input: three of four colour bytes, three of five floats, a short row.

use super::bytes::Job;
use super::cursor::Cursor;
use super::plan::Dim;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    /// Contiguous bytes.
    pub(super) run: usize,
    /// The axes of the cell, over which the run is repeated.
    pub(super) inner: &'a [Dim],
    /// Bytes per cell.
    pub(super) cell: usize,
    /// From the first byte of a cell to its lowest, never positive.
    pub(super) low: isize,
    /// From the lowest byte of a cell to behind its highest.
    pub(super) span: usize,
    /// Cells per row and the bytes between them.
    pub(super) row: Dim,
    /// Bytes from the start of the strided buffer to the first cell.
    offset: usize,
    /// The axes that repeat the row.
    outer: &'a [Dim],
}

impl<'a> Pattern<'a> {
    /// The runs of a job as cells; or the bytes, if the runs are longer than `most`.
    #[inline]
    pub(super) fn new(job: &'a Job, most: usize) -> Self {
        let (run, (row, outer)) = match job.dims.split_last() {
            Some((&row, outer)) if job.run <= most => (job.run, (row, outer)),
            _ => (
                1,
                (
                    Dim {
                        len: job.run,
                        stride: 1,
                    },
                    &job.dims[..],
                ),
            ),
        };
        Self {
            run,
            inner: &[],
            cell: run,
            low: 0,
            span: run,
            row,
            offset: job.offset,
            outer,
        }
    }

    /// Whether the cells of a row follow each other without gaps.
    #[inline]
    pub(super) fn is_contiguous(&self) -> bool {
        self.row.stride == self.cell as isize
    }

    /// Makes whole rows the cells, as long as these are at most `cell` bytes out of `span`.
    #[inline]
    pub(super) fn fold(mut self, job: &'a Job, cell: usize, span: usize) -> Self {
        while let Some((&row, outer)) = self.outer.split_last() {
            let reach = self.row.stride * (self.row.len as isize - 1);
            if self.row.len > cell / self.cell
                || reach.unsigned_abs() > span.saturating_sub(self.span)
            {
                break;
            }
            self.cell *= self.row.len;
            self.span += reach.unsigned_abs();
            self.low += reach.min(0);
            self.inner = &job.dims[outer.len() + 1..];
            (self.row, self.outer) = (row, outer);
        }
        self
    }

    /// How many neighbouring cells have at most `bytes` bytes and lie within `span`.
    #[inline]
    pub(super) fn cells_within(&self, bytes: usize, span: usize) -> usize {
        match span.checked_sub(self.span) {
            None => 0,
            Some(reach) => (bytes / self.cell)
                .min(reach / self.row.stride.unsigned_abs().max(1) + 1)
                .min(self.row.len),
        }
    }

    /// At the first cell.
    #[inline]
    pub(super) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.offset, self.outer, self.row)
    }
}
