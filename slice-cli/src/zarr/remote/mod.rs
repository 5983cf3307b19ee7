//! Reads a store over HTTP, from a plain server or from S3 with signed URLs.

mod endpoint;
pub mod response;

use std::error::Error;
use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, Instant};

use slice_zarr::Wanted;
use ureq::Agent;
use ureq::http::header;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
};

use endpoint::Endpoint;
use response::{Fault, Response};

/// The maximum number of attempts per request.
const MAX_ATTEMPTS: u32 = 6;
/// The time from the start of the first attempt within which a request may be repeated. It is also the time allowed for
/// one attempt, in addition to the time for its bytes at [`MIN_BYTES_PER_SECOND`].
const RETRY_PERIOD: Duration = Duration::from_secs(60);
/// The maximum time to wait for a connection, and for each read from it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// The minimum speed of a response, in bytes per second. A slower attempt may time out.
const MIN_BYTES_PER_SECOND: u64 = 64 << 10;
/// The maximum size in bytes of an object for which the reader sets no maximum, such as metadata.
const MAX_METADATA_BYTES: u64 = 16 << 20;

/// A store that is read with GET requests.
pub struct Remote {
    agent: Agent,
    endpoint: Endpoint,
    deadline: Option<Instant>,
}

/// The limits of a request.
struct Limits {
    max_bytes: u64,
    deadline: Option<Instant>,
    wanted: Option<Wanted>,
}

impl Limits {
    /// Returns the time left for a request that begins now; `None` after the deadline.
    fn time_left(&self) -> Option<Duration> {
        let max_duration =
            RETRY_PERIOD.saturating_add(Duration::from_secs(self.max_bytes / MIN_BYTES_PER_SECOND));
        let Some(deadline) = self.deadline else {
            return Some(max_duration);
        };
        let left = deadline.checked_duration_since(Instant::now())?;
        (!left.is_zero()).then_some(left.min(max_duration))
    }

    /// Returns the object version that an earlier response stated, if any.
    fn version(&self) -> Option<&str> {
        self.wanted.as_ref().and_then(Wanted::version)
    }
}

/// The reason why a request failed.
enum Failure {
    /// Another attempt may succeed after this delay, which may be zero.
    Transient(String, Duration),
    /// Another attempt would fail too.
    Permanent(StorageError),
}

impl Remote {
    /// Creates a client for the store at an `http(s)://` or `s3://` URL. Nothing is read after the deadline. Returns an
    /// error if the URL, or the S3 endpoint in the environment, is invalid.
    pub fn new(url: &str, deadline: Option<Instant>) -> Result<Self, Box<dyn Error>> {
        let endpoint = Endpoint::new(url)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // An encrypted URL may redirect only to encrypted URLs.
            .https_only(endpoint.is_encrypted())
            .accept_encoding("identity")
            .timeout_connect(Some(IDLE_TIMEOUT))
            .timeout_per_read(Some(IDLE_TIMEOUT))
            .build();
        Ok(Remote {
            agent: config.into(),
            endpoint,
            deadline,
        })
    }

    fn limits(&self) -> Limits {
        let wanted = Wanted::current();
        let deadlines = [self.deadline, wanted.as_ref().and_then(Wanted::deadline)];
        Limits {
            max_bytes: wanted
                .as_ref()
                .map_or(MAX_METADATA_BYTES, Wanted::most_bytes),
            deadline: deadlines.into_iter().flatten().min(),
            wanted,
        }
    }

    /// Sends one request. Returns `None` if the object does not exist.
    fn send(
        &self,
        key: &StoreKey,
        range: &ByteRange,
        limits: &Limits,
    ) -> Result<MaybeBytes, Failure> {
        let deadline_error = || permanent_failure(key, "no response before the deadline");
        let time_left = limits.time_left().ok_or_else(deadline_error)?;
        let request = self.agent.get(self.endpoint.url(key.as_str()));
        let mut request = request.config().timeout_global(Some(time_left)).build();
        if let Some(range) = response::range_header(range) {
            request = request.header(header::RANGE, range);
        }
        if let Some(tag) = limits.version().and_then(response::strong_tag) {
            request = request.header(header::IF_MATCH, tag);
        }
        let to_failure = |error| classify_error(key, error, limits);
        let response = request.call().map_err(to_failure)?;
        let (head, mut body) = response.into_parts();
        let head = (head.version, head.status, &head.headers);
        let fault_to_failure = |fault| match (fault, &limits.wanted) {
            (Fault::Body(error), _) => to_failure(error.into()),
            (Fault::Busy(why, delay), _) => {
                let delay = Duration::from_secs(delay.unwrap_or(0));
                Failure::Transient(format!("{key}: {why}"), delay)
            }
            (Fault::Invalid(why), _) => permanent_failure(key, &why),
            (Fault::Changed, Some(wanted)) => Failure::Permanent(wanted.changed()),
            (Fault::Changed, None) => {
                permanent_failure(key, "the server reports that the object has changed")
            }
        };
        match response::check(head, range, limits.max_bytes).map_err(fault_to_failure)? {
            None if limits.version().is_some() => Err(fault_to_failure(Fault::Changed)),
            None => Ok(None),
            Some(response) => {
                check_version(&response, limits)?;
                let bytes = response
                    .read(&mut body.as_reader())
                    .map_err(fault_to_failure)?;
                Ok(Some(bytes.into()))
            }
        }
    }

