//! Gathers or scatters rows of cells. Each *step* copies a fixed number of cells. See [`table`](super::table) for the
//! terms.
//!
//! ```text
//! row    ├─ step ─┼─ step ─┼─ step ─┤
//!                              ├─ step ─┤   the last step ends with the row, and copies some cells again
//! ```
//!
//! Each step of a gather writes 64 bytes, even if its cells have fewer bytes. The next step overwrites the excess
//! bytes. No step follows the last cells of an output, so these cells are first gathered into a small buffer. Outputs
//! that are written with streaming stores, which do not fill the caches, are first gathered into a [tile](super::tile).
//!
//! A window is *whole* if ordinary loads may read all of it, including the gaps between its cells. A gather reads all
//! other windows with masked loads (see [`Shuffle::is_whole`]).

use super::super::super::cursor::{Block, BlockCursor};
use super::super::super::job::Byte;
use super::super::super::tuning::SHUFFLE_PREFETCH_DISTANCE_BYTES;
use super::super::buffers::Buffers;
use super::super::direction::Direction;
use super::super::prefetch::{CACHE_LINE_BYTES, prefetch};
use super::prefetch_offsets::PrefetchOffsets;
use super::shuffle::{Lanes, Shuffle};
use super::table::{MAX_STEP_BYTES, Table};
use super::tile::{MAX_STREAM_TILE_BYTES, Tile};
use super::vector::Vector;
use core::mem::MaybeUninit;

/// Copies the cells that `cursor` returns next, `buffers.total` bytes in all. If `streams` is true, a gather writes the
/// output with streaming stores.
///
/// # Safety
///
/// * `lanes` must have been created for `V::SHAPE`. `cursor` must return the cells for which `lanes` was created, at
///   offsets from `buffers.strided`. The cells must be readable or, in a scatter, writable.
/// * The `buffers.accessible_len` bytes starting at `buffers.strided` must be readable and, in a scatter, writable. If
///   `lanes` may access gaps, `buffers.accessible_len` must not be 0.
/// * The `buffers.len` bytes starting at `buffers.dense` must be writable or, in a scatter, readable. The two buffers
///   must not overlap.
/// * The processor must support the instructions of `V`.
#[inline(always)]
pub(in super::super) unsafe fn copy<D: Direction, V: Vector, const LOADS: usize>(
    lanes: &Lanes,
    streams: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    let table = &lanes.table;
    // The address after the last byte that may be accessed, or 0 if the gaps between cells must not be accessed.
    let end = match buffers.accessible_len {
        0 => 0,
        len => buffers.strided.addr() + len,
    };
    let mut rows = RowCopier {
        table,
        // SAFETY: the caller guarantees that the processor supports the instructions of `V`.
        step: unsafe { Shuffle::<D, V, LOADS>::new(lanes, end) },
        distance: cursor.row_distance(),
        strided: buffers.strided,
        prefetch_offsets: PrefetchOffsets::new(
            SHUFFLE_PREFETCH_DISTANCE_BYTES,
            cursor.row_len() * table.stride.unsigned_abs(),
            cursor.row_distance(),
            table.stride.signum(),
        ),
    };
    // `D::SCATTERS` is a constant, so scatters are compiled without `stream`, whose code is as large as that of
    // `store`.
    if !D::SCATTERS && streams {
        // SAFETY: the caller upholds the requirements, which are the same for `stream` and `store`.
        return unsafe { rows.stream(cursor, buffers) };
    }
    // SAFETY: the caller upholds the requirements, which are the same for `stream` and `store`.
    unsafe { rows.store(cursor, buffers) };
}

/// A copy of rows of cells between a strided buffer and a dense buffer.
struct RowCopier<'a, S> {
    table: &'a Table,
    step: S,
    /// The distance from one row to the next, in bytes.
    distance: isize,
    /// The address relative to which the offsets of cells are measured.
    strided: *mut Byte,
    prefetch_offsets: PrefetchOffsets,
}

