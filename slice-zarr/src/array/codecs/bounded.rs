//! Decoders that return an error if the decoded data is too long, and allocations that return an error if there is not
//! enough memory.

use std::io::{self, Read};

use flate2::bufread::{GzDecoder, ZlibDecoder};
use zarrs::array::CodecError;

/// The size of blosc's header, in bytes. Bytes 4 to 7 hold the decoded size.
const BLOSC_HEADER_BYTES: usize = 16;
/// The maximum number of bytes to which one byte of deflate data can be decoded.
const MAX_DEFLATE_RATIO: usize = 1032;

/// Decodes zlib data. Returns an error if it decodes to more than `max_bytes` bytes.
pub(crate) fn decode_zlib(encoded: &[u8], max_bytes: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = max_bytes.min(encoded.len().saturating_mul(MAX_DEFLATE_RATIO));
    let mut decoded = vec_with_capacity(capacity.saturating_add(1))?;
    let read_limit = (max_bytes as u64).saturating_add(1);
    ZlibDecoder::new(encoded)
        .take(read_limit)
        .read_to_end(&mut decoded)?;
    if decoded.len() > max_bytes {
        return Err(too_many_bytes(decoded.len(), max_bytes));
    }
    Ok(decoded)
}

/// Decodes all members of gzip data. Returns an error if they decode to more than `max_bytes` bytes in total.
pub(crate) fn decode_gzip(encoded: &[u8], max_bytes: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = max_bytes.min(encoded.len().saturating_mul(MAX_DEFLATE_RATIO));
    let mut decoded = vec_with_capacity(capacity.saturating_add(1))?;
    let mut rest = encoded;
    loop {
        let mut member = GzDecoder::new(rest);
        let read_limit = ((max_bytes - decoded.len()) as u64).saturating_add(1);
        member.by_ref().take(read_limit).read_to_end(&mut decoded)?;
        if decoded.len() > max_bytes {
            return Err(too_many_bytes(decoded.len(), max_bytes));
        }
        // Zeros after a member are ignored, because data may be padded to the block size of a tape or disk.
        let after = member.into_inner();
        match after.iter().position(|&byte| byte != 0) {
            Some(begin) => rest = &after[begin..],
            None => return Ok(decoded),
        }
    }
}

/// Checks that the header of a blosc chunk claims at most `max_bytes` decoded bytes.
pub(crate) fn check_blosc(encoded: &[u8], max_bytes: usize) -> Result<(), CodecError> {
    match encoded.first_chunk::<BLOSC_HEADER_BYTES>() {
        Some(&[_, _, _, _, a, b, c, d, ..]) => {
            let decoded = u32::from_le_bytes([a, b, c, d]) as usize;
            (decoded <= max_bytes)
                .then_some(())
                .ok_or_else(|| too_many_bytes(decoded, max_bytes))
        }
        // If the header is incomplete, zarrs reports the error.
        _ => Ok(()),
    }
}

fn too_many_bytes(decoded: usize, max_bytes: usize) -> CodecError {
    CodecError::Other(format!(
        "the data decodes to at least {decoded} bytes, more than the limit of {max_bytes}"
    ))
}

/// Allocates an empty vector with the given capacity. Returns an error if there is not enough memory.
pub(crate) fn vec_with_capacity<T>(capacity: usize) -> Result<Vec<T>, CodecError> {
    let mut values = Vec::new();
    let allocated = values.try_reserve_exact(capacity);
    allocated.map_err(|_| out_of_memory())?;
    Ok(values)
}

/// Repeats `values` until there are `len` values in total. `values` must not be empty unless `len` is 0. Returns an
/// error if there is not enough memory.
pub(crate) fn repeat_values<T: Copy>(values: &[T], len: usize) -> Result<Vec<T>, CodecError> {
    let mut repeated = vec_with_capacity(len)?;
    repeated.extend_from_slice(&values[..values.len().min(len)]);
    // Each iteration doubles the number of values, which is faster than appending them one by one.
    while repeated.len() < len {
        repeated.extend_from_within(..repeated.len().min(len - repeated.len()));
    }
    Ok(repeated)
}

pub(crate) fn out_of_memory() -> CodecError {
    io::Error::from(io::ErrorKind::OutOfMemory).into()
}
