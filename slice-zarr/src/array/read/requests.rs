//! Merges byte ranges if reading the gap between them is cheaper than another request, and holds the responses of the
//! store.

use std::borrow::Cow;
use std::ops::Range;

use zarrs::storage::Bytes;

use crate::array::codecs::scratch::Scratch;
use crate::array::error::ChunkError;

/// Merges ascending ranges with at most `gap` bytes between them. Merging creates no range longer than `limit` bytes,
/// but ranges that are already longer are kept.
pub(crate) fn merge_ranges(
    ranges: impl IntoIterator<Item = Range<u64>>,
    gap: u64,
    limit: u64,
) -> Vec<Range<u64>> {
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last)
                if range.start <= last.end.saturating_add(gap)
                    && range.end.max(last.end) - last.start <= limit.max(last.end - last.start) =>
            {
                // In an invalid shard, a range may overlap or contain the next one.
                last.end = last.end.max(range.end);
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// The store's response: a whole object, or ascending ranges of an object.
#[derive(Debug)]
pub(crate) enum Fetched {
    Whole(Bytes),
    Ranges(Vec<(Range<u64>, Bytes)>),
}

impl Fetched {
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Fetched::Whole(bytes) => bytes.len() as u64,
            Fetched::Ranges(ranges) => ranges.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
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
            Fetched::Whole(bytes) => (0, bytes),
            Fetched::Ranges(ranges) => {
                let after = ranges.partition_point(|(range, _)| range.start <= run.start);
                let enclosing_range = ranges[..after]
                    .iter()
                    .rev()
                    .find(|(range, _)| run.end <= range.end);
                let enclosing_range = enclosing_range.ok_or_else(|| missing(run))?;
                (enclosing_range.0.start, &enclosing_range.1)
            }
        };
        let part = (run.start - start) as usize..(run.end - start) as usize;
        bytes.get(part).ok_or_else(|| missing(run))
    }
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
        let merge = |gap, limit| merge_ranges([0..4, 4..8, 10..12, 20..30], gap, limit);
        assert_eq!(merge(0, 100), [0..8, 10..12, 20..30]);
        assert_eq!(merge(1, 100), [0..8, 10..12, 20..30]);
        assert_eq!(merge(2, 100), [0..12, 20..30]);
        assert!(matches!(&merge(8, 100)[..], [all] if *all == (0..30)));
        assert_eq!(merge(u64::MAX, 100), merge(8, 100));
        assert_eq!(merge(8, 12), [0..12, 20..30]);
        assert_eq!(merge(8, 1), [0..4, 4..8, 10..12, 20..30]);
        assert_eq!(merge_ranges([0..9, 2..3, 20..21], 0, 100), [0..9, 20..21]);
    }
}
