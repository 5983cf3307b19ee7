//! Asks the operating system to read a file ahead.

use std::fs::File;

use zarrs::storage::byte_range::ByteRange;

/// Asks the operating system to load ranges of a file into the page cache, and to load close ranges together, because one
/// long read of a disk takes less time than several short ones.
#[cfg(target_os = "linux")]
pub(super) fn read_ahead(file: &File, ranges: &[ByteRange]) {
    use std::num::NonZeroU64;

    use rustix::fs::{Advice, fadvise};

    use crate::array::storage::merge::merge_ranges;

    /// The largest gap, in bytes, between two ranges that are loaded together.
    const GAP: u64 = 32 << 10;
    /// The number of bytes that are loaded with one call. Linux may ignore the rest of a longer range.
    const BYTES: u64 = 128 << 10;

    let ranges = ranges.iter().filter_map(|range| match *range {
        ByteRange::FromStart(start, Some(len)) => Some(start..start.saturating_add(len)),
        _ => None,
    });
    for span in merge_ranges(ranges, GAP, BYTES) {
        if let Some(len) = NonZeroU64::new(span.end - span.start) {
            // If the call fails, the read takes longer.
            let _ = fadvise(file, span.start, Some(len), Advice::WillNeed);
        }
    }
}

/// Does nothing on other operating systems.
#[cfg(not(target_os = "linux"))]
pub(super) fn read_ahead(_file: &File, _ranges: &[ByteRange]) {}
