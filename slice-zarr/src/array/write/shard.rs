//! Writes shards. Inner chunks that are not touched are copied without being decoded.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use ndarray::{CowArray, IxDyn};
use zarrs::storage::Bytes;

use super::Writer;
use crate::array::codecs::Content;
use crate::array::codecs::bounded::repeat_values;
use crate::array::codecs::scratch::Scratch;
use crate::array::codecs::shard::{Shard, bytes_at};
use crate::array::element::{Unit, as_units};
use crate::array::error::{ChunkError, Error};
use crate::array::read::reader::StoredChunk;
use crate::array::workers::lock;
use crate::chunks::ChunkPlan;
use crate::chunks::part::ChunkPart;

/// A shard that is being written. Its object is written when all touched inner chunks have been encoded.
pub(super) struct ShardToWrite<'w, U> {
    chunk: StoredChunk,
    /// The old bytes and the old index, if the shard exists and some of its content is kept.
    old: Option<(Bytes, Vec<u64>)>,
    /// The touched inner chunks.
    inner: ChunkPlan,
    /// The values to write to the selected elements of the shard.
    values: CowArray<'w, U, IxDyn>,
    /// The maximum number of inner chunks that one worker encodes at a time.
    group_len: usize,
    encoded: Mutex<Vec<EncodedInnerChunks>>,
}

/// Encoded inner chunks, concatenated.
#[derive(Default)]
struct EncodedInnerChunks {
    bytes: Vec<u8>,
    /// The index of each inner chunk in the C order of its shard, and its size in bytes. The size is `None` if all
    /// elements of the inner chunk have the fill value.
    chunks: Vec<(usize, Option<usize>)>,
}

impl<U> ShardToWrite<'_, U> {
    /// Divides the touched inner chunks into groups. Each group is encoded by one worker.
    pub(super) fn groups(&self) -> impl Iterator<Item = Range<usize>> + use<U> {
        let (len, group_len) = (self.inner.len(), self.group_len);
        { 0..len }
            .step_by(group_len)
            .map(move |begin| begin..len.min(begin + group_len))
    }
}

