//! Decodes and assembles shards. A shard consists of encoded inner chunks, and an index of their byte ranges.

use std::borrow::Cow;
use std::ops::Range;

use slice_core::{SliceError, s};
use zarrs::array::codec::{CodecChain, ShardingCodecConfiguration, ShardingIndexLocation};
use zarrs::array::{
    ArrayToBytesCodecTraits, BytesRepresentation, CodecMetadataOptions, FillValue, data_type,
};
use zarrs::plugin::ZarrVersion;

use crate::array::codecs::bounded::{repeat_values, vec_with_capacity};
use crate::array::codecs::scratch::Scratch;
use crate::array::codecs::{Codecs, Content, Elements, to_usizes};
use crate::array::error::{ChunkError, Error};
use crate::chunks::ChunkPlan;

/// The layout of a shard: its inner chunks, their codecs, and its index.
#[derive(Debug)]
pub(crate) struct Shard {
    /// The number of inner chunks along each axis.
    pub(crate) grid: Vec<usize>,
    /// The codecs of an inner chunk.
    pub(crate) codecs: Codecs,
    pub(crate) index_bytes: u64,
    pub(crate) index_at_end: bool,
    index_codecs: Codecs,
}

impl Shard {
    pub(crate) fn new(
        codec: &dyn ArrayToBytesCodecTraits,
        elements: &Elements,
    ) -> Result<Self, Error> {
        let invalid = |why: String| Error::Metadata(format!("sharding codec: {why}"));
        let configuration = codec
            .configuration(ZarrVersion::V3, &CodecMetadataOptions::default())
            .ok_or_else(|| invalid("the configuration is missing".into()))?;
        let configuration = serde_json::to_value(configuration)
            .and_then(serde_json::from_value::<ShardingCodecConfiguration>)
            .map_err(|error| invalid(error.to_string()))?;
        let ShardingCodecConfiguration::V1(configuration) = configuration else {
            return Err(Error::Unsupported(
                "this version of the sharding codec".into(),
            ));
        };
        let chain = |metadata: &_| {
            let chain = CodecChain::from_metadata(metadata);
            chain.map_err(|error| invalid(error.to_string()))
        };
        let lengths = |lengths: &[std::num::NonZeroU64]| {
            to_usizes(&lengths.iter().map(|len| len.get()).collect::<Vec<_>>())
        };
        let shard_shape = lengths(&elements.shape)?;
        let chunk_shape = lengths(&configuration.chunk_shape)?;
        let fits = chunk_shape.len() == shard_shape.len()
            && chunk_shape
                .iter()
                .zip(&shard_shape)
                .all(|(inner, outer)| outer % inner == 0);
        if !fits {
            return Err(invalid(format!(
                "inner chunks of shape {chunk_shape:?} do not divide shards of shape {shard_shape:?}"
            )));
        }
        let grid: Vec<usize> = chunk_shape
            .iter()
            .zip(&shard_shape)
            .map(|(inner, outer)| outer / inner)
            .collect();
        let entries = grid.iter().map(|&len| len as u128);
        let entries = entries.fold(1, u128::saturating_mul);
        if entries > 1 << 40 {
            return Err(invalid(format!(
                "a shard has {entries} inner chunks, more than the limit of 2^40"
            )));
        }
        let index_codecs = Codecs::new(
            &chain(&configuration.index_codecs)?,
            &[&grid[..], &[2]].concat(),
            &data_type::uint64(),
            &FillValue::from(u64::MAX),
        )?;
        let &BytesRepresentation::FixedSize(index_bytes) = index_codecs.encoded_representation()
        else {
            return Err(invalid("the encoded index has no fixed size".into()));
        };
        let codecs = chain(&configuration.codecs)?;
        Ok(Shard {
            codecs: Codecs::new(
                &codecs,
                &chunk_shape,
                &elements.data_type,
                &elements.fill_value,
            )?,
            grid,
            index_bytes,
            index_at_end: configuration.index_location == ShardingIndexLocation::End,
            index_codecs,
        })
    }

    /// Returns `true` if inner chunks are stored uncompressed, as elements in C order.
    pub(crate) fn is_uncompressed(&self) -> bool {
        matches!(self.codecs.content(), Content::Raw)
    }

    /// Decodes the index, which contains the offset and the length of each inner chunk. Drops the encoded index as soon
    /// as it is decoded, so that at most two of the encoded index, the decoded index and the result are held at a time.
    pub(crate) fn decode_index(&self, encoded: impl AsRef<[u8]>) -> Result<Vec<u64>, ChunkError> {
        let decoded = self.index_codecs.decode(
            encoded.as_ref().into(),
            &self.index_codecs.shape,
            &mut Scratch::default(),
        )?;
        Ok(match decoded {
            Cow::Borrowed(decoded) => index_entries(decoded),
            Cow::Owned(decoded) => {
                drop(encoded);
                index_entries(&decoded)
            }
        })
    }

    /// Returns the byte range of inner chunk `number` in the index, after checking it, or `None` if the inner chunk is
    /// missing.
    pub(crate) fn range(
        &self,
        index: &[u64],
        number: usize,
    ) -> Result<Option<Range<u64>>, ChunkError> {
        let [start, len] = [index[2 * number], index[2 * number + 1]];
        if (start, len) == (u64::MAX, u64::MAX) {
            return Ok(None);
        }
        let decoded = self.codecs.decoded_bytes();
        let fits = if self.is_uncompressed() {
            len == decoded
        } else {
            len <= self.codecs.max_encoded_bytes()
        };
        let end = start.checked_add(len).filter(|&end| end <= i64::MAX as u64);
        match end {
            Some(end) if fits => Ok(Some(start..end)),
            _ => Err(ChunkError::Broken(format!(
                "the index of the shard is invalid: it specifies {len} bytes at offset {start} for an inner chunk of {decoded} bytes"
            ))),
        }
    }

