//! Determines which parts of a chunk to fetch: the whole chunk, some of its bytes, or some of its inner chunks.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::byte_range::ByteRange;

use crate::array::codecs::Content;
use crate::array::codecs::shard::Shard;
use crate::array::element::Unit;
use crate::array::error::ChunkError;
use crate::array::options::AccessOptions;
use crate::array::read::output::Output;
use crate::array::read::piece::{
    MAX_INNER_CHUNKS_AT_ONCE, NeededBytes, Piece, Target, piece_bytes,
};
use crate::array::read::reader::{Reader, StoredChunk};
use crate::array::read::requests::MAX_RANGES_AT_ONCE;
use crate::array::read::runs::Runs;
use crate::array::read::tally::Held;
use crate::array::storage::merge::merge_ranges;
use crate::chunks::part::ChunkPart;

/// [Pieces](Piece) whose bytes are fetched together. Several pieces have at most [`MAX_RANGES_AT_ONCE`] ranges in total.
pub(crate) struct Batch<'a, U> {
    pub(crate) chunk: Arc<StoredChunk>,
    pub(crate) pieces: Vec<Piece<'a, U>>,
}

impl<U> Batch<'_, U> {
    /// Returns the ranges to fetch, in ascending order, or `None` for the whole object.
    pub(crate) fn ranges(
        &self,
        options: &AccessOptions<'_>,
    ) -> Option<Box<dyn Iterator<Item = Range<u64>> + '_>> {
        let gap = options.merge_gap;
        match &self.pieces[..] {
            [
                Piece {
                    needed: NeededBytes::All,
                    ..
                },
            ] => None,
            [piece] => Some(Box::new(piece.needed.ranges(gap))),
            pieces => {
                let ranges = pieces.iter().flat_map(|piece| piece.needed.ranges(gap));
                let mut ranges: Vec<Range<u64>> = ranges.collect();
                ranges.sort_by_key(|range| range.start);
                Some(Box::new(merge_ranges(ranges, gap, options.batch)))
            }
        }
    }
}

/// An opened chunk.
pub(crate) enum OpenedChunk<'a, U> {
    /// A chunk that is fetched at once.
    Batch(Batch<'a, U>),
    /// A shard from which batches are taken later.
    Shard(Box<ShardToRead<'a, U>>),
    /// A missing shard, whose part of the output has been filled.
    Missing,
}

/// A shard whose index has been read, and whose inner chunks have not all been requested yet.
pub(crate) struct ShardToRead<'a, U> {
    pub(crate) chunk: Arc<StoredChunk>,
    index: Vec<u64>,
    part: ChunkPart<'a>,
    output: Output<'a, U>,
    /// The number of touched inner chunks that have been requested or found to be missing.
    next: usize,
    /// The memory of the index.
    _held: Held,
}

impl<'a, U: Unit> ShardToRead<'a, U> {
    pub(crate) fn has_more(&self) -> bool {
        self.next < self.part.units()
    }

    /// Returns the number, in C order of the shard's grid of shape `grid`, of the next touched inner chunk, and the target
    /// for this inner chunk.
    fn next(&mut self, grid: &[usize]) -> (usize, Target<'a, U>) {
        let (position, selected) = self.part.unit(self.next);
        self.next += 1;
        let grid = selected.plan.merged(grid);
        let axes = position.iter().zip(&*grid);
        let number_in_shard = axes.fold(0, |sum, (k, &len)| sum * len + k);
        let region = self.output.next(&selected.axes);
        (number_in_shard, Target { selected, region })
    }
}

