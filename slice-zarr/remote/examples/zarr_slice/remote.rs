//! A store that is read over HTTP: from a plain server, or from S3 with signed addresses.

use std::env;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use slice_zarr::FileStorage;
use ureq::Agent;
use ureq::http::{StatusCode, header};
use zarrs::array::{Array, ArrayCreateError};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
};

/// How often a request is made before it counts as failed.
const ATTEMPTS: u32 = 6;

/// The array in a directory or at a URL, and whether it is at a URL.
pub fn open(store: &str) -> Result<(Array<dyn ReadableStorageTraits>, bool), Box<dyn Error>> {
    let far = store.contains("://");
    let storage: Arc<dyn ReadableStorageTraits> = if far {
        Arc::new(Remote::new(store)?)
    } else {
        if !Path::new(store).is_dir() {
            return Err(
                format!("no array found in store {store:?}: there is no such directory").into(),
            );
        }
        Arc::new(FileStorage::new(store)?)
    };
    let array = slice_zarr::open(storage.clone(), "/").map_err(|error| match error {
        ArrayCreateError::MissingMetadata => {
            format!("no array found in store {store:?}: it has neither zarr.json nor .zarray")
        }
        _ if is_group(&*storage) => {
            format!("no array found in store {store:?}: it is a group; name one of its arrays")
        }
        error => format!("cannot open the array {store:?}: {error}"),
    })?;
    Ok((array, far))
}

fn is_group(storage: &dyn ReadableStorageTraits) -> bool {
    let metadata = StoreKey::new("zarr.json").map(|key| storage.get(&key));
    let Ok(Ok(Some(metadata))) = metadata else {
        return false;
    };
    let metadata: Option<serde_json::Value> = serde_json::from_slice(&metadata).ok();
    metadata.is_some_and(|metadata| metadata["node_type"] == "group")
}

/// A store that is read with GET requests.
pub struct Remote {
    agent: Agent,
    endpoint: Endpoint,
}

enum Endpoint {
    Http {
        base: String,
    },
    S3 {
        bucket: Box<Bucket>,
        prefix: String,
        credentials: Option<Credentials>,
    },
}

impl Remote {
    /// The store at an `http(s)://` or `s3://` URL.
    pub fn new(url: &str) -> Result<Self, Box<dyn Error>> {
        let endpoint = if url.starts_with("http://") || url.starts_with("https://") {
            Endpoint::Http {
                base: url.trim_end_matches('/').into(),
            }
        } else if let Some(path) = url.strip_prefix("s3://") {
            s3(path)?
        } else {
            return Err(
                format!("{url:?} is neither a directory nor an http(s):// or s3:// URL").into(),
            );
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .timeout_recv_body(Some(Duration::from_secs(600)))
            .build();
        Ok(Remote {
            agent: config.into(),
            endpoint,
        })
    }

    fn address(&self, key: &StoreKey) -> String {
        match &self.endpoint {
            Endpoint::Http { base } => format!("{base}/{}", key.as_str()),
            Endpoint::S3 {
                bucket,
                prefix,
                credentials,
            } => {
                let key = format!("{prefix}{}", key.as_str());
                let action = bucket.get_object(credentials.as_ref(), &key);
                action.sign(Duration::from_secs(3600)).into()
            }
        }
    }

    /// One answer: `None` if the object does not exist, or an error and whether it may be temporary.
    fn ask(&self, key: &StoreKey, range: &ByteRange) -> Result<MaybeBytes, (bool, String)> {
        let mut request = self.agent.get(self.address(key));
        let wanted = match *range {
            ByteRange::FromStart(0, None) => None,
            ByteRange::FromStart(start, None) => Some(format!("bytes={start}-")),
            ByteRange::FromStart(_, Some(0)) => return Ok(Some(Bytes::new())),
            ByteRange::FromStart(start, Some(len)) => {
                Some(format!("bytes={start}-{}", start + len - 1))
            }
            ByteRange::Suffix(len) => Some(format!("bytes=-{len}")),
        };
        if let Some(wanted) = &wanted {
            request = request.header(header::RANGE, wanted);
        }
        let mut response = request.call().map_err(|error| (true, error.to_string()))?;
        let status = response.status();
        match status {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT => {}
            StatusCode::NOT_FOUND => return Ok(None),
            StatusCode::RANGE_NOT_SATISFIABLE => {
                return Err((
                    false,
                    format!(
                        "{key} is truncated: it ends before {}",
                        wanted.unwrap_or_default()
                    ),
                ));
            }
            _ => {
                let passing = status.is_server_error()
                    || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT]
                        .contains(&status);
                return Err((passing, format!("{key}: the server answers {status}")));
            }
        }
        let body = response
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_vec();
        let body = Bytes::from(body.map_err(|error| (true, error.to_string()))?);
        if wanted.is_none() || status == StatusCode::PARTIAL_CONTENT {
            return Ok(Some(body));
        }
        // A server that does not know ranges sends everything.
        let size = body.len() as u64;
        let (start, end) = match *range {
            ByteRange::FromStart(start, None) => (start, size),
            ByteRange::FromStart(start, Some(len)) => (start, start.saturating_add(len)),
            ByteRange::Suffix(len) => (size.saturating_sub(len), size),
        };
        if start > end || end > size {
            return Err((false, format!("{key} is truncated: it has {size} bytes")));
        }
        Ok(Some(body.slice(start as usize..end as usize)))
    }

