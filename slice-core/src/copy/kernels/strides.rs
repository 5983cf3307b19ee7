//! Gathers every second, third or fourth element, or all elements in reverse, with plain loops for elements of any
//! type. See [`kernels`](super) for the terminology.
//!
//! ```text
//! a·b·c·d·   [::2]  →  abcd        dcba   [::-1]  →  abcd
//! ```
//!
//! A copy whose stride is known at compile time is 5 to 15 times as fast as a copy whose stride is known only at run
//! time. The compiler vectorizes a plain loop over chunks with the instructions of the target: SSE2, AVX2 if the caller
//! is compiled for it, or the NEON instructions `ld2` to `ld4`. Such a loop also reads the gaps between elements, so
//! the gaps must be readable.
//!
//! For SSE2, the compiler does not vectorize loops over every second or fourth byte. With SSE2, these loops therefore
//! load wider integers and truncate them.

use super::super::cursor::BlockCursor;
use super::super::job::{Byte, Job};
use super::buffers::Buffers;
use core::mem::MaybeUninit;
use core::slice;

/// Returns `true` if [`copy`] supports the runs of `job`.
#[inline(always)]
pub(super) fn supports(job: &Job<'_>) -> bool {
    let (run, stride) = (job.run as isize, job.row.stride);
    // Shorter rows are copied by `moves`.
    job.row.len > 4
        && matches!(run, 1 | 2 | 4 | 8)
        && (stride == -run || (2..=4).any(|step| stride == step * run))
}

/// Gathers the elements that `cursor` returns next, `buffers.len` bytes in all. If `widens` is true, single bytes are
/// loaded as wider integers where this lets the compiler vectorize the loop for SSE2.
///
/// # Safety
///
/// * The `buffers.accessible_len` bytes starting at `buffers.strided` must be readable and, if `job.plain` is true,
///   initialized.
/// * The `buffers.len` bytes starting at `buffers.dense` must be writable, and must not overlap the bytes that are
///   read.
#[inline(always)]
pub(super) unsafe fn copy(
    job: &Job<'_>,
    widens: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    // SAFETY: the caller guarantees that these bytes can be read.
    let src = unsafe { slice::from_raw_parts(buffers.strided, buffers.accessible_len) };
    // SAFETY: the caller guarantees that these bytes can be written, and that they do not overlap `src`.
    let dst = unsafe { slice::from_raw_parts_mut(buffers.dense, buffers.len) };
    // SAFETY: the caller guarantees that the bytes are initialized if `job.plain` is true.
    unsafe { gather(job, widens, cursor, src, dst) };
}

/// Calls [`copy`], compiled for the baseline instructions of the target.
///
/// # Safety
///
/// * See [`copy`].
#[inline(never)]
pub(super) unsafe fn copy_baseline(
    job: &Job<'_>,
    widens: bool,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    // SAFETY: the caller upholds the requirements of `copy`.
    unsafe { copy(job, widens, cursor, buffers) };
}

/// Copies the next elements until `dst` is full.
///
/// # Safety
///
/// * If `job.plain` is true, the bytes of `src` must be initialized.
#[inline(always)]
unsafe fn gather(
    job: &Job<'_>,
    widens: bool,
    cursor: &mut BlockCursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
) {
    if job.plain && widens {
        // SAFETY: the new slice consists of the bytes of `src`. The caller guarantees that they are initialized.
        let src = unsafe { slice::from_raw_parts(src.as_ptr().cast::<u8>(), src.len()) };
        let (stride, dst) = (job.row.stride, &mut *dst);
        let every_second =
            |src: &_, dst: &mut _| copy_lowest_bytes(src, dst, |two| u16::from_le_bytes(two) as u8);
        let every_fourth = |src: &_, dst: &mut _| {
            copy_lowest_bytes(src, dst, |four| u32::from_le_bytes(four) as u8)
        };
        match (job.run, stride) {
            (1, 2) => {
                return for_each_row(stride, cursor, src, dst.as_chunks_mut().0, every_second);
            }
            (1, 4) => {
                return for_each_row(stride, cursor, src, dst.as_chunks_mut().0, every_fourth);
            }
            _ => {}
        }
    }
    match job.run {
        1 => gather_runs::<1>(job.row.stride, cursor, src, dst),
        2 => gather_runs::<2>(job.row.stride, cursor, src, dst),
        4 => gather_runs::<4>(job.row.stride, cursor, src, dst),
        8 => gather_runs::<8>(job.row.stride, cursor, src, dst),
        run => unreachable!("runs of {run} bytes are not supported"),
    }
}

/// `N` bytes that fit in one register and need not be aligned.
type RunBytes<const N: usize> = [Byte; N];

#[inline(always)]
fn gather_runs<const N: usize>(
    stride: isize,
    cursor: &mut BlockCursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
) {
    let dst = dst.as_chunks_mut().0;
    match stride / N as isize {
        2 => for_each_row(stride, cursor, src, dst, copy_every::<N, 2>),
        3 => for_each_row(stride, cursor, src, dst, copy_every::<N, 3>),
        4 => for_each_row(stride, cursor, src, dst, copy_every::<N, 4>),
        -1 => for_each_row(stride, cursor, src, dst, copy_reversed::<N>),
        step => unreachable!("steps of {step} are not supported"),
    }
}

/// Calls `row` for each row, with all bytes that the row spans, from the lowest address to the highest, and with the
/// destination of the row's runs.
#[inline(always)]
fn for_each_row<B, const N: usize>(
    stride: isize,
    cursor: &mut BlockCursor<'_>,
    src: &[B],
    mut dst: &mut [RunBytes<N>],
    row: impl Fn(&[B], &mut [RunBytes<N>]),
) {
    while !dst.is_empty() {
        let block = cursor.take(dst.len());
        let (now, rest) = dst.split_at_mut(block.rows * block.cells);
        dst = rest;
        let reach = stride * (block.cells as isize - 1);
        let mut low = block.offset.wrapping_add_signed(reach.min(0));
        for to in now.chunks_exact_mut(block.cells) {
            row(&src[low..][..reach.unsigned_abs() + N], to);
            low = low.wrapping_add_signed(cursor.row_distance());
        }
    }
}

/// Copies the first of every `S` runs, in order.
#[inline(always)]
fn copy_every<const N: usize, const S: usize>(src: &[Byte], dst: &mut [RunBytes<N>]) {
    let (groups, last) = src.as_chunks().0.as_chunks::<S>();
    for (to, from) in dst.iter_mut().zip(groups) {
        *to = from[0];
    }
    if let (Some(to), Some(from)) = (dst.get_mut(groups.len()), last.first()) {
        *to = *from;
    }
}

/// Copies all runs in reverse.
#[inline(always)]
fn copy_reversed<const N: usize>(src: &[Byte], dst: &mut [RunBytes<N>]) {
    for (to, from) in dst.iter_mut().zip(src.as_chunks().0.iter().rev()) {
        *to = *from;
    }
}

/// Copies the first of every `S` bytes. `low` reads `S` bytes as an integer and truncates the integer to the first
/// byte.
#[inline(always)]
fn copy_lowest_bytes<const S: usize>(
    src: &[u8],
    dst: &mut [RunBytes<1>],
    low: impl Fn([u8; S]) -> u8,
) {
    let (groups, last) = src.as_chunks();
    for (to, &from) in dst.iter_mut().zip(groups) {
        to[0] = MaybeUninit::new(low(from));
    }
    if let (Some(to), Some(&from)) = (dst.get_mut(groups.len()), last.first()) {
        to[0] = MaybeUninit::new(from);
    }
}
