//! The parts of a chunk that have to be fetched: all of it, some of its bytes, or some of its inner chunks.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ndarray::{ArrayViewMut, IxDyn};
use slice_core::Selection;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::byte_range::ByteRange;

use crate::array::codecs::Inside;
use crate::array::codecs::shard::Shard;
use crate::array::element::Unit;
use crate::array::error::ChunkError;
use crate::array::read::output::Splitter;
use crate::array::read::piece::{GROUP, Piece, Runs, Take, fill, piece_bytes};
use crate::array::read::reader::{Chunk, Reader};
use crate::array::read::requests::merged;
use crate::array::read::tally::Tally;
use crate::chunks::ChunkPlan;

/// Pieces whose bytes are fetched together.
pub(crate) struct Batch<'a, U> {
    pub(crate) chunk: Arc<Chunk>,
    /// `None` for the whole object.
    pub(crate) ranges: Option<Vec<Range<u64>>>,
    pub(crate) pieces: Vec<Piece<'a, U>>,
}

/// The parts of a chunk to fetch.
pub(crate) enum Opened<'a, U> {
    Batches(Vec<Batch<'a, U>>),
    Shard(Box<OpenShard<'a, U>>),
}

/// A shard whose index was read, and the inner chunks of which some were not looked at yet.
pub(crate) struct OpenShard<'a, U> {
    pub(crate) chunk: Arc<Chunk>,
    index: Vec<u64>,
    inner: ChunkPlan,
    output: Splitter<'a, U>,
    /// The number of inner chunks that were looked at.
    next: usize,
    tally: Arc<Tally>,
    /// The bytes of the index, which count while it is held.
    index_bytes: u64,
}

impl<U> OpenShard<'_, U> {
    pub(crate) fn has_more(&self) -> bool {
        self.next < self.inner.len()
    }
}

impl<U> Drop for OpenShard<'_, U> {
    fn drop(&mut self) {
        self.tally.release(self.index_bytes);
    }
}

