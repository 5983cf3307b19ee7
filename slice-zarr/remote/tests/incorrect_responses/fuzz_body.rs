//! Checks that responses made of arbitrary bytes are read correctly or rejected. The fuzz target `responses`
//! runs [`check`], and a test runs it on a fixed number of inputs.

use std::io::{self, Read};

use ureq::http::header::{HeaderMap, HeaderName, HeaderValue};
use ureq::http::{StatusCode, Version};
use zarrs::storage::byte_range::ByteRange;

use crate::response::{self, Fault};

/// The status codes of the responses.
const STATUS: [u16; 12] = [200, 206, 200, 206, 204, 304, 404, 412, 416, 429, 500, 503];
/// The names of the response headers.
const NAMES: [&str; 8] = [
    "content-range",
    "content-length",
    "content-type",
    "content-encoding",
    "transfer-encoding",
    "etag",
    "last-modified",
    "retry-after",
];

/// A body that counts the bytes read from it, and may end with an error.
struct Body<'b> {
    bytes: &'b [u8],
    bytes_read: usize,
    ends_with_error: bool,
}

impl Read for Body<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let remaining = &self.bytes[self.bytes_read..];
        if remaining.is_empty() && self.ends_with_error {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let len = remaining.len().min(to.len());
        to[..len].copy_from_slice(&remaining[..len]);
        self.bytes_read += len;
        Ok(len)
    }
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The object does not exist.
    Missing,
    /// The response is rejected.
    Rejected,
    /// The requested bytes were read.
    Read,
}

/// Checks that an accepted response contains exactly the requested bytes, and that no bytes after the range are read.
/// The first six bytes of the input determine the kind of the range, its start, its length, the maximum number of
/// bytes, the status, and two flags (the HTTP version, and whether the body ends with an error). The headers follow,
/// one per line, and the first byte of each line determines the name of the header. The rest consists of an empty line
/// and the body.
pub fn check(input: &[u8]) -> Outcome {
    let Some((&[kind, start, len, max_bytes, status, flags], rest)) =
        input.split_first_chunk::<6>()
    else {
        return Outcome::Rejected;
    };
    let (start, len, max_bytes) = (u64::from(start), u64::from(len), u64::from(max_bytes) * 4);
    let range = match kind % 4 {
        0 => ByteRange::FromStart(0, None),
        1 => ByteRange::FromStart(start, None),
        // The length is at least 1, because zero bytes are never requested.
        2 => ByteRange::FromStart(start, Some(len.max(1))),
        _ => ByteRange::Suffix(len.max(1)),
    };
    let end = rest.windows(2).position(|two| two == b"\n\n");
    let (head, bytes) = match end {
        Some(end) => (&rest[..end], &rest[end + 2..]),
        None => (rest, &[][..]),
    };
    let mut headers = HeaderMap::new();
    for line in head.split(|&byte| byte == b'\n') {
        let Some((&name, value)) = line.split_first() else {
            continue;
        };
        let name = HeaderName::from_static(NAMES[usize::from(name) % NAMES.len()]);
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(name, value);
        }
    }
    let status = StatusCode::from_u16(STATUS[usize::from(status) % STATUS.len()]).unwrap();
    let version = [Version::HTTP_11, Version::HTTP_10][usize::from(flags & 1)];
    let response = match response::check((version, status, &headers), &range, max_bytes) {
        Ok(Some(response)) => response,
        Ok(None) => {
            assert_eq!(status, 404);
            return Outcome::Missing;
        }
        Err(fault) => {
            assert!(
                !matches!(fault, Fault::Body(_)),
                "a fault in the body was reported before the body was read"
            );
            return Outcome::Rejected;
        }
    };
    assert!([200, 206].contains(&status.as_u16()));
    let mut body = Body {
        bytes,
        bytes_read: 0,
        ends_with_error: flags & 2 != 0,
    };
    let read = response.read(&mut body);
    let Ok(read) = read else {
        return Outcome::Rejected;
    };
    let read_len = read.len() as u64;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |text: &str| text.trim().parse::<u64>().ok();
    // The size of the object, if the headers state it.
    let size = match status.as_u16() {
        206 => header("content-range").and_then(|range| number(range.rsplit('/').next()?)),
        _ => header("content-length").and_then(number),
    };
    let (begin, end) = match range {
        ByteRange::FromStart(start, Some(len)) => (Some(start), Some(start + len)),
        ByteRange::FromStart(start, None) => (Some(start), size),
        ByteRange::Suffix(len) => (size.map(|size| size.saturating_sub(len)), size),
    };
    if let (Some(begin), Some(end)) = (begin, end) {
        assert_eq!(read_len, end - begin);
    }
    let skipped = match status.as_u16() {
        206 => {
            let last = begin.unwrap() + read_len - 1;
            let range = header("content-range").unwrap();
            let (unit, range) = range.trim().split_once(' ').unwrap();
            let (first, range) = range.split_once('-').unwrap();
            assert!(unit.eq_ignore_ascii_case("bytes") && number(first) == begin);
            assert_eq!(number(range.split('/').next().unwrap()), Some(last));
            0
        }
        _ => begin.unwrap() as usize,
    };
    assert_eq!(read, bytes[skipped..skipped + read.len()]);
    assert!(read_len <= max_bytes);
    // No bytes after the range are read.
    assert!(body.bytes_read <= skipped + read.len());
    Outcome::Read
}
