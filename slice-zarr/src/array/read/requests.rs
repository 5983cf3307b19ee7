//! Holds the responses of the store.

use std::borrow::Cow;
use std::ops::Range;

use zarrs::storage::Bytes;

use crate::array::codecs::scratch::Scratch;
use crate::array::error::ChunkError;

/// The maximum number of ranges that a worker requests and holds at a time. Each range takes memory, even if it is short.
pub(crate) const MAX_RANGES_AT_ONCE: usize = 4096;

/// The memory, in bytes, that each range takes in addition to its bytes: in the list of ranges, in the request, in the
/// response of the store, and in the list of responses.
pub(crate) const RANGE_BYTES: u64 = 256;

/// The fetched bytes of an object.
#[derive(Debug)]
pub(crate) enum Fetched {
    /// Ascending ranges. For a whole object, there is one.
    Ranges(Vec<(Range<u64>, Bytes)>),
    /// The concatenated bytes of all runs of a piece that has too many ranges to hold at once.
    Runs(Vec<u8>),
}

impl Fetched {
    pub(crate) fn whole(object: Bytes) -> Self {
        Fetched::Ranges(vec![(0..object.len() as u64, object)])
    }

    /// Returns the memory, in bytes, that the response takes.
    pub(crate) fn held_bytes(&self) -> u64 {
        match self {
            Fetched::Ranges(ranges) => {
                let bytes = ranges.iter().map(|(_, bytes)| bytes.len() as u64);
                bytes.sum::<u64>() + held_by_ranges(ranges.len() as u64)
            }
            Fetched::Runs(bytes) => bytes.len() as u64,
        }
    }

    /// Returns the end of the last range.
    pub(crate) fn end(&self) -> u64 {
        match self {
            Fetched::Ranges(ranges) => ranges.last().map_or(0, |(range, _)| range.end),
            Fetched::Runs(_) => u64::MAX,
        }
    }

    /// Returns the concatenated bytes of `runs`, whose total length is `len` bytes. A single run is not copied; several
    /// runs are copied to a buffer from `scratch`.
    pub(crate) fn runs(
        &self,
        mut runs: impl ExactSizeIterator<Item = Range<u64>>,
        len: usize,
        scratch: &mut Scratch,
    ) -> Result<Cow<'_, [u8]>, ChunkError> {
        let ranges = match self {
            Fetched::Ranges(ranges) => ranges,
            Fetched::Runs(bytes) => return Ok(Cow::Borrowed(bytes)),
        };
        if runs.len() == 1 {
            let run = runs.next().unwrap_or(0..0);
            return Ok(Cow::Borrowed(self.run(&run)?));
        }
        let mut buffer = scratch.take_buffer(len)?;
        for (number, run) in runs.enumerate() {
            buffer.extend_from_slice(match ranges.get(number) {
                // If no runs were merged, each run is one of the ranges, and no search is needed.
                Some((range, bytes)) if *range == run => bytes,
                _ => self.run(&run)?,
            });
        }
        Ok(Cow::Owned(buffer))
    }

    pub(crate) fn run(&self, run: &Range<u64>) -> Result<&[u8], ChunkError> {
        let ranges = match self {
            Fetched::Ranges(ranges) => &ranges[..],
            Fetched::Runs(_) => &[],
        };
        let after = ranges.partition_point(|(range, _)| range.start <= run.start);
        let mut before = ranges[..after].iter().rev();
        let enclosing_range = before.find(|(range, _)| run.end <= range.end);
        let part = enclosing_range.and_then(|(range, bytes)| {
            bytes.get((run.start - range.start) as usize..(run.end - range.start) as usize)
        });
        part.ok_or_else(|| missing(run))
    }
}

/// Returns the memory, in bytes, that a number of ranges takes in addition to their bytes. A single range is part of the
/// memory of its piece.
pub(crate) fn held_by_ranges(ranges: u64) -> u64 {
    ranges.saturating_sub(1).min(MAX_RANGES_AT_ONCE as u64) * RANGE_BYTES
}

fn missing(run: &Range<u64>) -> ChunkError {
    ChunkError::Broken(format!(
        "the object is truncated: bytes {}..{} are missing",
        run.start, run.end
    ))
}
