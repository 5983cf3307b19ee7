//! Every second, third or fourth element, and all of them backwards: safe loops, for any type of element.
//!
//! ```text
//! a·b·c·d·   [::2]  →  abcd        dcba   [::-1]  →  abcd
//! ```
//!
//! A stride that the compiler knows is worth 5 to 15 times: it then makes vectors of a plain loop over chunks, with
//! whatever the target has (SSE2, AVX2 where the caller was compiled for it, `ld2` to `ld4` of NEON). It reads what lies
//! between the elements.

use super::super::cursor::Cursor;
use super::super::job::{Byte, Pattern};

/// Whether [`gather`] is for this pattern; if not for steps backwards, `UP`.
#[inline(always)]
pub(super) fn fits<const UP: bool>(pattern: &Pattern<'_>) -> bool {
    let (run, stride) = (pattern.run as isize, pattern.row.stride);
    let backwards = !UP && stride == -run;
    matches!(run, 1 | 2 | 4 | 8) && (backwards || (2..=4).any(|step| stride == step * run))
}

/// Copies the elements that come next until `dst` is full.
#[inline(always)]
pub(super) fn gather<const UP: bool>(
    pattern: &Pattern<'_>,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
) {
    match pattern.run {
        1 => units::<UP, 1>(pattern.row.stride, cursor, src, dst),
        2 => units::<UP, 2>(pattern.row.stride, cursor, src, dst),
        4 => units::<UP, 4>(pattern.row.stride, cursor, src, dst),
        8 => units::<UP, 8>(pattern.row.stride, cursor, src, dst),
        run => unreachable!("runs of {run} bytes do not fit"),
    }
}

/// A register's worth of bytes, which may have any alignment.
type Unit<const N: usize> = [Byte; N];

#[inline(always)]
fn units<const UP: bool, const N: usize>(
    stride: isize,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    dst: &mut [Byte],
) {
    let dst = dst.as_chunks_mut().0;
    match stride / N as isize {
        2 => rows(stride, cursor, src, dst, up::<N, 2>),
        3 => rows(stride, cursor, src, dst, up::<N, 3>),
        4 => rows(stride, cursor, src, dst, up::<N, 4>),
        -1 if !UP => rows(stride, cursor, src, dst, down::<N>),
        step => unreachable!("steps of {step} do not fit"),
    }
}

/// Calls `row` with the bytes from the lowest to the highest of each row, and where they go.
#[inline(always)]
fn rows<const N: usize>(
    stride: isize,
    cursor: &mut Cursor<'_>,
    src: &[Byte],
    mut dst: &mut [Unit<N>],
    row: impl Fn(&[Byte], &mut [Unit<N>]),
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

/// The first of every `S` units, upwards.
#[inline(always)]
fn up<const N: usize, const S: usize>(src: &[Byte], dst: &mut [Unit<N>]) {
    let (groups, last) = src.as_chunks().0.as_chunks::<S>();
    for (to, from) in dst.iter_mut().zip(groups) {
        *to = from[0];
    }
    if let (Some(to), Some(from)) = (dst.get_mut(groups.len()), last.first()) {
        *to = *from;
    }
}

/// All units, downwards.
#[inline(always)]
fn down<const N: usize>(src: &[Byte], dst: &mut [Unit<N>]) {
    for (to, from) in dst.iter_mut().zip(src.as_chunks().0.iter().rev()) {
        *to = *from;
    }
}
