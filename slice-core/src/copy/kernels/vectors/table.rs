//! The byte moves of one step of a copy. Every step makes the same moves.
//!
//! ```text
//! window  r g b · r g b · r g b · …    up to 256 bytes, of which the first and the last belong to cells
//!         ↓ ↓ ↓   ↓ ↓ ↓   ↓ ↓ ↓        window_offsets = 0 1 2 4 5 6 8 9 10 …
//! out     r g b   r g b   r g b   …    up to 64 bytes
//! ```
//!
//! See [`kernels`](super::super) for jobs, runs, rows, and the strided and the dense buffer. A *cell* is one run of a
//! job, or all runs of a few short axes, provided that these runs have at most 64 bytes in total and span at most 256
//! bytes. Examples are the three color bytes of a four-byte pixel, three of every five floats, and a short row. A
//! *step* copies as many cells as fit into 64 bytes of the dense buffer and 256 bytes of the strided buffer. The
//! *window* of a step is the part of the strided buffer from the lowest to the highest byte of these cells. The next
//! step makes the same moves in the next window. The moves are stored in a [`Table`], which is built once per copy, in
//! a few tens of nanoseconds.

use super::super::super::cursor::BlockCursor;
use super::super::super::job::Job;
use crate::resolve::strided::StridedAxis;

/// The maximum number of bytes that a step copies.
pub(super) const MAX_STEP_BYTES: usize = 64;
/// The maximum length of a window, in bytes. It is 256, because offsets in a window are stored as `u8`.
pub(super) const MAX_WINDOW_BYTES: usize = 256;

/// The minimum number of cells in a long row. The last step of a row may overlap the step before it. In a scatter, the
/// last step then reads the old bytes of its window only after the stores of the previous step. In shorter rows, which
/// take only a few steps, this wait makes up a large part of the time.
pub(super) const MIN_LONG_ROW_CELLS: usize = 64;

/// Returns the number of moves in which a run of `run` bytes is copied. A run that has the size of a register takes one
/// move.
pub(super) fn moves_per_run(run: usize) -> usize {
    match run {
        1 | 2 | 4 | 8 | 16 => 1,
        0..=32 => 2,
        _ => 4,
    }
}

/// Rows of equally spaced cells.
pub(super) struct CellRows<'a> {
    /// The job whose runs make up the cells.
    runs: Job<'a>,
    /// The job `runs`, expressed in cells instead of runs.
    pub(super) rows: Job<'a>,
    /// The offset from the first byte of a cell, in output order, to its byte with the lowest address, which is a
    /// different byte if a stride is negative. This offset is never positive.
    low: isize,
    /// The number of bytes from the lowest to the highest byte of a cell.
    span: usize,
}

impl<'a> CellRows<'a> {
    /// Merges all runs of a row into one cell, and then repeatedly all cells of a row into one larger cell, as long as
    /// the cell has at most `MAX_STEP_BYTES` bytes and spans at most `MAX_WINDOW_BYTES`.
    #[inline(always)]
    pub(super) fn new(runs: Job<'a>) -> Self {
        let (mut rows, mut low, mut span) = (runs, 0, runs.run);
        while let Some((axis, outer)) = rows.outer.split_last() {
            let StridedAxis { len, stride } = rows.row;
            let reach = stride * (len as isize - 1);
            let too_far = reach.unsigned_abs() > MAX_WINDOW_BYTES.saturating_sub(span);
            if too_far || len > MAX_STEP_BYTES / rows.run {
                break;
            }
            span += reach.unsigned_abs();
            low += reach.min(0);
            rows = Job {
                run: rows.run * len,
                row: axis.scaled(runs.size),
                outer,
                ..rows
            };
        }
        Self {
            runs,
            rows,
            low,
            span,
        }
    }

    /// Returns `true` if each cell is a single run.
    pub(super) fn are_runs(&self) -> bool {
        self.rows.run == self.runs.run
    }

    /// Returns the maximum number of neighboring cells of a row that together have at most `MAX_STEP_BYTES` bytes and
    /// span at most `span` bytes.
    #[inline(always)]
    pub(super) fn max_cells_within(&self, span: usize) -> usize {
        let Some(reach) = span.checked_sub(self.span) else {
            return 0;
        };
        let StridedAxis { len, stride } = self.rows.row;
        let cells_in_span = reach / stride.unsigned_abs().max(1) + 1;
        (MAX_STEP_BYTES / self.rows.run).min(cells_in_span).min(len)
    }

    /// Returns the number of bytes from the lowest to the highest byte of `count` neighboring cells. `count` must not
    /// be 0.
    #[inline(always)]
    pub(super) fn span_of(&self, count: usize) -> usize {
        (count - 1) * self.rows.row.stride.unsigned_abs() + self.span
    }

    /// Returns `true` if a step of `count` cells costs no more than moving the runs one by one. `step_moves` is the
    /// cost of the step in moves.
    pub(super) fn step_pays_off(&self, count: usize, step_moves: usize) -> bool {
        let run = self.runs.run;
        moves_per_run(run) * count * self.rows.run / run >= step_moves
    }

    /// Returns `true` if 256-bit vectors gather these cells faster than 512-bit vectors do on a processor that moves
    /// 512-bit vectors in two halves.
    ///
    /// On Zen 4 and on Zen 5, which moves 512-bit vectors as a whole, the time with 256-bit vectors divided by the time
    /// with 512-bit vectors is:
    ///
    /// * for streamed cells with gaps that are at least as long as the cells: 0.87 to 1.00 on Zen 4, and up to 1.2 on
    ///   Zen 5;
    /// * for cells that are not streamed and consist of several runs, if each step copies only one cell: 0.83 to 0.93
    ///   on Zen 4, and up to 1.1 on Zen 5;
    /// * for all other cells: up to 1.25 on Zen 4.
    pub(super) fn prefer_narrow_vectors(&self, streams: bool) -> bool {
        match streams {
            true => 2 * self.rows.run <= self.rows.row.stride.unsigned_abs(),
            false => 2 * self.rows.run > MAX_STEP_BYTES && !self.are_runs(),
        }
    }

