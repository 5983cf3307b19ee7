//! The zstd contexts and the buffers that a worker reuses for each chunk.

use std::borrow::Cow;
use std::io;
use std::time::Instant;

use zarrs::array::CodecError;
use zstd::zstd_safe::{
    self, CCtx, CParameter, DCtx, DParameter, InBuffer, OutBuffer, ResetDirective,
};

use crate::array::codecs::bounded::out_of_memory;
use crate::array::error::ChunkError;

/// The maximum decoded size of a zstd block, in bytes. A frame is decoded in whole blocks.
const ZSTD_BLOCK_BYTES: usize = 128 << 10;
/// The bit that indicates a content checksum, in the byte after a frame's magic number.
const CHECKSUM_FLAG: u8 = 4;

/// Memory that a worker reuses for each chunk.
#[derive(Default)]
pub(crate) struct Scratch {
    decoder: Option<DCtx<'static>>,
    encoder: Option<CCtx<'static>>,
    frame: Vec<u8>,
    buffer: Vec<u8>,
    /// The time at which the worker stops.
    deadline: Option<Instant>,
}

impl Scratch {
    /// Creates the memory of a worker that stops at a deadline.
    pub(crate) fn with_deadline(deadline: Option<Instant>) -> Self {
        Scratch {
            deadline,
            ..Scratch::default()
        }
    }

    /// Returns an error if the deadline has passed. Steps that decode many inner chunks call this method.
    pub(crate) fn check_deadline(&self) -> Result<(), ChunkError> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(ChunkError::TimedOut),
            _ => Ok(()),
        }
    }

    /// Returns the capacity, in bytes, of the buffer for decoded bytes.
    pub(crate) fn buffer_bytes(&self) -> u64 {
        self.buffer.capacity() as u64
    }

    /// Keeps the buffer of decoded bytes for the next chunk, if this worker has decoded zstd data.
    pub(crate) fn keep_decoded(&mut self, decoded: Cow<'_, [u8]>) {
        if let (Cow::Owned(buffer), Some(_)) = (decoded, &self.decoder) {
            self.buffer = buffer;
        }
    }

    /// Keeps the buffer that [`take_buffer`](Self::take_buffer) returned.
    pub(crate) fn keep_buffer(&mut self, parts: Cow<'_, [u8]>) {
        if let Cow::Owned(buffer) = parts {
            self.buffer = buffer;
        }
    }

    /// Returns the kept buffer or a new one, cleared and with at least `capacity` bytes reserved.
    pub(crate) fn take_buffer(&mut self, capacity: usize) -> Result<Vec<u8>, CodecError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer
            .try_reserve_exact(capacity)
            .map_err(|_| out_of_memory())?;
        Ok(buffer)
    }

    /// Returns the decoder, and a [buffer](Self::take_buffer) with at least `capacity` bytes reserved.
    fn decoder_and_buffer(
        &mut self,
        capacity: usize,
    ) -> Result<(&mut DCtx<'static>, Vec<u8>), CodecError> {
        if self.decoder.is_none() {
            self.decoder = DCtx::try_create();
        }
        let buffer = self.take_buffer(capacity)?;
        Ok((self.decoder.as_mut().ok_or_else(out_of_memory)?, buffer))
    }

    /// Decodes zstd frames into a buffer of `max_bytes` bytes. Returns an error if the decoded bytes do not fit.
    pub(crate) fn decode_zstd(
        &mut self,
        encoded: &[u8],
        max_bytes: usize,
    ) -> Result<Vec<u8>, CodecError> {
        let (decoder, mut buffer) = self.decoder_and_buffer(max_bytes)?;
        decoder
            .decompress(&mut buffer, encoded)
            .map_err(zstd_error)?;
        Ok(buffer)
    }

    /// Compresses `decoded` to a zstd frame with compression level `level`, and with a checksum if `checksum` is
    /// `true`.
    pub(crate) fn encode_zstd(
        &mut self,
        decoded: &[u8],
        (level, checksum): (i32, bool),
    ) -> Result<Vec<u8>, CodecError> {
        if self.encoder.is_none() {
            self.encoder = CCtx::try_create();
        }
        let encoder = self.encoder.as_mut().ok_or_else(out_of_memory)?;
        for setting in [
            CParameter::CompressionLevel(level),
            CParameter::ChecksumFlag(checksum),
        ] {
            encoder.set_parameter(setting).map_err(zstd_error)?;
        }
        let mut frame = std::mem::take(&mut self.frame);
        frame.clear();
        let max_bytes = zstd_safe::compress_bound(decoded.len());
        frame
            .try_reserve_exact(max_bytes)
            .map_err(|_| out_of_memory())?;
        encoder.compress2(&mut frame, decoded).map_err(zstd_error)?;
        Ok(frame)
    }

    /// Keeps the buffer of encoded bytes for the next chunk, if this worker has encoded zstd data.
    pub(crate) fn keep_encoded(&mut self, encoded: Cow<'_, [u8]>) {
        if let (Cow::Owned(frame), Some(_)) = (encoded, &self.encoder) {
            self.frame = frame;
        }
    }

    /// Decodes the first `count` bytes of a frame that decodes to `total` bytes. Returns `None` if the frame must be
    /// decoded as a whole.
    ///
    /// This is the case if `encoded` is not exactly one frame with a decoded size of `total` bytes, if the frame has a
    /// checksum, or if the last block contains one of the first `count` bytes. It is also the case if decoding fails, so
    /// that decoding the whole frame reports the error.
    pub(crate) fn decode_first_bytes(
        &mut self,
        encoded: &[u8],
        total: usize,
        count: usize,
    ) -> Option<Vec<u8>> {
        let is_one_frame = zstd_safe::find_frame_compressed_size(encoded) == Ok(encoded.len())
            && matches!(zstd_safe::get_frame_content_size(encoded), Ok(Some(size)) if size == total as u64)
            && encoded
                .get(4)
                .is_some_and(|flags| flags & CHECKSUM_FLAG == 0);
        if !is_one_frame || count.next_multiple_of(ZSTD_BLOCK_BYTES) >= total {
            return None;
        }
        let (decoder, mut buffer) = self.decoder_and_buffer(total).ok()?;
        decoder.reset(ResetDirective::SessionOnly).ok()?;
        // The blocks are decoded directly into the buffer, which is large enough for all of them.
        let stable = DParameter::StableOutBuffer(true);
        decoder.set_parameter(stable).ok()?;
        let mut output = OutBuffer::around(&mut buffer);
        // The decoder returns the number of bytes that it needs next, up to the end of a block and of the next header.
        let (mut rest, mut needed) = (encoded, 1);
        while output.pos() < count && needed > 0 {
            let Some((next, later)) = rest.split_at_checked(needed) else {
                break;
            };
            let mut input = InBuffer::around(next);
            match decoder.decompress_stream(&mut output, &mut input) {
                Ok(hint) if input.pos() == next.len() => (rest, needed) = (later, hint),
                _ => break,
            }
        }
        let is_complete = output.pos() >= count;
        buffer.truncate(count);
        // Resets the decoder, which has decoded only part of the frame.
        decoder.reset(ResetDirective::SessionOnly).ok()?;
        is_complete.then_some(buffer)
    }
}

fn zstd_error(code: usize) -> CodecError {
    io::Error::other(zstd_safe::get_error_name(code)).into()
}
