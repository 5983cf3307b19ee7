//! Rows of steps, for every instruction set that can shuffle bytes, in either direction.
//!
//! ```text
//! row    ├─ step ─┼─ step ─┼─ step ─┤
//!                              ├─ step ─┤   the last one ends where the row does, and repeats some cells
//! ```
//!
//! A gather may write a whole vector where a step makes fewer bytes: the next step overwrites what is too much. Only in
//! the last rows of the output, where a vector would reach beyond it, steps go through a small buffer.
//!
//! The processor's own prefetching follows one direction. Where rows are walked backwards but follow each other
//! forwards it guesses wrong at the end of every row; there, each step asks for its place in the next row.

use super::super::super::cursor::Cursor;
use super::super::super::job::Byte;
use super::super::moves::{Direction, prefetch};
use super::super::{Dense, streamed};
#[cfg(target_arch = "x86_64")]
use super::line::Line;
use super::table::{OUT, Table};
#[cfg(target_arch = "x86_64")]
use super::tile::Tile;
use super::{AHEAD, LINE};
use core::mem::MaybeUninit;

/// One step in the instructions of some processor.
pub(super) trait Step {
    /// The direction in which it copies.
    type Direction: Direction;
    /// Whether it writes `OUT` bytes of the dense buffer although it copies fewer, as only a gather can.
    const OVERHANGS: bool;
    /// Copies the cells of the window at `window` from or to `dense`.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions.
    /// * What the step touches of the window, and of the bytes at `dense`, can be read and written.
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte);
}

/// Copies the cells that come next.
///
/// # Safety
///
/// * The processor has the instructions of `step`.
/// * `step` copies what `table` says.
/// * `cursor` walks the cells of the pattern that `table` was made for, and what the step touches of their windows,
///   counted from `strided`, can be read or, to scatter, written.
/// * The bytes of `dense` can be written or, to scatter, read; the two sides do not overlap.
#[inline(always)]
pub(super) unsafe fn copy<S: Step>(
    table: &Table,
    step: &S,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    let ask = match cursor.row_distance() {
        // What is written in memory is read before that.
        _ if S::Direction::SCATTERS && dense.total >= streamed() => match table.stride < 0 {
            true => -AHEAD,
            false => AHEAD,
        },
        distance if table.stride < 0 && distance > 0 => distance,
        _ => 0,
    };
    let mut left = dense.total;
    while left > 0 {
        let len = dense.len.min(left);
        // SAFETY: as many of the cells that come next as there are in the dense buffer.
        unsafe { copy_once(table, step, ask, cursor, strided, dense.start, len) };
        left -= len;
    }
}

/// [`copy`], of `len` bytes; each step asks for what is `ask` bytes ahead, if that is not 0.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn copy_once<S: Step>(
    table: &Table,
    step: &S,
    ask: isize,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    mut dense: *mut Byte,
    len: usize,
) {
    let mut room = len;
    while room > 0 {
        let block = cursor.take(room / table.cell);
        let window = strided
            .wrapping_add(block.offset)
            .wrapping_offset(table.low);
        let row_bytes = block.cells * table.cell;
        match block.cells.checked_sub(table.cells) {
            // SAFETY: all of these bytes belong to cells.
            None => unsafe { bytewise::<S>(table, window, dense, block.cells) },
            Some(last) => {
                let mut row = Row {
                    last,
                    distance: cursor.row_distance(),
                    window,
                    dense,
                };
                // What is written too much may reach into the rest of the output, which is not written yet.
                let touched = if S::OVERHANGS { OUT } else { table.out() };
                let mut fast = block.rows;
                while fast > 0 && (fast - 1) * row_bytes + last * table.cell + touched > room {
                    fast -= 1;
                }
                for _ in 0..fast {
                    // SAFETY: the processor has the instructions; windows are those of cells of this block; what is
                    // touched of `dense` in the `fast` first rows ends before `room`.
                    unsafe { row.copy(table, step, ask) };
                }
                for i in fast..block.rows {
                    // SAFETY: the processor has the instructions; windows are those of cells of this block; `room` is what
                    // there is from this row on.
                    unsafe { row.copy_within(table, step, room - i * row_bytes) };
                }
            }
        }
        dense = dense.wrapping_add(block.rows * row_bytes);
        room -= block.rows * row_bytes;
    }
}

/// A row that is to be copied.
struct Row {
    /// The cell at which the last step begins.
    last: usize,
    /// From this row to the next.
    distance: isize,
    /// The first window.
    window: *mut Byte,
    /// Its cells in the dense buffer.
    dense: *mut Byte,
}

impl Row {
    /// Copies the row, and goes on to the next; each step asks for what is `ask` bytes ahead, if that is not 0.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`] hold for every step.
    #[inline(always)]
    unsafe fn copy(&mut self, table: &Table, step: &impl Step, ask: isize) {
        // Whole steps before the last one, which need not be whole steps away from the first.
        let steps = self.last.div_ceil(table.cells);
        if ask != 0 {
            // SAFETY: these are steps of the row.
            unsafe { self.copy_steps::<true>(table, step, steps, ask) };
        } else {
            // SAFETY: these are steps of the row.
            unsafe { self.copy_steps::<false>(table, step, steps, 0) };
        }
        let (window, dense) = self.at(table, self.last);
        // SAFETY: this is the last step of the row.
        unsafe { step.copy(window, dense) };
        self.go_on(table);
    }