impl Reader<'_> {
    /// What of a chunk has to be fetched for this part of the output.
    pub(crate) fn open<'a, U: Unit>(
        &self,
        chunk: &Arc<Chunk>,
        selection: Selection,
        view: ArrayViewMut<'a, U, IxDyn>,
    ) -> Result<Opened<'a, U>, ChunkError> {
        let batch = |ranges, take, selection, view| {
            chunk.left.store(1, Ordering::Relaxed);
            Ok(Opened::Batches(vec![Batch {
                chunk: chunk.clone(),
                ranges,
                pieces: vec![Piece {
                    selection,
                    view,
                    take,
                }],
            }]))
        };
        let most = self.stored.codecs.most_encoded();
        self.check_size(
            chunk,
            match self.stored.inside() {
                Inside::Shard(_) => 1..=u64::MAX,
                Inside::Encoded => 1..=most,
                // Every element is where its place in the chunk says only if all are there, and no more.
                Inside::Raw => most..=most,
            },
        )?;
        match self.stored.inside() {
            Inside::Encoded => batch(None, Take::All, selection, view),
            Inside::Raw => match self.runs(&selection, 0)? {
                None => batch(None, Take::All, selection, view),
                Some(runs) => {
                    let (gap, limit) = (self.options.merge_gap, u64::MAX);
                    let ranges = merged(runs.ranges(), gap, limit);
                    batch(Some(ranges), Take::Runs(runs), selection, view)
                }
            },
            Inside::Shard(shard) => self.open_shard(shard, chunk, &selection, view),
        }
    }

    fn runs(&self, selection: &Selection, base: u64) -> Result<Option<Box<Runs>>, ChunkError> {
        let runs = Runs::new(
            selection,
            base,
            self.stored.item_size,
            self.options.merge_gap,
        );
        match runs {
            Ok(runs) => Ok(runs.map(Box::new)),
            Err(error) => Err(ChunkError::Broken(error.to_string())),
        }
    }

    fn open_shard<'a, U: Unit>(
        &self,
        shard: &Shard,
        chunk: &Arc<Chunk>,
        selection: &Selection,
        mut view: ArrayViewMut<'a, U, IxDyn>,
    ) -> Result<Opened<'a, U>, ChunkError> {
        let Some(index) = self.shard_index(shard, chunk)? else {
            fill(&mut view, self.stored)?;
            return Ok(Opened::Batches(Vec::new()));
        };
        // Once more while it is decoded.
        let index_bytes = shard.index_bytes;
        self.tally.hold(index_bytes.saturating_mul(2));
        self.tally.release(index_bytes);
        let inner = ChunkPlan::new(selection, &shard.codecs.shape);
        let inner = inner.map_err(|error| ChunkError::Broken(error.to_string()))?;
        chunk.left.store(inner.len(), Ordering::Relaxed);
        Ok(Opened::Shard(Box::new(OpenShard {
            chunk: chunk.clone(),
            index,
            output: Splitter::new(&inner, view),
            inner,
            next: 0,
            tally: self.tally.clone(),
            index_bytes,
        })))
    }

    /// What has to be fetched for the next inner chunks of a shard, and how many of these are missing and were filled.
    pub(crate) fn open_more<'a, U: Unit>(
        &self,
        open: &mut OpenShard<'a, U>,
    ) -> Result<(usize, Vec<Batch<'a, U>>), ChunkError> {
        let Inside::Shard(shard) = self.stored.inside() else {
            unreachable!("only shards have inner chunks");
        };
        let end = open.inner.len().min(open.next + GROUP);
        let chunk = &open.chunk;
        let mut pieces = Vec::new();
        for part in open.inner.parts_in(open.next..end) {
            let mut view = open.output.next(&part);
            let place = part
                .chunk()
                .zip(&shard.grid)
                .fold(0, |sum, (k, &len)| sum * len + k);
            let Some(range) = shard.range(&open.index, place)? else {
                fill(&mut view, self.stored)?;
                continue;
            };
            let selection = part.selection();
            let runs = if shard.raw() {
                self.runs(&selection, range.start)?
            } else {
                None
            };
            let take = runs.map_or(Take::Encoded(range.clone()), Take::Runs);
            pieces.push((
                range,
                Piece {
                    selection,
                    view,
                    take,
                },
            ));
        }
        let missing = end - open.next - pieces.len();
        open.next = end;
        let each = piece_bytes(self.stored.shape.len());
        self.tally.hold(each * pieces.len() as u64);
        pieces.sort_by_key(|(range, _)| range.start);

        let gap = self.options.merge_gap;
        // A shard that wastes space takes more requests, not more memory.
        let most = self.options.batch.min(shard.most_bytes());
        let mut batches: Vec<(u64, Vec<Piece<'a, U>>)> = Vec::new();
        let mut end = 0;
        for (range, piece) in pieces {
            let len = range.end - range.start;
            // What is between two ranges is read as well.
            let between = range.start.saturating_sub(end);
            let with_gap = if between <= gap {
                between.saturating_add(len)
            } else {
                len
            };
            end = range.end.max(end);
            match batches.last_mut() {
                Some((bytes, pieces)) if bytes.saturating_add(with_gap) <= most => {
                    *bytes += with_gap;
                    pieces.push(piece);
                }
                _ => batches.push((len, vec![piece])),
            }
        }
        let batches = batches.into_iter().map(|(_, pieces)| {
            let mut ranges: Vec<Range<u64>> = Vec::new();
            for piece in &pieces {
                match &piece.take {
                    Take::Encoded(range) => ranges.push(range.clone()),
                    Take::Runs(runs) => ranges.extend(merged(runs.ranges(), gap, u64::MAX)),
                    Take::All => unreachable!("inner chunks have a range"),
                }
            }
            ranges.sort_by_key(|range| range.start);
            Batch {
                chunk: chunk.clone(),
                ranges: Some(merged(ranges, gap, self.options.batch)),
                pieces,
            }
        });
        Ok((missing, batches.rev().collect()))
    }

    /// The index of a shard: begin and length of each inner chunk; `None` if the shard does not exist.
    fn shard_index(&self, shard: &Shard, chunk: &Chunk) -> Result<Option<Vec<u64>>, ChunkError> {
        let len = shard.index_bytes;
        // No memory is allocated for a size that only the metadata claims.
        if len > 16 << 20 {
            let size = self.ask(chunk, u64::MAX, || self.storage.size_key(&chunk.key))?;
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
        let answer = self.ask(chunk, len, || self.storage.get_partial(&chunk.key, range))?;
        let Some(bytes) = answer else {
            return Ok(None);
        };
        self.tally
            .bytes
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() as u64 != len {
            return Err(shard.truncated(bytes.len() as u64));
        }
        Ok(Some(shard.index(&bytes)?))
    }
}
