//! What is fetched of a chunk, whole or in ranges, and the pieces that are decoded from it.

use std::ops::{Range, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ndarray::{ArrayViewMut, IxDyn};
use slice_core::Selection;
use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::{ReadableStorage, ReadableStorageTraits, StorageError, StoreKey};

use crate::array::codecs::decode::{Inside, Scratch};
use crate::array::codecs::shard::Shard;
use crate::array::element::Unit;
use crate::array::error::{ChunkError, Error};
use crate::array::options::ReadOptions;
use crate::array::read::output::Splitter;
use crate::array::read::piece::{GROUP, Piece, Runs, Take, fill, piece_bytes};
use crate::array::read::requests::{Fetched, merged};
use crate::array::storage::wanted::{Object, Wanted, too_long, wrong_size};
use crate::array::stored::Stored;
use crate::chunks::ChunkPlan;

/// A chunk of the grid that is being read.
pub(crate) struct Chunk {
    pub(crate) indices: Vec<u64>,
    pub(crate) key: StoreKey,
    /// The number of pieces that are not done.
    pub(crate) left: AtomicUsize,
    /// What its answers said of it.
    pub(crate) object: Arc<Object>,
}

impl Chunk {
    pub(crate) fn failed(&self, source: ChunkError) -> Error {
        source.of_chunk(self.indices.clone(), self.key.as_str())
    }
}

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

/// A piece whose bytes were fetched.
pub(crate) struct Ready<'a, U> {
    pub(crate) chunk: Arc<Chunk>,
    pub(crate) piece: Piece<'a, U>,
    pub(crate) fetched: Arc<Held>,
}

/// Bytes of the store, counted while they are held.
pub(crate) struct Held {
    fetched: Fetched,
    tally: Arc<Tally>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.tally.release(self.fetched.bytes());
    }
}

/// What is counted while reading.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) chunks: AtomicUsize,
    pub(crate) requests: AtomicUsize,
    pub(crate) bytes: AtomicU64,
    pub(crate) held: AtomicU64,
    pub(crate) peak: AtomicU64,
}

impl Tally {
    pub(crate) fn hold(&self, bytes: u64) {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(held, Ordering::Relaxed);
    }

    fn release(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

pub(crate) struct Reader<'r> {
    pub(crate) stored: &'r Stored,
    pub(crate) storage: ReadableStorage,
    pub(crate) key: &'r (dyn Fn(&[u64]) -> Result<StoreKey, Error> + Sync),
    pub(crate) options: &'r ReadOptions<'r>,
    pub(crate) tally: Arc<Tally>,
    pub(crate) of: usize,
}

/// A panic of a store is an error: some stores panic for ranges beyond the end of an object.
fn guarded<T>(ask: impl FnOnce() -> Result<T, StorageError>) -> Result<T, ChunkError> {
    let answer = catch_unwind(AssertUnwindSafe(ask));
    let panicked = |_| ChunkError::Broken("the store panicked: is the chunk truncated?".into());
    Ok(answer.map_err(panicked)??)
}

/// Whether an object can have this size.
pub(crate) fn check_size(size: u64, sizes: &RangeInclusive<u64>) -> Result<(), ChunkError> {
    wrong_size(size, sizes).map_or(Ok(()), |why| Err(ChunkError::Broken(why)))
}

impl Reader<'_> {
    /// Asks the store for an object, or for ranges of it.
    fn ask<T>(
        &self,
        chunk: &Chunk,
        most_bytes: u64,
        ask: impl FnOnce() -> Result<T, StorageError>,
    ) -> Result<T, ChunkError> {
        let wanted = Wanted::new(most_bytes, self.options.deadline, chunk.object.clone());
        let answer = guarded(|| wanted.during(ask));
        if chunk.object.has_changed() {
            return Err(ChunkError::Changed);
        }
        answer
    }

    /// Checks the size of an object before it is read, where that is not another request to a server.
    fn check_size(&self, chunk: &Chunk, sizes: RangeInclusive<u64>) -> Result<(), ChunkError> {
        // A store that is asked for a part of the object may know how long the whole is.
        chunk.object.may_have(sizes.clone());
        if !self.options.sized {
            return Ok(());
        }
        let size = self.ask(chunk, *sizes.end(), || self.storage.size_key(&chunk.key))?;
        size.map_or(Ok(()), |size| check_size(size, &sizes))
    }

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

