//! Streaming stores, for outputs that are too large for the caches. See [`table`](super::table) for the terms *step*
//! and *cell*.
//!
//! For an ordinary store, the processor first reads the cache line that is overwritten, and later evicts another line
//! from the caches. For streaming stores, it does neither, but the stores must fill whole lines. Steps copy whole
//! cells, and a row may end anywhere in a line. Steps therefore write to a *tile*, a small buffer, and whole lines are
//! streamed from the tile to memory.
//!
//! The tile must be small. While lines are being written to memory, the processor already executes the reads for the
//! next tile, but only if not too many instructions precede them. A plain copy takes 0.6 to 0.7 times as long as
//! `memcpy` with tiles of up to 1 KiB, 0.7 to 0.8 times as long with 8 KiB tiles, and as long as `memcpy` with 16 KiB
//! tiles.

use super::super::super::job::Byte;
use super::super::prefetch::CACHE_LINE_BYTES;
use super::table::MAX_STEP_BYTES;
use super::vector::{Vector, stream_line};
use core::mem::MaybeUninit;

/// The maximum number of bytes that are collected before whole lines are written.
pub(super) const MAX_STREAM_TILE_BYTES: usize = 1 << 10;

/// A buffer for output bytes that have not been written yet.
///
/// INVARIANT: the first `filled` bytes of `bytes`, except the first `skipped_bytes`, belong to the output, at the same
/// offsets from `dense`. All earlier bytes of the output have been written.
// The alignment keeps a tile within one page. In measurements, a copy took 1.5 times as long if the tile crossed a page
// boundary.
#[repr(C, align(2048))]
pub(super) struct Tile {
    /// Room for an incomplete line, `MAX_STREAM_TILE_BYTES` collected bytes, and the [excess bytes](super::rows) of a
    /// step.
    bytes: [Byte; CACHE_LINE_BYTES + MAX_STREAM_TILE_BYTES + MAX_STEP_BYTES],
    /// The destination of the first line of `bytes`, aligned to a cache line.
    dense: *mut Byte,
    /// The number of bytes at the start of the first line that precede the output, and are therefore not written.
    skipped_bytes: usize,
    /// The number of bytes collected, including the skipped bytes.
    filled: usize,
}

const _: () = assert!(size_of::<Tile>() <= 2048);

impl Tile {
    /// Creates an empty tile for an output that begins at `dense`.
    #[inline(always)]
    pub(super) fn new(dense: *mut Byte) -> Self {
        let skipped_bytes = dense.addr() % CACHE_LINE_BYTES;
        Self {
            bytes: [MaybeUninit::uninit(); _],
            dense: dense.wrapping_sub(skipped_bytes),
            skipped_bytes,
            filled: skipped_bytes,
        }
    }

    /// Returns the address for the next bytes, with room for `MAX_STREAM_TILE_BYTES` bytes and the excess bytes of a
    /// step.
    #[inline(always)]
    pub(super) fn next(&mut self) -> *mut Byte {
        debug_assert!(self.filled < CACHE_LINE_BYTES);
        self.bytes.as_mut_ptr().wrapping_add(self.filled)
    }

    /// Adds the `bytes` bytes that have been written at [`next`](Self::next) to the collected bytes, and writes all
    /// whole lines to the output. `bytes` must be at most `MAX_STREAM_TILE_BYTES`.
    ///
    /// # Safety
    ///
    /// * The bytes must be the next bytes of the output, which must be writable.
    /// * The processor must support the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn advance<V: Vector>(&mut self, bytes: usize) {
        debug_assert!(bytes <= MAX_STREAM_TILE_BYTES);
        self.filled += bytes;
        let lines = self.filled / CACHE_LINE_BYTES;
        let mut first = 0;
        if self.skipped_bytes > 0 && lines > 0 {
            // SAFETY: by the invariant, the bytes of the first line, except the skipped bytes, belong to the output.
            unsafe { self.copy(self.skipped_bytes, CACHE_LINE_BYTES) };
            self.skipped_bytes = 0;
            first = 1;
        }
        for line in first..lines {
            let from = self.bytes.as_ptr().wrapping_add(line * CACHE_LINE_BYTES);
            let to = self.dense.wrapping_add(line * CACHE_LINE_BYTES);
            // SAFETY: this is a whole line of the tile, and its destination is an aligned line of the output. `finish`
            // executes the fence.
            unsafe { stream_line::<V>(from, to) };
        }
        self.bytes
            .copy_within(lines * CACHE_LINE_BYTES..(lines + 1) * CACHE_LINE_BYTES, 0);
        self.dense = self.dense.wrapping_add(lines * CACHE_LINE_BYTES);
        self.filled -= lines * CACHE_LINE_BYTES;
    }

    /// Writes the remaining bytes, and executes a fence after all streaming stores.
    ///
    /// # Safety
    ///
    /// * The processor must support the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn finish<V: Vector>(&self) {
        // SAFETY: by the invariant, the collected bytes, except the skipped bytes, belong to the output.
        unsafe { self.copy(self.skipped_bytes, self.filled) };
        // SAFETY: the caller guarantees that the processor supports the instruction.
        unsafe { V::fence() };
    }

    /// Copies the bytes `from..to` of the tile to the output, with ordinary stores.
    ///
    /// # Safety
    ///
    /// * These bytes must belong to the output, which must be writable.
    unsafe fn copy(&self, from: usize, to: usize) {
        let bytes = &self.bytes[from..to];
        let to = self.dense.wrapping_add(from);
        // SAFETY: the caller guarantees that the destination is part of the output, which does not overlap the tile.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
}
