//! Merges byte ranges if reading the gap between them is cheaper than another request, and holds the responses of the
//! store.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use zarrs::storage::Bytes;

use crate::array::codecs::scratch::Scratch;
use crate::array::error::ChunkError;

/// The maximum number of ranges that a worker requests and holds at a time. Each range takes memory, even if it is short.
pub(crate) const MAX_RANGES_AT_ONCE: usize = 4096;

/// The memory, in bytes, that each range takes in addition to its bytes: in the list of ranges, in the request, in the
/// response of the store, and in the list of responses.
pub(crate) const RANGE_BYTES: u64 = 256;

/// Merges ascending ranges with at most `gap` bytes between them. Merging creates no range longer than `limit` bytes,
/// but ranges that are already longer are kept.
pub(crate) fn merge_ranges(
    ranges: impl IntoIterator<Item = Range<u64>>,
    gap: u64,
    limit: u64,
) -> impl Iterator<Item = Range<u64>> {
    let mut ranges = ranges.into_iter().peekable();
    iter::from_fn(move || {
        let mut last = ranges.next()?;
        let is_merged = |last: &Range<u64>, range: &Range<u64>| {
            range.start <= last.end.saturating_add(gap)
                && range.end.max(last.end) - last.start <= limit.max(last.end - last.start)
        };
        while let Some(range) = ranges.next_if(|range| is_merged(&last, range)) {
            // In an invalid shard, a range may overlap or contain the next one.
            last.end = last.end.max(range.end);
        }
        Some(last)
    })
}

/// The store's response: a whole object, or parts of an object.
#[derive(Debug)]
pub(crate) enum Fetched {
    Whole(Bytes),
    /// Ascending ranges.
    Ranges(Vec<(Range<u64>, Bytes)>),
    /// The concatenated bytes of all runs of a piece that has too many ranges to hold at once.
    Runs(Vec<u8>),
}

impl Fetched {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Fetched::Whole(bytes) => bytes.len() as u64,
            Fetched::Ranges(ranges) => ranges.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
            Fetched::Runs(bytes) => bytes.len() as u64,
        }
    }

    /// Returns the memory, in bytes, that the response takes.
    pub(crate) fn held_bytes(&self) -> u64 {
        let ranges = match self {
            Fetched::Ranges(ranges) => ranges.len(),
            Fetched::Whole(_) | Fetched::Runs(_) => 0,
        };
        self.bytes() + held_by_ranges(ranges as u64)
    }

    /// Returns the end of the last range.
    pub(crate) fn end(&self) -> u64 {
        match self {
            Fetched::Ranges(ranges) => ranges.last().map_or(0, |(range, _)| range.end),
            Fetched::Whole(bytes) => bytes.len() as u64,
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
        if let Fetched::Runs(bytes) = self {
            return Ok(Cow::Borrowed(bytes));
        }
        if runs.len() == 1 {
            let run = runs.next().unwrap_or(0..0);
            return Ok(Cow::Borrowed(self.run(&run)?));
        }
        let mut buffer = scratch.take_buffer(len)?;
        for run in runs {
            buffer.extend_from_slice(self.run(&run)?);
        }
        Ok(Cow::Owned(buffer))
    }

    pub(crate) fn run(&self, run: &Range<u64>) -> Result<&[u8], ChunkError> {
        let (start, bytes) = match self {
            Fetched::Whole(bytes) => (0, &bytes[..]),
            Fetched::Runs(_) => return Err(missing(run)),
            Fetched::Ranges(ranges) => {
                let after = ranges.partition_point(|(range, _)| range.start <= run.start);
                let enclosing_range = ranges[..after]
                    .iter()
                    .rev()
                    .find(|(range, _)| run.end <= range.end);
                let enclosing_range = enclosing_range.ok_or_else(|| missing(run))?;
                (enclosing_range.0.start, &enclosing_range.1[..])
            }
        };
        let part = (run.start - start) as usize..(run.end - start) as usize;
        bytes.get(part).ok_or_else(|| missing(run))
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

#[cfg(test)]
mod tests {
    use super::merge_ranges;

    #[test]
    fn close_ranges_are_merged_up_to_the_limit() {
        let merge = |gap, limit| -> Vec<_> {
            merge_ranges([0..4, 4..8, 10..12, 20..30], gap, limit).collect()
        };
        assert_eq!(merge(0, 100), [0..8, 10..12, 20..30]);
        assert_eq!(merge(1, 100), [0..8, 10..12, 20..30]);
        assert_eq!(merge(2, 100), [0..12, 20..30]);
        assert!(matches!(&merge(8, 100)[..], [all] if *all == (0..30)));
        assert_eq!(merge(u64::MAX, 100), merge(8, 100));
        assert_eq!(merge(8, 12), [0..12, 20..30]);
        assert_eq!(merge(8, 1), [0..4, 4..8, 10..12, 20..30]);
        assert!(merge_ranges([0..9, 2..3, 20..21], 0, 100).eq([0..9, 20..21]));
    }
}
