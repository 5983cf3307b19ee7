//! Decoders that stop at the largest decoded size of a chunk, and memory that is allocated only if there is enough.

use std::io::{self, Read};

use flate2::bufread::{GzDecoder, ZlibDecoder};
use zarrs::array::CodecError;

/// The size of blosc's header, whose second four bytes are the number of decoded bytes.
const BLOSC_HEADER: usize = 16;
/// The largest number of decoded bytes for one byte of deflate.
const DEFLATE_RATIO: usize = 1032;

/// Decodes zlib data, unless it decodes to more than `most` bytes.
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

/// Decodes all members of a gzip file, unless they decode to more than `most` bytes.
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

/// Checks that the header of a blosc chunk claims no more than `most` bytes.
pub(crate) fn check_blosc(encoded: &[u8], most: usize) -> Result<(), CodecError> {
    match encoded.first_chunk::<BLOSC_HEADER>() {
        Some(&[_, _, _, _, a, b, c, d, ..]) => {
            let decoded = u32::from_le_bytes([a, b, c, d]) as usize;
            (decoded <= most)
                .then_some(())
                .ok_or_else(|| claims(decoded, most))
        }
        // The header is incomplete, which zarrs reports.
        _ => Ok(()),
    }
}

fn claims(decoded: usize, most: usize) -> CodecError {
    CodecError::Other(format!(
        "{decoded} bytes or more decoded, but the chunk has at most {most}"
    ))
}

/// Allocates an empty vector of this capacity, if there is enough memory.
pub(crate) fn reserved<T>(capacity: usize) -> Result<Vec<T>, CodecError> {
    let mut values = Vec::new();
    let allocated = values.try_reserve_exact(capacity);
    allocated.map_err(|_| too_much())?;
    Ok(values)
}

/// Repeats these values up to `len` values in total, if there is enough memory. Needs at least one value, unless
/// `len` is 0.
pub(crate) fn filled<T: Copy>(values: &[T], len: usize) -> Result<Vec<T>, CodecError> {
    let mut filled = reserved(len)?;
    filled.extend_from_slice(&values[..values.len().min(len)]);
    // Copies all values so far at once, which is faster than one by one.
    while filled.len() < len {
        filled.extend_from_within(..filled.len().min(len - filled.len()));
    }
    Ok(filled)
}

pub(crate) fn too_much() -> CodecError {
    io::Error::from(io::ErrorKind::OutOfMemory).into()
}
