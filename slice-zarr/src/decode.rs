//! Decoding a chunk with zarrs' codecs, and zstd in a context and a buffer that each worker keeps.
//!
//! zarrs makes a context and a buffer for each chunk, whose memory the system has to provide again and again, and allocates
//! what a chunk claims to contain. Where only the first rows of a chunk are needed, zstd stops after them.

use std::borrow::Cow;
use std::io;
use std::num::NonZeroU64;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use zarrs::array::codec::CodecChain;
use zarrs::array::{
    ArrayToBytesCodecTraits, BytesToBytesCodecTraits, CodecError, CodecOptions, DataType, FillValue,
};
use zarrs::plugin::{ExtensionName, ZarrVersion};
use zstd::zstd_safe::{self, DCtx, InBuffer, OutBuffer, ResetDirective};

use crate::ChunkError;

/// The most bytes that a block of zstd has decoded; a frame is decoded in whole blocks.
const BLOCK: usize = 128 << 10;
/// The bit of the byte after the magic number that says that a checksum of everything follows.
const CHECKSUM: u8 = 4;

/// The codecs of what is decoded at a time.
#[derive(Debug)]
pub(crate) struct Codecs {
    /// From bytes to elements.
    elements: CodecChain,
    /// From bytes to bytes, in the order of encoding, and whether each is zstd.
    bytes: Vec<(Arc<dyn BytesToBytesCodecTraits>, bool)>,
    /// Whether the first bytes can be decoded alone, and are those of the first rows.
    leading: bool,
}

/// What a worker keeps from one chunk to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    context: Option<DCtx<'static>>,
    buffer: Vec<u8>,
}

impl Codecs {
    pub(crate) fn new(chain: &CodecChain) -> Self {
        let to_bytes = chain.array_to_bytes_codec();
        let bytes: Vec<_> = chain
            .bytes_to_bytes_codecs()
            .iter()
            .map(|codec| {
                let is_zstd = codec.name(ZarrVersion::V3).as_deref() == Some("zstd");
                (codec.clone(), is_zstd)
            })
            .collect();
        let to_elements = chain.array_to_array_codecs();
        let leading = to_elements.is_empty()
            && to_bytes.name(ZarrVersion::V3).as_deref() == Some("bytes")
            && matches!(bytes[..], [(_, true)]);
        Codecs {
            elements: CodecChain::new(to_elements.to_vec(), to_bytes.clone(), Vec::new()),
            bytes,
            leading,
        }
    }

    /// The elements of a chunk of this shape, in C order: all of them, or at least those of a chunk of the shape `first`,
    /// which is as long on all axes but one.
    pub(crate) fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        shape: &[usize],
        first: &[usize],
        (data_type, fill_value): (&DataType, &FillValue),
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let item_size = fill_value.size();
        let bytes_of = |shape: &[usize]| shape.iter().product::<usize>() * item_size;
        // A codec that panics on untrusted bytes is an error of this chunk.
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            if self.leading
                && let Some(bytes) = scratch.leading(&encoded, bytes_of(shape), bytes_of(first))
            {
                return self.elements(Cow::Owned(bytes), first, data_type, fill_value);
            }
            let bytes = self.all_bytes(encoded, shape, data_type, fill_value, scratch)?;
            self.elements(bytes, shape, data_type, fill_value)
        }));
        let decoded =
            decoded.unwrap_or_else(|_| Err(CodecError::Other("the codec panicked".into())))?;
        let expected = bytes_of(shape);
        if decoded.len() != expected && decoded.len() != bytes_of(first) {
            return Err(ChunkError::Broken(format!(
                "has {} bytes decoded instead of {expected}",
                decoded.len()
            )));
        }
        Ok(decoded)
    }

    fn all_bytes<'a>(
        &self,
        mut bytes: Cow<'a, [u8]>,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, CodecError> {
        let mut decoded =
            self.elements
                .encoded_representation(&lengths(shape)?, data_type, fill_value)?;
        let mut steps = Vec::with_capacity(self.bytes.len());
        for (codec, is_zstd) in &self.bytes {
            let encoded = codec.encoded_representation(&decoded);
            steps.push((codec, is_zstd, decoded));
            decoded = encoded;
        }
        for (codec, is_zstd, decoded) in steps.into_iter().rev() {
            bytes = match decoded.size().map(usize::try_from) {
                Some(Ok(most)) if *is_zstd => Cow::Owned(scratch.zstd(&bytes, most)?),
                _ => codec.decode(bytes, &decoded, &alone())?,
            };
        }
        Ok(bytes)
    }

    fn elements<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Cow<'a, [u8]>, CodecError> {
        let elements =
            self.elements
                .decode(bytes, &lengths(shape)?, data_type, fill_value, &alone())?;
        Ok(elements.into_fixed()?)
    }
}

