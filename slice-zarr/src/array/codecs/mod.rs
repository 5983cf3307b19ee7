//! Decodes chunks with zarrs' codecs, but only up to the size that a decoded chunk can have.
//!
//! zarrs allocates as much memory as the encoded bytes claim to need. This module therefore decodes zstd, gzip, zlib
//! and the inner chunks of shards itself, and checks the header of blosc data before zarrs decodes it. Each worker
//! reuses its zstd context and buffer, whereas zarrs would allocate new ones for each chunk. If only the first rows of
//! a chunk compressed with zstd are needed, decoding stops after these rows.

pub(crate) mod bounded;
mod encode;
mod limits;
pub(crate) mod scratch;
pub(crate) mod shard;

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::CodecChain;
use zarrs::array::{
    ArrayBytes, ArrayToArrayCodecTraits, ArrayToBytesCodecTraits, BytesRepresentation,
    BytesToBytesCodecTraits, CodecError, CodecOptions, DataType, FillValue,
};
use zarrs::plugin::{ExtensionName, ZarrVersion};

use crate::array::codecs::bounded::{check_blosc, decode_gzip, decode_zlib};
use crate::array::codecs::encode::{ZstdSettings, zstd_settings};
use crate::array::codecs::limits::size_bounds;
use crate::array::codecs::scratch::Scratch;
use crate::array::codecs::shard::Shard;
use crate::array::error::{ChunkError, Error, catch_panic};

/// The codecs of a decoding unit: a chunk, or an inner chunk of a shard.
#[derive(Debug)]
pub(crate) struct Codecs {
    pub(crate) shape: Vec<usize>,
    /// The input of each array-to-array codec, followed by the input of the array-to-bytes codec.
    elements: Vec<Elements>,
    array_to_array: Vec<Arc<dyn ArrayToArrayCodecTraits>>,
    array_to_bytes: ArrayToBytes,
    /// The bytes-to-bytes codecs, in the order of encoding.
    bytes_to_bytes: Vec<(Arc<dyn BytesToBytesCodecTraits>, BytesCodecKind)>,
    /// Two bounds on the number of bytes before the first bytes-to-bytes codec, and after each of these codecs: the
    /// bound that zarrs computes, which is passed to zarrs' decoders, and the maximum size that this crate accepts.
    size_bounds: Vec<(BytesRepresentation, u64)>,
}

/// The shape, data type and fill value of a chunk at one step of its encoding.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) shape: Vec<NonZeroU64>,
    pub(crate) data_type: DataType,
    pub(crate) fill_value: FillValue,
}

#[derive(Debug)]
enum ArrayToBytes {
    Codec(Arc<dyn ArrayToBytesCodecTraits>),
    /// A shard, and zarrs' sharding codec, which encodes the shard if other codecs are also applied to it.
    Shard(Box<Shard>, Arc<dyn ArrayToBytesCodecTraits>),
}

/// The kind of a bytes-to-bytes codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BytesCodecKind {
    /// zstd, with its settings if they are known.
    Zstd(Option<ZstdSettings>),
    Gzip,
    Zlib,
    Blosc,
    Other,
}

/// The content of the object in which a chunk is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'c> {
    /// The elements, in C order.
    Raw,
    /// An encoding that can only be decoded as a whole.
    Encoded,
    /// Inner chunks and an index.
    Shard(&'c Shard),
}

