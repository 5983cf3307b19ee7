//! Defines the incorrect responses that the server can send, and the expected outcomes of reads that receive them.

use std::io::{self, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::server::IncorrectResponse::{self, Change, Raw};
use crate::server::{Reply, Request, stall};

/// An incorrect response, and the expected outcomes of three reads: of a whole object, of a range of an object, and of
/// a shard.
///
/// Each outcome is one letter:
///
/// - `r`: the correct data.
/// - `f`: fill values.
/// - `c`: an error that reports that the object changed.
/// - `l`: an error at the time limit, or after more than two requests. The time limit of these reads is short.
/// - `e`: any other error, after at most two requests.
pub struct Row {
    pub name: &'static str,
    pub response: IncorrectResponse,
    /// The outcomes with the HTTP client of `slice zarr`.
    pub client: &'static str,
    /// A part of this client's error messages for the outcomes `c` and `e`.
    pub message: &'static str,
    /// The outcomes with `ObjectStorage` and the HTTP client of the `object_store` crate. The string is empty if this
    /// client is not tested.
    pub objects: &'static str,
}

const fn row(
    name: &'static str,
    response: IncorrectResponse,
    client: &'static str,
    message: &'static str,
    objects: &'static str,
) -> Row {
    Row {
        name,
        response,
        client,
        message,
        objects,
    }
}

/// Creates an incorrect response with the given status and an empty body.
macro_rules! status {
    ($status:literal) => {
        Change(|_, reply| reply.make_empty(concat!("HTTP/1.1 ", $status)))
    };
}

/// Creates an incorrect response that changes only the header `content-range` of a response with status 206.
macro_rules! content_range {
    ($value:expr) => {
        Change(|_, reply| {
            if reply.status_line.contains("206") {
                reply.set("content-range", $value);
            }
        })
    };
}

/// Makes the response use the transfer encoding `chunked`. `body` encodes the body.
fn chunked(reply: &mut Reply, body: impl Fn(&[u8]) -> Vec<u8>) {
    reply.remove("content-length");
    reply.set("transfer-encoding", "chunked");
    reply.body = body(&reply.body);
}

fn http_chunks(body: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    for piece in body.chunks(100) {
        output.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        output.extend_from_slice(piece);
        output.extend_from_slice(b"\r\n");
    }
    output
}

fn with_last_chunk(mut chunks: Vec<u8>) -> Vec<u8> {
    chunks.extend_from_slice(b"0\r\n\r\n");
    chunks
}

/// Sends the same bytes repeatedly until the client closes the connection.
fn send_endlessly(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    loop {
        stream.write_all(bytes)?;
    }
}

/// Claims in the header `content-range` that the object has become longer since the first request.
fn claim_growth(request: &Request, reply: &mut Reply) {
    let mut headers = reply.headers.iter();
    let range = headers.find(|(name, _)| name == "content-range");
    if let Some((_, range)) = range.filter(|_| request.earlier_requests > 0) {
        let part = range.split('/').next().unwrap_or_default();
        let content_range = format!("{part}/{}", request.object.len() + request.earlier_requests);
        reply.set("content-range", content_range);
    }
}

/// Replaces the response with a redirection to the address `to`.
fn redirect(reply: &mut Reply, to: &str) {
    reply.make_empty("HTTP/1.1 302 Found");
    reply.set("location", to);
}

/// Returns the number in a path such as `hop3/raw/c/0`, and the rest of the path. For any other path, returns 0 and the
/// path.
fn hops(request: &Request) -> (usize, &str) {
    let hop = request.path.split_once('/');
    let hop = hop.and_then(|(hop, rest)| Some((hop.strip_prefix("hop")?.parse().ok()?, rest)));
    hop.unwrap_or((0, &request.path))
}

/// Redirects a request `times` times before the correct response is sent.
fn redirect_repeatedly(request: &Request, reply: &mut Reply, times: usize) {
    let (hop, rest) = hops(request);
    if hop < times {
        redirect(reply, &format!("/hop{}/{rest}", hop + 1));
    }
}

/// Makes the connection end with a reset instead of an orderly close. A reset is an error for the client.
#[cfg(unix)]
fn reset(stream: &TcpStream) -> io::Result<()> {
    // A linger time of zero makes the system reset the connection when it is closed.
    let socket = socket2::SockRef::from(stream);
    socket.set_linger(Some(Duration::ZERO))
}

#[cfg(not(unix))]
fn reset(_: &TcpStream) -> io::Result<()> {
    Ok(())
}

/// Sends one byte every 50 milliseconds, and then keeps the connection open without sending anything.
fn send_slowly(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte])?;
        sleep(Duration::from_millis(50));
    }
    stall(stream)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// All incorrect responses, grouped by the incorrect part of the response.