/// The workers run in parallel already.
fn alone() -> CodecOptions {
    CodecOptions::default().with_concurrent_target(1)
}

fn lengths(shape: &[usize]) -> Result<Vec<NonZeroU64>, CodecError> {
    let lengths = shape.iter().map(|&len| NonZeroU64::new(len as u64));
    let lengths: Option<_> = lengths.collect();
    lengths.ok_or_else(|| CodecError::Other("an empty chunk".into()))
}

fn failed(code: usize) -> CodecError {
    io::Error::other(zstd_safe::get_error_name(code)).into()
}

impl Scratch {
    /// The bytes that are kept.
    pub(crate) fn kept(&self) -> u64 {
        self.buffer.capacity() as u64
    }

    /// Takes back what was decoded, for the next chunk.
    pub(crate) fn keep(&mut self, decoded: Cow<'_, [u8]>) {
        if let (Cow::Owned(buffer), Some(_)) = (decoded, &self.context) {
            self.buffer = buffer;
        }
    }

    /// The context, and the buffer with at least this capacity.
    fn start(&mut self, capacity: usize) -> Result<(&mut DCtx<'static>, Vec<u8>), CodecError> {
        let too_much = || CodecError::from(io::Error::from(io::ErrorKind::OutOfMemory));
        if self.context.is_none() {
            self.context = DCtx::try_create();
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.try_reserve_exact(capacity).map_err(|_| too_much())?;
        Ok((self.context.as_mut().ok_or_else(too_much)?, buffer))
    }

    /// Decodes frames of at most this many bytes.
    fn zstd(&mut self, encoded: &[u8], most: usize) -> Result<Vec<u8>, CodecError> {
        let (context, mut buffer) = self.start(most)?;
        context.decompress(&mut buffer, encoded).map_err(failed)?;
        Ok(buffer)
    }

    /// The first bytes of a frame of `all` bytes; `None` if the frame should be decoded as a whole.
    ///
    /// A truncated frame is one that should, and fails then; so does one with a checksum.
    fn leading(&mut self, encoded: &[u8], all: usize, wanted: usize) -> Option<Vec<u8>> {
        let one_frame = zstd_safe::find_frame_compressed_size(encoded) == Ok(encoded.len())
            && matches!(zstd_safe::get_frame_content_size(encoded), Ok(Some(size)) if size == all as u64)
            && encoded.get(4).is_some_and(|flags| flags & CHECKSUM == 0);
        if !one_frame || wanted.next_multiple_of(BLOCK) > all / 2 {
            return None;
        }
        let (context, mut buffer) = self.start(wanted).ok()?;
        buffer.resize(wanted, 0);
        context.reset(ResetDirective::SessionOnly).ok()?;
        let mut input = InBuffer::around(encoded);
        let mut output = OutBuffer::around(&mut buffer[..]);
        while output.pos() < wanted {
            let before = (input.pos(), output.pos());
            let step = context.decompress_stream(&mut output, &mut input);
            if step.is_err() || (input.pos(), output.pos()) == before {
                break;
            }
        }
        let done = output.pos() == wanted;
        // What the context has decoded beyond that is of no use for the next chunk.
        context.reset(ResetDirective::SessionOnly).ok()?;
        done.then_some(buffer)
    }
}
