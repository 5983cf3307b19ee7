//! Streaming stores, for outputs far larger than the caches.
//!
//! An ordinary store first reads the line that it overwrites, and later evicts another line from the caches. A
//! streaming store does neither, but needs whole lines. Steps write whole cells, and a row may end anywhere in a line.
//! Steps therefore write to a tile, and whole lines go from the tile to memory.
//!
//! The tile must be small. While lines are on their way to memory, the processor already reads for the next tile, if
//! these reads are within its lookahead. A plain copy takes 0.6 to 0.7 times as long as `memcpy` with tiles of up to
//! 1 KiB, 0.7 to 0.8 times as long with 8 KiB, and just as long with 16 KiB.

use super::super::super::job::Byte;
use super::table::MAX_STEP_BYTES;
use super::vector::{CACHE_LINE_BYTES, Vector, stream_line};
use core::mem::MaybeUninit;

/// The maximum number of bytes that are collected before whole lines are written.
pub(super) const STREAM_TILE_BYTES: usize = 1 << 10;

/// A buffer for the latest bytes of an output.
///
/// INVARIANT: the first `filled` bytes, except the first `before`, belong at `dense`. All earlier output has been
/// written.
// The alignment keeps a tile within one page. In measurements, a copy took 1.5 times as long if the tile crossed the
// boundary of a page.
#[repr(C, align(2048))]
pub(super) struct Tile {
    /// Room for an incomplete line, the bytes of a tile, and the excess of a step.
    bytes: [Byte; CACHE_LINE_BYTES + STREAM_TILE_BYTES + MAX_STEP_BYTES],
    /// The destination of the first line, which is aligned to a line.
    dense: *mut Byte,
    /// The number of bytes in the first line that are before the output and are not written.
    before: usize,
    /// The number of bytes collected, including the bytes before the output.
    filled: usize,
}

const _: () = assert!(size_of::<Tile>() <= 2048);

impl Tile {
    /// Returns an empty tile for an output that begins at `dense`.
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

    /// Returns the place for the next bytes, with room for `STREAM_TILE_BYTES` and the excess of a step.
    #[inline(always)]
    pub(super) fn next(&mut self) -> *mut Byte {
        debug_assert!(self.filled < CACHE_LINE_BYTES);
        self.bytes.as_mut_ptr().wrapping_add(self.filled)
    }

    /// Adds the next `bytes` bytes, at most `STREAM_TILE_BYTES`, to the collected bytes, and writes all whole lines.
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
            // SAFETY: this is the part of the line that belongs to the output.
            unsafe { self.copy(self.before, CACHE_LINE_BYTES) };
            self.before = 0;
            first = 1;
        }
        for line in first..lines {
            let from = self.bytes.as_ptr().wrapping_add(line * CACHE_LINE_BYTES);
            let to = self.dense.wrapping_add(line * CACHE_LINE_BYTES);
            // SAFETY: this is a line of the tile, and an aligned line of the output.
            unsafe { stream_line::<V>(from, to) };
        }
        self.bytes
            .copy_within(lines * CACHE_LINE_BYTES..(lines + 1) * CACHE_LINE_BYTES, 0);
        self.dense = self.dense.wrapping_add(lines * CACHE_LINE_BYTES);
        self.filled -= lines * CACHE_LINE_BYTES;
    }

    /// Writes the remaining bytes.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions of the vector.
    #[inline(always)]
    pub(super) unsafe fn finish<V: Vector>(self) {
        // SAFETY: the collected bytes are part of the output.
        unsafe { self.copy(self.before, self.filled) };
        // SAFETY: the caller guarantees that the processor has the instruction.
        unsafe { V::fence() };
    }

    /// Copies bytes of the tile with ordinary stores.
    ///
    /// # Safety
    ///
    /// * The bytes are part of the output.
    unsafe fn copy(&self, from: usize, to: usize) {
        let bytes = &self.bytes[from..to];
        let to = self.dense.wrapping_add(from);
        // SAFETY: the caller guarantees that these places are part of the output, which does not overlap the tile.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
}