impl<'w, U: Unit> Writer<'w, U> {
    /// Decodes the old index of a shard, and determines the touched inner chunks and their values.
    pub(super) fn open(
        &self,
        shard: &Shard,
        chunk: StoredChunk,
        part: &ChunkPart<'_>,
        old: Option<Bytes>,
    ) -> Result<Arc<ShardToWrite<'w, U>>, Error> {
        let old = match old {
            Some(bytes) => {
                let index = shard.decode_index_of(&bytes);
                Some((bytes, index.map_err(|error| chunk.failed(error))?))
            }
            None => None,
        };
        let shape = &shard.codecs.shape;
        let inner = ChunkPlan::new(&part.selection(), shape)?;
        let values = self.values_of(part, self.values)?;
        let len = inner.len();
        Ok(Arc::new(ShardToWrite {
            chunk,
            old,
            inner,
            values,
            // Each worker gets several groups, so that all workers finish at nearly the same time.
            group_len: len
                .div_ceil(self.reader.options.workers.saturating_mul(4))
                .max(1),
            encoded: Mutex::default(),
        }))
    }

    /// Encodes the touched inner chunks `numbers` of a shard. If all touched inner chunks have then been encoded,
    /// writes the shard and returns `true`.
    pub(super) fn encode(
        &self,
        shard_to_write: &ShardToWrite<'w, U>,
        numbers: Range<usize>,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let Content::Shard(shard) = self.reader.stored.content() else {
            unreachable!("only shards have inner chunks");
        };
        let encoded = self.encode_inner(shard, shard_to_write, numbers, scratch)?;
        let mut all = lock(&shard_to_write.encoded);
        all.push(encoded);
        let counts = all.iter().map(|encoded| encoded.chunks.len());
        if counts.sum::<usize>() < shard_to_write.inner.len() {
            return Ok(false);
        }
        drop(all);
        let bytes = new_shard_bytes(shard, shard_to_write, scratch);
        let bytes = bytes.map_err(|error| shard_to_write.chunk.failed(error))?;
        self.store(&shard_to_write.chunk, bytes.map(Bytes::from))?;
        Ok(true)
    }

    fn encode_inner(
        &self,
        shard: &Shard,
        shard_to_write: &ShardToWrite<'w, U>,
        numbers: Range<usize>,
        scratch: &mut Scratch,
    ) -> Result<EncodedInnerChunks, Error> {
        let (chunk, codecs) = (&shard_to_write.chunk, &shard.codecs);
        let fill = self.reader.stored.fill_units();
        let fill = fill.map_err(|error| chunk.failed(error))?;
        let mut units = self.filled_units(chunk, codecs.shape.iter().product())?;
        let values = shard_to_write.values.view();
        let mut encoded = EncodedInnerChunks::default();
        for part in shard_to_write.inner.parts_in(numbers) {
            scratch
                .check_deadline()
                .map_err(|error| chunk.failed(error))?;
            let axes = part.chunk().zip(&shard.grid);
            let number_in_shard = axes.fold(0, |sum, (k, &len)| sum * len + k);
            // `units` still holds the elements of the previous inner chunk. They are not reset if the slice overwrites
            // all array elements in the current inner chunk.
            if !part.is_whole() {
                let old = old_inner_chunk(shard, shard_to_write, number_in_shard)
                    .map_err(|error| chunk.failed(error))?;
                if let Some(bytes) = old {
                    let bytes = codecs.decode(Cow::Borrowed(bytes), &codecs.shape, scratch);
                    let bytes = bytes.map_err(|error| chunk.failed(error))?;
                    let old = as_units(&bytes).map_err(|error| chunk.failed(error))?;
                    units.clear();
                    units.extend_from_slice(&old);
                    scratch.keep_decoded(bytes);
                } else {
                    let elements = units.chunks_exact_mut(fill.len().max(1));
                    elements.for_each(|element| element.copy_from_slice(&fill));
                }
            }
            self.assign(chunk, &part, &codecs.shape, &mut units, &values)?;
            let elements = bytemuck::cast_slice(&units);
            if self.reader.stored.fill_value.equals_all(elements) {
                encoded.chunks.push((number_in_shard, None));
                continue;
            }
            let bytes = codecs.encode(Cow::Borrowed(elements), scratch);
            let bytes = bytes.map_err(|error| chunk.failed(error))?;
            encoded.bytes.extend_from_slice(&bytes);
            encoded.chunks.push((number_in_shard, Some(bytes.len())));
            scratch.keep_encoded(bytes);
        }
        Ok(encoded)
    }
}

/// Returns the old encoded bytes of an inner chunk, or `None` if there are none.
fn old_inner_chunk<'o, U>(
    shard: &Shard,
    shard_to_write: &'o ShardToWrite<'_, U>,
    number: usize,
) -> Result<Option<&'o [u8]>, ChunkError> {
    let Some((bytes, index)) = &shard_to_write.old else {
        return Ok(None);
    };
    let range = shard.range(index, number)?;
    range.map(|range| bytes_at(bytes, range)).transpose()
}

/// Returns the new bytes of a shard, or `None` if all of its elements have the fill value.
fn new_shard_bytes<U>(
    shard: &Shard,
    shard_to_write: &ShardToWrite<'_, U>,
    scratch: &mut Scratch,
) -> Result<Option<Vec<u8>>, ChunkError> {
    let count = shard.grid.iter().product();
    let mut chunks: Vec<Option<&[u8]>> = repeat_values(&[None], count)?;
    for (number, chunk) in chunks.iter_mut().enumerate() {
        *chunk = old_inner_chunk(shard, shard_to_write, number)?;
    }
    let encoded = lock(&shard_to_write.encoded);
    for EncodedInnerChunks { bytes, chunks: new } in encoded.iter() {
        let mut rest = &bytes[..];
        for &(number, len) in new {
            let (chunk, after) = rest.split_at(len.unwrap_or(0));
            chunks[number] = len.map(|_| chunk);
            rest = after;
        }
    }
    shard.assemble(&chunks, scratch)
}
