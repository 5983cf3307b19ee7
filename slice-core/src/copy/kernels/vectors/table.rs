//! Tables of byte moves that repeat.
//!
//! ```text
//! window  r g b · r g b · r g b · …    up to 256 bytes, which begin and end with a byte of a cell
//!         ↓ ↓ ↓   ↓ ↓ ↓   ↓ ↓ ↓        places = 0 1 2 4 5 6 8 9 10 …
//! out     r g b   r g b   r g b   …    up to 64 bytes
//! ```
//!
//! A *cell* is one run of a job, or all runs of a few short axes that fit into one vector of output and a few vectors
//! of input. Examples are three of four colour bytes, three of five floats, and a short row. A *step* copies as many
//! cells as fit, and the next step makes the same moves in the next window. A table is built once per copy, which takes
//! a few tens of nanoseconds.

use super::super::super::cursor::BlockCursor;
use super::super::super::job::Job;
use crate::resolve::strided::Dim;

/// The maximum number of bytes that a step copies.
pub(super) const MAX_STEP_BYTES: usize = 64;
/// The maximum length of a window, in bytes.
pub(super) const MAX_WINDOW_BYTES: usize = 256;

/// The minimum length of a row that is copied in many steps, in cells.
pub(super) const MIN_LONG_ROW_CELLS: usize = 64;

/// Returns the number of moves that copy a run of this length. A run of a register's size takes one move.
pub(super) fn moves_per_run(run: usize) -> usize {
    match run {
        1 | 2 | 4 | 8 | 16 => 1,
        0..=32 => 2,
        _ => 4,
    }
}

/// Rows of cells at a constant distance.
pub(super) struct CellRows<'a> {
    /// The runs that make up the cells.
    runs: Job<'a>,
    /// The job with cells in place of runs.
    pub(super) rows: Job<'a>,
    /// The offset from the first byte of a cell to its lowest byte, which is never positive.
    low: isize,
    /// The number of bytes from the lowest byte of a cell to its highest byte.
    span: usize,
}

impl<'a> CellRows<'a> {
    /// Merges the runs of whole rows into cells, as long as a cell has at most `MAX_STEP_BYTES` bytes within
    /// `MAX_WINDOW_BYTES`.
    #[inline(always)]
    pub(super) fn new(runs: Job<'a>) -> Self {
        let (mut rows, mut low, mut span) = (runs, 0, runs.run);
        while let Some((axis, outer)) = rows.outer.split_last() {
            let Dim { len, stride } = rows.row;
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

    /// Returns the number of neighbouring cells that have at most `MAX_STEP_BYTES` bytes and span at most `span` bytes.
    #[inline(always)]
    pub(super) fn within(&self, span: usize) -> usize {
        let Some(reach) = span.checked_sub(self.span) else {
            return 0;
        };
        let Dim { len, stride } = self.rows.row;
        let near = reach / stride.unsigned_abs().max(1) + 1;
        (MAX_STEP_BYTES / self.rows.run).min(near).min(len)
    }

    /// Returns the number of bytes from the lowest to the highest byte of `count` neighbouring cells. `count` must not
    /// be 0.
    #[inline(always)]
    pub(super) fn span_of(&self, count: usize) -> usize {
        (count - 1) * self.rows.row.stride.unsigned_abs() + self.span
    }

    /// Returns `true` if a step of `count` cells costs no more than moving the runs one by one. `price` is the cost of
    /// the step in moves. A run of a register's size takes one move, and any other run takes two or more.
    pub(super) fn are_worth(&self, count: usize, price: usize) -> bool {
        let run = self.runs.run;
        moves_per_run(run) * count * self.rows.run / run >= price
    }

    /// Returns `true` if vectors of 256 bits gather these cells faster than vectors of 512 bits that the processor
    /// moves in two halves.
    ///
    /// Measured on Zen 4: streamed cells with gaps at least as long as the cells take 0.87 to 1.00 of the time, and
    /// cells of several runs that fill a step take 0.83 to 0.93 of the time. All other cells take up to 1.25 times as
    /// long. On Zen 5, which moves whole vectors, the first two sorts of cells take up to 1.2 and 1.1 times as long.
    pub(super) fn prefer_narrow_vectors(&self, streams: bool) -> bool {
        match streams {
            true => 2 * self.rows.run <= self.rows.row.stride.unsigned_abs(),
            false => 2 * self.rows.run > MAX_STEP_BYTES && !self.are_runs(),
        }
    }

    /// Returns the offsets from the first run of a cell to each of its runs.
    #[inline(always)]
    fn runs(&self) -> impl Iterator<Item = isize> {
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

/// The moves of `cells` cells of `cell` bytes each, out of a window of `span` bytes.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The number of cells per step.
    pub(super) cells: usize,
    /// The number of bytes per cell.
    pub(super) cell: usize,
    /// The distance from one cell to the next, in bytes.
    pub(super) stride: isize,
    /// The offset from the first cell of a step to its window, which is never positive.
    pub(super) low: isize,
    /// The length of the window in bytes. INVARIANT: at most `MAX_WINDOW_BYTES`.
    pub(super) span: usize,
    /// The place in the window of each output byte. INVARIANT: every place is less than `span`.
    pub(super) places: [u8; MAX_STEP_BYTES],
}

impl Table {
    /// Returns the moves of `count` cells. `count` must not exceed [`CellRows::within`] for `MAX_WINDOW_BYTES`.
    #[inline(always)]
    pub(super) fn new(cells: &CellRows<'_>, count: usize) -> Self {
        let (cell, run, stride) = (cells.rows.run, cells.runs.run, cells.rows.row.stride);
        let low = cells.low + (stride * (count as isize - 1)).min(0);
        let mut first = [0; MAX_STEP_BYTES];
        for (places, from) in first[..cell].chunks_exact_mut(run).zip(cells.runs()) {
            let places = places.iter_mut().enumerate();
            places.for_each(|(i, place)| *place = (from - low) as u8 + i as u8);
        }
        // The places of each cell are computed from the first cell, so that no computation waits for the previous one.
        let mut places = [0; MAX_STEP_BYTES];
        for (i, places) in places[..count * cell].chunks_exact_mut(cell).enumerate() {
            let ahead = (stride * i as isize) as u8;
            let places = places.iter_mut().zip(&first);
            places.for_each(|(place, first)| *place = first.wrapping_add(ahead));
        }
        let span = cells.span_of(count);
        debug_assert!(span <= MAX_WINDOW_BYTES && count * cell <= MAX_STEP_BYTES);
        debug_assert!(
            places[..count * cell]
                .iter()
                .all(|&place| usize::from(place) < span)
        );
        Self {
            cells: count,
            cell,
            stride,
            low,
            span,
            places,
        }
    }

    /// Returns the number of bytes that a step copies.
    #[inline]
    pub(super) fn out(&self) -> usize {
        self.cells * self.cell
    }

    /// Returns `true` if there are gaps between the cells of a window.
    pub(super) fn has_gaps(&self) -> bool {
        self.out() != self.span
    }
}
