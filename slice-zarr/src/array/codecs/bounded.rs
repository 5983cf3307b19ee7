//! Decoders that return an error if the decoded data is too long, and allocations that return an error if there is not
//! enough memory.

use std::io::{self, Read};

use flate2::bufread::{GzDecoder, ZlibDecoder};
use zarrs::array::CodecError;

/// The size of blosc's header, in bytes. Bytes 4 to 7 hold the decoded size.
const BLOSC_HEADER: usize = 16;
/// The maximum number of bytes to which one byte of deflate data can be decoded.
const DEFLATE_RATIO: usize = 1032;

/// Decodes zlib data. Returns an error if it decodes to more than `most` bytes.
pub(crate) fn unzlibbed(encoded: &[u8], most: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = most.min(encoded.len().saturating_mul(DEFLATE_RATIO));
    let mut decoded = reserved(capacity.saturating_add(1))?;
    let more = (most as u64).saturating_add(1);
    ZlibDecoder::new(encoded)
        .take(more)
        .read_to_end(&mut decoded)?;
    if decoded.len() > most {
        return Err(claims(decoded.len(), most));
    }
    Ok(decoded)
}

/// Decodes all members of a gzip file. Returns an error if they decode to more than `most` bytes in total.
pub(crate) fn gunzipped(encoded: &[u8], most: usize) -> Result<Vec<u8>, CodecError> {
    let capacity = most.min(encoded.len().saturating_mul(DEFLATE_RATIO));
    let mut decoded = reserved(capacity.saturating_add(1))?;
    let mut rest = encoded;
    loop {
        let mut member = GzDecoder::new(rest);
        let more = ((most - decoded.len()) as u64).saturating_add(1);
        member.by_ref().take(more).read_to_end(&mut decoded)?;
        if decoded.len() > most {
            return Err(claims(decoded.len(), most));
        }
        rest = member.into_inner();
        // The data may be padded with zeros up to the block size of a tape or disk.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok(decoded);
        }
    }
}

/// Checks that the header of a blosc chunk claims at most `most` decoded bytes.
pub(crate) fn check_blosc(encoded: &[u8], most: usize) -> Result<(), CodecError> {
    match encoded.first_chunk::<BLOSC_HEADER>() {
        Some(&[_, _, _, _, a, b, c, d, ..]) => {
            let decoded = u32::from_le_bytes([a, b, c, d]) as usize;
            (decoded <= most)
                .then_some(())
                .ok_or_else(|| claims(decoded, most))
        }
        // If the header is incomplete, zarrs reports the error.
        _ => Ok(()),
    }
}

fn claims(decoded: usize, most: usize) -> CodecError {
    CodecError::Other(format!(
        "the data decodes to {decoded} or more bytes, but at most {most} are allowed"
    ))
}

/// Allocates an empty vector of this capacity. Returns an error if there is not enough memory.
pub(crate) fn reserved<T>(capacity: usize) -> Result<Vec<T>, CodecError> {
    let mut values = Vec::new();
    let allocated = values.try_reserve_exact(capacity);
    allocated.map_err(|_| too_much())?;
    Ok(values)
}

/// Repeats `values` until there are `len` values in total. `values` must not be empty unless `len` is 0. Returns an
/// error if there is not enough memory.
pub(crate) fn filled<T: Copy>(values: &[T], len: usize) -> Result<Vec<T>, CodecError> {
    let mut filled = reserved(len)?;
    filled.extend_from_slice(&values[..values.len().min(len)]);
    // Each iteration doubles the number of values, which is faster than appending them one by one.
    while filled.len() < len {
        filled.extend_from_within(..filled.len().min(len - filled.len()));
    }
    Ok(filled)
}

pub(crate) fn too_much() -> CodecError {
    io::Error::from(io::ErrorKind::OutOfMemory).into()
}