    fn send_with_retries(
        &self,
        key: &StoreKey,
        range: &ByteRange,
    ) -> Result<MaybeBytes, StorageError> {
        if let ByteRange::FromStart(_, Some(0)) | ByteRange::Suffix(0) = range {
            return Ok(Some(Bytes::new()));
        }
        let limits = self.limits();
        let start = Instant::now();
        let mut pause = Duration::from_millis(100);
        for attempt in 1.. {
            let (why, delay) = match self.send(key, range, &limits) {
                Ok(response) => return Ok(response),
                Err(Failure::Permanent(error)) => return Err(error),
                Err(Failure::Transient(why, delay)) => (why, delay),
            };
            let wait = pause.max(delay);
            let waited = start.elapsed().checked_add(wait);
            let too_late = limits.time_left().is_none_or(|left| left <= wait);
            if attempt == MAX_ATTEMPTS
                || waited.is_none_or(|waited| waited >= RETRY_PERIOD)
                || too_late
            {
                return Err(StorageError::Other(why));
            }
            thread::sleep(wait);
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }
}

/// Records the version and size of the object, or compares them with those in earlier responses, before the bytes are
/// received.
fn check_version(response: &Response, limits: &Limits) -> Result<(), Failure> {
    let Some(wanted) = &limits.wanted else {
        return Ok(());
    };
    let version = response.version.as_deref();
    let result = version.map_or(Ok(()), |version| wanted.check_version(version));
    let result = result.and_then(|()| response.size.map_or(Ok(()), |size| wanted.check_size(size)));
    result.map_err(Failure::Permanent)
}

fn permanent_failure(key: &StoreKey, why: &str) -> Failure {
    Failure::Permanent(StorageError::Other(format!("{key}: {why}")))
}

/// Classifies an error of the client: another attempt may succeed after a timeout or a lost connection.
fn classify_error(key: &StoreKey, error: ureq::Error, limits: &Limits) -> Failure {
    if limits.time_left().is_none() {
        return permanent_failure(key, "no response before the deadline");
    }
    let is_transient = match &error {
        ureq::Error::Timeout(_) | ureq::Error::ConnectionFailed => true,
        ureq::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::ConnectionRefused
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::NotConnected
                | ErrorKind::BrokenPipe
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkUnreachable
                | ErrorKind::TimedOut
                | ErrorKind::WouldBlock
                | ErrorKind::Interrupted
                | ErrorKind::UnexpectedEof
        ),
        _ => false,
    };
    match is_transient {
        true => Failure::Transient(format!("{key}: {error}"), Duration::ZERO),
        false => permanent_failure(key, &error.to_string()),
    }
}

impl ReadableStorageTraits for Remote {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.send_with_retries(key, &ByteRange::FromStart(0, None))
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let mut responses = Vec::new();
        for range in byte_ranges {
            match (self.send_with_retries(key, &range)?, Wanted::current()) {
                (Some(bytes), _) => responses.push(Ok(bytes)),
                (None, _) if responses.is_empty() => return Ok(None),
                (None, Some(wanted)) => return Err(wanted.changed()),
                (None, None) => {
                    return Err(StorageError::Other(format!(
                        "{key} was removed during the read"
                    )));
                }
            }
        }
        Ok(Some(Box::new(responses.into_iter())))
    }

    /// During a read, returns `None` without a request, because the read itself detects an object that is too long.
    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        match Wanted::current() {
            Some(_) => Ok(None),
            None => Ok(self.get(key)?.map(|bytes| bytes.len() as u64)),
        }
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}
