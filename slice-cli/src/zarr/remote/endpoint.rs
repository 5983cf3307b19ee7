//! Computes the URLs of the objects in a store, which is on a plain HTTP server or in S3. URLs for S3 are signed if
//! there are credentials.

use std::env;
use std::error::Error;
use std::time::Duration;

use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use ureq::http::Uri;

use crate::zarr::without_password;

/// The location of a store.
pub enum Endpoint {
    Http {
        base: String,
    },
    S3 {
        bucket: Box<Bucket>,
        prefix: String,
        credentials: Option<Credentials>,
    },
}

impl Endpoint {
    /// Creates the location of the store at an `http(s)://` or `s3://` URL.
    ///
    /// In an `http(s)://` URL, special characters must be percent-encoded. An `s3://` URL contains a bucket and the
    /// beginning of each key, neither of which is encoded.
    pub fn new(url: &str) -> Result<Self, Box<dyn Error>> {
        if let Some(path) = url.strip_prefix("s3://") {
            return s3_endpoint(path);
        }
        if url.starts_with("http://") || url.starts_with("https://") {
            return Ok(Endpoint::Http {
                base: check_http_url(url)?.trim_end_matches('/').into(),
            });
        }
        let url = without_password(url);
        Err(format!("{url:?} is neither a directory nor an http(s):// or s3:// URL").into())
    }

    /// Returns whether the store is read only over encrypted connections.
    pub fn is_encrypted(&self) -> bool {
        match self {
            Endpoint::Http { base } => base.starts_with("https://"),
            Endpoint::S3 { bucket, .. } => bucket.base_url().scheme() == "https",
        }
    }

    /// Returns the URL of the object with the key `key`.
    pub fn url(&self, key: &str) -> String {
        match self {
            Endpoint::Http { base } => format!("{base}/{}", percent_encode(key)),
            Endpoint::S3 {
                bucket,
                prefix,
                credentials,
            } => {
                let key = format!("{prefix}{key}");
                let action = bucket.get_object(credentials.as_ref(), &key);
                action.sign(Duration::from_secs(3600)).into()
            }
        }
    }
}

/// Checks an `http(s)://` URL to which keys will be appended, and returns it.
fn check_http_url(url: &str) -> Result<&str, String> {
    let invalid_url = |why| {
        format!(
            "{:?} is not the URL of an array: {why}",
            without_password(url)
        )
    };
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    if let Some(character) = rest.chars().find(|character| !is_url_character(*character)) {
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let mut why = format!("it contains {character:?}");
        if host.chars().all(is_url_character) {
            let path: String = path
                .chars()
                .map(|character| match is_url_character(character) {
                    true => character.into(),
                    false => percent_encode(&character.to_string()),
                })
                .collect();
            let encoded_url = without_password(&format!("{scheme}://{host}/{path}"));
            why = format!("{why}; write {encoded_url:?}");
        }
        return Err(invalid_url(why));
    }
    if let Some(character) = rest.chars().find(|c| ['?', '#'].contains(c)) {
        let digits = percent_encode(&character.to_string());
        return Err(invalid_url(format!(
            "it contains {character}, which ends the path; if it is part of a folder's name, write {digits}"
        )));
    }
    let escapes = rest.split('%').skip(1);
    for digits in escapes {
        let first_two = digits.as_bytes().get(..2);
        if !first_two.is_some_and(|first_two| first_two.iter().all(u8::is_ascii_hexdigit)) {
            return Err(invalid_url(
                "it contains % without two hexadecimal digits; if it is part of a folder's name, write %25"
                    .into(),
            ));
        }
    }
    if rest.is_empty() || rest.starts_with('/') {
        return Err(invalid_url("it has no host".into()));
    }
    let uri: Uri = url
        .parse()
        .map_err(|error| invalid_url(format!("{error}")))?;
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    let port = host_and_port.strip_prefix(uri.host().unwrap_or_default());
    if port != Some("") && uri.port_u16().is_none() {
        return Err(invalid_url("its port is not a number up to 65535".into()));
    }
    Ok(url)
}

/// Returns whether a character may be part of a URL without being encoded.
fn is_url_character(character: char) -> bool {
    character.is_ascii_graphic() && !"\"<>\\^`{|}".contains(character)
}

/// Percent-encodes a key for the path of a URL, including all characters with a special meaning in URLs except `/`.
fn percent_encode(key: &str) -> String {
    let mut path = String::new();
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                path.push(byte.into());
            }
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

/// Creates the location of the store at `BUCKET/PATH`, with the endpoint, the region and the credentials from the
/// environment.
fn s3_endpoint(path: &str) -> Result<Endpoint, Box<dyn Error>> {
    let variable = |names: &[&str]| {
        let values = names.iter().filter_map(|name| env::var(name).ok());
        values.into_iter().find(|value| !value.is_empty())
    };
    let (name, prefix) = path.split_once('/').unwrap_or((path, ""));
    if name.is_empty() {
        return Err(format!("{:?} does not name an S3 bucket", format!("s3://{path}")).into());
    }
    // The segments `.` and `..` of a URL would be resolved, so a different object would be requested.
    if let Some(dots) = path.split('/').find(|part| [".", ".."].contains(part)) {
        let url = format!("s3://{path}");
        return Err(format!(
            "{url:?} contains {dots:?}, so an HTTP request would name a different object"
        )
        .into());
    }
    let prefix = prefix.trim_matches('/');
    let prefix = if prefix.is_empty() {
        String::new()
    } else {
        format!("{prefix}/")
    };
    let region = variable(&["AWS_REGION", "AWS_DEFAULT_REGION"]).unwrap_or("us-east-1".into());
    let endpoint = variable(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"]);
    let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
    let endpoint = endpoint.parse().map_err(|error| {
        format!(
            "invalid S3 endpoint {:?}: {error}",
            without_password(&endpoint)
        )
    })?;
    let bucket = Bucket::new(endpoint, UrlStyle::Path, name.to_owned(), region)
        .map_err(|error| format!("invalid S3 bucket {name:?}: {error}"))?;
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
