//! Copies long runs of bytes with vector instructions. See [`kernels`](crate::copy::kernels) for the terminology.
//!
//! ```text
//! strided  ├───────── run ─────────┤ · · · ├───────── run ─────────┤
//! dense  ┊─┼──────┊───────┊──────┼─┊  an unaligned line, aligned lines, and a last line that ends with the run
//! ```
//!
//! `memcpy` is slow for runs of fewer than a few thousand bytes, because it chooses a method on each call. For longer
//! runs, it uses string instructions on processors where these are fast. String instructions write cache lines without
//! reading them first. However, on some processors, they take 16 times as long if the offset of the destination in its
//! page is a few bytes greater than the offset of the source in its page. If the data does not fit in the caches and
//! the two offsets are equal, `memcpy` copies backwards, which takes twice as long as copying forwards. A plain loop
//! over vectors has none of these problems.
//!
//! The loop prefetches across the gaps between runs, which the processor does not do by itself.

use crate::copy::cursor::BlockCursor;
use crate::copy::job::{Byte, Job};
use crate::copy::kernels::buffers::Buffers;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::prefetch::{CACHE_LINE_BYTES, prefetch, prefetch_to_second_level};
use crate::copy::kernels::vectors::MIN_LISTED_RUN_BYTES;
use crate::copy::kernels::vectors::prefetch_offsets::{PrefetchOffsets, SECOND_LEVEL_CACHE_BYTES};
use crate::copy::kernels::vectors::vector::{Vector, stream_line};
use crate::copy::tuning::{MIN_STRING_COPY_BYTES, RUN_PREFETCH_DISTANCE_BYTES};

/// The minimum length of a streamed run, in bytes. The incomplete cache lines at both ends of a run are not streamed,
/// and they make up a large part of a shorter run.
const MIN_STREAMED_RUN_BYTES: usize = 512;

/// The minimum size of a prefetched block, in prefetch distances. Prefetches at the end of a block reach beyond the
/// block and are wasted, so a smaller block would waste a large part of its prefetches.
const MIN_PREFETCHED_BLOCK_DISTANCES: usize = 4;

/// Copies the runs that `cursor` returns next, `buffers.total` bytes in all. If `streams` is true, runs of at least
/// [`MIN_STREAMED_RUN_BYTES`] bytes are streamed.
///
/// # Safety
///
/// * Each row of `job` must be a run of contiguous bytes. `cursor` must return these runs, at offsets from
///   `buffers.strided`. The bytes of the runs must be readable or, in a scatter, writable.
/// * The `buffers.len` bytes starting at `buffers.dense` must be writable or, in a scatter, readable.
/// * The two buffers must not overlap.
/// * The processor must support the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn copy<D: Direction, V: Vector>(
    job: &Job<'_>,
    streams: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    debug_assert!(job.is_contiguous() && job.run == 1);
    let streams = streams && job.row.len >= MIN_STREAMED_RUN_BYTES;
    let prefetches = !D::SCATTERS && job.strided > SECOND_LEVEL_CACHE_BYTES;
    let ahead = RUN_PREFETCH_DISTANCE_BYTES;
    let mut total = buffers.total;
    while total > 0 {
        let (mut dense, mut left) = (buffers.dense, buffers.len.min(total));
        total -= left;
        while left > 0 {
            let block = cursor.take(left);
            left -= block.rows * block.cells;
            let mut strided = buffers.strided.wrapping_add(block.offset);
            let distance = match D::SCATTERS {
                true => block.cells as isize,
                false => cursor.row_distance(),
            };
            let is_large = block.rows * block.cells >= MIN_PREFETCHED_BLOCK_DISTANCES * ahead;
            // Within longer runs, the processor prefetches by itself.
            let prefetches = prefetches && is_large && block.cells < MIN_STRING_COPY_BYTES;
            let offsets = match is_large {
                true => PrefetchOffsets::new(ahead, block.cells, distance, 1),
                false => PrefetchOffsets::new(0, block.cells, distance, 1),
            };
            for _ in 0..block.rows {
                let (from, to) = D::from_to(strided, dense);
                match prefetches {
                    // SAFETY: the caller guarantees that the next run can be read at `from` and written at `to`. The
                    // fence is below.
                    _ if streams => unsafe { stream_run::<V>(from, to, block.cells, &offsets) },
                    // SAFETY: the caller guarantees that the next run can be read at `from` and written at `to`.
                    _ if suits_string_instructions(from, to, block.cells) => unsafe {
                        to.copy_from_nonoverlapping(from, block.cells);
                    },
                    // SAFETY: the caller guarantees that the next run can be read at `from` and written at `to`.
                    true => unsafe { copy_run::<V, true>(from, to, block.cells, &offsets) },
                    // SAFETY: the caller guarantees that the next run can be read at `from` and written at `to`.
                    false => unsafe { copy_run::<V, false>(from, to, block.cells, &offsets) },
                }
                strided = strided.wrapping_offset(cursor.row_distance());
                dense = dense.wrapping_add(block.cells);
            }
        }
    }
    if streams {
        // SAFETY: the caller guarantees that the processor supports the instruction.
        unsafe { V::fence() };
    }
}

