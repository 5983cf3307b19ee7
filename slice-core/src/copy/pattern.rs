//! The innermost axes of a job: what is copied at once, and where the next of it is.

use super::bytes::Job;
use super::cursor::Cursor;
use super::plan::Dim;

/// Rows of contiguous runs at a constant distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern<'a> {
    /// The bytes of a run.
    pub(super) run: usize,
    /// Runs per row and the bytes from one to the next.
    pub(super) row: Dim,
    pub(super) job: &'a Job<'a>,
    /// How many axes of the job repeat the row.
    pub(super) outer: usize,
}

impl<'a> Pattern<'a> {
    /// The runs of a job; or single bytes, if the runs are longer than `most`.
    #[inline(always)]
    pub(super) fn new(job: &'a Job<'a>, most: usize) -> Self {
        match job.dims.split_last() {
            Some((&row, outer)) if job.run <= most => Self {
                run: job.run,
                row: job.scaled(row),
                job,
                outer: outer.len(),
            },
            _ => Self {
                run: 1,
                row: Dim {
                    len: job.run,
                    stride: 1,
                },
                job,
                outer: job.dims.len(),
            },
        }
    }

    /// Whether the runs of a row follow each other without gaps.
    #[inline(always)]
    pub(super) fn is_contiguous(&self) -> bool {
        self.row.stride == self.run as isize
    }

    /// At the first run.
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