    /// Copies the first `steps` steps.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`] hold for these steps.
    #[inline(always)]
    unsafe fn copy_steps<const ASK: bool>(
        &self,
        table: &Table,
        step: &impl Step,
        steps: usize,
        ask: isize,
    ) {
        let (mut window, mut dense) = (self.window, self.dense);
        let far = table.stride * table.cells as isize;
        for _ in 0..steps {
            if ASK {
                for line in (0..far.unsigned_abs()).step_by(LINE) {
                    prefetch(window.wrapping_offset(ask).wrapping_add(line));
                }
            }
            // SAFETY: the caller vouches for these steps.
            unsafe { step.copy(window, dense) };
            window = window.wrapping_offset(far);
            dense = dense.wrapping_add(table.out());
        }
    }

    /// Copies the row, of which and after which only `room` bytes of the dense buffer are left, and goes on.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`], except for the length of the dense buffer, hold for every step.
    #[inline(always)]
    unsafe fn copy_within(&mut self, table: &Table, step: &impl Step, room: usize) {
        let fitting = room
            .checked_sub(OUT)
            .map_or(0, |room| room / table.out() + 1);
        let steps = self.last.div_ceil(table.cells).min(fitting);
        // SAFETY: the `fitting` first steps end before `room`.
        unsafe { self.copy_steps::<false>(table, step, steps, 0) };
        let mut cell = steps * table.cells;
        while cell < self.last + table.cells {
            let mut made = [MaybeUninit::uninit(); OUT];
            let (window, dense) = self.at(table, cell.min(self.last));
            // SAFETY: the window is that of cells of the row; `made` has room for any step.
            unsafe { step.copy(window, made.as_mut_ptr()) };
            // SAFETY: these are the bytes of the step's cells, which are part of the row.
            unsafe { dense.copy_from_nonoverlapping(made.as_ptr(), table.out()) };
            cell += table.cells;
        }
        self.go_on(table);
    }

    /// The window of a step that begins at `cell`, and its cells in the dense buffer.
    #[inline(always)]
    fn at(&self, table: &Table, cell: usize) -> (*mut Byte, *mut Byte) {
        (
            self.window.wrapping_offset(table.stride * cell as isize),
            self.dense.wrapping_add(cell * table.cell),
        )
    }

    #[inline(always)]
    fn go_on(&mut self, table: &Table) {
        self.window = self.window.wrapping_offset(self.distance);
        self.dense = self
            .dense
            .wrapping_add((self.last + table.cells) * table.cell);
    }
}

/// Copies the first `cells` cells of a step.
///
/// # Safety
///
/// Their bytes can be read on one side and written on the other.
#[cold]
#[inline(never)]
unsafe fn bytewise<S: Step>(table: &Table, window: *mut Byte, dense: *mut Byte, cells: usize) {
    // The window of a whole step of cells that run downwards begins below that of a few.
    for (i, &place) in table.places[..cells * table.cell].iter().enumerate() {
        let strided = window.wrapping_add(usize::from(place));
        // SAFETY: the byte belongs to a cell.
        unsafe { S::Direction::copy(strided, dense.wrapping_add(i), 1) };
    }
}

/// Gathers the cells that come next past the caches.
///
/// # Safety
///
/// * As [`copy`].
/// * The processor has the instructions of the line.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn stream<L: Line, S: Step>(
    table: &Table,
    step: &S,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    debug_assert!(S::OVERHANGS && dense.len == dense.total);
    let mut tile = Tile::new(dense.start);
    let mut left = dense.len / table.cell;
    while left > 0 {
        let block = cursor.take(left);
        left -= block.rows * block.cells;
        let mut first = strided
            .wrapping_add(block.offset)
            .wrapping_offset(table.low);
        for _ in 0..block.rows {
            // SAFETY: the row has the cells of this block, which are part of the output.
            unsafe { stream_row::<L, S>(table, step, first, block.cells, &mut tile) };
            first = first.wrapping_offset(cursor.row_distance());
        }
    }
    // SAFETY: all bytes that were made are those of cells.
    unsafe { tile.finish::<L>() };
}

/// Gathers a row of `cells` cells, the first step of which has its window at `window`.
///
/// # Safety
///
/// As [`stream`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn stream_row<L: Line, S: Step>(
    table: &Table,
    step: &S,
    mut window: *mut Byte,
    cells: usize,
    tile: &mut Tile,
) {
    let Some(last) = cells.checked_sub(table.cells) else {
        // SAFETY: all of these bytes belong to cells, and are fewer than those of a step.
        unsafe { bytewise::<S>(table, window, tile.next(), cells) };
        // SAFETY: they are part of the output.
        return unsafe { tile.advance::<L>(cells * table.cell) };
    };
    let end = window.wrapping_offset(table.stride * last as isize);
    let mut steps = last.div_ceil(table.cells);
    // What the last step does again.
    let again = (steps * table.cells - last) * table.cell;
    let far = table.stride * table.cells as isize;
    let ask = if far < 0 { -AHEAD } else { AHEAD };
    while steps > 0 {
        let now = steps.min(tile.steps(table.out()));
        let mut made = tile.next();
        for _ in 0..now {
            for line in (0..far.unsigned_abs()).step_by(LINE) {
                prefetch(window.wrapping_offset(ask).wrapping_add(line));
            }
            // SAFETY: the windows are those of cells of the row; the tile has room for these steps.
            unsafe { step.copy(window, made) };
            window = window.wrapping_offset(far);
            made = made.wrapping_add(table.out());
        }
        // SAFETY: what was made is part of the output.
        unsafe { tile.advance::<L>(now * table.out()) };
        steps -= now;
    }
    let made = tile.next().wrapping_sub(again);
    // SAFETY: `again` is less than a line, and so much of what was written is still in the tile.
    unsafe { step.copy(end, made) };
    // SAFETY: what was made is part of the output.
    unsafe { tile.advance::<L>(table.out() - again) };
}