    pub(crate) fn fetch_batch<'a, U: Unit>(
        &self,
        batch: Batch<'a, U>,
    ) -> Result<Vec<Ready<'a, U>>, ChunkError> {
        let Batch {
            chunk,
            ranges,
            mut pieces,
        } = batch;
        let Some(fetched) = self.fetch(&chunk, ranges)? else {
            if let Inside::Shard(_) = self.stored.inside() {
                return Err(ChunkError::Broken("disappeared while it was read".into()));
            }
            for piece in &mut pieces {
                fill(&mut piece.view, self.stored)?;
            }
            chunk.left.store(0, Ordering::Relaxed);
            return Ok(Vec::new());
        };
        self.tally.hold(fetched.bytes());
        self.tally
            .bytes
            .fetch_add(fetched.bytes(), Ordering::Relaxed);
        let fetched = Arc::new(Held {
            fetched,
            tally: self.tally.clone(),
        });
        let ready = pieces.into_iter().map(|piece| Ready {
            chunk: chunk.clone(),
            piece,
            fetched: fetched.clone(),
        });
        Ok(ready.collect())
    }

    /// `None` if the object does not exist.
    fn fetch(
        &self,
        chunk: &Chunk,
        ranges: Option<Vec<Range<u64>>>,
    ) -> Result<Option<Fetched>, ChunkError> {
        let requests = ranges.as_ref().map_or(1, Vec::len);
        self.tally.requests.fetch_add(requests, Ordering::Relaxed);
        let Some(ranges) = ranges else {
            let most = self.stored.codecs.most_encoded();
            let answer = self.ask(chunk, most, || self.storage.get(&chunk.key))?;
            return match answer {
                Some(bytes) if bytes.len() as u64 > most => {
                    Err(ChunkError::Broken(too_long(bytes.len() as u64, most)))
                }
                answer => Ok(answer.map(Fetched::Whole)),
            };
        };
        let asked = ranges
            .iter()
            .map(|range| ByteRange::new(range.clone()))
            .collect::<Vec<_>>();
        let longest = ranges.iter().map(|range| range.end - range.start).max();
        let answers = self.ask(chunk, longest.unwrap_or(0), || {
            let answers = self
                .storage
                .get_partial_many(&chunk.key, Box::new(asked.into_iter()))?;
            answers
                .map(|answers| answers.collect::<Result<Vec<_>, _>>())
                .transpose()
        })?;
        let Some(answers) = answers else {
            return Ok(None);
        };
        let mut fetched = Vec::with_capacity(ranges.len());
        for (range, bytes) in ranges.into_iter().zip(answers) {
            let len = range.end - range.start;
            if bytes.len() as u64 != len {
                let what = if (bytes.len() as u64) < len {
                    "is truncated"
                } else {
                    "is too long"
                };
                return Err(ChunkError::Broken(format!(
                    "{what}: {} instead of {len} bytes at {}",
                    bytes.len(),
                    range.start
                )));
            }
            fetched.push((range, bytes));
        }
        Ok(Some(Fetched::Ranges(fetched)))
    }

    pub(crate) fn finish<U: Unit>(
        &self,
        ready: Ready<'_, U>,
        scratch: &mut Scratch,
    ) -> Result<(), ChunkError> {
        let Ready { piece, fetched, .. } = ready;
        // What the worker keeps from the chunk before is counted already.
        let before = scratch.kept();
        let mut held = before;
        let result = piece.finish(self.stored, &fetched.fetched, scratch, |bytes| {
            held = bytes.max(before);
            self.tally.hold(held - before);
        });
        self.tally.release(held.saturating_sub(scratch.kept()));
        if let Inside::Shard(_) = self.stored.inside() {
            self.tally.release(piece_bytes(self.stored.shape.len()));
        }
        self.tally.chunks.fetch_add(1, Ordering::Relaxed);
        result
    }
}