/// # Safety
///
/// All methods have the requirements of [`copy`], for the cells that they copy and the bytes of these cells in the
/// dense buffer. In a gather, `copy_block` and `copy_steps` may also write up to `MAX_STEP_BYTES` additional bytes
/// after the bytes of the cells in the dense buffer.
impl<D: Direction, V: Vector, const LOADS: usize> RowCopier<'_, Shuffle<D, V, LOADS>> {
    /// Copies with ordinary stores.
    #[inline(always)]
    unsafe fn store(&mut self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        let table = self.table;
        // The number of cells at the end of the output that are first gathered into a small buffer. These cells have at
        // least `MAX_STEP_BYTES` bytes, and form whole rows if the rows are short. The number is 0 if steps never write
        // excess bytes.
        let row = cursor.row_len() * table.cell;
        let rest = match row <= 2 * MAX_STEP_BYTES {
            _ if D::SCATTERS || table.bytes_per_step() == MAX_STEP_BYTES => 0,
            true => MAX_STEP_BYTES.div_ceil(row) * cursor.row_len(),
            false => MAX_STEP_BYTES.div_ceil(table.cell),
        };
        let mut total = buffers.total / table.cell;
        while total > 0 {
            let cells = total.min(buffers.len / table.cell);
            total -= cells;
            let rest = rest.min(cells);
            let last_dense = buffers.dense.wrapping_add((cells - rest) * table.cell);
            let mut last_cells = [MaybeUninit::uninit(); 4 * MAX_STEP_BYTES];
            debug_assert!(rest * table.cell + MAX_STEP_BYTES <= last_cells.len());
            for (mut left, mut dense) in [
                (cells - rest, buffers.dense),
                (rest, last_cells.as_mut_ptr()),
            ] {
                while left > 0 {
                    let bytes_into_row = cursor.cells_done() * table.stride.unsigned_abs();
                    let block = cursor.take(left);
                    left -= block.rows * block.cells;
                    // SAFETY: the caller guarantees that the next cells can be accessed in both buffers. The excess
                    // bytes of a gather are written to the bytes of the last `rest` cells, which are overwritten below,
                    // or to the end of `last_cells`.
                    unsafe { self.copy_block::<false>(block, bytes_into_row, dense) };
                    dense = dense.wrapping_add(block.rows * block.cells * table.cell);
                }
            }
            if rest > 0 {
                // SAFETY: the steps above have gathered the last `rest` cells into `last_cells`, and the bytes of these
                // cells in the output begin at `last_dense`.
                unsafe {
                    last_dense.copy_from_nonoverlapping(last_cells.as_ptr(), rest * table.cell)
                };
            }
        }
    }

    /// Gathers with streaming stores.
    #[inline(always)]
    unsafe fn stream(&mut self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        let table = self.table;
        debug_assert!(!D::SCATTERS && buffers.len == buffers.total);
        let row = cursor.row_len() * table.cell;
        // The maximum number of cells in the tile: whole rows if at least two rows fit, and otherwise whole steps.
        let max_cells = match row <= MAX_STREAM_TILE_BYTES / 2 {
            true => MAX_STREAM_TILE_BYTES / row * cursor.row_len(),
            false => MAX_STREAM_TILE_BYTES / table.bytes_per_step() * table.cells,
        };
        let mut tile = Tile::new(buffers.dense);
        let mut left = buffers.len / table.cell;
        while left > 0 {
            let bytes_into_row = cursor.cells_done() * table.stride.unsigned_abs();
            let block = cursor.take(max_cells.min(left));
            let cells = block.rows * block.cells;
            left -= cells;
            // SAFETY: the caller guarantees that the next cells can be read. The tile has room for `max_cells` cells
            // and the excess bytes of a step.
            unsafe { self.copy_block::<true>(block, bytes_into_row, tile.next()) };
            // SAFETY: the cells in the tile are the next cells of the output. The caller guarantees that the processor
            // supports the instructions of `V`.
            unsafe { tile.advance::<V>(cells * table.cell) };
        }
        // SAFETY: the caller guarantees that the processor supports the instructions of `V`.
        unsafe { tile.finish::<V>() };
    }

    /// Copies the rows of a block. The first cell of the block is `bytes_into_row` bytes from the start of its row. If
    /// `PREFETCH` is true, each step with a whole window prefetches. Only streaming gathers prefetch. In other gathers,
    /// the processor seems to prefetch by itself (see [`SHUFFLE_PREFETCH_DISTANCE_BYTES`]). On Zen 5, a scatter takes
    /// up to 1.5 times as long with prefetching as without.
    #[inline(always)]
    unsafe fn copy_block<const PREFETCH: bool>(
        &mut self,
        block: Block,
        bytes_into_row: usize,
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
                // SAFETY: the caller guarantees that the `block.cells` cells of this row can be accessed in both
                // buffers.
                unsafe { copy_bytewise::<D>(self.table, window, dense, block.cells) };
                window = window.wrapping_offset(self.distance);
                dense = dense.wrapping_add(block.cells * cell);
            }
            return;
        };
        // The number of steps of a row before its last step. The last step ends where the row ends, and may overlap the
        // step before it.
        let steps = last.div_ceil(cells);
        let step_bytes = stride * cells as isize;
        for _ in 0..block.rows {
            let mut next = (window, dense);
            let (mut whole_steps, mut steps_after) = (steps, 0);
            if Shuffle::<D, V, LOADS>::MAY_REACH_BEYOND {
                let [steps_before, whole, rest] = self.step.split(window, step_bytes, steps);
                (whole_steps, steps_after) = (whole, rest);
                if steps_before > 0 {
                    // SAFETY: these steps copy the first cells of the row, which the caller guarantees can be accessed.
                    next = unsafe { self.copy_steps::<false, false>(next, steps_before, 0) };
                }
            }
            if PREFETCH {
                // The number of bytes left in the head of the row (see `prefetch_offsets`), and the number of steps
                // that begin in these bytes.
                let bytes = self
                    .prefetch_offsets
                    .head_bytes
                    .saturating_sub(bytes_into_row);
                let first = match step_bytes.unsigned_abs() {
                    step_bytes if step_bytes * whole_steps <= bytes => whole_steps,
                    step_bytes => bytes.div_ceil(step_bytes),
                };
                let PrefetchOffsets { head, tail, .. } = self.prefetch_offsets;
                for (steps, offset) in [(first, head), (whole_steps - first, tail)] {
                    // SAFETY: these steps copy cells of the row, which the caller guarantees can be accessed, and their
                    // windows are whole.
                    next = unsafe { self.copy_steps::<true, true>(next, steps, offset) };
                }
            } else {
                // SAFETY: these steps copy cells of the row, which the caller guarantees can be accessed, and their
                // windows are whole.
                next = unsafe { self.copy_steps::<true, false>(next, whole_steps, 0) };
            }
            let end = window.wrapping_offset(stride * last as isize);
            let dense_end = dense.wrapping_add(last * cell);
            let mut last_is_whole = true;
            if Shuffle::<D, V, LOADS>::MAY_REACH_BEYOND {
                if steps_after > 0 {
                    // SAFETY: these steps copy cells of the row, which the caller guarantees can be accessed.
                    unsafe { self.copy_steps::<false, false>(next, steps_after, 0) };
                }
                last_is_whole = self.step.is_whole(end);
                if !last_is_whole {
                    // SAFETY: this step copies the last cells of the row, which the caller guarantees can be accessed.
                    unsafe { self.step.copy::<false>(end, dense_end) };
                }
            }
            if last_is_whole {
                // SAFETY: this step copies the last cells of the row, which the caller guarantees can be accessed, and
                // its window is whole.
                unsafe { self.step.copy::<true>(end, dense_end) };
            }
            window = window.wrapping_offset(self.distance);
            dense = dense_end.wrapping_add(cells * cell);
        }
    }

    /// Copies `steps` steps of a row. If `WHOLE` is true, the windows of these steps must be whole. If `PREFETCH` is
    /// true, each step prefetches at `prefetch_offset` from its window. Returns the addresses of the next step in the
    /// strided and the dense buffer.
    #[inline(always)]
    unsafe fn copy_steps<const WHOLE: bool, const PREFETCH: bool>(
        &self,
        (mut window, mut dense): (*mut Byte, *mut Byte),
        steps: usize,
        prefetch_offset: isize,
    ) -> (*mut Byte, *mut Byte) {
        let (step, bytes) = (self.step, self.table.bytes_per_step());
        let step_bytes = self.table.stride * self.table.cells as isize;
        for _ in 0..steps {
            if PREFETCH {
                for line in (0..step_bytes.unsigned_abs()).step_by(CACHE_LINE_BYTES) {
                    prefetch(window.wrapping_offset(prefetch_offset).wrapping_add(line));
                }
            }
            // SAFETY: the caller guarantees that the cells of this step can be accessed, and that its window is whole
            // if `WHOLE` is true.
            unsafe { step.copy::<WHOLE>(window, dense) };
            window = window.wrapping_offset(step_bytes);
            dense = dense.wrapping_add(bytes);
        }
        (window, dense)
    }
}

/// Copies the first `cells` cells of a step byte by byte, for rows that are shorter than a step.
///
/// # Safety
///
/// * The bytes of these cells must be readable in the source and writable in the destination.
#[cold]
#[inline(never)]
unsafe fn copy_bytewise<D: Direction>(
    table: &Table,
    window: *mut Byte,
    dense: *mut Byte,
    cells: usize,
) {
    // The offsets in `window_offsets` are relative to the start of a window that contains all cells of a step. With a
    // negative stride, that window begins before these cells.
    for (i, &offset) in table.window_offsets[..cells * table.cell]
        .iter()
        .enumerate()
    {
        let strided = window.wrapping_add(usize::from(offset));
        // SAFETY: this byte belongs to one of the cells.
        unsafe { D::copy(strided, dense.wrapping_add(i), 1) };
    }
}
