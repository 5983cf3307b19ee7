//! Defines an HTTP/1.1 server that can send incorrect responses instead of the correct ones.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread;

/// The bucket that contains all arrays.
pub const BUCKET: &str = "bucket";

/// A request for an object.
pub struct Request {
    /// The path, without the leading `/`.
    pub path: String,
    pub range: Option<String>,
    pub if_match: Option<String>,
    /// The requested object.
    pub object: Vec<u8>,
    /// The number of earlier requests to which the server responded with the current incorrect response.
    pub earlier_requests: usize,
}

/// A response before it is sent.
#[derive(Clone)]
pub struct Reply {
    pub status_line: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    /// Sets a header, replacing an existing header of this name.
    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.remove(name);
        self.add(name, value);
    }

    pub fn add(&mut self, name: &str, value: impl ToString) {
        self.headers.push((name.into(), value.to_string()));
    }

    pub fn remove(&mut self, name: &str) {
        self.headers.retain(|(other, _)| other != name);
    }

    /// Sets the status line, clears the body, and removes all headers except the content length, which becomes 0.
    pub fn make_empty(&mut self, status_line: &str) {
        self.status_line = status_line.into();
        self.body.clear();
        self.headers = vec![("content-length".into(), "0".into())];
    }

    pub fn head(&self) -> String {
        let headers = self.headers.iter();
        let headers = headers.map(|(name, value)| format!("{name}: {value}\r\n"));
        format!(
            "{}\r\n{}\r\n",
            self.status_line,
            headers.collect::<String>()
        )
    }

    pub fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.write_all(&[self.head().as_bytes(), &self.body].concat())
    }
}

/// An incorrect response.
#[derive(Clone, Copy)]
pub enum IncorrectResponse {
    /// Changes the correct response.
    Change(fn(&Request, &mut Reply)),
    /// Sends arbitrary bytes. The connection is closed afterwards.
    Raw(fn(&Request, Reply, &mut TcpStream) -> io::Result<()>),
}

/// The objects of the server, and its current incorrect response.
#[derive(Default)]
struct State {
    objects: HashMap<String, Vec<u8>>,
    incorrect: Option<IncorrectResponse>,
    /// `true` if only requests for metadata get the incorrect response, `false` if only other requests do.
    for_metadata: bool,
    /// The number of requests to which the server responded with the incorrect response.
    incorrect_responses: usize,
}

/// A server that runs until the process ends.
pub struct Server {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub fn start(objects: HashMap<String, Vec<u8>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            objects,
            ..State::default()
        };
        let state = Arc::new(Mutex::new(state));
        let shared_state = state.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared_state = shared_state.clone();
                // The error is ignored, because the client may close the connection at any time.
                thread::spawn(move || drop(serve(stream.unwrap(), &shared_state)));
            }
        });
        Server { address, state }
    }

    /// Makes the server respond with `incorrect` from now on: to requests for metadata if `for_metadata` is `true`, and
    /// otherwise to all other requests.
    pub fn respond_with(&self, incorrect: IncorrectResponse, for_metadata: bool) {
        let mut state = self.state.lock().unwrap();
        state.for_metadata = for_metadata;
        (state.incorrect, state.incorrect_responses) = (Some(incorrect), 0);
    }

    /// Returns the number of requests to which the server responded with the current incorrect response.
    pub fn incorrect_responses(&self) -> usize {
        self.state.lock().unwrap().incorrect_responses
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream.try_clone()?);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let path = head[0].split(' ').nth(1).unwrap_or_default();
        let path = path.trim_start_matches('/').split('?').next();
        let header = |name: &str| {
            let mut headers = head.iter().filter_map(|line| line.split_once(':'));
            let value = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
            value.map(|(_, value)| value.trim().to_owned())
        };
        let mut request = Request {
            path: decode_path(path.unwrap_or_default()),
            range: header("range"),
            if_match: header("if-match"),
            object: Vec::new(),
            earlier_requests: 0,
        };
        let (reply, incorrect) = {
            let mut state = state.lock().unwrap();
            let mut incorrect = None;
            if request.path.ends_with(".json") == state.for_metadata {
                (incorrect, request.earlier_requests) =
                    (state.incorrect, state.incorrect_responses);
                state.incorrect_responses += 1;
            }
            let object = state.objects.get(object_of(&request.path));
            request.object = object.cloned().unwrap_or_default();
            (correct_reply(&request, object.is_some()), incorrect)
        };
        match incorrect {
            None => reply.send(&mut stream)?,
            Some(IncorrectResponse::Change(change)) => {
                let mut reply = reply;
                change(&request, &mut reply);
                reply.send(&mut stream)?;
            }
            Some(IncorrectResponse::Raw(raw)) => return raw(&request, reply, &mut stream),
        }
    }
}

/// Decodes the percent-encoding of a path.
fn decode_path(path: &str) -> String {
    let mut parts = path.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the name of the object at a path: the path without the name of the bucket, and without leading folders whose
/// names begin with `hop`. Such folders are the targets of redirects.
fn object_of(path: &str) -> &str {
    match path.split_once('/') {
        Some((first, rest)) if first.starts_with("hop") || first == BUCKET => object_of(rest),
        _ => path,
    }
}

/// Returns the `ETag` of an object, which contains only the object's length.
pub fn etag(object: &[u8]) -> String {
    format!("\"{:x}\"", object.len())
}

/// Returns the correct response.
fn correct_reply(request: &Request, exists: bool) -> Reply {
    let mut reply = Reply {
        status_line: String::new(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    if !exists {
        reply.make_empty("HTTP/1.1 404 Not Found");
        return reply;
    }
    let object = &request.object;
    let tag = etag(object);
    if request.if_match.as_ref().is_some_and(|other| *other != tag) {
        reply.make_empty("HTTP/1.1 412 Precondition Failed");
        return reply;
    }
    reply.set("etag", tag);
    reply.set("last-modified", "Wed, 21 Oct 2015 07:28:00 GMT");
    reply.set("accept-ranges", "bytes");
    match range_of(request, object.len()) {
        None => {
            reply.status_line = "HTTP/1.1 200 OK".into();
            reply.body = object.clone();
        }
        Some(range) => {
            reply.status_line = "HTTP/1.1 206 Partial Content".into();
            let (start, last, size) = (range.start, range.end - 1, object.len());
            reply.set("content-range", format!("bytes {start}-{last}/{size}"));
            reply.body = object[range].to_vec();
        }
    }
    reply.set("content-length", reply.body.len());
    reply
}

/// Returns the requested range of bytes, or `None` if the request has no valid range. The response to such a request is
/// the whole object.
pub fn range_of(request: &Request, size: usize) -> Option<Range<usize>> {
    let range = request.range.as_ref()?.strip_prefix("bytes=")?;
    let (start, last) = range.split_once('-')?;
    let number = |text: &str| text.parse::<usize>().ok();
    Some(match (number(start), number(last)) {
        (Some(start), Some(last)) => start..(last + 1).min(size),
        (Some(start), None) => start..size,
        (None, Some(len)) => size.saturating_sub(len)..size,
        (None, None) => return None,
    })
}

/// Waits until the client closes the connection.
pub fn stall(stream: &mut TcpStream) -> io::Result<()> {
    let mut rest = [0; 64];
    while stream.read(&mut rest)? > 0 {}
    Ok(())
}
