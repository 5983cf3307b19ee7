//! Decoding a chunk with zarrs' codecs, but no further than to what the chunk can have decoded.
//!
//! zarrs allocates what the bytes of a chunk claim to contain. So what can claim something is decoded here: zstd, in a
//! context and a buffer that each worker keeps (zarrs makes them anew for each chunk, and the system has to provide
//! their memory again and again), gzip and zlib, and the inner chunks of shards. The header of blosc is checked. Where only
//! the first rows of a chunk are needed, zstd stops after them.

use std::borrow::Cow;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use flate2::bufread::{GzDecoder, ZlibDecoder};
use zarrs::array::codec::CodecChain;
use zarrs::array::{
    ArrayBytes, ArrayToArrayCodecTraits, ArrayToBytesCodecTraits, BytesRepresentation,
    BytesToBytesCodecTraits, CodecError, CodecOptions, DataType, FillValue,
};
use zarrs::plugin::{ExtensionName, ZarrVersion};
use zstd::zstd_safe::{self, DCtx, InBuffer, OutBuffer, ResetDirective};

use crate::array::codecs::shard::Shard;
use crate::array::error::{ChunkError, Error};

/// The most bytes that a block of zstd has decoded; a frame is decoded in whole blocks.
const BLOCK: usize = 128 << 10;
/// The bit of the byte after the magic number that says that a checksum of everything follows.
const CHECKSUM: u8 = 4;
/// The largest chunk that zarrs is asked about; none that can be read is as large.
const LARGEST: u64 = 1 << 56;
/// The bytes of blosc's header, of which the second four are the number of decoded bytes.
const BLOSC_HEADER: usize = 16;
/// The most bytes that deflate makes of one.
const DEFLATE_RATIO: usize = 1032;

/// The codecs of what is decoded at a time.
#[derive(Debug)]
pub(crate) struct Codecs {
    pub(crate) shape: Vec<usize>,
    /// What each codec from elements to elements encodes, and at last what is encoded to bytes.
    elements: Vec<Elements>,
    to_elements: Vec<Arc<dyn ArrayToArrayCodecTraits>>,
    to_bytes: ToBytes,
    /// From bytes to bytes, in the order of encoding.
    bytes: Vec<(Arc<dyn BytesToBytesCodecTraits>, Kind)>,
    /// What is known of the bytes before the first of these codecs, and after each of them.
    levels: Vec<(BytesRepresentation, u64)>,
    /// Whether the first bytes can be decoded alone, and are those of the first rows.
    leading: bool,
}

/// The elements of a chunk, before or after some codecs.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) shape: Vec<NonZeroU64>,
    pub(crate) data_type: DataType,
    pub(crate) fill_value: FillValue,
}

#[derive(Debug)]
enum ToBytes {
    Codec(Arc<dyn ArrayToBytesCodecTraits>),
    Shard(Box<Shard>),
}

/// What is special of a codec from bytes to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zstd,
    Gzip,
    Zlib,
    Blosc,
    Other,
}

/// What is inside the object of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inside<'c> {
    /// The elements, in C order.
    Raw,
    /// Anything that can only be decoded as a whole.
    Encoded,
    /// Inner chunks and an index.
    Shard(&'c Shard),
}

/// What a worker keeps from one chunk to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    context: Option<DCtx<'static>>,
    buffer: Vec<u8>,
}

