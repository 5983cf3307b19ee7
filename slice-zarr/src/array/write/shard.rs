//! Writes shards. Inner chunks that are not touched are copied without being decoded.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::{CowArray, IxDyn};
use slice_core::StridedSliceExt;
use zarrs::storage::Bytes;

use super::{Chunk, INVALID, Writer, with_listed_axis};
use crate::array::codecs::Inside;
use crate::array::codecs::bounded::filled;
use crate::array::codecs::scratch::Scratch;
use crate::array::codecs::shard::{Shard, bytes_at};
use crate::array::element::Unit;
use crate::array::error::{ChunkError, Error};
use crate::array::plan::{Chunks, Part};
use crate::array::read::piece::with_axis;
use crate::chunks::ChunkPlan;
use crate::chunks::lists::OuterChunkPlan;

/// A shard that is being written. Its object is written when all touched inner chunks have been encoded.
pub(super) struct OpenShard<'w, U> {
    chunk: Chunk,
    /// The old bytes and the old index, if the shard exists and some of its content is kept.
    old: Option<(Bytes, Vec<u64>)>,
    /// The touched inner chunks.
    inner: Chunks,
    /// The values for the shard.
    values: CowArray<'w, U, IxDyn>,
    /// The maximum number of inner chunks that one worker encodes at a time.
    group: usize,
    /// The number of touched inner chunks that have not been encoded yet.
    left: AtomicUsize,
    encoded: Mutex<Vec<Encoded>>,
}

/// Encoded inner chunks, concatenated.
#[derive(Default)]
struct Encoded {
    bytes: Vec<u8>,
    /// The position of each inner chunk in the index, and its size in bytes. The size is `None` if all elements of the
    /// inner chunk have the fill value.
    chunks: Vec<(usize, Option<usize>)>,
}

impl<U> OpenShard<'_, U> {
    /// Divides the touched inner chunks into groups. One worker encodes each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = Range<usize>> + use<U> {
        let (len, group) = (self.inner.len(), self.group);
        { 0..len }
            .step_by(group)
            .map(move |begin| begin..len.min(begin + group))
    }
}

