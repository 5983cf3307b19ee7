//! Fetches the bytes of pieces, decodes them, and copies the selected elements. A [`Piece`] is the part of a read that
//! lies in one chunk, or in one inner chunk of a shard.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::{MaybeBytes, ReadableStorageTraits};

use crate::array::codecs::Content;
use crate::array::codecs::bounded::vec_with_capacity;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Unit;
use crate::array::error::{ChunkError, Error};
use crate::array::read::opened::Batch;
use crate::array::read::piece::Piece;
use crate::array::read::reader::{Reader, StoredChunk};
use crate::array::read::requests::{Fetched, MAX_RANGES_AT_ONCE};
use crate::array::read::tally::Held;
use crate::array::storage::wanted::too_long;

/// A piece whose bytes have been fetched.
pub(crate) struct FetchedPiece<'a, U> {
    pub(crate) chunk: Arc<StoredChunk>,
    pub(crate) piece: Piece<'a, U>,
    pub(crate) fetched: Arc<(Fetched, Held)>,
}

impl Reader<'_> {
    pub(crate) fn fetch_batch<'a, U: Unit>(
        &self,
        mut batch: Batch<'a, U>,
    ) -> Result<Vec<FetchedPiece<'a, U>>, Error> {
        self.check_limits(&batch)?;
        let chunk = batch.chunk.clone();
        let failed = |error| chunk.failed(error);
        let fetched = match batch.ranges(self.options) {
            None => self
                .fetch_object(&chunk)
                .map_err(failed)?
                .map(Fetched::whole),
            Some(ranges) => self.fetch_ranges(&batch, ranges)?,
        };
        let Some(fetched) = fetched else {
            if let Content::Shard(_) = self.stored.content() {
                let why = "the shard disappeared while it was being read";
                return Err(failed(ChunkError::Broken(why.into())));
            }
            for piece in &mut batch.pieces {
                piece.target.fill(self.stored).map_err(failed)?;
            }
            chunk.pieces_left.store(0, Ordering::Relaxed);
            return Ok(Vec::new());
        };
        let held = Held::new(fetched.held_bytes(), &self.tally);
        let fetched = Arc::new((fetched, held));
        let fetched_pieces = batch.pieces.into_iter().map(|piece| FetchedPiece {
            chunk: chunk.clone(),
            piece,
            fetched: fetched.clone(),
        });
        Ok(fetched_pieces.collect())
    }

    /// Returns an error if the requests of a batch would exceed a limit.
    fn check_limits<U>(&self, batch: &Batch<'_, U>) -> Result<(), Error> {
        self.options.limits.check_requests_and_bytes(|| {
            let made = self.tally.requests.load(Ordering::Relaxed);
            let read = self.tally.bytes.load(Ordering::Relaxed);
            Ok(match batch.ranges(self.options) {
                None => (made + 1, read),
                Some(ranges) => ranges.fold((made, read), |(requests, bytes), range| {
                    (requests + 1, bytes.saturating_add(range.end - range.start))
                }),
            })
        })
    }

    /// Fetches an object. Returns `None` if the object does not exist.
    pub(crate) fn fetch_object(&self, chunk: &StoredChunk) -> Result<MaybeBytes, ChunkError> {
        self.tally.requests.fetch_add(1, Ordering::Relaxed);
        let max_bytes = self.stored.codecs.max_encoded_bytes();
        let response = self.request(chunk, max_bytes, || self.storage.get(&chunk.key))?;
        let len = response.as_ref().map_or(0, |bytes| bytes.len() as u64);
        if len > max_bytes {
            return Err(ChunkError::Broken(too_long(len, max_bytes)));
        }
        self.tally.bytes.fetch_add(len, Ordering::Relaxed);
        Ok(response)
    }

    /// Fetches ranges of an object. Returns `None` if the object does not exist.
    ///
    /// If there are too many ranges to hold at once, the ranges belong to a single piece. They are then fetched a few at a
    /// time, and only the bytes of the piece's runs are kept.
    fn fetch_ranges<U>(
        &self,
        batch: &Batch<'_, U>,
        mut ranges: impl Iterator<Item = Range<u64>>,
    ) -> Result<Option<Fetched>, Error> {
        let chunk = &batch.chunk;
        let failed = |error| chunk.failed(error);
        let mut take = || -> Vec<_> { ranges.by_ref().take(MAX_RANGES_AT_ONCE).collect() };
        let responses = self.fetch_some_ranges(chunk, take()).map_err(failed)?;
        let Some(mut responses) = responses else {
            return Ok(None);
        };
        let mut next = take();
        if next.is_empty() {
            return Ok(Some(responses));
        }
        let needed = &batch.pieces[0].needed;
        let mut runs = needed.runs().peekable();
        let run_bytes = needed.run_bytes(self.stored.item_size);
        let mut bytes = vec_with_capacity(run_bytes).map_err(|error| failed(error.into()))?;
        let _held_runs = Held::new(run_bytes as u64, &self.tally);
        loop {
            let held = Held::new(responses.held_bytes(), &self.tally);
            let end = responses.end();
            while let Some(run) = runs.next_if(|run| run.end <= end) {
                bytes.extend_from_slice(responses.run(&run).map_err(failed)?);
            }
            drop((responses, held));
            if next.is_empty() {
                return Ok(Some(Fetched::Runs(bytes)));
            }
            self.options.check_cancel()?;
            let more = self.fetch_some_ranges(chunk, next).map_err(failed)?;
            responses = more.ok_or(ChunkError::Changed).map_err(failed)?;
            next = take();
        }
    }

    /// Fetches ranges of an object with one call to the store. Returns `None` if the object does not exist.
    pub(crate) fn fetch_some_ranges(
        &self,
        chunk: &StoredChunk,
        ranges: Vec<Range<u64>>,
    ) -> Result<Option<Fetched>, ChunkError> {
        self.tally
            .requests
            .fetch_add(ranges.len(), Ordering::Relaxed);
        let requested = ranges.iter().map(|range| ByteRange::new(range.clone()));
        let longest_range = ranges.iter().map(|range| range.end - range.start).max();
        let responses = self.request(chunk, longest_range.unwrap_or(0), || {
            let responses = self
                .storage
                .get_partial_many(&chunk.key, Box::new(requested))?;
            responses
                .map(|responses| responses.collect::<Result<Vec<_>, _>>())
                .transpose()
        })?;
        let Some(responses) = responses else {
            return Ok(None);
        };
        let mut fetched = Vec::with_capacity(ranges.len());
        for (range, bytes) in ranges.into_iter().zip(responses) {
            let len = range.end - range.start;
            if bytes.len() as u64 != len {
                let what = if (bytes.len() as u64) < len {
                    "the response is truncated"
                } else {
                    "the response is too long"
                };
                return Err(ChunkError::Broken(format!(
                    "{what}: {} instead of {len} bytes at offset {}",
                    bytes.len(),
                    range.start
                )));
            }
            self.tally.bytes.fetch_add(len, Ordering::Relaxed);
            fetched.push((range, bytes));
        }
        Ok(Some(Fetched::Ranges(fetched)))
    }

    pub(crate) fn finish<U: Unit>(
        &self,
        fetched_piece: FetchedPiece<'_, U>,
        scratch: &mut Scratch,
    ) -> Result<(), ChunkError> {
        let FetchedPiece { piece, fetched, .. } = fetched_piece;
        // Memory that the worker kept from the previous chunk is already counted.
        let before = scratch.buffer_bytes();
        let mut held = before;
        let result = piece.finish(self.stored, &fetched.0, scratch, |bytes| {
            held = bytes.max(before);
            self.tally.hold(held - before);
        });
        self.tally
            .release(held.saturating_sub(scratch.buffer_bytes()));
        self.tally.chunks.fetch_add(1, Ordering::Relaxed);
        result
    }
}
