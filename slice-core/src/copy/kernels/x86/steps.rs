//! Rows of byte shuffles, for any instruction set that can shuffle, in either direction.
//!
//! A row is copied in whole steps. What remains is copied by one more whole step, which ends where the row ends and so
//! repeats some of what the one before it did. In the last rows, where a step would reach beyond the dense buffer, it
//! goes through a small one instead.
//!
//! The processor's own prefetching follows one direction. Where rows are walked backwards but follow each other
//! forwards it guesses wrong at the end of every row; there, each step asks for its place in the next row.

use super::super::super::bytes::Byte;
use super::super::super::cursor::Cursor;
use super::super::exact::{self, Direction};
use super::super::portable::prefetch;
use super::line::{LINE, Line, ahead};
use super::table::{OUT, Table};
use super::tile::Tile;
use core::mem::MaybeUninit;

/// One step in the instructions of some processor.
pub(super) trait Step {
    /// The direction in which it copies.
    type Direction: Direction;
    /// Whether it touches `OUT` bytes of the dense buffer although it copies fewer: it is then a gather, and what it
    /// writes too much is of no meaning.
    const OVERHANGS: bool;
    /// Copies the cells of the window at `window` from or to `dense`.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions.
    /// * The window can be read or, to scatter, its cells can be written.
    /// * What the step touches of `dense` can be written or, to scatter, read.
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte);
}

/// Gathers the cells that come next, as many as `len` bytes of them, past the caches.
///
/// # Safety
///
/// As [`copy`]; the processor has the instructions of the line.
#[inline(always)]
pub(super) unsafe fn stream<L: Line, S: Step<Direction = exact::Gather>>(
    table: &Table,
    step: &S,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: *mut Byte,
    len: usize,
) {
    let mut tile = Tile::new(dense);
    let mut left = len / table.cell;
    while left > 0 {
        let block = cursor.take(left);
        left -= block.rows * block.cells;
        let mut first = strided
            .wrapping_add(block.offset)
            .wrapping_offset(table.low);
        for _ in 0..block.rows {
            // SAFETY: by the contract; the row has the cells of this block, which are part of the output.
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
#[inline(always)]
unsafe fn stream_row<L: Line, S: Step<Direction = exact::Gather>>(
    table: &Table,
    step: &S,
    mut window: *mut Byte,
    cells: usize,
    tile: &mut Tile,
) {
    let Some(last) = cells.checked_sub(table.cells) else {
        let bytes = cells * table.cell;
        // SAFETY: all of these bytes belong to cells, and are fewer than those of a step.
        unsafe { bytewise::<S::Direction>(table, window, tile.next(), bytes) };
        // SAFETY: by the contract.
        return unsafe { tile.advance::<L>(bytes) };
    };
    let end = window.wrapping_offset(table.stride * last as isize);
    let mut steps = last.div_ceil(table.cells);
    // What the last step does again.
    let again = (steps * table.cells - last) * table.cell;
    let far = table.stride * table.cells as isize;
    while steps > 0 {
        let now = steps.min(tile.steps(table.out()));
        let mut made = tile.next();
        for _ in 0..now {
            for line in (0..far.unsigned_abs()).step_by(LINE) {
                prefetch(ahead(window, far).wrapping_add(line));
            }
            // SAFETY: the processor has the instructions; the windows are those of cells of the row; the tile has room
            // for these steps.
            unsafe { step.copy(window, made) };
            window = window.wrapping_offset(far);
            made = made.wrapping_add(table.out());
        }
        // SAFETY: by the contract.
        unsafe { tile.advance::<L>(now * table.out()) };
        steps -= now;
    }
    let made = tile.next().wrapping_sub(again);
    // SAFETY: as above; `again` is less than a line, and so much of what was written is still in the tile.
    unsafe { step.copy(end, made) };
    // SAFETY: by the contract.
    unsafe { tile.advance::<L>(table.out() - again) };
}

/// Copies the cells that come next, as many as `len` bytes of them.
///
/// # Safety
///
/// * The processor has the instructions of `step`.
/// * `step` copies what `table` says, and touches nothing outside the window or, to scatter, the cells in it.
/// * `cursor` walks the cells of the pattern that `table` was made for, and the windows of all of them, counted from
///   `strided`, can be read or, to scatter, the cells can be written.
/// * The `len` bytes at `dense`, which are whole cells, can be written or, to scatter, read.
#[inline(always)]
pub(super) unsafe fn copy<S: Step>(
    table: &Table,
    step: &S,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    mut dense: *mut Byte,
    len: usize,
) {
    let prefetch = table.stride < 0 && cursor.row_distance() > 0;
    let mut room = len;
    while room > 0 {
        let block = cursor.take(room / table.cell);
        let window = strided
            .wrapping_add(block.offset)
            .wrapping_offset(table.low);
        let row_bytes = block.cells * table.cell;
        match block.cells.checked_sub(table.cells) {
            // SAFETY: all of these bytes belong to cells.
            None => unsafe { bytewise::<S::Direction>(table, window, dense, row_bytes) },
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
                    unsafe { row.copy(table, step, prefetch) };
                }
                for i in fast..block.rows {
                    // SAFETY: as above, except that `room`, which is that of this row, may be too little.
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
    /// Copies the row, and goes on to the next.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`] hold for every step.
    #[inline(always)]
    unsafe fn copy(&mut self, table: &Table, step: &impl Step, prefetch: bool) {
        // Whole steps before the last one, which need not be whole steps away from the first.
        let steps = self.last.div_ceil(table.cells);
        if prefetch {
            // SAFETY: by the contract.
            unsafe { self.copy_steps::<true>(table, step, steps) };
        } else {
            // SAFETY: by the contract.
            unsafe { self.copy_steps::<false>(table, step, steps) };
        }
        let (window, dense) = self.at(table, self.last);
        // SAFETY: by the contract.
        unsafe { step.copy(window, dense) };
        self.go_on(table);
    }

    /// Copies the first `steps` steps.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`] hold for these steps.
    #[inline(always)]
    unsafe fn copy_steps<const PREFETCH: bool>(
        &self,
        table: &Table,
        step: &impl Step,
        steps: usize,
    ) {
        let (mut window, mut dense) = (self.window, self.dense);
        for _ in 0..steps {
            if PREFETCH {
                prefetch(window.wrapping_offset(self.distance));
            }
            // SAFETY: by the contract.
            unsafe { step.copy(window, dense) };
            window = window.wrapping_offset(table.stride * table.cells as isize);
            dense = dense.wrapping_add(table.out());
        }
    }

    /// Copies the row, of which and behind which only `room` bytes of the dense buffer are left, and goes on.
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
        // SAFETY: by the contract; the `fitting` first steps end before `room`.
        unsafe { self.copy_steps::<false>(table, step, steps) };
        let mut cell = steps * table.cells;
        while cell < self.last + table.cells {
            let mut made = [MaybeUninit::uninit(); OUT];
            let (window, dense) = self.at(table, cell.min(self.last));
            // SAFETY: by the contract; the buffer is long enough for any step.
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

/// Copies the first `bytes` bytes of a step.
///
/// # Safety
///
/// These bytes can be read on one side and written on the other.
#[cold]
unsafe fn bytewise<D: Direction>(table: &Table, window: *mut Byte, dense: *mut Byte, bytes: usize) {
    for (i, &place) in table.places[..bytes].iter().enumerate() {
        // SAFETY: by the contract.
        unsafe {
            D::copy(
                window.wrapping_add(usize::from(place)),
                dense.wrapping_add(i),
                1,
            )
        };
    }
}