    /// Returns the maximum size, in bytes, of a shard without unused space.
    pub(crate) fn max_bytes(&self) -> u64 {
        let chunks = self.grid.iter().map(|&len| len as u64);
        let chunks = chunks.fold(self.codecs.max_encoded_bytes(), u64::saturating_mul);
        chunks.saturating_add(self.index_bytes)
    }

    /// Decodes the index of a shard, given all bytes of the shard.
    pub(crate) fn decode_index_of(&self, encoded: &[u8]) -> Result<Vec<u64>, ChunkError> {
        let index_bytes = self.index_bytes as usize;
        let without_index = encoded.len().checked_sub(index_bytes);
        let without_index = without_index.ok_or_else(|| self.truncated(encoded.len() as u64))?;
        self.decode_index(if self.index_at_end {
            &encoded[without_index..]
        } else {
            &encoded[..index_bytes]
        })
    }

    /// Joins encoded inner chunks into a shard. `chunks` contains the bytes of each inner chunk, in C order, or `None`
    /// for missing inner chunks. Returns `None` if all inner chunks are missing.
    pub(crate) fn assemble(
        &self,
        chunks: &[Option<&[u8]>],
        scratch: &mut Scratch,
    ) -> Result<Option<Vec<u8>>, ChunkError> {
        let lens = chunks.iter().flatten().map(|chunk| chunk.len());
        let total_bytes = lens.fold(self.index_bytes as usize, usize::saturating_add);
        if chunks.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut index = repeat_values(&[u64::MAX], 2 * chunks.len())?;
        let mut shard = vec_with_capacity(total_bytes)?;
        if !self.index_at_end {
            shard.resize(self.index_bytes as usize, 0);
        }
        for (chunk, entry) in chunks.iter().zip(index.chunks_exact_mut(2)) {
            if let Some(chunk) = chunk {
                entry.copy_from_slice(&[shard.len() as u64, chunk.len() as u64]);
                shard.extend_from_slice(chunk);
            }
        }
        let index = bytemuck::cast_slice(&index);
        let index = self.index_codecs.encode(Cow::Borrowed(index), scratch)?;
        if index.len() as u64 != self.index_bytes {
            return Err(ChunkError::Broken(
                "the encoded index of the shard does not have the expected size".into(),
            ));
        }
        match self.index_at_end {
            true => shard.extend_from_slice(&index),
            false => shard[..index.len()].copy_from_slice(&index),
        }
        Ok(Some(shard))
    }

    /// Decodes all elements of a shard, in C order.
    pub(crate) fn decode(
        &self,
        encoded: &[u8],
        fill_value: &FillValue,
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, ChunkError> {
        let index = self.decode_index_of(encoded)?;
        let fill_value = fill_value.as_ne_bytes();
        let inner = &self.codecs.shape;
        let shape: Vec<usize> = self
            .grid
            .iter()
            .zip(inner)
            .map(|(k, len)| k * len)
            .collect();
        let bytes = shape.iter().product::<usize>() * fill_value.len();
        let mut shard = repeat_values(fill_value, bytes)?;
        if shard.is_empty() {
            return Ok(shard);
        }
        // The bytes of an element form an additional last axis, so that elements of any size can be copied.
        let invalid = |error: SliceError| ChunkError::Broken(error.to_string());
        let item = &[fill_value.len()][..];
        let whole = s![...].resolve(&[&shape, item].concat()).map_err(invalid)?;
        let plan = ChunkPlan::new(&whole, &[inner, item].concat());
        let plan = plan.map_err(|error| ChunkError::Broken(error.to_string()))?;
        for part in plan.parts() {
            scratch.check_deadline()?;
            let Some(range) = self.range(&index, part.number())? else {
                continue;
            };
            let chunk = bytes_at(encoded, range)?;
            let chunk = self.codecs.decode_all(Cow::Borrowed(chunk), scratch)?;
            part.output().scatter(&chunk, &mut shard).map_err(invalid)?;
            scratch.keep_decoded(chunk);
        }
        Ok(shard)
    }

    pub(crate) fn truncated(&self, bytes: u64) -> ChunkError {
        ChunkError::Broken(format!(
            "the shard is truncated: it has {bytes} bytes, but its index alone takes {}",
            self.index_bytes
        ))
    }
}

fn index_entries(decoded: &[u8]) -> Vec<u64> {
    let (entries, _) = decoded.as_chunks::<8>();
    let entries = entries.iter().map(|&entry| u64::from_ne_bytes(entry));
    entries.collect()
}

/// Returns the bytes of a shard at `range`. Returns an error if the shard is truncated.
pub(crate) fn bytes_at(encoded: &[u8], range: Range<u64>) -> Result<&[u8], ChunkError> {
    let bytes = encoded.get(range.start as usize..range.end as usize);
    bytes.ok_or_else(|| {
        ChunkError::Broken(format!(
            "the shard is truncated: bytes {}..{} are missing",
            range.start, range.end
        ))
    })
}