    fn retried(&self, key: &StoreKey, range: &ByteRange) -> Result<MaybeBytes, StorageError> {
        let mut pause = Duration::from_millis(100);
        for attempt in 1.. {
            match self.ask(key, range) {
                Ok(answer) => return Ok(answer),
                Err((true, _)) if attempt < ATTEMPTS => {
                    thread::sleep(pause);
                    pause *= 2;
                }
                Err((_, error)) => return Err(StorageError::Other(error)),
            }
        }
        unreachable!("the last attempt returns")
    }
}

/// The bucket and the path of `BUCKET/PATH`.
fn s3(path: &str) -> Result<Endpoint, Box<dyn Error>> {
    let variable = |names: &[&str]| {
        let values = names.iter().filter_map(|name| env::var(name).ok());
        values.into_iter().find(|value| !value.is_empty())
    };
    let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
    let prefix = prefix.trim_matches('/');
    let prefix = if prefix.is_empty() {
        String::new()
    } else {
        format!("{prefix}/")
    };
    let region = variable(&["AWS_REGION", "AWS_DEFAULT_REGION"]).unwrap_or("us-east-1".into());
    let endpoint = variable(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"]);
    let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
    let endpoint = endpoint
        .parse()
        .map_err(|error| format!("S3 endpoint {endpoint:?}: {error}"))?;
    let bucket = Bucket::new(endpoint, UrlStyle::Path, name.to_owned(), region)
        .map_err(|error| format!("S3 bucket {name:?}: {error}"))?;
    let keys = variable(&["AWS_ACCESS_KEY_ID"]).zip(variable(&["AWS_SECRET_ACCESS_KEY"]));
    let credentials = keys.map(|(key, secret)| match variable(&["AWS_SESSION_TOKEN"]) {
        Some(token) => Credentials::new_with_token(key, secret, token),
        None => Credentials::new(key, secret),
    });
    Ok(Endpoint::S3 {
        bucket: Box::new(bucket),
        prefix,
        credentials,
    })
}

impl ReadableStorageTraits for Remote {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.retried(key, &ByteRange::FromStart(0, None))
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let answers = byte_ranges.map(|range| self.retried(key, &range));
        let answers: Option<Vec<Bytes>> = answers.collect::<Result<_, _>>()?;
        Ok(answers.map(|answers| Box::new(answers.into_iter().map(Ok)) as _))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Ok(self.get(key)?.map(|bytes| bytes.len() as u64))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}