impl Codecs {
    /// The codecs of chunks of this shape.
    pub(crate) fn new(
        chain: &CodecChain,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, Error> {
        let made = || Codecs::of(chain, shape, data_type, fill_value);
        // Codecs of zarrs multiply the lengths that metadata says.
        let made = catch_unwind(AssertUnwindSafe(made));
        made.unwrap_or_else(|_| Err(Error::Metadata("a codec panicked".into())))
    }

    fn of(
        chain: &CodecChain,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, Error> {
        let broken = |error: CodecError| Error::Metadata(error.to_string());
        let mut at = Elements {
            shape: lengths(shape).map_err(broken)?,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        };
        let mut elements = Vec::new();
        for codec in chain.array_to_array_codecs() {
            let encoded = codec.encoded_representation(&at.shape, &at.data_type, &at.fill_value);
            let (shape, data_type, fill_value) = encoded.map_err(broken)?;
            // Where the product overflows, zarrs takes what is left of it.
            if count_of(&shape) != count_of(&at.shape) {
                return Err(Error::Metadata(format!(
                    "a codec makes elements of shape {shape:?} of those of shape {:?}",
                    at.shape
                )));
            }
            let encoded = Elements {
                shape,
                data_type,
                fill_value,
            };
            elements.push(std::mem::replace(&mut at, encoded));
        }
        let to_bytes = chain.array_to_bytes_codec();
        let to_bytes = match to_bytes.name(ZarrVersion::V3).as_deref() {
            Some("sharding_indexed") => ToBytes::Shard(Box::new(Shard::new(&**to_bytes, &at)?)),
            _ => ToBytes::Codec(to_bytes.clone()),
        };
        let bytes: Vec<_> = chain
            .bytes_to_bytes_codecs()
            .iter()
            .map(|codec| {
                let kind = match codec.name(ZarrVersion::V3).as_deref() {
                    Some("zstd") => Kind::Zstd,
                    Some("gzip") => Kind::Gzip,
                    Some("zlib" | "numcodecs.zlib") => Kind::Zlib,
                    Some("blosc") => Kind::Blosc,
                    _ => Kind::Other,
                };
                (codec.clone(), kind)
            })
            .collect();
        let levels = levels(&to_bytes, &at, &bytes);
        elements.push(at);
        let mut codecs = Codecs {
            shape: shape.to_vec(),
            elements,
            levels,
            to_elements: chain.array_to_array_codecs().to_vec(),
            to_bytes,
            bytes,
            leading: false,
        };
        codecs.leading = codecs.plain() && matches!(codecs.bytes[..], [(_, Kind::Zstd)]);
        Ok(codecs)
    }

    /// Whether the codecs from bytes to bytes get the elements in C order.
    fn plain(&self) -> bool {
        let ToBytes::Codec(codec) = &self.to_bytes else {
            return false;
        };
        self.to_elements.is_empty() && codec.name(ZarrVersion::V3).as_deref() == Some("bytes")
    }

    pub(crate) fn inside(&self) -> Inside<'_> {
        match &self.to_bytes {
            _ if !self.to_elements.is_empty() || !self.bytes.is_empty() => Inside::Encoded,
            ToBytes::Shard(shard) => Inside::Shard(shard),
            ToBytes::Codec(_) if self.plain() && self.item_size() > 0 => Inside::Raw,
            ToBytes::Codec(_) => Inside::Encoded,
        }
    }

    fn item_size(&self) -> usize {
        self.elements[0].fill_value.size()
    }

    /// The elements of a chunk, in C order: all of them, or at least those of a chunk of the shape `first`,
    /// which is as long on all axes but one.
    pub(crate) fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        first: &[usize],
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        guarded(|| {
            if self.leading {
                let bytes_of = |shape: &[usize]| shape.iter().product::<usize>() * self.item_size();
                if let Some(bytes) =
                    scratch.leading(&encoded, bytes_of(&self.shape), bytes_of(first))
                {
                    return self.plain_elements(Cow::Owned(bytes), first);
                }
            }
            self.decode_all(encoded, scratch)
        })
    }

