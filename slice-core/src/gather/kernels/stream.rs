//! Outputs far larger than the caches, written past them.
//!
//! An ordinary store first reads the line that it is about to overwrite, and later pushes something else out of the
//! caches. A streaming store does neither, but wants whole lines, in order. So a kernel fills a small buffer that stays
//! in the first-level cache, and whole lines go from there to memory. Kernels need not know.

use super::super::bytes::Byte;
use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_sfence, _mm_stream_si128};
use core::mem::MaybeUninit;

/// Outputs of at least so many bytes are streamed. Measured on a processor with 32 MiB of third-level cache: up to 4 MiB
/// streaming costs several times as much as ordinary stores, at 8 MiB half as much again, and from 16 MiB on it takes
/// two thirds to nine tenths of their time.
pub(super) const FROM: usize = 16 << 20;

/// A cache line.
const LINE: usize = 64;
/// What is filled at a time: half of a first-level cache. With less, reading and writing take turns too often; with
/// more, some of it is pushed out before it is written.
const TILE: usize = 16 << 10;

/// The bytes from the beginning of a line of the output on, which are not written yet.
#[repr(C, align(64))]
struct Tile([Byte; TILE]);

/// Fills `dst` by calls of `make` for the cells, of at most half a tile, that come next.
#[inline(always)]
pub(super) fn fill(dst: &mut [Byte], cell: usize, mut make: impl FnMut(&mut [Byte])) {
    debug_assert!(dst.len().is_multiple_of(cell) && cell <= TILE / 2);
    let mut tile = Tile([MaybeUninit::uninit(); TILE]);
    // The first line of the tile is that in which `dst` begins; what comes before is left alone.
    let before = dst.as_ptr().addr() % LINE;
    let mut dst = dst;
    let (mut from, mut filled, mut unmade) = (before, before, dst.len());
    while unmade > 0 {
        let now = ((TILE - filled) / cell * cell).min(unmade);
        make(&mut tile.0[filled..][..now]);
        (filled, unmade) = (filled + now, unmade - now);

        let whole = filled / LINE * LINE;
        if from > 0 && whole > 0 {
            let (head, rest) = dst.split_at_mut(LINE - from);
            head.copy_from_slice(&tile.0[from..LINE]);
            (dst, from) = (rest, LINE);
        }
        let (lines, rest) = dst.split_at_mut(whole.saturating_sub(from));
        stream(&tile, from, lines);
        dst = rest;
        tile.0.copy_within(whole..filled, 0);
        (from, filled) = if whole > 0 {
            (0, filled - whole)
        } else {
            (from, filled)
        };
    }
    dst.copy_from_slice(&tile.0[from..filled]);
    // SAFETY: part of SSE, which is part of the SSE2 that this module is compiled for.
    unsafe { _mm_sfence() };
}

/// Streams the lines of the tile from the byte `from` on, at which a line begins, to the lines `to`.
#[inline]
fn stream(tile: &Tile, from: usize, to: &mut [Byte]) {
    const PART: usize = size_of::<__m128i>();
    let to = to.as_chunks_mut::<PART>().0;
    for (from, to) in tile.0[from..].as_chunks::<PART>().0.iter().zip(to) {
        debug_assert!(to.as_ptr().addr() % PART == 0);
        // SAFETY: a part of a tile, which is aligned, from one of its lines on.
        let part = unsafe { _mm_load_si128(from.as_ptr().cast()) };
        // SAFETY: as many bytes of the output, from a line on; they are not touched again before the fence.
        unsafe { _mm_stream_si128(to.as_mut_ptr().cast(), part) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Byte, TILE, fill};
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn every_byte_once_and_in_order() {
        let lengths = [1, 3, 16, 48, 63, 64, 256];
        for cell in lengths {
            for cells in [1, 2, TILE / cell, TILE / cell + 1, 3 * TILE / cell + 7] {
                for before in [0, 1, 16, 63] {
                    let mut buffer = vec![Byte::new(255); before + cells * cell + 1];
                    let mut next = 0;
                    let len = buffer.len();
                    fill(&mut buffer[before..len - 1], cell, |part| {
                        assert!(!part.is_empty() && part.len() % cell == 0);
                        for byte in part {
                            byte.write((next % 251) as u8);
                            next += 1;
                        }
                    });
                    assert_eq!(next, cells * cell);
                    // SAFETY: all bytes were initialised to begin with.
                    let bytes: Vec<u8> = buffer
                        .iter()
                        .map(|byte| unsafe { byte.assume_init() })
                        .collect();
                    let (head, tail) = (&bytes[..before], bytes[len - 1]);
                    assert!(
                        head.iter().chain([&tail]).all(|&byte| byte == 255),
                        "{cell} {cells} {before}"
                    );
                    let made = bytes[before..len - 1].iter().enumerate();
                    assert!(
                        made.into_iter().all(|(i, &byte)| byte == (i % 251) as u8),
                        "{cell} {cells} {before}"
                    );
                }
            }
        }
    }
}