impl Reader<'_> {
    /// Determines the requests that are needed to read `target` from `chunk`.
    pub(crate) fn open<'a, U: Unit>(
        &self,
        chunk: &Arc<StoredChunk>,
        target: Target<'a, U>,
    ) -> Result<OpenedChunk<'a, U>, ChunkError> {
        let batch = |needed: NeededBytes, target| {
            chunk.pieces_left.store(1, Ordering::Relaxed);
            let held = Held::new(needed.list_bytes(), &self.tally);
            Ok(OpenedChunk::Batch(Batch {
                chunk: chunk.clone(),
                pieces: vec![Piece {
                    target,
                    needed,
                    held,
                }],
            }))
        };
        let max_bytes = self.stored.codecs.max_encoded_bytes();
        self.check_size(
            chunk,
            match self.stored.content() {
                Content::Shard(_) => 1..=u64::MAX,
                Content::Encoded => 1..=max_bytes,
                // Elements are at their expected offsets only if the object has exactly the size of a chunk.
                Content::Raw => max_bytes..=max_bytes,
            },
        )?;
        match self.stored.content() {
            Content::Encoded => batch(NeededBytes::All, target),
            Content::Raw => {
                let shape = &self.stored.chunk_shape;
                let needed = self.runs(&target, shape, 0);
                batch(needed.unwrap_or(NeededBytes::All), target)
            }
            Content::Shard(shard) => self.open_shard(shard, chunk, target),
        }
    }

    /// Returns the bytes to request from an uncompressed chunk of shape `shape` that begins at offset `base` of its
    /// object. Returns `None` if the whole chunk is to be requested.
    fn runs<U>(&self, target: &Target<'_, U>, shape: &[usize], base: u64) -> Option<NeededBytes> {
        let (item_size, gap) = (self.stored.item_size, self.options.merge_gap);
        let runs = Runs::new(&target.selected, shape, base, item_size, gap)?;
        Some(NeededBytes::Runs(Box::new(runs)))
    }

    fn open_shard<'a, U: Unit>(
        &self,
        shard: &Shard,
        chunk: &Arc<StoredChunk>,
        mut target: Target<'a, U>,
    ) -> Result<OpenedChunk<'a, U>, ChunkError> {
        let Some(index) = self.shard_index(shard, chunk)? else {
            target.fill(self.stored)?;
            return Ok(OpenedChunk::Missing);
        };
        let held = Held::new(shard.index_bytes, &self.tally);
        // While the index was decoded, its encoded bytes were in memory, too.
        drop(Held::new(shard.index_bytes, &self.tally));
        let Target { selected, region } = target;
        chunk.pieces_left.store(selected.units(), Ordering::Relaxed);
        Ok(OpenedChunk::Shard(Box::new(ShardToRead {
            chunk: chunk.clone(),
            index,
            output: Output::of_region(selected.plan, region),
            part: selected,
            next: 0,
            _held: held,
        })))
    }

    /// Takes the next group of touched inner chunks of a shard. Fills the parts of the output that belong to missing
    /// inner chunks. Returns the number of missing inner chunks, and the batches for the existing ones.
    pub(crate) fn open_more<'a, U: Unit>(
        &self,
        shard_to_read: &mut ShardToRead<'a, U>,
    ) -> Result<(usize, Vec<Batch<'a, U>>), ChunkError> {
        let Content::Shard(shard) = self.stored.content() else {
            unreachable!("only shards have inner chunks");
        };
        let (chunk, len) = (shard_to_read.chunk.clone(), shard_to_read.part.units());
        let count = MAX_INNER_CHUNKS_AT_ONCE.min(len - shard_to_read.next);
        let mut pieces = Vec::new();
        for _ in 0..count {
            let (number_in_shard, mut target) = shard_to_read.next(&shard.grid);
            let Some(range) = shard.range(&shard_to_read.index, number_in_shard)? else {
                target.fill(self.stored)?;
                continue;
            };
            let needed = match shard.is_uncompressed() {
                true => self.runs(&target, &shard.codecs.shape, range.start),
                false => None,
            };
            let needed = needed.unwrap_or_else(|| NeededBytes::Encoded(range.clone()));
            let bytes = piece_bytes(self.stored.shape.len()) + needed.list_bytes();
            let piece = Piece {
                target,
                needed,
                held: Held::new(bytes, &self.tally),
            };
            pieces.push((range, piece));
        }
        let missing = count - pieces.len();
        pieces.sort_by_key(|(range, _)| range.start);

        let gap = self.options.merge_gap;
        // A batch is no larger than a shard without unused space, even if this shard has unused space between its inner
        // chunks. This bounds memory use, at the cost of more requests.
        let max_bytes = self.options.batch.min(shard.max_bytes());
        let mut batches: Vec<(u64, usize, Vec<Piece<'a, U>>)> = Vec::new();
        let mut end = 0;
        for (range, piece) in pieces {
            let len = range.end - range.start;
            // If two ranges are merged, the bytes between them are read too.
            let between = range.start.saturating_sub(end);
            let with_gap = if between <= gap {
                between.saturating_add(len)
            } else {
                len
            };
            end = range.end.max(end);
            let count = piece.needed.ranges(gap).count();
            match batches.last_mut() {
                Some((bytes, ranges, pieces))
                    if bytes.saturating_add(with_gap) <= max_bytes
                        && *ranges + count <= MAX_RANGES_AT_ONCE =>
                {
                    *bytes += with_gap;
                    *ranges += count;
                    pieces.push(piece);
                }
                _ => batches.push((len, count, vec![piece])),
            }
        }
        let batches = batches.into_iter().map(|(_, _, pieces)| Batch {
            chunk: chunk.clone(),
            pieces,
        });
        Ok((missing, batches.rev().collect()))
    }

    /// Reads the index of a shard, which contains the offset and the length of each inner chunk. Returns `None` if the
    /// shard does not exist.
    fn shard_index(
        &self,
        shard: &Shard,
        chunk: &StoredChunk,
    ) -> Result<Option<Vec<u64>>, ChunkError> {
        let len = shard.index_bytes;
        // The size of the index follows from the metadata, which may claim any size. The size of the object is
        // therefore checked before a large index is allocated.
        if len > 16 << 20 {
            let size = self.request(chunk, u64::MAX, || self.storage.size_key(&chunk.key))?;
            if let Some(size) = size.filter(|&size| size < len) {
                return Err(shard.truncated(size));
            }
        }
        let range = if shard.index_at_end {
            ByteRange::Suffix(len)
        } else {
            ByteRange::FromStart(0, Some(len))
        };
        self.tally.requests.fetch_add(1, Ordering::Relaxed);
        let response = self.request(chunk, len, || self.storage.get_partial(&chunk.key, range))?;
        let Some(bytes) = response else {
            return Ok(None);
        };
        self.tally
            .bytes
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() as u64 != len {
            return Err(shard.truncated(bytes.len() as u64));
        }
        Ok(Some(shard.decode_index(bytes)?))
    }
}