    /// The elements of a part of an uncompressed chunk.
    pub(crate) fn decode_part<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        shape: &[usize],
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        guarded(|| self.plain_elements(bytes, shape))
    }

    fn plain_elements<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        shape: &[usize],
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let ToBytes::Codec(codec) = &self.to_bytes else {
            unreachable!("inner chunks are not elements in C order");
        };
        let Elements {
            data_type,
            fill_value,
            ..
        } = &self.elements[0];
        let elements = codec.decode(bytes, &lengths(shape)?, data_type, fill_value, &alone())?;
        Ok(elements.into_fixed().map_err(CodecError::from)?)
    }

    /// All elements of a chunk. A codec that panics is to be caught by the caller.
    pub(crate) fn decode_all<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let bytes = self.all_bytes(encoded, scratch)?;
        let mut levels = self.elements.iter().rev();
        let last = levels.next().expect("what is encoded to bytes");
        let mut elements = match &self.to_bytes {
            ToBytes::Codec(codec) => {
                let Elements {
                    shape,
                    data_type,
                    fill_value,
                } = last;
                codec.decode(bytes, shape, data_type, fill_value, &alone())?
            }
            ToBytes::Shard(shard) => {
                ArrayBytes::new_flen(shard.decode(&bytes, &last.fill_value, scratch)?)
            }
        };
        for (codec, level) in self.to_elements.iter().rev().zip(levels) {
            let Elements {
                shape,
                data_type,
                fill_value,
            } = level;
            elements = codec.decode(elements, shape, data_type, fill_value, &alone())?;
        }
        let elements = elements.into_fixed().map_err(CodecError::from)?;
        let expected = self.shape.iter().product::<usize>() * self.item_size();
        if elements.len() != expected {
            return Err(ChunkError::Broken(format!(
                "has {} bytes decoded instead of {expected}",
                elements.len()
            )));
        }
        Ok(elements)
    }

    /// What zarrs says of the bytes of an encoded chunk.
    pub(crate) fn encoded_representation(&self) -> &BytesRepresentation {
        &self.levels[self.bytes.len()].0
    }

    /// The most bytes that an encoded chunk may have.
    pub(crate) fn most_encoded(&self) -> u64 {
        self.levels[self.bytes.len()].1
    }

    /// The most bytes that are held at once to decode a chunk, beside the encoded ones.
    pub(crate) fn most_decoding(&self) -> u64 {
        let (mut most, mut held) = (0_u64, 0_u64);
        // The last codec decodes what was fetched.
        for &(_, made) in self.levels[..self.bytes.len()].iter().rev() {
            most = most.max(held.saturating_add(made));
            held = made;
        }
        let bytes_of = |elements: &Elements| {
            let lengths = elements.shape.iter().map(|len| len.get());
            lengths.fold(elements.fill_value.size() as u64, u64::saturating_mul)
        };
        let mut levels = self.elements.iter().rev().map(bytes_of);
        let mut made = levels.next().unwrap_or(0);
        most = most.max(match &self.to_bytes {
            ToBytes::Codec(_) if self.copies() => held.saturating_add(made),
            // It changes the bytes where they are.
            ToBytes::Codec(_) => held.max(made),
            ToBytes::Shard(shard) => held
                .saturating_add(made)
                .saturating_add(shard.index_bytes.saturating_mul(2))
                .saturating_add(shard.codecs.most_decoding()),
        });
        for level in levels {
            most = most.max(made.saturating_add(level));
            made = level;
        }
        most
    }

    /// The most bytes that are held at once to read a chunk.
    pub(crate) fn most_memory(&self) -> u64 {
        self.most_encoded().saturating_add(self.most_decoding())
    }

    /// Whether the codec to bytes is any but the plain one, which swaps bytes in their place.
    fn copies(&self) -> bool {
        match &self.to_bytes {
            ToBytes::Codec(codec) => codec.name(ZarrVersion::V3).as_deref() != Some("bytes"),
            ToBytes::Shard(_) => true,
        }
    }

    /// Whether one step decodes everything.
    pub(crate) fn is_one_step(&self) -> bool {
        self.to_elements.is_empty() && self.bytes.len() <= 1 && !self.copies()
    }

    /// The bytes of a decoded chunk.
    pub(crate) fn bytes(&self) -> u64 {
        let lengths = self.shape.iter().map(|&len| len as u64);
        lengths.fold(self.item_size() as u64, u64::saturating_mul)
    }

    /// Decodes the codecs from bytes to bytes.
    fn all_bytes<'a>(
        &self,
        mut bytes: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, CodecError> {
        for ((codec, kind), (decoded, most)) in self.bytes.iter().zip(&self.levels).rev() {
            let most = usize::try_from(*most).unwrap_or(usize::MAX);
            bytes = match kind {
                Kind::Zstd => Cow::Owned(scratch.zstd(&bytes, most)?),
                Kind::Gzip => Cow::Owned(gunzipped(&bytes, most)?),
                Kind::Zlib => {
                    Cow::Owned(inflated(ZlibDecoder::new(&bytes[..]), bytes.len(), most)?)
                }
                Kind::Blosc => {
                    check_blosc(&bytes, most)?;
                    codec.decode(bytes, decoded, &alone())?
                }
                Kind::Other => codec.decode(bytes, decoded, &alone())?,
            };
        }
        Ok(bytes)
    }
}

/// A codec that panics on untrusted bytes is an error of this chunk.
fn guarded<T>(decode: impl FnOnce() -> Result<T, ChunkError>) -> Result<T, ChunkError> {
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    decoded.unwrap_or_else(|_| Err(CodecError::Other("the codec panicked".into()).into()))
}

