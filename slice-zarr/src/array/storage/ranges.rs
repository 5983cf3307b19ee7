//! Reads ranges of a file.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use zarrs::storage::Bytes;

/// The number of bytes up to which filling memory with zeros takes less time than another system call.
const SHORT: u64 = 64 << 10;
/// The number of bytes that an operating system loads together. If it has loaded one of them, it has probably loaded the
/// next ones, too.
const LOADED_TOGETHER: u64 = 128 << 10;

/// Reads ranges of a file. Returns an error if the file ends before the end of a range.
pub(super) fn read_ranges(mut file: &File, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
    let lens = ranges.iter().map(|range| range.end - range.start);
    let total = lens.fold(0, u64::saturating_add);
    let mut bytes = Vec::new();
    let reserved = usize::try_from(total).map(|total| bytes.try_reserve_exact(total));
    if !matches!(reserved, Ok(Ok(()))) {
        return Err(ErrorKind::OutOfMemory.into());
    }
    if let [range] = ranges
        && total > SHORT
    {
        file.seek(SeekFrom::Start(range.start))?;
        let len = file.take(total).read_to_end(&mut bytes)?;
        return match len as u64 == total {
            true => Ok(vec![bytes.into()]),
            false => Err(ErrorKind::UnexpectedEof.into()),
        };
    }
    bytes.resize(total as usize, 0);
    let mut rest = &mut bytes[..];
    let (mut is_loaded, mut loaded_end) = (true, 0);
    for (number, range) in ranges.iter().enumerate() {
        let part;
        (part, rest) = rest.split_at_mut((range.end - range.start) as usize);
        if is_loaded && range.end > loaded_end {
            if read_if_loaded(file, part, range.start) {
                loaded_end = range.start + LOADED_TOGETHER;
                continue;
            }
            is_loaded = false;
            load_ahead(file, &ranges[number..]);
        }
        read_at(file, part, range.start)?;
    }
    let (bytes, mut end) = (Bytes::from(bytes), 0);
    let parts = ranges.iter().map(|range| {
        let start = end;
        end += (range.end - range.start) as usize;
        bytes.slice(start..end)
    });
    Ok(parts.collect())
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

/// Reads bytes that are in the page cache. Returns `false` if some of them are not.
#[cfg(target_os = "linux")]
fn read_if_loaded(file: &File, bytes: &mut [u8], start: u64) -> bool {
    use rustix::io::{ReadWriteFlags, preadv2};

    let len = bytes.len();
    let mut buffers = [io::IoSliceMut::new(bytes)];
    preadv2(file, &mut buffers, start, ReadWriteFlags::NOWAIT) == Ok(len)
}

/// Asks the operating system to load ranges of a file into the page cache, and to load close ranges together, because one
/// long read of a disk takes less time than several short ones.
#[cfg(target_os = "linux")]
fn load_ahead(file: &File, ranges: &[Range<u64>]) {
    use std::num::NonZeroU64;

    use rustix::fs::{Advice, fadvise};

    use crate::array::storage::merge::merge_ranges;

    /// The largest gap, in bytes, between two ranges that are loaded together.
    const GAP: u64 = 32 << 10;

    // Linux may ignore the rest of a longer span.
    for span in merge_ranges(ranges.iter().cloned(), GAP, LOADED_TOGETHER) {
        if let Some(len) = NonZeroU64::new(span.end - span.start) {
            // If the call fails, the read takes longer.
            let _ = fadvise(file, span.start, Some(len), Advice::WillNeed);
        }
    }
}

/// Other operating systems cannot tell whether bytes are in the page cache.
#[cfg(not(target_os = "linux"))]
fn read_if_loaded(_file: &File, _bytes: &mut [u8], _start: u64) -> bool {
    false
}

/// Does nothing on other operating systems.
#[cfg(not(target_os = "linux"))]
fn load_ahead(_file: &File, _ranges: &[Range<u64>]) {}
