//! Decoders that stop at what a chunk can have decoded, and memory that is allocated only if there is enough.

use std::io::{self, Read};

use flate2::bufread::{GzDecoder, ZlibDecoder};
use zarrs::array::CodecError;

/// The bytes of blosc's header, of which the second four are the number of decoded bytes.
const BLOSC_HEADER: usize = 16;
/// The most bytes that deflate makes of one.
const DEFLATE_RATIO: usize = 1032;

/// Decodes zlib, if it has no more than `most` bytes.
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

/// Decodes all members of gzip, if they have no more than `most` bytes.
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
        // Zeros may fill up a block of a tape or a disk.
        if rest.iter().all(|&byte| byte == 0) {
            return Ok(decoded);
        }
    }
}

/// Whether a chunk in blosc says that it has no more than `most` bytes.
pub(crate) fn check_blosc(encoded: &[u8], most: usize) -> Result<(), CodecError> {
    match encoded.first_chunk::<BLOSC_HEADER>() {
        Some(&[_, _, _, _, a, b, c, d, ..]) => {
            let decoded = u32::from_le_bytes([a, b, c, d]) as usize;
            (decoded <= most)
                .then_some(())
                .ok_or_else(|| claims(decoded, most))
        }
        // zarrs says what is wrong.
        _ => Ok(()),
    }
}

fn claims(decoded: usize, most: usize) -> CodecError {
    CodecError::Other(format!(
        "{decoded} bytes or more decoded, but the chunk has at most {most}"
    ))
}

/// An empty vector with this capacity, if there is enough memory for it.
fn reserved<T>(capacity: usize) -> Result<Vec<T>, CodecError> {
    let mut values = Vec::new();
    let allocated = values.try_reserve_exact(capacity);
    allocated.map_err(|_| too_much())?;
    Ok(values)
}

/// These values again and again, `len` in total, if there is enough memory for them; at least one value, unless `len` is 0.
pub(crate) fn filled<T: Copy>(values: &[T], len: usize) -> Result<Vec<T>, CodecError> {
    let mut filled = reserved(len)?;
    filled.extend_from_slice(&values[..values.len().min(len)]);
    // Copies what is there, which is faster than value by value.
    while filled.len() < len {
        filled.extend_from_within(..filled.len().min(len - filled.len()));
    }
    Ok(filled)
}

pub(crate) fn too_much() -> CodecError {
    io::Error::from(io::ErrorKind::OutOfMemory).into()
}