/// What zarrs says of the bytes of a chunk after the codec to bytes and after each of those that follow, and the most that
/// they can be: encoders other than those of zarrs may need more.
fn levels(
    to_bytes: &ToBytes,
    elements: &Elements,
    bytes: &[(Arc<dyn BytesToBytesCodecTraits>, Kind)],
) -> Vec<(BytesRepresentation, u64)> {
    use BytesRepresentation::{BoundedSize, FixedSize, UnboundedSize};
    let Elements {
        shape,
        data_type,
        fill_value,
    } = elements;
    let count = shape.iter().map(|len| len.get());
    let bytes_of = |each: usize| count.clone().fold(each as u64, u64::saturating_mul);
    let said = match to_bytes {
        ToBytes::Shard(shard) if shard.most_bytes() <= LARGEST => BoundedSize(shard.most_bytes()),
        // zarrs multiplies without a check.
        ToBytes::Codec(codec) if bytes_of(fill_value.size()) <= LARGEST => codec
            .encoded_representation(shape, data_type, fill_value)
            .unwrap_or(UnboundedSize),
        _ => UnboundedSize,
    };
    let most = match (to_bytes, said) {
        (ToBytes::Shard(shard), _) => shard.most_bytes(),
        (_, FixedSize(bytes)) => bytes,
        (_, BoundedSize(bytes)) => grown(bytes),
        // No codec makes more than this of an element.
        (_, UnboundedSize) => grown(bytes_of(2 * fill_value.size() + 64)),
    };
    let mut levels = vec![(said, most)];
    for (codec, kind) in bytes {
        let (said, before) = levels[levels.len() - 1];
        if before > LARGEST {
            levels.push((UnboundedSize, u64::MAX));
            continue;
        }
        let most = match (kind, codec.encoded_representation(&FixedSize(before))) {
            // Checksums.
            (Kind::Other, FixedSize(bytes)) => bytes,
            (Kind::Other, BoundedSize(bytes)) => grown(bytes.max(before)),
            (Kind::Other, UnboundedSize) => grown(before.saturating_mul(2)),
            _ => grown(before),
        };
        levels.push((codec.encoded_representation(&said), most));
    }
    levels
}

/// The most bytes that a compressor makes of data that cannot be compressed: more than any of them says.
fn grown(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 4).saturating_add(1024)
}

/// What is read of gzip or zlib, if it is no more than `most` bytes.
fn inflated(decoder: impl Read, encoded: usize, most: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = most.min(encoded.saturating_mul(DEFLATE_RATIO));
    let mut decoded = reserved(capacity.saturating_add(1))?;
    let more = (most as u64).saturating_add(1);
    decoder.take(more).read_to_end(&mut decoded)?;
    if decoded.len() > most {
        return Err(claims(decoded.len(), most));
    }
    Ok(decoded)
}

/// Decodes all members of gzip, if they have no more than `most` bytes.
fn gunzipped(encoded: &[u8], most: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = most.min(encoded.len().saturating_mul(DEFLATE_RATIO));
    let mut decoded = reserved(capacity.saturating_add(1))?;
    let mut rest = encoded;
    loop {
        let mut member = GzDecoder::new(rest);
        let more = ((most - decoded.len()) as u64).saturating_add(1);
        member.by_ref().take(more).read_to_end(&mut decoded)?;
        if decoded.len() > most {
            return Err(claims(decoded.len(), most));
        }
        rest = member.into_inner();
        // Zeros may fill up a block of a tape or a disk.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok(decoded);
        }
    }
}

/// Whether a chunk in blosc says that it has no more than `most` bytes.
fn check_blosc(encoded: &[u8], most: usize) -> Result<(), CodecError> {
    match encoded.first_chunk::<BLOSC_HEADER>() {
        Some(&[_, _, _, _, a, b, c, d, ..]) => {
            let decoded = u32::from_le_bytes([a, b, c, d]) as usize;
            (decoded <= most)
                .then_some(())
                .ok_or_else(|| claims(decoded, most))
        }
        // zarrs says what is wrong.
        _ => Ok(()),
    }
}

fn claims(decoded: usize, most: usize) -> CodecError {
    CodecError::Other(format!(
        "{decoded} bytes or more decoded, but the chunk has at most {most}"
    ))
}

/// An empty vector with this capacity, if there is enough memory for it.
fn reserved<T>(capacity: usize) -> Result<Vec<T>, CodecError> {
    let mut values = Vec::new();
    let allocated = values.try_reserve_exact(capacity);
    allocated.map_err(|_| too_much())?;
    Ok(values)
}

/// These values again and again, `len` in total, if there is enough memory for them; at least one value, unless `len` is 0.
pub(crate) fn filled<T: Copy>(values: &[T], len: usize) -> Result<Vec<T>, CodecError> {
    let mut filled = reserved(len)?;
    filled.extend_from_slice(&values[..values.len().min(len)]);
    // Copies what is there, which is faster than value by value.
    while filled.len() < len {
        filled.extend_from_within(..filled.len().min(len - filled.len()));
    }
    Ok(filled)
}

fn too_much() -> CodecError {
    io::Error::from(io::ErrorKind::OutOfMemory).into()
}

/// The workers run in parallel already.
pub(crate) fn alone() -> CodecOptions {
    CodecOptions::default().with_concurrent_target(1)
}

/// The number of elements; `None` if there are too many to count.
fn count_of(shape: &[NonZeroU64]) -> Option<u128> {
    let mut lengths = shape.iter().map(|len| u128::from(len.get()));
    lengths.try_fold(1, u128::checked_mul)
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