impl Codecs {
    /// Creates the codecs for chunks of shape `shape`.
    pub(crate) fn new(
        chain: &CodecChain,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, Error> {
        let create = || Codecs::new_unguarded(chain, shape, data_type, fill_value);
        // zarrs' codecs multiply the lengths in the metadata, and may panic if the product overflows.
        catch_panic(create, || Error::Metadata("a codec panicked".into()))
    }

    fn new_unguarded(
        chain: &CodecChain,
        shape: &[usize],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, Error> {
        let invalid = |error: CodecError| Error::Metadata(error.to_string());
        let mut current = Elements {
            shape: nonzero_lengths(shape).map_err(invalid)?,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        };
        let mut elements = Vec::new();
        for codec in chain.array_to_array_codecs() {
            let encoded = codec.encoded_representation(
                &current.shape,
                &current.data_type,
                &current.fill_value,
            );
            let (shape, data_type, fill_value) = encoded.map_err(invalid)?;
            // zarrs compares products of lengths. Because these products may wrap around, zarrs does not detect every
            // codec that changes the number of elements.
            if count_of(&shape) != count_of(&current.shape) {
                return Err(Error::Metadata(format!(
                    "a codec changes the shape {:?} to {shape:?}, which has a different number of elements",
                    current.shape
                )));
            }
            let encoded = Elements {
                shape,
                data_type,
                fill_value,
            };
            elements.push(std::mem::replace(&mut current, encoded));
        }
        let array_to_bytes = chain.array_to_bytes_codec();
        let array_to_bytes = match array_to_bytes.name(ZarrVersion::V3).as_deref() {
            Some("sharding_indexed") => {
                let shard = Box::new(Shard::new(&**array_to_bytes, &current)?);
                ArrayToBytes::Shard(shard, array_to_bytes.clone())
            }
            _ => ArrayToBytes::Codec(array_to_bytes.clone()),
        };
        let bytes_to_bytes: Vec<_> = chain
            .bytes_to_bytes_codecs()
            .iter()
            .map(|codec| {
                let kind = match codec.name(ZarrVersion::V3).as_deref() {
                    Some("zstd") => BytesCodecKind::Zstd(zstd_settings(&**codec)),
                    Some("gzip") => BytesCodecKind::Gzip,
                    Some("zlib" | "numcodecs.zlib") => BytesCodecKind::Zlib,
                    Some("blosc") => BytesCodecKind::Blosc,
                    _ => BytesCodecKind::Other,
                };
                (codec.clone(), kind)
            })
            .collect();
        let size_bounds = size_bounds(&array_to_bytes, &current, &bytes_to_bytes);
        elements.push(current);
        Ok(Codecs {
            shape: shape.to_vec(),
            elements,
            size_bounds,
            array_to_array: chain.array_to_array_codecs().to_vec(),
            array_to_bytes,
            bytes_to_bytes,
        })
    }

    /// Returns `true` if the bytes-to-bytes codecs are applied to the elements in C order.
    fn is_plain(&self) -> bool {
        let to_bytes = &self.array_to_bytes;
        self.array_to_array.is_empty()
            && matches!(to_bytes, ArrayToBytes::Codec(codec) if is_bytes(&**codec))
    }

    pub(crate) fn content(&self) -> Content<'_> {
        match &self.array_to_bytes {
            _ if !self.array_to_array.is_empty() || !self.bytes_to_bytes.is_empty() => {
                Content::Encoded
            }
            ArrayToBytes::Shard(shard, _) => Content::Shard(shard),
            ArrayToBytes::Codec(_) if self.is_plain() && self.item_size() > 0 => Content::Raw,
            ArrayToBytes::Codec(_) => Content::Encoded,
        }
    }

    fn item_size(&self) -> usize {
        self.elements[0].fill_value.size()
    }

    /// Returns the size, in bytes, of a decoded array of shape `shape`.
    pub(crate) fn bytes_of(&self, shape: &[usize]) -> usize {
        shape.iter().product::<usize>() * self.item_size()
    }

    /// Decodes the elements of a chunk, in C order. Returns only the leading block of shape `block_shape` if this block
    /// can be decoded on its own, and all elements otherwise. `block_shape` must equal the shape of the chunk on all
    /// axes except the first axis on which the chunk is longer than 1.
    pub(crate) fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        block_shape: &[usize],
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let decode = || {
            if let [(_, BytesCodecKind::Zstd(_))] = self.bytes_to_bytes[..]
                && self.is_plain()
            {
                let (total, count) = (self.bytes_of(&self.shape), self.bytes_of(block_shape));
                if let Some(bytes) = scratch.decode_first_bytes(&encoded, total, count) {
                    return self.plain_elements(Cow::Owned(bytes), block_shape);
                }
            }
            self.decode_all(encoded, scratch)
        };
        catch_panic(decode, panicked)
    }

