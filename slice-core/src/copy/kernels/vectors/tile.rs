//! Outputs far larger than the caches, written past them.
//!
//! An ordinary store first reads the line that it is about to overwrite, and later pushes something else out of the
//! caches. A streaming store does neither, but wants whole lines. Steps make whole cells, rows of them end anywhere. So
//! they make them in a tile, and whole lines go from there to memory.
//!
//! The tile must be small. While lines are on their way to memory the processor already reads for the next tile, if what
//! lies between is no more than it can look ahead. Measured, a plain copy takes with tiles of up to 1 KiB 0.6 to 0.7
//! times as long as `memcpy`, with 8 KiB 0.7 to 0.8 times, with 16 KiB just as long.

use super::super::super::job::Byte;
use super::table::MAX_STEP_BYTES;
use super::vector::{CACHE_LINE_BYTES, Vector, stream_line};
use core::mem::MaybeUninit;

/// At most so many bytes are made before whole lines of them are written.
pub(super) const STREAM_TILE_BYTES: usize = 1 << 10;

/// The latest bytes of an output.
///
/// INVARIANT: the first `filled` bytes, except the first `before` of them, belong at `dense`; all of the output that lies
/// before has been written.
// So aligned, it lies in a single page. Measured, one across two pages makes a copy take half as long again.
#[repr(C, align(2048))]
pub(super) struct Tile {
    /// A line that is not whole yet; a tile; and what a step overhangs.
    bytes: [Byte; CACHE_LINE_BYTES + STREAM_TILE_BYTES + MAX_STEP_BYTES],
    /// Where the first line belongs; aligned.
    dense: *mut Byte,
    /// How much of that line is not to be written, because it lies before the output.
    before: usize,
    /// How many bytes are made.
    filled: usize,
}

const _: () = assert!(size_of::<Tile>() <= 2048);

impl Tile {
    /// For an output that begins at `dense`.
    #[inline(always)]
    pub(super) fn new(dense: *mut Byte) -> Self {
        let before = dense.addr() % CACHE_LINE_BYTES;
        Self {
            bytes: [MaybeUninit::uninit(); _],
            dense: dense.wrapping_sub(before),
            before,
            filled: before,
        }
    }

    /// Where the bytes that come next are to be made; there is room for `STREAM_TILE_BYTES`, and for what a step overhangs.
    #[inline(always)]
    pub(super) fn next(&mut self) -> *mut Byte {
        debug_assert!(self.filled < CACHE_LINE_BYTES);
        self.bytes.as_mut_ptr().wrapping_add(self.filled)
    }

    /// The next `bytes` bytes have been made, at most `STREAM_TILE_BYTES`; writes whole lines of them.
    ///
    /// # Safety
    ///
    /// * The bytes are part of the output.
    /// * The processor has the instructions of the vector.
    #[inline(always)]
    pub(super) unsafe fn advance<V: Vector>(&mut self, bytes: usize) {
        debug_assert!(bytes <= STREAM_TILE_BYTES);
        self.filled += bytes;
        let lines = self.filled / CACHE_LINE_BYTES;
        let mut first = 0;
        if self.before > 0 && lines > 0 {
            // SAFETY: the part of the line that belongs to the output.
            unsafe { self.copy(self.before, CACHE_LINE_BYTES) };
            self.before = 0;
            first = 1;
        }
        for line in first..lines {
            let from = self.bytes.as_ptr().wrapping_add(line * CACHE_LINE_BYTES);
            let to = self.dense.wrapping_add(line * CACHE_LINE_BYTES);
            // SAFETY: a line of the tile, and an aligned one of the output.
            unsafe { stream_line::<V>(from, to) };
        }
        self.bytes
            .copy_within(lines * CACHE_LINE_BYTES..(lines + 1) * CACHE_LINE_BYTES, 0);
        self.dense = self.dense.wrapping_add(lines * CACHE_LINE_BYTES);
        self.filled -= lines * CACHE_LINE_BYTES;
    }

    /// Writes all that is left.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions of the vector.
    #[inline(always)]
    pub(super) unsafe fn finish<V: Vector>(self) {
        // SAFETY: what was made is part of the output.
        unsafe { self.copy(self.before, self.filled) };
        // SAFETY: the caller's processor has the instruction.
        unsafe { V::fence() };
    }

    /// Copies bytes of the tile with ordinary stores.
    ///
    /// # Safety
    ///
    /// * They are part of the output.
    unsafe fn copy(&self, from: usize, to: usize) {
        let bytes = &self.bytes[from..to];
        let to = self.dense.wrapping_add(from);
        // SAFETY: the caller says that these places are part of the output, which does not overlap the tile.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
}