/// Returns `true` if string instructions are fast for this run: the run is long, and `to` is not 1 to 63 bytes after
/// `from`, modulo the page size.
#[inline(always)]
fn suits_string_instructions(from: *const Byte, to: *const Byte, len: usize) -> bool {
    const PAGE_BYTES: usize = 4 << 10;
    let distance = to.addr().wrapping_sub(from.addr()) % PAGE_BYTES;
    len >= MIN_STRING_COPY_BYTES && !(1..CACHE_LINE_BYTES).contains(&distance)
}

/// Copies `len` bytes, and prefetches at `offsets` if `PREFETCH` is true.
///
/// # Safety
///
/// * `len` bytes must be readable at `from` and writable at `to`, and the two runs must not overlap.
/// * The processor must support the instructions of `V`.
#[inline(always)]
unsafe fn copy_run<V: Vector, const PREFETCH: bool>(
    from: *const Byte,
    to: *mut Byte,
    len: usize,
    offsets: &PrefetchOffsets,
) {
    let Some(last) = len.checked_sub(CACHE_LINE_BYTES) else {
        // SAFETY: the caller guarantees that `len` bytes can be read and written, and that the two runs do not overlap.
        return unsafe { to.copy_from_nonoverlapping(from, len) };
    };
    // SAFETY: the source and the destination have `len` bytes, which is at least a line.
    unsafe { copy_line::<V>(from, to) };
    // All lines of the output except the first and the last are aligned, because a store across two lines costs as much
    // as two stores.
    for at in (CACHE_LINE_BYTES - to.addr() % CACHE_LINE_BYTES..last).step_by(CACHE_LINE_BYTES) {
        if PREFETCH {
            prefetch(
                from.wrapping_add(at)
                    .wrapping_offset(prefetch_offset(offsets, at)),
            );
        }
        // SAFETY: `at` is less than `last`, so this line is within the `len` bytes of the source and the destination.
        unsafe { copy_line::<V>(from.wrapping_add(at), to.wrapping_add(at)) };
    }
    // SAFETY: this is the last line of the `len` bytes of the source and the destination.
    unsafe { copy_line::<V>(from.wrapping_add(last), to.wrapping_add(last)) };
}

/// The number of bytes at the start of a later run that are prefetched while the end of a run is copied.
const LATER_RUN_PREFETCH_BYTES: usize = 4 << 10;

