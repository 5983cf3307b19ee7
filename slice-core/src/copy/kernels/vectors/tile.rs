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
use super::LINE;
use super::line::Line;
use core::arch::x86_64::_mm_sfence;
use core::mem::MaybeUninit;

/// So many bytes are made before they are written.
const TILE: usize = 1 << 10;

/// The latest bytes of an output.
///
/// INVARIANT: the `filled - LINE` bytes from the second line on belong at `dense`, except the first `before` of them;
/// all of the output that lies before has been written.
// So aligned, it lies in a single page. Measured, one across two pages makes a copy take half as long again.
#[repr(C, align(2048))]
pub(super) struct Tile {
    /// A line that has been written, since a step may write a part of it again; a tile; and what a step overhangs.
    bytes: [Byte; LINE + TILE + LINE],
    /// Where the second line belongs; aligned.
    dense: *mut Byte,
    /// How much of that line is not to be written, because it lies before the output.
    before: usize,
    /// How many bytes are made, counted from the beginning of `bytes`.
    filled: usize,
}

const _: () = assert!(size_of::<Tile>() <= 2048);

impl Tile {
    /// For an output that begins at `dense`.
    #[inline(always)]
    pub(super) fn new(dense: *mut Byte) -> Self {
        let before = dense.addr() % LINE;
        Self {
            bytes: [MaybeUninit::uninit(); _],
            dense: dense.wrapping_sub(before),
            before,
            filled: LINE + before,
        }
    }

    /// Where the bytes that come next are to be made; a step after the place, and one before, are part of the tile.
    #[inline(always)]
    pub(super) fn next(&mut self) -> *mut Byte {
        self.bytes.as_mut_ptr().wrapping_add(self.filled)
    }

    /// How many steps of `out` bytes begin before the tile is full; not 0.
    #[inline(always)]
    pub(super) fn steps(&self, out: usize) -> usize {
        (LINE + TILE - self.filled).div_ceil(out)
    }

    /// The next bytes, at most to the end of the last step, have been made.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of the line, and the whole lines up to there are part of the output.
    #[inline(always)]
    pub(super) unsafe fn advance<L: Line>(&mut self, bytes: usize) {
        self.filled += bytes;
        debug_assert!(self.filled <= self.bytes.len());
        if self.filled >= LINE + TILE {
            // SAFETY: the caller says that the processor has the instructions, and that whole lines are part of the output.
            unsafe { self.flush::<L>() };
        }
    }

    /// Writes the whole lines.
    ///
    /// # Safety
    ///
    /// As [`advance`](Self::advance).
    #[inline(always)]
    unsafe fn flush<L: Line>(&mut self) {
        let lines = self.filled / LINE - 1;
        let mut from = LINE;
        if self.before > 0 && lines > 0 {
            // SAFETY: the part of the line that belongs to the output.
            unsafe { self.copy(LINE + self.before, 2 * LINE) };
            self.before = 0;
            from += LINE;
        }
        for at in (from..(lines + 1) * LINE).step_by(LINE) {
            let (from, to) = (self.bytes.as_ptr().wrapping_add(at), self.place(at));
            // SAFETY: a line of the tile, and one of the output.
            unsafe { L::stream(from, to) };
        }
        self.bytes.copy_within(lines * LINE..(lines + 2) * LINE, 0);
        self.dense = self.dense.wrapping_add(lines * LINE);
        self.filled -= lines * LINE;
    }

    /// Writes all that is left.
    ///
    /// # Safety
    ///
    /// As [`advance`](Self::advance); all bytes up to the last that was made are part of the output.
    #[inline(always)]
    pub(super) unsafe fn finish<L: Line>(&mut self) {
        // SAFETY: the caller says that the processor has the instructions, and that all that was made is part of the output.
        unsafe { self.flush::<L>() };
        // SAFETY: what is left of the output.
        unsafe { self.copy(LINE + self.before, self.filled) };
        // SAFETY: part of SSE, which is part of the SSE2 that this module is compiled for.
        unsafe { _mm_sfence() };
    }

    /// Where the byte `at` of the tile belongs.
    #[inline(always)]
    fn place(&self, at: usize) -> *mut Byte {
        self.dense.wrapping_add(at).wrapping_sub(LINE)
    }

    /// Copies bytes of the tile with ordinary stores.
    ///
    /// # Safety
    ///
    /// They are part of the output.
    unsafe fn copy(&self, from: usize, to: usize) {
        let bytes = &self.bytes[from..to];
        // SAFETY: the caller says that these places are part of the output, which does not overlap the tile.
        unsafe {
            self.place(from)
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
    }
}
