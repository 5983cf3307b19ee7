//! A streamed output that is filled by functions on slices, without vectors.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64::__m128i;
use core::marker::PhantomData;

use super::super::Output;
use super::tile::{MAX_STREAM_TILE_BYTES, Tile};
use crate::copy::job::Byte;

/// An output that is written with streaming stores, which every x86-64 processor has.
///
/// INVARIANT: `left` bytes of the output have not been added to the tile, and they are the last ones.
pub(in crate::copy) struct Stream<'a> {
    tile: Tile,
    left: usize,
    output: PhantomData<&'a mut [Byte]>,
}

impl<'a> Stream<'a> {
    /// The number of bytes for which there is [`room`](Self::room).
    pub(in crate::copy) const ROOM: usize = MAX_STREAM_TILE_BYTES;

    /// Returns the output again if streaming stores are not faster than ordinary stores, or if the processor has none.
    pub(in crate::copy) fn new(output: &'a mut [Byte]) -> Result<Self, &'a mut [Byte]> {
        let is_far = Output::classify(output.as_ptr(), output.len()) == Output::Far;
        match is_far && cfg!(all(target_arch = "x86_64", target_feature = "sse2")) {
            true => Ok(Stream {
                tile: Tile::new(output.as_mut_ptr()),
                left: output.len(),
                output: PhantomData,
            }),
            false => Err(output),
        }
    }

    /// Returns a buffer for the next bytes.
    #[inline(always)]
    pub(in crate::copy) fn room(&mut self) -> &mut [Byte; MAX_STREAM_TILE_BYTES] {
        // SAFETY: the tile has room for this number of bytes at the address, and is borrowed as long as the result.
        unsafe { &mut *self.tile.next().cast() }
    }

    /// Adds the first `bytes` bytes of the [`room`](Self::room) to the output.
    #[inline(always)]
    pub(in crate::copy) fn advance(&mut self, bytes: usize) {
        assert!(
            bytes <= Self::ROOM && bytes <= self.left,
            "the output should have room for the bytes"
        );
        self.left -= bytes;
        // SAFETY: by the invariant, the output has room for these bytes, and it is borrowed mutably. Every x86-64 processor
        // supports SSE2.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        unsafe {
            self.tile.advance::<__m128i>(bytes);
        }
    }

    /// Checks that the whole output has been added. Dropping the stream then writes the last bytes.
    pub(in crate::copy) fn finish(self) {
        assert!(self.left == 0, "every byte should be written");
    }
}

/// Writes the bytes that have been added, but not yet written, also if the caller panics. Other threads that read the output
/// afterwards see all bytes that have been added.
impl Drop for Stream<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: every x86-64 processor supports SSE2.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        unsafe {
            self.tile.finish::<__m128i>();
        }
    }
}