/// Copies one of the runs selected by a list, and prefetches the start of a later run (at `next`) one line at a time.
/// `input_exceeds_caches` is true if the input is larger than all caches. The lines are then prefetched into the
/// second-level cache, and otherwise into the first-level cache.
///
/// After the first line, the loop copies to aligned lines of the output. The bytes after the last whole line are copied
/// in small pieces. On Zen 4, copying them as a last line that overlaps the previous line, as [`copy_run`] does, takes
/// 15 to 20 ns longer for each run of 4 KiB.
///
/// The runs are passed as pointers, because the compiler would turn a loop over two Rust slices into a `memcpy` that
/// precedes all prefetches.
///
/// # Safety
///
/// * `len` must be at least [`MIN_LISTED_RUN_BYTES`]. `len` bytes must be readable at `from` and writable at `to`, and
///   the two runs must not overlap.
/// * The processor must support the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn copy_listed<V: Vector>(
    from: *const Byte,
    to: *mut Byte,
    len: usize,
    next: *const Byte,
    input_exceeds_caches: bool,
) {
    debug_assert!(len >= MIN_LISTED_RUN_BYTES);
    // SAFETY: the source and the destination have `len` bytes, which is at least a line.
    unsafe { copy_line::<V>(from, to) };
    let head = to.addr().wrapping_neg() % CACHE_LINE_BYTES;
    let tail = head + (len - head) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    let prefetched = len.saturating_sub(LATER_RUN_PREFETCH_BYTES);
    for at in (head..tail).step_by(CACHE_LINE_BYTES) {
        if at >= prefetched {
            let next = next.wrapping_add(at - prefetched);
            match input_exceeds_caches {
                true => prefetch_to_second_level(next),
                false => prefetch(next),
            }
        }
        // SAFETY: this is a whole line within the `len` bytes of the source and the destination.
        unsafe { copy_line::<V>(from.wrapping_add(at), to.wrapping_add(at)) };
    }
    let pieces = (tail..len).step_by(PIECE_BYTES);
    for at in pieces.map(|at| at.min(len - PIECE_BYTES)) {
        let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
        // SAFETY: `len` is at least the size of a piece, and this piece is within the `len` bytes of the source and the
        // destination.
        unsafe { to.copy_from_nonoverlapping(from, PIECE_BYTES) };
    }
}

/// The size, in bytes, of the pieces in which [`copy_listed`] copies the end of a run.
const PIECE_BYTES: usize = 16;

/// Copies `len` bytes, with streaming stores for the whole lines of the output, and prefetches at `offsets`.
///
/// # Safety
///
/// * See [`copy_run`].
/// * Nothing may access the written bytes before a fence.
#[inline(always)]
unsafe fn stream_run<V: Vector>(
    from: *const Byte,
    to: *mut Byte,
    len: usize,
    offsets: &PrefetchOffsets,
) {
    let head = to.addr().wrapping_neg() % CACHE_LINE_BYTES;
    let head = head.min(len);
    let tail = head + (len - head) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    // SAFETY: these are the first of the `len` bytes, which can be read and written.
    unsafe { to.copy_from_nonoverlapping(from, head) };
    for at in (head..tail).step_by(CACHE_LINE_BYTES) {
        prefetch(
            from.wrapping_add(at)
                .wrapping_offset(prefetch_offset(offsets, at)),
        );
        let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
        // SAFETY: this is a whole line within the `len` bytes of the source and the destination.
        unsafe { stream_line::<V>(from, to) };
    }
    let (from, to) = (from.wrapping_add(tail), to.wrapping_add(tail));
    // SAFETY: these are the last of the `len` bytes, which can be read and written.
    unsafe { to.copy_from_nonoverlapping(from, len - tail) };
}

/// Returns the prefetch offset for the byte at offset `at` in a run.
#[inline(always)]
fn prefetch_offset(offsets: &PrefetchOffsets, at: usize) -> isize {
    match at < offsets.head_bytes {
        true => offsets.head,
        false => offsets.tail,
    }
}

/// Copies `CACHE_LINE_BYTES` bytes with vector instructions. `from` and `to` need not be aligned.
///
/// # Safety
///
/// * A line must be readable at `from` and writable at `to`.
/// * The processor must support the instructions of `V`.
#[inline(always)]
unsafe fn copy_line<V: Vector>(from: *const Byte, to: *mut Byte) {
    for at in (0..CACHE_LINE_BYTES).step_by(size_of::<V>()) {
        // SAFETY: this is a part of the line at `from`, which can be read.
        let vector = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: this is a part of the line at `to`, which can be written.
        unsafe { vector.store(to.wrapping_add(at)) };
    }
}
