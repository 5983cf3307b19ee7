//! Fetches the bytes of pieces, decodes them, and copies the selected elements. A [`Piece`] is the part of a read that
//! lies in one chunk, or in one inner chunk of a shard.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::byte_range::ByteRange;

use crate::array::codecs::Content;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Unit;
use crate::array::error::ChunkError;
use crate::array::read::opened::Batch;
use crate::array::read::piece::{Piece, piece_bytes};
use crate::array::read::reader::{ChunkToRead, Reader};
use crate::array::read::requests::Fetched;
use crate::array::read::tally::HeldBytes;
use crate::array::storage::wanted::too_long;

/// A piece whose bytes have been fetched.
pub(crate) struct FetchedPiece<'a, U> {
    pub(crate) chunk: Arc<ChunkToRead>,
    pub(crate) piece: Piece<'a, U>,
    pub(crate) fetched: Arc<HeldBytes>,
}

impl Reader<'_> {
    pub(crate) fn fetch_batch<'a, U: Unit>(
        &self,
        batch: Batch<'a, U>,
    ) -> Result<Vec<FetchedPiece<'a, U>>, ChunkError> {
        let Batch {
            chunk,
            ranges,
            mut pieces,
        } = batch;
        let Some(fetched) = self.fetch(&chunk, ranges)? else {
            if let Content::Shard(_) = self.stored.content() {
                return Err(ChunkError::Broken(
                    "the shard disappeared while it was being read".into(),
                ));
            }
            for piece in &mut pieces {
                piece.target.fill(self.stored)?;
            }
            chunk.pieces_left.store(0, Ordering::Relaxed);
            return Ok(Vec::new());
        };
        self.tally.hold(fetched.bytes());
        self.tally
            .bytes
            .fetch_add(fetched.bytes(), Ordering::Relaxed);
        let fetched = Arc::new(HeldBytes {
            fetched,
            tally: self.tally.clone(),
        });
        let fetched_pieces = pieces.into_iter().map(|piece| FetchedPiece {
            chunk: chunk.clone(),
            piece,
            fetched: fetched.clone(),
        });
        Ok(fetched_pieces.collect())
    }

    /// Fetches an object, or only the given ranges of it. Returns `None` if the object does not exist.
    fn fetch(
        &self,
        chunk: &ChunkToRead,
        ranges: Option<Vec<Range<u64>>>,
    ) -> Result<Option<Fetched>, ChunkError> {
        let requests = ranges.as_ref().map_or(1, Vec::len);
        self.tally.requests.fetch_add(requests, Ordering::Relaxed);
        let Some(ranges) = ranges else {
            let max_bytes = self.stored.codecs.max_encoded_bytes();
            let response = self.request(chunk, max_bytes, || self.storage.get(&chunk.key))?;
            return match response {
                Some(bytes) if bytes.len() as u64 > max_bytes => {
                    Err(ChunkError::Broken(too_long(bytes.len() as u64, max_bytes)))
                }
                response => Ok(response.map(Fetched::Whole)),
            };
        };
        let requested = ranges
            .iter()
            .map(|range| ByteRange::new(range.clone()))
            .collect::<Vec<_>>();
        let longest_range = ranges.iter().map(|range| range.end - range.start).max();
        let responses = self.request(chunk, longest_range.unwrap_or(0), || {
            let responses = self
                .storage
                .get_partial_many(&chunk.key, Box::new(requested.into_iter()))?;
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
        let result = piece.finish(self.stored, &fetched.fetched, scratch, |bytes| {
            held = bytes.max(before);
            self.tally.hold(held - before);
        });
        self.tally
            .release(held.saturating_sub(scratch.buffer_bytes()));
        if let Content::Shard(_) = self.stored.content() {
            self.tally.release(piece_bytes(self.stored.shape.len()));
        }
        self.tally.chunks.fetch_add(1, Ordering::Relaxed);
        result
    }
}
