//! Copies rows of cells in steps, in either direction.
//!
//! ```text
//! row    ├─ step ─┼─ step ─┼─ step ─┤
//!                              ├─ step ─┤   the last one ends where the row does, and repeats some cells
//! ```
//!
//! A gather writes a whole vector even if a step copies fewer bytes. The next step overwrites the excess. The last cells
//! of an output have no next step, so they go through a small buffer. Outputs beyond the caches go through a
//! [tile](super::tile).

use super::super::super::cursor::{Block, BlockCursor};
use super::super::super::job::Byte;
use super::super::super::tuning::SHUFFLE_PREFETCH_DISTANCE_BYTES;
use super::super::buffers::Buffers;
use super::super::direction::Direction;
use super::super::prefetch::prefetch;
use super::prefetch_offsets::PrefetchOffsets;
use super::shuffle::{Lanes, Shuffle};
use super::table::{MAX_STEP_BYTES, Table};
use super::tile::{STREAM_TILE_BYTES, Tile};
use super::vector::{CACHE_LINE_BYTES, Vector};
use core::mem::MaybeUninit;

/// Copies the next cells. A gather writes past the caches if `streams` is true.
///
/// # Safety
///
/// * `cursor` returns the cells for which `lanes` were built, with offsets from `strided`. `lanes` were built for
///   vectors of this shape. The cells can be read or, in a scatter, written.
/// * All `whole` bytes can be read or written as well, if `lanes` may access gaps.
/// * The bytes of `dense` can be written or, in a scatter, read. The two buffers do not overlap.
/// * The processor has the instructions of the vector.
#[inline(always)]
pub(in super::super) unsafe fn copy<D: Direction, V: Vector, const LOADS: usize>(
    lanes: &Lanes,
    streams: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    let table = &lanes.table;
    // The address after the last byte that may be accessed.
    let end = match buffers.whole {
        0 => 0,
        whole => buffers.strided.addr() + whole,
    };
    let mut rows = Rows {
        table,
        // SAFETY: the caller guarantees that the processor has the instructions.
        step: unsafe { Shuffle::<D, V, LOADS>::new(lanes, end) },
        distance: cursor.row_distance(),
        strided: buffers.strided,
        offsets: PrefetchOffsets::new(
            SHUFFLE_PREFETCH_DISTANCE_BYTES.get(),
            cursor.row_len() * table.stride.unsigned_abs(),
            cursor.row_distance(),
            table.stride.signum(),
        ),
    };
    // This order of the conditions keeps `stream` out of a compiled scatter. `stream` is as much code as `store`.
    if !D::SCATTERS && streams {
        // SAFETY: these are the next cells, and they fill `dense`.
        return unsafe { rows.stream(cursor, buffers) };
    }
    // SAFETY: these are the next cells, and they fill `dense`.
    unsafe { rows.store(cursor, buffers) };
}

/// Rows of cells in a strided buffer.
struct Rows<'a, S> {
    table: &'a Table,
    step: S,
    /// The distance from one row to the next.
    distance: isize,
    /// The address from which the offsets of cells are counted.
    strided: *mut Byte,
    offsets: PrefetchOffsets,
}

