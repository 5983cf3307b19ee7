//! Safe loops that every target has.
//!
//! A stride that the compiler knows is worth 5 to 15 times: it then makes vectors of a plain loop over chunks, with
//! whatever the target has (SSE2, NEON, or AVX2 where the caller was compiled for it, which is why all of this is
//! inlined). So the common strides are spelled out, in both directions, for every size that is one register.

use super::super::bytes::Byte;
use super::super::cursor::Cursor;
use super::super::pattern::Pattern;

/// A register's worth of bytes, which may have any alignment.
type Unit<const N: usize> = [Byte; N];

/// Copies the runs that come next until `dst` is full.
#[inline(always)]
pub(super) fn gather(
    pattern: &Pattern<'_>,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
) {
    let stride = pattern.row.stride;
    match pattern.run {
        _ if pattern.is_contiguous() => contiguous(cursor, src, dst),
        1 => units::<1>(stride, cursor, src, dst),
        2 => units::<2>(stride, cursor, src, dst),
        4 => units::<4>(stride, cursor, src, dst),
        8 => units::<8>(stride, cursor, src, dst),
        16 => units::<16>(stride, cursor, src, dst),
        run @ 2..=4 => runs(run, stride, cursor, src, dst, ends::<2>),
        run @ 5..=8 => runs(run, stride, cursor, src, dst, ends::<4>),
        run @ 9..=16 => runs(run, stride, cursor, src, dst, ends::<8>),
        run @ 17..=32 => runs(run, stride, cursor, src, dst, ends::<16>),
        run @ 33..=64 => runs(run, stride, cursor, src, dst, ends::<32>),
        run @ 65..=128 => runs(run, stride, cursor, src, dst, ends::<64>),
        run @ 129..=256 => runs(run, stride, cursor, src, dst, ends::<128>),
        run => runs(run, stride, cursor, src, dst, |from, to| {
            to.copy_from_slice(from)
        }),
    }
}

/// Runs that are one unit.
#[inline(always)]
fn units<const N: usize>(stride: isize, cursor: &mut Cursor<'_>, src: &[Byte], dst: &mut [Byte]) {
    let dst = dst.as_chunks_mut().0;
    let n = N as isize;
    match stride / n {
        _ if stride % n != 0 => rows(stride, cursor, src, dst, far::<N>),
        -1 => rows(stride, cursor, src, dst, down::<N, 1>),
        -2 => rows(stride, cursor, src, dst, down::<N, 2>),
        -3 => rows(stride, cursor, src, dst, down::<N, 3>),
        -4 => rows(stride, cursor, src, dst, down::<N, 4>),
        2 => rows(stride, cursor, src, dst, up::<N, 2>),
        3 => rows(stride, cursor, src, dst, up::<N, 3>),
        4 => rows(stride, cursor, src, dst, up::<N, 4>),
        8 => rows(stride, cursor, src, dst, up::<N, 8>),
        _ => rows(stride, cursor, src, dst, far::<N>),
    }
}

/// Calls `row` with the bytes from the lowest to the highest of each row, and where they go.
#[inline(always)]
fn rows<const N: usize>(
    stride: isize,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    mut dst: &mut [Unit<N>],
    row: impl Fn(&[Byte], isize, &mut [Unit<N>]),
) {
    while !dst.is_empty() {
        let block = cursor.take(dst.len());
        let (now, rest) = dst.split_at_mut(block.rows * block.cells);
        dst = rest;
        let reach = stride * (block.cells as isize - 1);
        let mut low = block.offset.wrapping_add_signed(reach.min(0));
        for to in now.chunks_exact_mut(block.cells) {
            row(&src[low..][..reach.unsigned_abs() + N], stride, to);
            low = low.wrapping_add_signed(cursor.row_distance());
        }
    }
}

/// The first of every `S` units, upwards.
#[inline(always)]
fn up<const N: usize, const S: usize>(src: &[Byte], _: isize, dst: &mut [Unit<N>]) {
    let (groups, last) = src.as_chunks().0.as_chunks::<S>();
    for (to, from) in dst.iter_mut().zip(groups) {
        *to = from[0];
    }
    if let (Some(to), Some(from)) = (dst.get_mut(groups.len()), last.first()) {
        *to = *from;
    }
}

/// The last of every `S` units, downwards.
#[inline(always)]
fn down<const N: usize, const S: usize>(src: &[Byte], _: isize, dst: &mut [Unit<N>]) {
    let (last, groups) = src.as_chunks().0.as_rchunks::<S>();
    for (to, from) in dst.iter_mut().zip(groups.iter().rev()) {
        *to = from[S - 1];
    }
    if let (Some(to), Some(from)) = (dst.get_mut(groups.len()), last.last()) {
        *to = *from;
    }
}

/// Rows that reach over so many bytes come from memory.
const FAR: usize = 4 << 20;

/// So many units ahead are asked for, if they come from memory.
const AHEAD: isize = 64;

/// Units at any distance.
#[inline(always)]
fn far<const N: usize>(src: &[Byte], stride: isize, dst: &mut [Unit<N>]) {
    let mut at = if stride < 0 { src.len() - N } else { 0 };
    let ahead = stride.wrapping_mul(AHEAD);
    let asks = src.len() >= FAR;
    for to in dst {
        if asks {
            prefetch(src.as_ptr().wrapping_add(at).wrapping_offset(ahead));
        }
        if let Some(from) = src.get(at..).and_then(<[Byte]>::first_chunk) {
            *to = *from;
        }
        at = at.wrapping_add_signed(stride);
    }
}

/// Asks the memory for what is at an address, whatever that is.
#[inline(always)]
pub(super) fn prefetch(at: *const Byte) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: part of SSE, which is part of SSE2; a prefetch of any address does no harm.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = at;
}

/// Rows of bytes.
fn contiguous(cursor: &mut Cursor<'_>, src: &[Byte], mut dst: &mut [Byte]) {
    while !dst.is_empty() {
        let block = cursor.take(dst.len());
        let (now, rest) = dst.split_at_mut(block.rows * block.cells);
        dst = rest;
        let mut at = block.offset;
        for to in now.chunks_exact_mut(block.cells) {
            to.copy_from_slice(&src[at..][..block.cells]);
            at = at.wrapping_add_signed(cursor.row_distance());
        }
    }
}

/// Runs of any length, copied by `copy`.
#[inline(always)]
fn runs(
    run: usize,
    stride: isize,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
    copy: impl Fn(&[Byte], &mut [Byte]),
) {
    let mut dst = dst.chunks_exact_mut(run);
    while dst.len() > 0 {
        let block = cursor.take(dst.len());
        for row in 0..block.rows {
            let mut at = block
                .offset
                .wrapping_add_signed(cursor.row_distance() * row as isize);
            for to in dst.by_ref().take(block.cells) {
                copy(&src[at..][..run], to);
                at = at.wrapping_add_signed(stride);
            }
        }
    }
}

/// Copies `N` to `2 * N` bytes in two moves, which may overlap.
#[inline(always)]
fn ends<const N: usize>(from: &[Byte], to: &mut [Byte]) {
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        to.first_chunk_mut().into_iter().for_each(|to| *to = *first);
        to.last_chunk_mut().into_iter().for_each(|to| *to = *last);
    }
}
