//! Checks a server's responses before their bytes are used, and limits the number of bytes received.

use std::io::{self, Read};

use ureq::http::header::{self, HeaderMap, HeaderName};
use ureq::http::{StatusCode, Version};
use zarrs::storage::byte_range::ByteRange;

/// The maximum number of bytes received and discarded if a server sends the whole object instead of a range.
const MAX_SKIPPED: u64 = 64 << 20;

/// The reason why a response cannot be used.
#[derive(Debug)]
pub enum Fault {
    /// The server may succeed later. The number is the delay in seconds, if the server states one.
    Busy(String, Option<u64>),
    /// Another attempt would fail too.
    Invalid(String),
    /// The object has changed since an earlier response.
    Changed,
    /// The body could not be read completely.
    Body(io::Error),
}

/// An accepted response, with the location of the requested bytes in its body.
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of bytes in the body before the requested bytes.
    skip: u64,
    /// The number of requested bytes.
    len: Length,
    /// Whether the body may continue after the requested bytes.
    may_continue: bool,
    /// An identifier of the object's version.
    pub version: Option<String>,
    /// The size of the object in bytes, if the server states it.
    pub size: Option<u64>,
}

#[derive(Debug, PartialEq, Eq)]
enum Length {
    Exactly(u64),
    /// The end of the body determines the length, up to this maximum.
    AtMost(u64),
}

/// Returns the value of the `Range` header of a request, or `None` for the whole object.
pub fn range_header(range: &ByteRange) -> Option<String> {
    match *range {
        ByteRange::FromStart(0, None) => None,
        ByteRange::FromStart(start, None) => Some(format!("bytes={start}-")),
        ByteRange::FromStart(start, Some(len)) => {
            let last = start.saturating_add(len).saturating_sub(1);
            Some(format!("bytes={start}-{last}"))
        }
        ByteRange::Suffix(len) => Some(format!("bytes=-{len}")),
    }
}

/// Returns the version if it is a strong entity tag. Other versions cannot be sent in `If-Match`: a weak tag never
/// matches, and a modification time is not a tag.
pub fn strong_tag(version: &str) -> Option<&str> {
    version.starts_with('"').then_some(version)
}

/// Checks the head of the response to a request for `range`. At most `max_len` requested bytes are accepted. Returns
/// `None` if the object does not exist.
pub fn check(
    (version, status, headers): (Version, StatusCode, &HeaderMap),
    range: &ByteRange,
    max_len: u64,
) -> Result<Option<Response>, Fault> {
    match status {
        StatusCode::OK => {}
        StatusCode::PARTIAL_CONTENT if range_header(range).is_some() => {}
        StatusCode::NOT_FOUND => return Ok(None),
        StatusCode::PRECONDITION_FAILED => return Err(Fault::Changed),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let requested = range_header(range).unwrap_or_default();
            return Err(invalid(format!(
                "the object is truncated: it ends before the requested range {requested}"
            )));
        }
        StatusCode::REQUEST_TIMEOUT
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::INTERNAL_SERVER_ERROR
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => {
            let delay = single_header(headers, header::RETRY_AFTER)?.and_then(number);
            return Err(Fault::Busy(
                format!("the server responded with {status}"),
                delay,
            ));
        }
        _ => return Err(invalid(format!("the server responded with {status}"))),
    }
    let encoding = single_header(headers, header::CONTENT_ENCODING)?.unwrap_or("identity");
    // Some stores return `aws-chunked`, which describes how the object was uploaded to S3, not how it is stored.
    if !["", "identity", "aws-chunked"].contains(&encoding) {
        return Err(invalid(format!(
            "the server used the content encoding {encoding:?}, which is not supported"
        )));
    }
    let body = body_length(version, headers)?;
    let response = match status {
        StatusCode::PARTIAL_CONTENT => partial_response(headers, range, max_len)?,
        _ => whole_response(body, range, max_len)?,
    };
    // An incorrect length is detected before the body is received.
    if let (Body::Sized(len), Length::Exactly(exactly), false) =
        (body, &response.len, response.may_continue)
        && len != *exactly
    {
        return Err(invalid(format!(
            "the server sent {len} instead of {exactly} bytes"
        )));
    }
    let version = object_version(headers)?;
    Ok(Some(Response {
        version,
        ..response
    }))
}

