//! Long runs of bytes.
//!
//! `memcpy` is slow for these. From some thousand bytes on it uses string instructions on processors that claim to be
//! fast with them, and some of these take 16 times as long when the destination begins a few bytes after the source
//! within its page; where the two begin at the same place within their pages, it goes backwards, which takes twice as
//! long beyond the caches. A plain loop over vectors does neither.

use super::super::super::cursor::Cursor;
use super::super::super::isa::InstructionSet;
use super::super::super::job::{Byte, Pattern};
use super::super::Dense;
use super::super::moves::{Direction, prefetch};
use super::line::{Avx2, Avx512, Line, Sse2};
use super::{AHEAD, LINE};
use core::arch::x86_64::_mm_sfence;

/// Shorter runs are not worth streaming: at both ends there are lines that are not whole.
const LONG: usize = 512;

/// Copies the runs that come next; `streams` if that is to go past the caches.
///
/// # Safety
///
/// * `cursor` walks `runs`, which are bytes that, counted from `strided`, can be read or, to scatter, written.
/// * The bytes of `dense` can be written or, to scatter, read.
/// * The two do not overlap.
pub(super) unsafe fn copy<D: Direction>(
    (runs, streams): (&Pattern<'_>, bool),
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    let isa = runs.job.isa;
    let streams = streams && runs.row.len >= LONG;
    let mut total = dense.total;
    while total > 0 {
        let (mut to, mut left) = (dense.start, dense.len.min(total));
        total -= left;
        while left > 0 {
            let block = cursor.take(left);
            left -= block.rows * block.cells;
            let mut strided = strided.wrapping_add(block.offset);
            for _ in 0..block.rows {
                let (from, to_run) = D::from_to(strided, to);
                match streams {
                    // SAFETY: these are the bytes of a run on both sides; there is a fence below.
                    true => unsafe { stream_run(from, to_run, block.cells, isa) },
                    // SAFETY: these are the bytes of a run on both sides.
                    false => unsafe { copy_run(from, to_run, block.cells, isa) },
                }
                strided = strided.wrapping_offset(cursor.row_distance());
                to = to.wrapping_add(block.cells);
            }
        }
    }
    if streams {
        // SAFETY: part of SSE, which is part of the SSE2 that this module is compiled for.
        unsafe { _mm_sfence() };
    }
}

/// Copies `len` bytes.
///
/// # Safety
///
/// They can be read at `from` and written at `to`, and the two do not overlap; the processor has the instruction set.
#[inline]
unsafe fn copy_run(from: *const Byte, to: *mut Byte, len: usize, isa: InstructionSet) {
    match isa {
        // SAFETY: the caller lets `len` bytes be read and written, and they do not overlap.
        _ if len < LINE => unsafe { to.copy_from_nonoverlapping(from, len) },
        // SAFETY: at least a line of such bytes, and the caller says that the processor has AVX-512.
        InstructionSet::Avx512 => unsafe { avx512::<COPY>(from, to, len) },
        // SAFETY: at least a line of such bytes, and the caller says that the processor has AVX2.
        InstructionSet::Avx2 => unsafe { avx2::<COPY>(from, to, len) },
        // SAFETY: at least a line of such bytes; every x86-64 processor has SSE2.
        _ => unsafe { sse2::<COPY>(from, to, len) },
    }
}

/// Copies `len` bytes past the caches.
///
/// # Safety
///
/// As [`copy_run`], and the bytes are not touched before a fence.
#[inline]
unsafe fn stream_run(from: *const Byte, to: *mut Byte, len: usize, isa: InstructionSet) {
    let head = to.align_offset(LINE).min(len);
    let body = (len - head) / LINE * LINE;
    let tail = head + body;
    // SAFETY: the first of the `len` bytes that the caller lets be read and written.
    unsafe { copy_run(from, to, head, isa) };
    let (line_from, line_to) = (from.wrapping_add(head), to.wrapping_add(head));
    match isa {
        // SAFETY: whole aligned lines of the `len` bytes, and the caller says that the processor has AVX-512.
        InstructionSet::Avx512 => unsafe { avx512::<STREAM>(line_from, line_to, body) },
        // SAFETY: whole aligned lines of the `len` bytes, and the caller says that the processor has AVX2.
        InstructionSet::Avx2 => unsafe { avx2::<STREAM>(line_from, line_to, body) },
        // SAFETY: whole aligned lines of the `len` bytes; every x86-64 processor has SSE2.
        _ => unsafe { sse2::<STREAM>(line_from, line_to, body) },
    }
    // SAFETY: the last of the `len` bytes that the caller lets be read and written.
    unsafe {
        copy_run(
            from.wrapping_add(tail),
            to.wrapping_add(tail),
            len - tail,
            isa,
        )
    };
}

/// See [`lines`].
const COPY: bool = false;
/// See [`lines`].
const STREAM: bool = true;

/// # Safety
///
/// As [`lines`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
unsafe fn avx512<const STREAMS: bool>(from: *const Byte, to: *mut Byte, len: usize) {
    // SAFETY: the bytes are those that the caller vouches for; the function has the instructions of the line.
    unsafe { lines::<Avx512, STREAMS>(from, to, len) };
}

/// # Safety
///
/// As [`lines`].
#[target_feature(enable = "avx2,bmi2")]
unsafe fn avx2<const STREAMS: bool>(from: *const Byte, to: *mut Byte, len: usize) {
    // SAFETY: the bytes are those that the caller vouches for; the function has the instructions of the line.
    unsafe { lines::<Avx2, STREAMS>(from, to, len) };
}

/// # Safety
///
/// As [`lines`].
// Not inlined: where the compiler knows that the two do not overlap, it makes a call of `memcpy` of the loop.
#[inline(never)]
unsafe fn sse2<const STREAMS: bool>(from: *const Byte, to: *mut Byte, len: usize) {
    // SAFETY: the bytes are those that the caller vouches for; every x86-64 processor has SSE2.
    unsafe { lines::<Sse2, STREAMS>(from, to, len) };
}

/// Copies `len` bytes, at least a line; or, past the caches, whole lines.
///
/// # Safety
///
/// As [`copy_run`] or [`stream_run`]; the processor has the instructions of the line.
#[inline(always)]
unsafe fn lines<L: Line, const STREAMS: bool>(from: *const Byte, to: *mut Byte, len: usize) {
    if STREAMS {
        for at in (0..len).step_by(LINE) {
            let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
            prefetch(from.wrapping_offset(AHEAD));
            // SAFETY: one of the whole aligned lines that the caller lets be read and written.
            unsafe { L::stream(from, to) };
        }
        return;
    }
    // All but the first and the last line are aligned: a store across two lines costs as much as two.
    let (second, last) = (LINE - to.addr() % LINE, len - LINE);
    // SAFETY: there is a line.
    unsafe { L::copy(from, to) };
    for at in (second..last).step_by(LINE) {
        // SAFETY: within the first `last + LINE` bytes.
        unsafe { L::copy(from.wrapping_add(at), to.wrapping_add(at)) };
    }
    // SAFETY: the last bytes.
    unsafe { L::copy(from.wrapping_add(last), to.wrapping_add(last)) };
}
