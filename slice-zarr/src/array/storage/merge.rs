//! Merges byte ranges if reading the gap between them is cheaper than another request.

use std::iter;
use std::ops::Range;

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