/// The framing of a body, which determines its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Sized(u64),
    Chunked,
    /// The body ends when the connection is closed, which looks the same as an interruption.
    UntilClosed,
}

fn body_length(version: Version, headers: &HeaderMap) -> Result<Body, Fault> {
    let len = single_header(headers, header::CONTENT_LENGTH)?;
    let Some(coding) = single_header(headers, header::TRANSFER_ENCODING)? else {
        return match len {
            None => Ok(Body::UntilClosed),
            Some(len) => number(len).map(Body::Sized).ok_or_else(|| {
                invalid(format!(
                    "the server sent the invalid content length {len:?}"
                ))
            }),
        };
    };
    if !coding.eq_ignore_ascii_case("chunked") || version < Version::HTTP_11 {
        return Err(invalid(format!(
            "the server used the transfer encoding {coding:?}, which is not supported with {version:?}"
        )));
    }
    match len {
        None => Ok(Body::Chunked),
        Some(_) => Err(invalid(
            "the response has both a content length and a transfer encoding".into(),
        )),
    }
}

/// Checks a response whose body is the requested range.
fn partial_response(
    headers: &HeaderMap,
    range: &ByteRange,
    max_len: u64,
) -> Result<Response, Fault> {
    let kind = single_header(headers, header::CONTENT_TYPE)?.unwrap_or_default();
    if kind.to_ascii_lowercase().starts_with("multipart/") {
        return Err(invalid(format!(
            "the server sent a body of type {kind}, which is not supported"
        )));
    }
    let requested = range_header(range).unwrap_or_default();
    let value = single_header(headers, header::CONTENT_RANGE)?.unwrap_or_default();
    let wrong_range = || {
        invalid(format!(
            "the server sent the range {value:?} instead of {requested}"
        ))
    };
    let (start, last, size) = content_range(value).ok_or_else(wrong_range)?;
    if last < start || size.is_some_and(|size| size <= last) {
        return Err(wrong_range());
    }
    let is_last = size.is_some_and(|size| last == size - 1);
    let is_requested_range = match *range {
        ByteRange::FromStart(requested_start, Some(len)) => {
            let end = requested_start.saturating_add(len);
            match size {
                Some(size) if start == requested_start && is_last && size < end => {
                    return Err(invalid(format!(
                        "the object is truncated: it has {size} bytes"
                    )));
                }
                _ => start == requested_start && last.checked_add(1) == Some(end),
            }
        }
        ByteRange::FromStart(requested_start, None) => start == requested_start && is_last,
        ByteRange::Suffix(len) => {
            is_last && size.is_some_and(|size| start == size.saturating_sub(len))
        }
    };
    if !is_requested_range {
        return Err(wrong_range());
    }
    // The sum does not overflow: each case above ensures that `last` is less than `u64::MAX`.
    let len = last - start + 1;
    Ok(Response {
        skip: 0,
        len: Length::Exactly(check_length(len, max_len)?),
        may_continue: false,
        version: None,
        size,
    })
}

/// Checks a response whose body is the whole object.
fn whole_response(body: Body, range: &ByteRange, max_len: u64) -> Result<Response, Fault> {
    let size = match body {
        Body::Sized(size) => Some(size),
        _ => None,
    };
    let truncated = |size| invalid(format!("the object is truncated: it has {size} bytes"));
    let (skip, len) = match (*range, size) {
        // An interrupted response would look like a complete one.
        (ByteRange::FromStart(0, None), None) if body == Body::UntilClosed => {
            let why = "the response has neither a content length nor a transfer encoding";
            return Err(invalid(why.into()));
        }
        (ByteRange::FromStart(0, None), None) => (0, Length::AtMost(max_len)),
        (ByteRange::FromStart(start, Some(len)), None) => (start, Length::Exactly(len)),
        (ByteRange::FromStart(start, Some(len)), Some(size)) => {
            if start.checked_add(len).is_none_or(|end| end > size) {
                return Err(truncated(size));
            }
            (start, Length::Exactly(len))
        }
        (ByteRange::FromStart(start, None), Some(size)) => {
            let remaining = size.checked_sub(start).ok_or_else(|| truncated(size))?;
            (start, Length::Exactly(remaining))
        }
        (ByteRange::Suffix(len), Some(size)) => {
            let len = len.min(size);
            (size - len, Length::Exactly(len))
        }
        (_, None) => {
            let why = "the server sent the whole object without stating its length";
            return Err(invalid(why.into()));
        }
    };
    if skip > MAX_SKIPPED {
        return Err(invalid(format!(
            "the server sent the whole object instead of the range {}, and {skip} bytes are too many to skip",
            range_header(range).unwrap_or_default()
        )));
    }
    if let Length::Exactly(len) = len {
        check_length(len, max_len)?;
    }
    Ok(Response {
        skip,
        len,
        may_continue: range_header(range).is_some(),
        version: None,
        size,
    })
}

