//! Patterns as byte shuffles.
//!
//! Where cells lie close together (every second element, three of four bytes, the same backwards), a *step* makes up to
//! 64 bytes of output out of a *window* of up to 256 bytes of input by moving bytes, and the next step does the same
//! moves on the next window. The table says where each byte comes from. It is made once per copy, in some tens of
//! nanoseconds.
//!
//! A step copies whole cells, so it may make fewer than 64 bytes. 64 are stored all the same, and what is too much is
//! overwritten by the next step; only where the output ends must a store end exactly.

use super::cells::Cells;

/// The most bytes that a step makes, and exactly those that it stores.
pub(super) const OUT: usize = 64;
/// The most bytes of a window.
pub(super) const WINDOW: usize = 256;

/// `cells` cells of `cell` bytes each, out of a window of `span` bytes.
#[derive(Clone, Debug)]
pub(in super::super) struct Table {
    /// Cells per step.
    pub(super) cells: usize,
    /// Bytes per cell.
    pub(super) cell: usize,
    /// Bytes from one cell to the next.
    pub(super) stride: isize,
    /// Bytes from the first cell of a step to its window, never positive.
    pub(super) low: isize,
    /// The length of the window, which begins and ends with a byte of a cell. INVARIANT: at most `WINDOW`.
    pub(super) span: usize,
    /// For each byte of the output its place in the window. INVARIANT: less than `span`.
    pub(super) places: [u8; OUT],
}

impl Table {
    /// The moves of `count` cells, which are as many as are [within](Cells::within) `OUT` and `WINDOW`, or fewer.
    #[inline(always)]
    pub(super) fn new(cells: &Cells<'_>, count: usize) -> Self {
        let (cell, run, stride) = (cells.size, cells.rows.run, cells.rows.row.stride);
        let low = cells.low + (stride * (count as isize - 1)).min(0);
        let mut first = [0; OUT];
        for (places, from) in first[..cell].chunks_exact_mut(run).zip(cells.runs()) {
            places
                .iter_mut()
                .enumerate()
                .for_each(|(i, place)| *place = (from - low) as u8 + i as u8);
        }
        // Each from the first cell, not from the one before: these need not wait for each other.
        let mut places = [0; OUT];
        for (i, places) in places[..count * cell].chunks_exact_mut(cell).enumerate() {
            let ahead = (stride * i as isize) as u8;
            places
                .iter_mut()
                .zip(&first)
                .for_each(|(place, first)| *place = first.wrapping_add(ahead));
        }
        Self {
            cells: count,
            cell,
            stride,
            low,
            span: cells.span_of(count),
            places,
        }
    }

    /// Bytes that a step makes.
    #[inline]
    pub(super) fn out(&self) -> usize {
        self.cells * self.cell
    }
}