/// # Safety
///
/// All methods have the requirements of [`copy`], for the cells that they copy and the places of these cells in the
/// dense buffer.
impl<D: Direction, V: Vector, const LOADS: usize> Rows<'_, Shuffle<D, V, LOADS>> {
    /// Copies with ordinary stores.
    #[inline(always)]
    unsafe fn store(&mut self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        let table = self.table;
        // The number of last cells that go through a buffer: at least `MAX_STEP_BYTES` bytes, and whole rows if the
        // rows are short.
        let row = cursor.row_len() * table.cell;
        let rest = match row <= 2 * MAX_STEP_BYTES {
            _ if D::SCATTERS || table.out() == MAX_STEP_BYTES => 0,
            true => MAX_STEP_BYTES.div_ceil(row) * cursor.row_len(),
            false => MAX_STEP_BYTES.div_ceil(table.cell),
        };
        let mut total = buffers.total / table.cell;
        while total > 0 {
            let cells = total.min(buffers.len / table.cell);
            total -= cells;
            let rest = rest.min(cells);
            let place = buffers.dense.wrapping_add((cells - rest) * table.cell);
            let mut made = [MaybeUninit::uninit(); 4 * MAX_STEP_BYTES];
            debug_assert!(rest * table.cell + MAX_STEP_BYTES <= made.len());
            for (mut left, mut dense) in [(cells - rest, buffers.dense), (rest, made.as_mut_ptr())]
            {
                while left > 0 {
                    let into = cursor.done() * table.stride.unsigned_abs();
                    let block = cursor.take(left);
                    left -= block.rows * block.cells;
                    // SAFETY: these are the next cells. The `MAX_STEP_BYTES` bytes after their places in `dense` are
                    // written later or not used.
                    unsafe { self.copy_block::<false>(block, into, dense) };
                    dense = dense.wrapping_add(block.rows * block.cells * table.cell);
                }
            }
            if rest > 0 {
                // SAFETY: these are the bytes of the last cells.
                unsafe { place.copy_from_nonoverlapping(made.as_ptr(), rest * table.cell) };
            }
        }
    }

    /// Gathers with streaming stores.
    #[inline(always)]
    unsafe fn stream(&mut self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        let table = self.table;
        debug_assert!(!D::SCATTERS && buffers.len == buffers.total);
        let row = cursor.row_len() * table.cell;
        // The tile holds whole rows if they fit, and otherwise whole steps.
        let most = match row <= STREAM_TILE_BYTES / 2 {
            true => STREAM_TILE_BYTES / row * cursor.row_len(),
            false => STREAM_TILE_BYTES / table.out() * table.cells,
        };
        let mut tile = Tile::new(buffers.dense);
        let mut left = buffers.len / table.cell;
        while left > 0 {
            let into = cursor.done() * table.stride.unsigned_abs();
            let block = cursor.take(most.min(left));
            let cells = block.rows * block.cells;
            left -= cells;
            // SAFETY: these are the next cells. The tile has room for them and for the excess of a step.
            unsafe { self.copy_block::<true>(block, into, tile.next()) };
            // SAFETY: these are the bytes of the copied cells.
            unsafe { tile.advance::<V>(cells * table.cell) };
        }
        // SAFETY: the caller guarantees that the processor has the instructions.
        unsafe { tile.finish::<V>() };
    }

    /// Copies the rows of a block whose first cell is `into` bytes from the start of its row. If `PREFETCH` is true, each step
    /// prefetches. Measured on Zen 5: prefetching makes a scatter take up to 1.5 times as long.
    #[inline(always)]
    unsafe fn copy_block<const PREFETCH: bool>(
        &mut self,
        block: Block,
        into: usize,
        mut dense: *mut Byte,
    ) {
        let Table {
            cells,
            cell,
            stride,
            low,
            ..
        } = *self.table;
        let mut window = self.strided.wrapping_add(block.offset).wrapping_offset(low);
        let Some(last) = block.cells.checked_sub(cells) else {
            for _ in 0..block.rows {
                // SAFETY: all of these bytes belong to cells.
                unsafe { bytewise::<D>(self.table, window, dense, block.cells) };
                window = window.wrapping_offset(self.distance);
                dense = dense.wrapping_add(block.cells * cell);
            }
            return;
        };
        // The number of whole steps before the last step. The last step ends with the row, and may overlap the step
        // before it.
        let steps = last.div_ceil(cells);
        let far = stride * cells as isize;
        for _ in 0..block.rows {
            let mut place = (window, dense);
            let (mut whole, mut rest) = (steps, 0);
            if Shuffle::<D, V, LOADS>::MAY_REACH_BEYOND {
                let [before, fits, after] = self.step.split(window, far, steps);
                (whole, rest) = (fits, after);
                if before > 0 {
                    // SAFETY: these are the first steps of the row.
                    place = unsafe { self.steps::<false, false>(place, before, 0) };
                }
            }
            if PREFETCH {
                // The number of steps in the head of the row.
                let bytes = self.offsets.head_bytes.saturating_sub(into);
                let first = match far.unsigned_abs() {
                    far if far * whole <= bytes => whole,
                    far => bytes.div_ceil(far),
                };
                let PrefetchOffsets { head, tail, .. } = self.offsets;
                for (steps, offset) in [(first, head), (whole - first, tail)] {
                    // SAFETY: these are the next steps of the row, whose windows are whole.
                    place = unsafe { self.steps::<true, true>(place, steps, offset) };
                }
            } else {
                // SAFETY: these are the next steps of the row, whose windows are whole.
                place = unsafe { self.steps::<true, false>(place, whole, 0) };
            }
            let end = window.wrapping_offset(stride * last as isize);
            let dense_end = dense.wrapping_add(last * cell);
            let mut is_whole = true;
            if Shuffle::<D, V, LOADS>::MAY_REACH_BEYOND {
                if rest > 0 {
                    // SAFETY: these are the next steps of the row.
                    unsafe { self.steps::<false, false>(place, rest, 0) };
                }
                is_whole = self.step.is_whole(end);
                if !is_whole {
                    // SAFETY: this is the last step of the row.
                    unsafe { self.step.copy::<false>(end, dense_end) };
                }
            }
            if is_whole {
                // SAFETY: this is the last step of the row, whose window is whole.
                unsafe { self.step.copy::<true>(end, dense_end) };
            }
            window = window.wrapping_offset(self.distance);
            dense = dense_end.wrapping_add(cells * cell);
        }
    }

    /// Copies `steps` steps of a row, and prefetches at `prefetch_offset` if `PREFETCH` is true. Returns the place of
    /// the next step.
    #[inline(always)]
    unsafe fn steps<const WHOLE: bool, const PREFETCH: bool>(
        &self,
        (mut window, mut dense): (*mut Byte, *mut Byte),
        steps: usize,
        prefetch_offset: isize,
    ) -> (*mut Byte, *mut Byte) {
        let (step, out) = (self.step, self.table.out());
        let far = self.table.stride * self.table.cells as isize;
        for _ in 0..steps {
            if PREFETCH {
                for line in (0..far.unsigned_abs()).step_by(CACHE_LINE_BYTES) {
                    prefetch(window.wrapping_offset(prefetch_offset).wrapping_add(line));
                }
            }
            // SAFETY: these are the cells of a step, whose window is whole if `WHOLE`.
            unsafe { step.copy::<WHOLE>(window, dense) };
            window = window.wrapping_offset(far);
            dense = dense.wrapping_add(out);
        }
        (window, dense)
    }
}

/// Copies the first `cells` cells of a step.
///
/// # Safety
///
/// * The bytes of these cells can be read on one side and written on the other.
#[cold]
#[inline(never)]
unsafe fn bytewise<D: Direction>(table: &Table, window: *mut Byte, dense: *mut Byte, cells: usize) {
    // Places are relative to the window of a whole step. With a negative stride, that window begins before these cells.
    for (i, &place) in table.places[..cells * table.cell].iter().enumerate() {
        let strided = window.wrapping_add(usize::from(place));
        // SAFETY: this byte belongs to a cell.
        unsafe { D::copy(strided, dense.wrapping_add(i), 1) };
    }
}
