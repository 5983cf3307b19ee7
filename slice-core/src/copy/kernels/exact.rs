//! Loops that touch the selected bytes and no others, in either direction, through raw pointers.
//!
//! This is what writing through a slice needs, and reading one whose gaps belong to somebody else.

use super::super::bytes::Byte;
use super::super::cursor::Cursor;
use super::super::pattern::Pattern;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{STREAMED, TINY, x86};

/// Which way bytes go between a strided buffer and a dense one.
pub(super) trait Direction {
    /// Where bytes come from, and where they go.
    fn from_to(strided: *mut Byte, dense: *mut Byte) -> (*const Byte, *mut Byte);

    /// Copies `bytes` bytes.
    ///
    /// # Safety
    ///
    /// The bytes can be read on one side and written on the other, and the two do not overlap.
    #[inline(always)]
    unsafe fn copy(strided: *mut Byte, dense: *mut Byte, bytes: usize) {
        let (from, to) = Self::from_to(strided, dense);
        // SAFETY: by the contract.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
    }
}

/// From the strided buffer to the dense one.
pub(super) struct Gather;

impl Direction for Gather {
    #[inline(always)]
    fn from_to(strided: *mut Byte, dense: *mut Byte) -> (*const Byte, *mut Byte) {
        (strided, dense)
    }
}

/// From the dense buffer to the strided one.
pub(super) struct Scatter;

impl Direction for Scatter {
    #[inline(always)]
    fn from_to(strided: *mut Byte, dense: *mut Byte) -> (*const Byte, *mut Byte) {
        (dense, strided)
    }
}

/// Copies the next `len` bytes of cells, which are runs.
///
/// # Safety
///
/// * `cursor` walks the cells of `pattern`, whose bytes, counted from `strided`, can be read or, to scatter, written.
/// * The `len` bytes at `dense`, which are whole cells, can be written or, to scatter, read.
/// * The two do not overlap.
pub(super) unsafe fn copy<D: Direction>(
    pattern: &Pattern<'_>,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    mut dense: *mut Byte,
    len: usize,
) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if pattern.job.dense > TINY && pattern.is_contiguous() {
        let runs = (pattern, pattern.job.dense >= STREAMED);
        // SAFETY: by the contract.
        return unsafe { x86::rows::copy::<D>(runs, cursor, strided, dense, len) };
    }
    let copy_row = match pattern.run {
        _ if pattern.is_contiguous() => bytes::<D>,
        1 => cells::<D, 1>,
        2 => cells::<D, 2>,
        4 => cells::<D, 4>,
        8 => cells::<D, 8>,
        16 => cells::<D, 16>,
        3 => ends::<D, 2>,
        5..=7 => ends::<D, 4>,
        9..=15 => ends::<D, 8>,
        17..=32 => ends::<D, 16>,
        33..=64 => ends::<D, 32>,
        65..=128 => ends::<D, 64>,
        129..=256 => ends::<D, 128>,
        _ => runs::<D>,
    };
    let mut left = len / pattern.run;
    while left > 0 {
        let block = cursor.take(left);
        for i in 0..block.rows {
            let offset = block
                .offset
                .wrapping_add_signed(cursor.row_distance().wrapping_mul(i as isize));
            // SAFETY: the cells of a row, by the contract, of a size that the function was chosen for.
            unsafe { copy_row(pattern, strided.wrapping_add(offset), dense, block.cells) };
            dense = dense.wrapping_add(block.cells * pattern.run);
        }
        left -= block.rows * block.cells;
    }
}

/// Copies a row of single bytes that are contiguous.
///
/// # Safety
///
/// As [`copy`], for the `cells` cells from `strided` and `dense` on.
unsafe fn bytes<D: Direction>(_: &Pattern<'_>, strided: *mut Byte, dense: *mut Byte, cells: usize) {
    // SAFETY: by the contract.
    unsafe { D::copy(strided, dense, cells) };
}

/// Copies a row of cells of a size that the compiler knows.
///
/// # Safety
///
/// As [`bytes`]; cells have `N` bytes.
unsafe fn cells<D: Direction, const N: usize>(
    pattern: &Pattern<'_>,
    strided: *mut Byte,
    dense: *mut Byte,
    cells: usize,
) {
    for i in 0..cells {
        let strided = strided.wrapping_offset(pattern.row.stride * i as isize);
        // SAFETY: a cell, by the contract.
        unsafe { D::copy(strided, dense.wrapping_add(i * N), N) };
    }
}

/// Copies a row of cells of `N` to `2 * N` bytes, each in two moves, which may overlap.
///
/// # Safety
///
/// As [`bytes`]; cells have at least `N` bytes.
unsafe fn ends<D: Direction, const N: usize>(
    pattern: &Pattern<'_>,
    strided: *mut Byte,
    dense: *mut Byte,
    cells: usize,
) {
    let last = pattern.run - N;
    for i in 0..cells {
        let strided = strided.wrapping_offset(pattern.row.stride * i as isize);
        let dense = dense.wrapping_add(i * pattern.run);
        // SAFETY: the first bytes of a cell, by the contract.
        unsafe { D::copy(strided, dense, N) };
        // SAFETY: the last.
        unsafe { D::copy(strided.wrapping_add(last), dense.wrapping_add(last), N) };
    }
}

/// Copies a row of cells of any size.
///
/// # Safety
///
/// As [`bytes`].
unsafe fn runs<D: Direction>(
    pattern: &Pattern<'_>,
    strided: *mut Byte,
    dense: *mut Byte,
    cells: usize,
) {
    for i in 0..cells {
        let strided = strided.wrapping_offset(pattern.row.stride * i as isize);
        // SAFETY: a cell, by the contract.
        unsafe { D::copy(strided, dense.wrapping_add(i * pattern.run), pattern.run) };
    }
}
