//! Tests that invalid addresses are rejected at once, that reads from silent servers end at the timeout, and that
//! passwords are not printed.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::{fails, run, zarr};

#[test]
fn invalid_store_addresses_are_rejected() {
    for (store, words) in [
        ("http://[::1", "invalid authority"),
        ("http://", "it has no host"),
        ("http:///a", "it has no host"),
        ("https://host:port/a", "its port is not a number"),
        ("https://host:70000/a", "65535"),
        ("http://host:/a", "65535"),
        ("http://host/a b", "write \"http://host/a%20b\""),
        (
            "http://host/donn\u{e9}es",
            "write \"http://host/donn%C3%A9es\"",
        ),
        ("http://h\u{e9}/a", "it contains 'é'"),
        ("http://host/a?b", "write %3F"),
        ("http://host/a#b", "write %23"),
        ("http://host/100%", "write %25"),
        ("http://host/%zz", "write %25"),
        ("http://host/a\n", "it contains '\\n'"),
        ("ftp://host/a", "is neither a directory nor"),
        ("s3://", "does not name an S3 bucket"),
        ("s3://bucket/a/../../other", "would name a different object"),
        ("s3://bucket/..", "would name a different object"),
        ("s3://bucket/./a", "would name a different object"),
        ("s3://../a", "would name a different object"),
    ] {
        let start = Instant::now();
        let error = fails(zarr().args([store, ":", "-"]));
        assert!(error.contains(words), "{store}: {error}");
        assert!(error.contains(store) || store.contains('\n'), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{store}");
    }
}

/// Tests a server that never responds, an address without a server, and invalid timeouts.
#[test]
fn reads_from_silent_servers_end_at_the_timeout() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let absent = TcpListener::bind("127.0.0.1:0").unwrap();
    let addresses = [&silent, &absent].map(|listener| listener.local_addr().unwrap());
    drop(absent);
    for address in addresses {
        let start = Instant::now();
        let url = format!("http://{address}/a");
        let error = fails(zarr().args([&url, ":", "-", "--timeout", "0.7"]));
        assert!(error.contains("zarr.json"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(10), "{error}");
    }
    for timeout in ["0", "-1", "NaN", "inf", "1e300", "soon"] {
        let option = format!("--timeout={timeout}");
        let (code, _, error_output) = run(zarr().args(["a", ":", "-", &option]));
        assert_eq!(code, Some(2), "{timeout}: {error_output}");
    }
}

#[test]
fn passwords_in_addresses_are_not_printed() {
    let absent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = absent.local_addr().unwrap();
    drop(absent);
    for (store, shown) in [
        (
            format!("http://bob:s3cret@{address}/a"),
            format!("http://***@{address}/a"),
        ),
        (
            format!("http://s3cret@{address}/a"),
            format!("http://***@{address}/a"),
        ),
        (
            "http://bob:s3cret@host/a b".into(),
            "http://***@host/a%20b".into(),
        ),
        (
            "http://bob:s3cret@host:port/a".into(),
            "http://***@host:port/a".into(),
        ),
        ("ftp://bob:s3cret@host/a".into(), "ftp://***@host/a".into()),
    ] {
        let error = fails(zarr().args([&store, ":", "-", "--timeout", "0.7"]));
        assert!(
            !error.contains("s3cret") && error.contains(&shown),
            "{error}"
        );
    }
}
