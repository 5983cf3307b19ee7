//! Moves of single runs, which every target has, for any type of element and in either direction.
//!
//! ```text
//! strided  ab··cd··ef··     a run is one move (1, 2, 4, 8 or 16 bytes), two moves that overlap
//!          ↓↓  ↓↓  ↓↓       (abc: ab, bc), or a call of `memcpy`
//! dense    ab  cd  ef
//! ```
//!
//! They touch the selected bytes and no others. What is moved is `MaybeUninit<u8>`, so that padding and pointers survive.

use super::super::cursor::Cursor;
use super::super::job::{Byte, Pattern};

/// Which way bytes go between a strided buffer and a dense one.
pub(super) trait Direction: Copy {
    /// Whether they go to the strided one.
    const SCATTERS: bool;

    /// Copies `bytes` bytes.
    ///
    /// # Safety
    ///
    /// * The bytes can be read on one side and written on the other.
    /// * The two do not overlap.
    #[inline(always)]
    unsafe fn copy(strided: *mut Byte, dense: *mut Byte, bytes: usize) {
        let (from, to) = Self::from_to(strided, dense);
        // SAFETY: the caller lets the one be read and the other be written, and they do not overlap.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
    }

    /// Where bytes come from, and where they go.
    #[inline(always)]
    fn from_to(strided: *mut Byte, dense: *mut Byte) -> (*const Byte, *mut Byte) {
        match Self::SCATTERS {
            true => (dense, strided),
            false => (strided, dense),
        }
    }
}

/// From the strided buffer to the dense one.
#[derive(Clone, Copy)]
pub(super) struct Gather;

impl Direction for Gather {
    const SCATTERS: bool = false;
}

/// From the dense buffer to the strided one.
#[derive(Clone, Copy)]
pub(super) struct Scatter;

impl Direction for Scatter {
    const SCATTERS: bool = true;
}

/// Copies the next `len` bytes of runs.
///
/// # Safety
///
/// * `cursor` walks the runs of `pattern`, whose bytes, counted from `strided`, can be read or, to scatter, written.
/// * The `len` bytes at `dense`, which are whole runs, can be written or, to scatter, read.
/// * The two do not overlap.
pub(super) unsafe fn copy<D: Direction>(
    pattern: &Pattern<'_>,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    mut dense: *mut Byte,
    len: usize,
) {
    let copy_row = match pattern.run {
        _ if pattern.is_contiguous() => bytes::<D>,
        1 => units::<D, 1>,
        2 => units::<D, 2>,
        4 => units::<D, 4>,
        8 => units::<D, 8>,
        16 => units::<D, 16>,
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
            let row = strided
                .wrapping_add(block.offset)
                .wrapping_offset(cursor.row_distance().wrapping_mul(i as isize));
            // SAFETY: these are the next `block.cells` runs, and the function was chosen for their size.
            unsafe { copy_row(pattern, row, dense, block.cells) };
            dense = dense.wrapping_add(block.cells * pattern.run);
        }
        left -= block.rows * block.cells;
    }
}

/// Copies a row of single bytes that are contiguous.
///
/// # Safety
///
/// As [`copy`], for the `cells` runs from `strided` and `dense` on.
unsafe fn bytes<D: Direction>(_: &Pattern<'_>, strided: *mut Byte, dense: *mut Byte, cells: usize) {
    // SAFETY: the runs are bytes that follow each other on both sides.
    unsafe { D::copy(strided, dense, cells) };
}

/// Rows that reach over so many bytes come from memory.
const FAR: usize = 4 << 20;

/// So many runs ahead are asked for, if they come from memory.
const AHEAD: isize = 64;

/// Copies a row of runs of a size that the compiler knows.
///
/// # Safety
///
/// * As [`bytes`].
/// * A run has `N` bytes.
unsafe fn units<D: Direction, const N: usize>(
    pattern: &Pattern<'_>,
    strided: *mut Byte,
    dense: *mut Byte,
    cells: usize,
) {
    let stride = pattern.row.stride;
    let asks = !D::SCATTERS && stride.unsigned_abs().saturating_mul(cells) >= FAR;
    for i in 0..cells {
        let strided = strided.wrapping_offset(stride * i as isize);
        if asks {
            prefetch(strided.wrapping_offset(stride.wrapping_mul(AHEAD)));
        }
        // SAFETY: run `i` of the row, of `N` bytes.
        unsafe { D::copy(strided, dense.wrapping_add(i * N), N) };
    }
}

/// Copies a row of runs of `N` to `2 * N` bytes, each in two moves, which may overlap.
///
/// # Safety
///
/// * As [`bytes`].
/// * A run has `N` to `2 * N` bytes.
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
        // SAFETY: the first `N` bytes of run `i`.
        unsafe { D::copy(strided, dense, N) };
        // SAFETY: its last `N` bytes.
        unsafe { D::copy(strided.wrapping_add(last), dense.wrapping_add(last), N) };
    }
}

/// Copies a row of runs of any size.
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
        // SAFETY: run `i` of the row.
        unsafe { D::copy(strided, dense.wrapping_add(i * pattern.run), pattern.run) };
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