pub const ROWS: &[Row] = &[
    // Incorrect status codes.
    row("the correct response", Change(|_, _| ()), "rrr", "", "rrr"),
    row(
        "200 with the whole object instead of a range",
        Change(|request, reply| {
            reply.status_line = "HTTP/1.1 200 OK".into();
            reply.body = request.object.clone();
            reply.set("content-length", reply.body.len());
            reply.remove("content-range");
        }),
        "rrr",
        "",
        "rel",
    ),
    row(
        "200 with only the range",
        Change(|_, reply| reply.status_line = "HTTP/1.1 200 OK".into()),
        "ree",
        "is truncated",
        "rel",
    ),
    row(
        "206 instead of 200 for a whole object",
        Change(|request, reply| {
            let size = request.object.len();
            if request.range.is_none() {
                reply.status_line = "HTTP/1.1 206 Partial Content".into();
                reply.set("content-range", format!("bytes 0-{}/{size}", size - 1));
            }
        }),
        "err",
        "206",
        "rrr",
    ),
    row(
        "203 with the correct body",
        Change(|_, reply| reply.status_line = "HTTP/1.1 203 Non-Authoritative Information".into()),
        "eee",
        "203",
        "rel",
    ),
    row(
        "204 No Content",
        status!("204 No Content"),
        "eee",
        "204",
        "eee",
    ),
    row(
        "204 for a suffix, and 404 for HEAD",
        Change(|request, reply| match &request.range {
            Some(range) if range.starts_with("bytes=-") => {
                reply.make_empty("HTTP/1.1 204 No Content")
            }
            None if request.earlier_requests > 0 => reply.make_empty("HTTP/1.1 404 Not Found"),
            _ => {}
        }),
        "rre",
        "204",
        "rrl",
    ),
    row(
        "205 Reset Content",
        status!("205 Reset Content"),
        "eee",
        "205",
        "eee",
    ),
    row(
        "304 Not Modified",
        status!("304 Not Modified"),
        "eee",
        "304",
        "eee",
    ),
    row(
        "400 Bad Request",
        status!("400 Bad Request"),
        "eee",
        "400",
        "eee",
    ),
    row(
        "401 Unauthorized",
        status!("401 Unauthorized"),
        "eee",
        "401",
        "eee",
    ),
    row(
        "403 Forbidden",
        status!("403 Forbidden"),
        "eee",
        "403",
        "eee",
    ),
    row("410 Gone", status!("410 Gone"), "eee", "410", "eee"),
    row(
        "418 I'm a teapot",
        status!("418 I'm a teapot"),
        "eee",
        "418",
        "eee",
    ),
    row(
        "451 Unavailable",
        status!("451 Unavailable"),
        "eee",
        "451",
        "eee",
    ),
    row(
        "501 Not Implemented",
        status!("501 Not Implemented"),
        "eee",
        "501",
        "lll",
    ),
    row("505 Version", status!("505 Version"), "eee", "505", "lll"),
    row("999 Odd", status!("999 Odd"), "eee", "999", "eee"),
    row("404 Not Found", status!("404 Not Found"), "fff", "", "fff"),
    row(
        "404 after the first response",
        Change(|request, reply| {
            if request.earlier_requests > 0 {
                reply.make_empty("HTTP/1.1 404 Not Found");
            }
        }),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "412 after the first response",
        Change(|request, reply| {
            if request.earlier_requests > 0 {
                reply.make_empty("HTTP/1.1 412 Precondition Failed");
            }
        }),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "416",
        status!("416 Range Not Satisfiable"),
        "eee",
        "is truncated",
        "eee",
    ),
    row(
        "500 always",
        status!("500 Internal Server Error"),
        "lll",
        "",
        "lll",
    ),
    row(
        "500 once",
        Change(|request, reply| {
            if request.earlier_requests == 0 {
                reply.make_empty("HTTP/1.1 500 Internal Server Error");
            }
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "503 once, with a retry-after of 0",
        Change(|request, reply| {
            if request.earlier_requests == 0 {
                reply.make_empty("HTTP/1.1 503 Service Unavailable");
                reply.set("retry-after", "0");
            }
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "503, with a retry-after of an hour",
        Change(|_, reply| {
            reply.make_empty("HTTP/1.1 503 Service Unavailable");
            reply.set("retry-after", "3600");
        }),
        "eee",
        "503",
        "lll",
    ),
    row(
        "503, with a retry-after of 2^64 - 1 seconds",
        Change(|_, reply| {
            reply.make_empty("HTTP/1.1 503 Service Unavailable");
            reply.set("retry-after", "18446744073709551615");
        }),
        "eee",
        "503",
        "lll",
    ),
    row(
        "429, with a date in retry-after",
        Change(|_, reply| {
            reply.make_empty("HTTP/1.1 429 Too Many Requests");
            reply.set("retry-after", "Wed, 21 Oct 2065 07:28:00 GMT");
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "a status that is not a number",
        Change(|_, reply| reply.status_line = "HTTP/1.1 OK".into()),
        "eee",
        "protocol",
        "eee",
    ),
    row(
        "no status line",
        Raw(|_, reply, stream| stream.write_all(&reply.body)),
        "eee",
        "",
        "eee",
    ),
    row(
        "bytes of another protocol",
        Raw(|_, _, stream| stream.write_all(&[0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0, 13, 10, 13, 10])),
        "eee",
        "protocol",
        "eee",
    ),
    row(
        "HTTP/2.0",
        Change(|_, reply| reply.status_line = reply.status_line.replace("1.1", "2.0")),
        "eee",
        "protocol",
        "eee",
    ),
    row(
        "101 Switching Protocols",
        status!("101 Switching Protocols"),
        "eee",
        "",
        "eee",
    ),
    row(
        "103 before the response",
        Raw(|_, reply, stream| {
            stream.write_all(b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")?;
            reply.send(stream)
        }),
        "rrr",
        "",
        "rrr",
    ),
    // `ObjectStorage` is not tested here, because it uses hyper, which reads such heads in a loop that does not yield
    // to other tasks.
    row(
        "103 without end",
        Raw(|_, _, stream| send_endlessly(stream, b"HTTP/1.1 103 Early Hints\r\n\r\n")),
        "eee",
        "too big",
        "",
    ),
    // Incorrect content ranges.
    row(
        "a different range of the same length",
        content_range!("bytes 0-1999/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range that begins later",
        content_range!("bytes 1001-2999/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range that ends later",
        content_range!("bytes 1000-3000/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range that ends before it begins",
        content_range!("bytes 3000-1000/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "an object that ends inside the range",
        content_range!("bytes 1000-2999/2000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range in other units",
        content_range!("items 1000-2999/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range with its unit repeated",
        content_range!("bytes bytes 1000-2999/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "no range (`*`), only the length",
        content_range!("bytes */5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "text instead of a range",
        content_range!("of the finest"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "an empty Content-Range",
        content_range!(""),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range with a negative number",
        content_range!("bytes -1000-2999/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range with a plus sign",
        content_range!("bytes +1000-2999/5000"),
        "ree",
        "the range",
        "rre",
    ),
    row(
        "a range that begins at 2^64",
        content_range!("bytes 18446744073709551616-18446744073709553615/18446744073709553616"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range that ends at 2^64 - 1",
        content_range!("bytes 18446744073709549616-18446744073709551615/*"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range with decimal fractions",
        content_range!("bytes 1000.0-2999.0/5000"),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "a range of an object with unknown length",
        Change(|_, reply| {
            let range = reply
                .headers
                .iter()
                .find(|(name, _)| name == "content-range");
            if let Some((range, _)) = range.and_then(|(_, value)| value.split_once('/')) {
                reply.set("content-range", format!("{range}/*"));
            }
        }),
        "rre",
        "the range",
        "ree",
    ),
    row(
        "no Content-Range",
        Change(|_, reply| reply.remove("content-range")),
        "ree",
        "the range",
        "ree",
    ),
    row(
        "two Content-Range headers",
        Change(|_, reply| {
            if reply.status_line.contains("206") {
                reply.add("content-range", "bytes 0-1999/5000");
            }
        }),
        "ree",
        "conflicting",
        "rrr",
    ),
    row(
        "multipart/byteranges",
        Change(|_, reply| {
            if reply.status_line.contains("206") {
                reply.remove("content-range");
                reply.set("content-type", "multipart/byteranges; boundary=x");
                reply.body = [
                    b"--x\r\ncontent-range: bytes 0-9/10\r\n\r\n",
                    &reply.body[..],
                    b"\r\n--x--",
                ]
                .concat();
                reply.set("content-length", reply.body.len());
            }
        }),
        "ree",
        "multipart",
        "ree",
    ),
    row(
        "multipart/byteranges with a Content-Range",
        Change(|_, reply| reply.set("content-type", "Multipart/ByteRanges; boundary=x")),
        "ree",
        "ultipart",
        "rrr",
    ),
    // Incorrect lengths.
    row(
        "half of the body, then a closed connection",
        Raw(|_, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            stream.write_all(&reply.body[..reply.body.len() / 2])
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "half of the body, then a reset",
        Raw(|_, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            stream.write_all(&reply.body[..reply.body.len() / 2])?;
            sleep(Duration::from_millis(20));
            reset(stream)
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "half of the body once",
        Raw(|request, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            let len = reply.body.len() >> usize::from(request.earlier_requests == 0);
            stream.write_all(&reply.body[..len])
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "half of the body, with the length of this half",
        Change(|_, reply| {
            reply.body.truncate(reply.body.len() / 2);
            reply.set("content-length", reply.body.len());
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a body that is one byte too long",
        Change(|_, reply| {
            reply.body.push(0);
            reply.set("content-length", reply.body.len());
        }),
        "ree",
        "",
        "ree",
    ),
    row(
        "a second response after the body",
        Change(|_, reply| reply.body.extend_from_slice(b"HTTP/1.1 200 OK\r\n\r\n")),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "an empty body",
        Change(|_, reply| {
            reply.body.clear();
            reply.set("content-length", "0");
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a length of 2^63 - 1",
        Change(|_, reply| reply.set("content-length", "9223372036854775807")),
        "eee",
        "",
        "err",
    ),
    row(
        "a length of 2^64",
        Change(|_, reply| reply.set("content-length", "18446744073709551616")),
        "eee",
        "",
        "eee",
    ),
    row(
        "a negative length",
        Change(|_, reply| reply.set("content-length", "-1")),
        "eee",
        "",
        "eee",
    ),
    row(
        "a length with a plus sign",
        Change(|_, reply| reply.set("content-length", format!("+{}", reply.body.len()))),
        "eee",
        "",
        "eee",
    ),
    row(
        "two Content-Length headers",
        Change(|_, reply| reply.add("content-length", "7")),
        "eee",
        "",
        "eee",
    ),
    row(
        "two lengths in one Content-Length header",
        Change(|_, reply| reply.set("content-length", format!("{0}, {0}", reply.body.len()))),
        "eee",
        "",
        "eee",
    ),
    row(
        "no length, then a closed connection",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.send(stream)
        }),
        "err",
        "neither a content length",
        "eee",
    ),
    row(
        "no length, half of the body, then a closed connection",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.body.truncate(reply.body.len() / 2);
            reply.send(stream)
        }),
        "ell",
        "",
        "eee",
    ),
    row(
        "no length, and an endless body",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.send(stream)?;
            send_endlessly(stream, &[7; 1000])
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "no length, then silence",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.send(stream)?;
            stall(stream)
        }),
        "ell",
        "",
        "eee",
    ),
    // Incorrect uses of the transfer encoding `chunked`.
    row(
        "a chunked body",
        Change(|_, reply| chunked(reply, |body| with_last_chunk(http_chunks(body)))),
        "rrr",
        "",
        "eee",
    ),
    row(
        "a chunked body without its last chunk",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, http_chunks);
            reply.send(stream)
        }),
        "lll",
        "",
        "eee",
    ),
    row(
        "a chunked body with half of the bytes",
        Change(|_, reply| {
            chunked(reply, |body| {
                with_last_chunk(http_chunks(&body[..body.len() / 2]))
            })
        }),
        "ell",
        "",
        "eee",
    ),
    row(
        "a chunked body with twice the bytes",
        Change(|_, reply| {
            chunked(reply, |body| {
                with_last_chunk(http_chunks(&[body, body].concat()))
            })
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "an endless chunked body",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.set("transfer-encoding", "chunked");
            stream.write_all(reply.head().as_bytes())?;
            send_endlessly(stream, &http_chunks(&reply.body))
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a chunk of 2^64 - 1 bytes",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, |body| [b"ffffffffffffffff\r\n", body].concat());
            reply.send(stream)
        }),
        "lll",
        "",
        "eee",
    ),
    row(
        "a chunk of 2^64 bytes",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, |body| [b"10000000000000000\r\n", body].concat());
            reply.send(stream)
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a chunk whose length is not a number",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, |body| [b"length\r\n", body].concat());
            reply.send(stream)
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a chunk of negative length",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, |body| [b"-1\r\n", body].concat());
            reply.send(stream)
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a chunk that is longer than its stated length",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, |body| {
                with_last_chunk([b"5\r\n", body, b"\r\n"].concat())
            });
            reply.send(stream)
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a chunk with an endless extension",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.set("transfer-encoding", "chunked");
            stream.write_all(format!("{}5;", reply.head()).as_bytes())?;
            send_endlessly(stream, b"comment")
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "endless trailers after a chunked body",
        Raw(|_, mut reply, stream| {
            reply.remove("content-length");
            reply.set("transfer-encoding", "chunked");
            stream.write_all(reply.head().as_bytes())?;
            stream.write_all(&http_chunks(&reply.body))?;
            stream.write_all(b"0\r\n")?;
            send_endlessly(stream, b"name: value\r\n")
        }),
        "lll",
        "",
        "eee",
    ),
    row(
        "a chunked body with a content length",
        Raw(|_, mut reply, stream| {
            reply.set("transfer-encoding", "chunked");
            reply.body = with_last_chunk(http_chunks(&reply.body));
            reply.send(stream)
        }),
        "eee",
        "both a content length",
        "rrr",
    ),
    // Incorrect encodings.
    row(
        "the content encoding gzip",
        Change(|_, reply| {
            reply.body = gzip(&reply.body);
            reply.set("content-length", reply.body.len());
            reply.set("content-encoding", "gzip");
        }),
        "eee",
        "content encoding",
        "eee",
    ),
    row(
        "the content encoding gzip for bytes that are not compressed",
        Change(|_, reply| reply.set("content-encoding", "gzip")),
        "eee",
        "content encoding",
        "eee",
    ),
    row(
        "the content encoding br after identity",
        Change(|_, reply| reply.set("content-encoding", "identity, br")),
        "eee",
        "content encoding",
        "eee",
    ),
    row(
        "the content encoding identity",
        Change(|_, reply| reply.set("content-encoding", "identity")),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "the transfer encoding gzip",
        Raw(|_, mut reply, stream| {
            reply.set("transfer-encoding", "gzip, chunked");
            reply.remove("content-length");
            reply.body = with_last_chunk(http_chunks(&gzip(&reply.body)));
            reply.send(stream)
        }),
        "eee",
        "transfer encoding",
        "eee",
    ),
    row(
        "an unknown transfer encoding",
        Change(|_, reply| reply.set("transfer-encoding", "odd")),
        "eee",
        "transfer encoding",
        "rrr",
    ),
    // Slow responses.
    row(
        "silence",
        Raw(|_, _, stream| stall(stream)),
        "lll",
        "",
        "lll",
    ),
    row(
        "silence in the head",
        Raw(|_, _, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-le")?;
            stall(stream)
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "silence after the head",
        Raw(|_, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            stall(stream)
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "silence in the body",
        Raw(|_, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            stream.write_all(&reply.body[1..])?;
            stall(stream)
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "a slow head",
        Raw(|_, reply, stream| send_slowly(stream, reply.head().as_bytes())),
        "lll",
        "",
        "lll",
    ),
    row(
        "a slow body",
        Raw(|_, reply, stream| {
            stream.write_all(reply.head().as_bytes())?;
            send_slowly(stream, &reply.body)
        }),
        "lll",
        "",
        "lll",
    ),
    // Connections that end early, and HTTP/1.0.
    row(
        "a connection closed at once",
        Raw(|_, _, _| Ok(())),
        "lll",
        "",
        "lll",
    ),
    row(
        "a connection closed at once, but only the first time",
        Raw(|request, reply, stream| match request.earlier_requests {
            0 => Ok(()),
            _ => reply.send(stream),
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "a reset at once",
        Raw(|_, _, stream| reset(stream)),
        "lll",
        "",
        "lll",
    ),
    row(
        "a connection closed in the head",
        Raw(|_, reply, stream| stream.write_all(&reply.head().as_bytes()[..40])),
        "lll",
        "",
        "lll",
    ),
    row(
        "HTTP/1.0",
        Raw(|_, mut reply, stream| {
            reply.status_line = reply.status_line.replace("1.1", "1.0");
            reply.send(stream)
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "HTTP/1.0 without a length",
        Raw(|_, mut reply, stream| {
            reply.status_line = reply.status_line.replace("1.1", "1.0");
            reply.remove("content-length");
            reply.send(stream)
        }),
        "err",
        "neither a content length",
        "eee",
    ),
    row(
        "HTTP/1.0 with a chunked body",
        Raw(|_, mut reply, stream| {
            reply.status_line = reply.status_line.replace("1.1", "1.0");
            reply.remove("content-length");
            reply.set("transfer-encoding", "chunked");
            reply.body = with_last_chunk(http_chunks(&reply.body));
            reply.send(stream)
        }),
        "eee",
        "transfer encoding",
        "eee",
    ),
    // Incorrect headers.
    row(
        "a header of 1 MiB",
        Raw(|_, _, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nodd: ")?;
            (0..1 << 10).try_for_each(|_| stream.write_all(&[b'x'; 1 << 10]))?;
            stream.write_all(b"\r\n\r\n")
        }),
        "eee",
        "too big",
        "eee",
    ),
    row(
        "1000 headers",
        Change(|_, reply| (0..1000).for_each(|number| reply.add(&format!("odd{number}"), "x"))),
        "eee",
        "",
        "eee",
    ),
    row(
        "an endless header",
        Raw(|_, _, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nodd: ")?;
            send_endlessly(stream, b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
        }),
        "eee",
        "",
        "eee",
    ),
    row(
        "a header with a zero byte",
        Change(|_, reply| reply.set("odd", "a\0b")),
        "eee",
        "protocol",
        "eee",
    ),
    row(
        "a header without a colon",
        Raw(|_, reply, stream| {
            let head = reply.head().replace("\r\netag", "\r\nodd\r\netag");
            stream.write_all(&[head.as_bytes(), &reply.body].concat())
        }),
        "eee",
        "protocol",
        "eee",
    ),
    row(
        "a header with a letter outside ASCII",
        Raw(|_, reply, stream| {
            let head = reply.head().replace("etag: ", "etag: \u{e9}");
            stream.write_all(&[head.as_bytes(), &reply.body].concat())
        }),
        "eee",
        "is not printable ASCII",
        "eee",
    ),
    row(
        "a chunked body without its last chunk, then silence",
        Raw(|_, mut reply, stream| {
            chunked(&mut reply, http_chunks);
            reply.send(stream)?;
            stall(stream)
        }),
        "lll",
        "",
        "eee",
    ),
    // Redirections.
    row(
        "a redirection",
        Change(|request, reply| redirect_repeatedly(request, reply, 1)),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "ten redirections",
        Change(|request, reply| redirect_repeatedly(request, reply, 10)),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "eleven redirections",
        Change(|request, reply| redirect_repeatedly(request, reply, 11)),
        "lll",
        "redirect",
        "lll",
    ),
    row(
        "a redirection to the requested address",
        Change(|request, reply| redirect(reply, &format!("/{}", request.path))),
        "lll",
        "redirect",
        "lll",
    ),
    row(
        "a redirection to a file",
        Change(|_, reply| redirect(reply, "file:///etc/hostname")),
        "lll",
        "",
        "eee",
    ),
    row(
        "a redirection to another protocol",
        Change(|_, reply| redirect(reply, "ftp://127.0.0.1/a")),
        "eee",
        "",
        "eee",
    ),
    row(
        "a redirection to an invalid address",
        Change(|_, reply| redirect(reply, "http://[::1")),
        "lll",
        "",
        "eee",
    ),
    row(
        "a redirection without an address",
        Change(|_, reply| reply.make_empty("HTTP/1.1 302 Found")),
        "eee",
        "",
        "eee",
    ),
    row(
        "a redirection to two addresses",
        Change(|_, reply| {
            redirect(reply, "/hop1/a");
            reply.add("location", "/hop2/a");
        }),
        "lll",
        "",
        "lll",
    ),
    row(
        "a redirection whose body never ends",
        Raw(|_, mut reply, stream| {
            redirect(&mut reply, "/hop1/a");
            reply.remove("content-length");
            stream.write_all(reply.head().as_bytes())?;
            send_endlessly(stream, &[7; 1000])
        }),
        "lll",
        "",
        "lll",
    ),
    // Incorrect or changing versions of the object.
    row(
        "a tag that changes",
        Change(|request, reply| reply.set("etag", format!("\"{}\"", request.earlier_requests))),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "a weak tag that changes",
        Change(|request, reply| reply.set("etag", format!("W/\"{}\"", request.earlier_requests))),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "a weak tag",
        Change(|_, reply| reply.set("etag", "W/\"weak\"")),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "no tag, and times that change",
        Change(|request, reply| {
            reply.remove("etag");
            reply.set(
                "last-modified",
                format!(
                    "Wed, 21 Oct 2015 07:28:0{} GMT",
                    request.earlier_requests % 10
                ),
            );
        }),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "neither tags nor times",
        Change(|_, reply| {
            reply.remove("etag");
            reply.remove("last-modified");
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "neither tags nor times, and sizes that change",
        Change(|request, reply| {
            reply.remove("etag");
            reply.remove("last-modified");
            claim_growth(request, reply);
        }),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "a constant tag, and sizes that change",
        Change(claim_growth),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
    row(
        "a tag only in the first response",
        Change(|request, reply| {
            if request.earlier_requests > 0 {
                reply.remove("etag");
                reply.remove("last-modified");
            }
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "a tag without quotation marks",
        Change(|_, reply| reply.set("etag", "odd")),
        "rrr",
        "",
        "rrc",
    ),
    row(
        "two tags",
        Change(|_, reply| reply.add("etag", "\"other\"")),
        "eee",
        "conflicting",
        "rrr",
    ),
    row(
        "an error without If-Match after the first response",
        Change(|request, reply| {
            if request.earlier_requests > 0 && request.if_match.is_none() {
                reply.make_empty("HTTP/1.1 400 Bad Request");
            }
        }),
        "rrr",
        "",
        "rrr",
    ),
    row(
        "a new version in spite of If-Match",
        Change(|request, reply| {
            // The new version has the same length.
            if request.earlier_requests > 0 {
                reply.body.fill(0);
                reply.set("etag", "\"other\"");
            }
        }),
        "rrc",
        "changed while it was read",
        "rrc",
    ),
];