    /// Returns the offsets from the first run of a cell to each of its runs.
    #[inline(always)]
    fn run_offsets(&self) -> impl Iterator<Item = isize> {
        let Job {
            outer,
            size,
            row,
            run,
            ..
        } = self.runs;
        let inner = outer.get(self.rows.outer.len() + 1..).unwrap_or_default();
        let mut cursor = BlockCursor::new(0, inner, size, row);
        (0..self.rows.run / run).map(move |_| cursor.take(1).offset as isize)
    }
}

/// The byte moves of a step, which copies `cells` cells of `cell` bytes each from or to a window of `span` bytes.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The number of cells per step.
    pub(super) cells: usize,
    /// The number of bytes per cell.
    pub(super) cell: usize,
    /// The distance from one cell to the next, in bytes.
    pub(super) stride: isize,
    /// The offset from the first cell of a step, in output order, to the start of the window, in bytes. This offset is
    /// never positive.
    pub(super) low: isize,
    /// The length of the window in bytes. INVARIANT: at most `MAX_WINDOW_BYTES`.
    pub(super) span: usize,
    /// For each byte of a step in the dense buffer, its offset in the window. INVARIANT: every offset is less than
    /// `span`.
    pub(super) window_offsets: [u8; MAX_STEP_BYTES],
}

impl Table {
    /// Creates the table for steps of `count` cells. `count` must be at least 1 and at most
    /// `cells.max_cells_within(MAX_WINDOW_BYTES)`.
    #[inline(always)]
    pub(super) fn new(cells: &CellRows<'_>, count: usize) -> Self {
        let (cell, run, stride) = (cells.rows.run, cells.runs.run, cells.rows.row.stride);
        let low = cells.low + (stride * (count as isize - 1)).min(0);
        let mut first = [0; MAX_STEP_BYTES];
        for (offsets, from) in first[..cell].chunks_exact_mut(run).zip(cells.run_offsets()) {
            let offsets = offsets.iter_mut().enumerate();
            offsets.for_each(|(i, offset)| *offset = (from - low) as u8 + i as u8);
        }
        // The offsets of each cell are computed from the offsets of the first cell, so that no computation has to wait
        // for the previous one.
        let mut window_offsets = [0; MAX_STEP_BYTES];
        for (i, offsets) in window_offsets[..count * cell]
            .chunks_exact_mut(cell)
            .enumerate()
        {
            let ahead = (stride * i as isize) as u8;
            let offsets = offsets.iter_mut().zip(&first);
            offsets.for_each(|(offset, first)| *offset = first.wrapping_add(ahead));
        }
        let span = cells.span_of(count);
        debug_assert!(span <= MAX_WINDOW_BYTES && count * cell <= MAX_STEP_BYTES);
        debug_assert!(
            window_offsets[..count * cell]
                .iter()
                .all(|&offset| usize::from(offset) < span)
        );
        Self {
            cells: count,
            cell,
            stride,
            low,
            span,
            window_offsets,
        }
    }

    /// Returns the number of bytes that a step copies.
    #[inline]
    pub(super) fn bytes_per_step(&self) -> usize {
        self.cells * self.cell
    }

    /// Returns `true` if a byte of the window belongs to no cell. Also returns `true` if the cells have more bytes than
    /// the window, because gaps are then possible.
    pub(super) fn has_gaps(&self) -> bool {
        let out = self.bytes_per_step();
        if out != self.span {
            // If the cells have more bytes than the window, they overlap. They may then have no gaps, but overlapping
            // cells are too rare to be worth a closer check.
            return true;
        }
        // The cells of a broadcast or overlapping view may have as many bytes as the window and still leave gaps.
        let covered = self.window_offsets[..out]
            .iter()
            .fold(0_u64, |covered, &offset| covered | 1 << offset);
        covered.count_ones() as usize != out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::CopyPlan;

    /// Returns the table for an array of bytes whose axes have these lengths and strides, from the outermost to the
    /// innermost.
    fn table(axes: &[(usize, isize)]) -> Table {
        let axes = axes
            .iter()
            .map(|&(len, stride)| (0, StridedAxis { len, stride }));
        let plan = CopyPlan::from_reversed_axes(2, axes.rev(), 4096).unwrap();
        let cells = CellRows::new(Job::of_bytes(&plan, 1, true).unwrap());
        Table::new(&cells, cells.max_cells_within(MAX_WINDOW_BYTES))
    }

    #[test]
    fn windows_without_gaps_are_recognized() {
        assert!(!table(&[(7, 512), (3, -1)]).has_gaps());
        assert!(!table(&[(7, 512), (2, 1), (8, 2)]).has_gaps());
        assert!(table(&[(7, 512), (2, 15), (8, 1)]).has_gaps());
    }

    #[test]
    fn repeated_bytes_do_not_hide_gaps() {
        // Each cell consists of eight copies of the first byte and eight copies of the last byte of 16 bytes.
        assert!(table(&[(7, 512), (2, 15), (8, 0)]).has_gaps());
        // Each cell consists of the bytes 0, 1, 1, 2, 5, 6, 6 and 7 of eight bytes.
        assert!(table(&[(7, 512), (2, 5), (2, 1), (2, 1)]).has_gaps());
    }
}