    /// Decodes elements fetched from an uncompressed chunk. They form an array of shape `shape`.
    pub(crate) fn decode_part<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        shape: &[usize],
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        catch_panic(|| self.plain_elements(bytes, shape), panicked)
    }

    fn plain_elements<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        shape: &[usize],
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let ArrayToBytes::Codec(codec) = &self.array_to_bytes else {
            unreachable!("a shard does not consist of elements in C order");
        };
        let Elements {
            data_type,
            fill_value,
            ..
        } = &self.elements[0];
        let elements = codec.decode(
            bytes,
            &nonzero_lengths(shape)?,
            data_type,
            fill_value,
            &single_threaded(),
        )?;
        Ok(elements.into_fixed().map_err(CodecError::from)?)
    }

    /// Decodes all elements of a chunk. The caller must catch panics of codecs.
    pub(crate) fn decode_all<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        let bytes = self.decode_bytes(encoded, scratch)?;
        let mut levels = self.elements.iter().rev();
        let last = levels
            .next()
            .expect("the array-to-bytes codec should have an input");
        let mut elements = match &self.array_to_bytes {
            ArrayToBytes::Codec(codec) => {
                let Elements {
                    shape,
                    data_type,
                    fill_value,
                } = last;
                codec.decode(bytes, shape, data_type, fill_value, &single_threaded())?
            }
            ArrayToBytes::Shard(shard, _) => {
                ArrayBytes::new_flen(shard.decode(&bytes, &last.fill_value, scratch)?)
            }
        };
        for (codec, level) in self.array_to_array.iter().rev().zip(levels) {
            let Elements {
                shape,
                data_type,
                fill_value,
            } = level;
            elements = codec.decode(elements, shape, data_type, fill_value, &single_threaded())?;
        }
        let elements = elements.into_fixed().map_err(CodecError::from)?;
        let expected = self.shape.iter().product::<usize>() * self.item_size();
        if elements.len() != expected {
            return Err(ChunkError::Broken(format!(
                "the chunk decodes to {} bytes instead of {expected}",
                elements.len()
            )));
        }
        Ok(elements)
    }

    /// Applies the decoders of the bytes-to-bytes codecs, in reverse order.
    fn decode_bytes<'a>(
        &self,
        mut bytes: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, CodecError> {
        for ((codec, kind), (decoded, max_bytes)) in
            self.bytes_to_bytes.iter().zip(&self.size_bounds).rev()
        {
            let max_bytes = usize::try_from(*max_bytes).unwrap_or(usize::MAX);
            bytes = match kind {
                BytesCodecKind::Zstd(_) => Cow::Owned(scratch.decode_zstd(&bytes, max_bytes)?),
                BytesCodecKind::Gzip => Cow::Owned(decode_gzip(&bytes, max_bytes)?),
                BytesCodecKind::Zlib => Cow::Owned(decode_zlib(&bytes, max_bytes)?),
                BytesCodecKind::Blosc => {
                    check_blosc(&bytes, max_bytes)?;
                    codec.decode(bytes, decoded, &single_threaded())?
                }
                BytesCodecKind::Other => codec.decode(bytes, decoded, &single_threaded())?,
            };
        }
        Ok(bytes)
    }
}

/// Returns `true` for the codec `bytes`, which keeps the elements in C order.
fn is_bytes(codec: &dyn ArrayToBytesCodecTraits) -> bool {
    codec.name(ZarrVersion::V3).as_deref() == Some("bytes")
}

/// Returns the error for a codec that panicked.
fn panicked() -> ChunkError {
    CodecError::Other("the codec panicked".into()).into()
}

/// Returns options for decoding or encoding in one thread. The workers already run in parallel.
pub(crate) fn single_threaded() -> CodecOptions {
    CodecOptions::default().with_concurrent_target(1)
}

/// Returns the number of elements, or `None` if it overflows `u128`.
fn count_of(shape: &[NonZeroU64]) -> Option<u128> {
    let mut lengths = shape.iter().map(|len| u128::from(len.get()));
    lengths.try_fold(1, u128::checked_mul)
}

fn nonzero_lengths(shape: &[usize]) -> Result<Vec<NonZeroU64>, CodecError> {
    let lengths = shape.iter().map(|&len| NonZeroU64::new(len as u64));
    let lengths: Option<_> = lengths.collect();
    lengths.ok_or_else(|| CodecError::Other("an axis of the chunk has length 0".into()))
}

/// Converts lengths from the metadata to `usize`.
pub(crate) fn to_usizes(lengths: &[u64]) -> Result<Vec<usize>, Error> {
    let sizes: Result<_, _> = lengths.iter().map(|&len| usize::try_from(len)).collect();
    sizes.map_err(|_| Error::Metadata(format!("a length in {lengths:?} exceeds the address space")))
}
