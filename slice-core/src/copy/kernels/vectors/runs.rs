//! Long runs of bytes.
//!
//! ```text
//! strided  ├───────── run ─────────┤ · · · ├───────── run ─────────┤
//! dense  ┊─┼──────┊───────┊──────┼─┊  a line wherever it begins, aligned lines, and a last one that ends with the run
//! ```
//!
//! `memcpy` is slow for these. From some thousand bytes on it uses string instructions on processors that claim to be
//! fast with them, and some of these take 16 times as long when the destination begins a few bytes after the source
//! within its page; where the two begin at the same place within their pages, it goes backwards, which takes twice as
//! long beyond the caches. A plain loop over vectors does neither.

use super::super::super::cursor::BlockCursor;
use super::super::super::job::{Byte, Job};
use super::super::Buffers;
use super::super::moves::{Direction, prefetch};
use super::AHEAD;
use super::vector::{LINE, Vector, stream_line};

/// Shorter runs are not worth streaming: at both ends there are lines that are not whole.
const LONG: usize = 512;

/// Copies the runs that come next; `streams` if that is to go past the caches.
///
/// # Safety
///
/// * `cursor` walks runs of `job`, which are bytes that, counted from `strided`, can be read or, to scatter, written.
/// * The bytes of `dense` can be written or, to scatter, read.
/// * The two do not overlap.
/// * The processor has the instructions of the vector.
#[inline(always)]
pub(super) unsafe fn copy<D: Direction, V: Vector>(
    job: &Job<'_>,
    streams: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    debug_assert!(job.is_contiguous() && job.run == 1);
    let streams = streams && job.row.len >= LONG;
    let mut total = buffers.total;
    while total > 0 {
        let (mut dense, mut left) = (buffers.dense, buffers.len.min(total));
        total -= left;
        while left > 0 {
            let block = cursor.take(left);
            left -= block.rows * block.cells;
            let mut strided = buffers.strided.wrapping_add(block.offset);
            for _ in 0..block.rows {
                let (from, to) = D::from_to(strided, dense);
                match streams {
                    // SAFETY: these are the bytes of a run on both sides; there is a fence below.
                    true => unsafe { stream_run::<V>(from, to, block.cells) },
                    // SAFETY: these are the bytes of a run on both sides.
                    false => unsafe { copy_run::<V>(from, to, block.cells) },
                }
                strided = strided.wrapping_offset(cursor.row_distance());
                dense = dense.wrapping_add(block.cells);
            }
        }
    }
    if streams {
        // SAFETY: the caller's processor has the instruction.
        unsafe { V::fence() };
    }
}

/// Copies `len` bytes.
///
/// # Safety
///
/// * They can be read at `from` and written at `to`, and the two do not overlap.
/// * The processor has the instructions of the vector.
#[inline(always)]
unsafe fn copy_run<V: Vector>(from: *const Byte, to: *mut Byte, len: usize) {
    let Some(last) = len.checked_sub(LINE) else {
        // SAFETY: the caller lets `len` bytes be read and written, and they do not overlap.
        return unsafe { to.copy_from_nonoverlapping(from, len) };
    };
    // SAFETY: there is a line.
    unsafe { copy_line::<V>(from, to) };
    // All but the first and the last line are aligned: a store across two lines costs as much as two.
    for at in (LINE - to.addr() % LINE..last).step_by(LINE) {
        // SAFETY: within the first `last + LINE` bytes.
        unsafe { copy_line::<V>(from.wrapping_add(at), to.wrapping_add(at)) };
    }
    // SAFETY: the last bytes.
    unsafe { copy_line::<V>(from.wrapping_add(last), to.wrapping_add(last)) };
}

/// Copies `len` bytes past the caches.
///
/// # Safety
///
/// * As [`copy_run`], and the bytes are not touched before a fence.
#[inline(always)]
unsafe fn stream_run<V: Vector>(from: *const Byte, to: *mut Byte, len: usize) {
    let head = to.addr().wrapping_neg() % LINE;
    let head = head.min(len);
    let tail = head + (len - head) / LINE * LINE;
    // SAFETY: the first of the `len` bytes that the caller lets be read and written.
    unsafe { to.copy_from_nonoverlapping(from, head) };
    for at in (head..tail).step_by(LINE) {
        let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
        // No further than the run: what lies after it is not read.
        if at + AHEAD < tail {
            prefetch(from.wrapping_add(AHEAD));
        }
        // SAFETY: one of the whole aligned lines of these bytes.
        unsafe { stream_line::<V>(from, to) };
    }
    let (from, to) = (from.wrapping_add(tail), to.wrapping_add(tail));
    // SAFETY: the last of the `len` bytes that the caller lets be read and written.
    unsafe { to.copy_from_nonoverlapping(from, len - tail) };
}

/// Copies a line in vectors, wherever it lies.
///
/// # Safety
///
/// * A line can be read at `from` and written at `to`.
/// * The processor has the instructions.
#[inline(always)]
unsafe fn copy_line<V: Vector>(from: *const Byte, to: *mut Byte) {
    for at in (0..LINE).step_by(size_of::<V>()) {
        // SAFETY: a part of the line that the caller lets be read.
        let vector = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: a part of the line that the caller lets be written.
        unsafe { vector.store(to.wrapping_add(at)) };
    }
}