impl Response {
    /// Reads the requested bytes of the body, and at most one more byte, to detect a response that is too long.
    pub fn read(&self, body: &mut impl Read) -> Result<Vec<u8>, Fault> {
        let skipped = io::copy(&mut body.by_ref().take(self.skip), &mut io::sink());
        let skipped = skipped.map_err(Fault::Body)?;
        let (min_len, max_len) = match self.len {
            Length::Exactly(len) => (len, len),
            Length::AtMost(max_len) => (0, max_len),
        };
        let mut bytes = Vec::new();
        // The memory is reserved at once, because growing a vector copies it, and both copies exist for a moment.
        // Reserved memory that is never written usually occupies no physical memory.
        let reserved = usize::try_from(max_len).map(|max_len| bytes.try_reserve_exact(max_len));
        if min_len > 0 && !matches!(reserved, Ok(Ok(()))) {
            return Err(invalid(format!("unable to allocate {min_len} bytes")));
        }
        let read = body.by_ref().take(max_len).read_to_end(&mut bytes);
        read.map_err(Fault::Body)?;
        if skipped < self.skip || (bytes.len() as u64) < min_len {
            let sent = skipped.saturating_add(bytes.len() as u64);
            return Err(Fault::Body(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("the response ends after {sent} bytes"),
            )));
        }
        if !self.may_continue && body.read(&mut [0]).map_err(Fault::Body)? > 0 {
            return Err(invalid(too_long_message(max_len)));
        }
        Ok(bytes)
    }
}

fn check_length(len: u64, max_len: u64) -> Result<u64, Fault> {
    match len <= max_len {
        true => Ok(len),
        false => Err(invalid(too_long_message(max_len))),
    }
}

fn too_long_message(max_len: u64) -> String {
    format!("the server sent more than the expected maximum of {max_len} bytes")
}

/// Returns an identifier of an object's version: the entity tag, or else the time of the last modification.
fn object_version(headers: &HeaderMap) -> Result<Option<String>, Fault> {
    let tag = single_header(headers, header::ETAG)?.map(str::to_owned);
    let modified = single_header(headers, header::LAST_MODIFIED)?;
    Ok(tag.or_else(|| modified.map(|time| format!("modified {time}"))))
}

/// Parses the value of a `Content-Range` header: the positions of the first and the last byte, and the size of the
/// object unless it is `*`.
fn content_range(value: &str) -> Option<(u64, u64, Option<u64>)> {
    let (unit, value) = value.split_once(' ')?;
    let (range, size) = value.split_once('/')?;
    let (start, last) = range.split_once('-')?;
    let size = match size {
        "*" => None,
        size => Some(number(size)?),
    };
    let is_bytes = unit.eq_ignore_ascii_case("bytes");
    is_bytes
        .then_some((number(start)?, number(last)?))
        .map(|(start, last)| (start, last, size))
}

/// Parses a number that consists only of digits, without a sign.
fn number(digits: &str) -> Option<u64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Returns the value of a header. Returns an error if the header occurs with different values, because it is ambiguous
/// which of them applies.
fn single_header(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Fault> {
    let mut values = headers.get_all(&name).iter();
    let value = values.next();
    if values.any(|other| Some(other) != value) {
        return Err(invalid(format!(
            "the response has conflicting {name} headers"
        )));
    }
    match value.map(|value| value.to_str()) {
        None => Ok(None),
        Some(Ok(value)) => Ok(Some(value.trim())),
        Some(Err(_)) => Err(invalid(format!(
            "the {name} header of the response is not printable ASCII"
        ))),
    }
}

fn invalid(why: String) -> Fault {
    Fault::Invalid(why)
}