impl<'w, U: Unit> Writer<'w, U> {
    /// Decodes the index of a shard, and plans its inner chunks.
    pub(super) fn open(
        &self,
        shard: &Shard,
        chunk: Chunk,
        part: &Part<'_>,
        old: Option<Bytes>,
    ) -> Result<Arc<OpenShard<'w, U>>, Error> {
        let old = match old {
            Some(bytes) => {
                let index = shard.index_of(&bytes);
                Some((bytes, index.map_err(|error| chunk.failed(error))?))
            }
            None => None,
        };
        let shape = &shard.codecs.shape;
        let (inner, values) = match part {
            Part::Block(part) => {
                let mut output = part.output();
                if let Some(units) = self.per_item {
                    output = with_axis(&output, units)?;
                }
                let inner = ChunkPlan::new(&part.selection(), shape)?;
                let values = self.values.try_at(output)?;
                (Chunks::Blocks(inner), CowArray::from(values))
            }
            Part::Lists(part) => {
                let mut output = part.output();
                if let Some(units) = self.per_item {
                    output = with_listed_axis(&output, units)?;
                }
                let inner = OuterChunkPlan::new(part.selection(), shape)?;
                let values = self.values.try_gather(output)?;
                (Chunks::Lists(inner), CowArray::from(values))
            }
        };
        let len = inner.len();
        Ok(Arc::new(OpenShard {
            chunk,
            old,
            inner,
            values,
            // Each worker gets several groups, so that all workers finish at nearly the same time.
            group: len.div_ceil(self.options.workers.saturating_mul(4)).max(1),
            left: AtomicUsize::new(len),
            encoded: Mutex::default(),
        }))
    }

    /// Encodes some of the touched inner chunks of a shard. If all of them have then been encoded, writes the shard and
    /// returns `true`.
    pub(super) fn encode(
        &self,
        open: &OpenShard<'w, U>,
        numbers: Range<usize>,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let Inside::Shard(shard) = self.stored.inside() else {
            unreachable!("only shards have inner chunks");
        };
        let count = numbers.len();
        let encoded = self.encode_inner(shard, open, numbers, scratch)?;
        let all = open.encoded.lock();
        all.unwrap_or_else(PoisonError::into_inner).push(encoded);
        if open.left.fetch_sub(count, Ordering::AcqRel) != count {
            return Ok(false);
        }
        let joined = join(shard, open, scratch);
        let joined = joined.map_err(|error| open.chunk.failed(error))?;
        self.store(&open.chunk, joined.map(Bytes::from))?;
        Ok(true)
    }

    fn encode_inner(
        &self,
        shard: &Shard,
        open: &OpenShard<'w, U>,
        numbers: Range<usize>,
        scratch: &mut Scratch,
    ) -> Result<Encoded, Error> {
        let (chunk, codecs) = (&open.chunk, &shard.codecs);
        let fill = self.fill(chunk)?;
        let mut units = self.filled(chunk, codecs.shape.iter().product())?;
        let values = open.values.view();
        let mut encoded = Encoded::default();
        for part in numbers.filter_map(|number| open.inner.part(number)) {
            let places = part.indices();
            let places = places.iter().zip(&shard.grid);
            let place = places.fold(0, |sum, (&k, &len)| sum * len + k as usize);
            // `units` still holds the previous inner chunk. If the slice covers all elements of the array in this inner
            // chunk, they are all overwritten.
            if !part.is_whole() {
                let old = old(shard, open, place).map_err(|error| chunk.failed(error))?;
                if let Some(bytes) = old {
                    let bytes = codecs.decode(Cow::Borrowed(bytes), &codecs.shape, scratch);
                    let bytes = bytes.map_err(|error| chunk.failed(error))?;
                    let old = U::from_bytes(&bytes).filter(|old| old.len() == units.len());
                    let old = old.ok_or_else(|| chunk.broken(INVALID))?;
                    units.copy_from_slice(&old);
                    scratch.keep(bytes);
                } else {
                    let elements = units.chunks_exact_mut(fill.len().max(1));
                    elements.for_each(|element| element.copy_from_slice(&fill));
                }
            }
            self.set(chunk, &part, &codecs.shape, &mut units, &values)?;
            let elements = U::to_bytes(&units);
            if self.stored.fill_value.equals_all(elements) {
                encoded.chunks.push((place, None));
                continue;
            }
            let bytes = codecs.encode(Cow::Borrowed(elements), scratch);
            let bytes = bytes.map_err(|error| chunk.failed(error))?;
            encoded.bytes.extend_from_slice(&bytes);
            encoded.chunks.push((place, Some(bytes.len())));
            scratch.keep_encoded(bytes);
        }
        Ok(encoded)
    }
}

/// Returns the old encoded bytes of an inner chunk, or `None` if there are none.
fn old<'o, U>(
    shard: &Shard,
    open: &'o OpenShard<'_, U>,
    place: usize,
) -> Result<Option<&'o [u8]>, ChunkError> {
    let Some((bytes, index)) = &open.old else {
        return Ok(None);
    };
    let range = shard.range(index, place)?;
    range.map(|range| bytes_at(bytes, range)).transpose()
}

/// Returns the new bytes of a shard, or `None` if all of its elements have the fill value.
fn join<U>(
    shard: &Shard,
    open: &OpenShard<'_, U>,
    scratch: &mut Scratch,
) -> Result<Option<Vec<u8>>, ChunkError> {
    let places = shard.grid.iter().product();
    let mut chunks: Vec<Option<&[u8]>> = filled(&[None], places)?;
    for (place, chunk) in chunks.iter_mut().enumerate() {
        *chunk = old(shard, open, place)?;
    }
    let encoded = open.encoded.lock();
    let encoded = encoded.unwrap_or_else(PoisonError::into_inner);
    for Encoded { bytes, chunks: new } in encoded.iter() {
        let mut rest = &bytes[..];
        for &(place, len) in new {
            let (chunk, after) = rest.split_at(len.unwrap_or(0));
            chunks[place] = len.map(|_| chunk);
            rest = after;
        }
    }
    shard.joined(&chunks, scratch)
}
