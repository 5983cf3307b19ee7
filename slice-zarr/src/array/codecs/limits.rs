//! Limits on the size of an encoded chunk, on its size after each codec, and on the memory for decoding it.

use std::sync::Arc;

use zarrs::array::{BytesRepresentation, BytesToBytesCodecTraits};

use crate::array::codecs::{ArrayToBytes, BytesCodecKind, Codecs, Elements, is_bytes};

/// The maximum chunk size, in bytes, for which zarrs' bound on the encoded size is used. zarrs does not check its
/// computation for overflow, so larger chunks are treated as unbounded. Any chunk that can be read is smaller.
const MAX_ZARRS_BYTES: u64 = 1 << 56;

impl Codecs {
    /// Returns zarrs' bound on the size of an encoded chunk. The bound may be smaller than
    /// [`max_encoded_bytes`](Self::max_encoded_bytes); see [`size_bounds`].
    pub(crate) fn encoded_representation(&self) -> &BytesRepresentation {
        &self.size_bounds[self.bytes_to_bytes.len()].0
    }

    /// Returns the maximum accepted size of an encoded chunk, in bytes.
    pub(crate) fn max_encoded_bytes(&self) -> u64 {
        self.size_bounds[self.bytes_to_bytes.len()].1
    }

    /// Returns a bound on the memory, in bytes, held while a chunk is decoded, in addition to the encoded bytes.
    pub(crate) fn max_decoding_bytes(&self) -> u64 {
        let (mut max_bytes, mut input_bytes) = (0_u64, 0_u64);
        // Decoding starts with the last codec.
        for &(_, output_bytes) in self.size_bounds[..self.bytes_to_bytes.len()].iter().rev() {
            max_bytes = max_bytes.max(input_bytes.saturating_add(output_bytes));
            input_bytes = output_bytes;
        }
        let bytes_of = |elements: &Elements| {
            let lengths = elements.shape.iter().map(|len| len.get());
            lengths.fold(elements.fill_value.size() as u64, u64::saturating_mul)
        };
        let mut levels = self.elements.iter().rev().map(bytes_of);
        let mut output_bytes = levels.next().unwrap_or(0);
        max_bytes = max_bytes.max(match &self.array_to_bytes {
            // The `bytes` codec decodes in place. Other codecs copy their input.
            ArrayToBytes::Codec(codec) if is_bytes(&**codec) => input_bytes.max(output_bytes),
            ArrayToBytes::Codec(_) => input_bytes.saturating_add(output_bytes),
            ArrayToBytes::Shard(shard, _) => input_bytes
                .saturating_add(output_bytes)
                .saturating_add(shard.index_bytes.saturating_mul(2))
                .saturating_add(shard.codecs.max_decoding_bytes()),
        });
        for level in levels {
            max_bytes = max_bytes.max(output_bytes.saturating_add(level));
            output_bytes = level;
        }
        max_bytes
    }

    /// Returns `true` if a chunk is decoded by at most one codec, apart from the `bytes` codec.
    pub(crate) fn is_one_step(&self) -> bool {
        self.is_plain() && self.bytes_to_bytes.len() <= 1
    }

    /// Returns the size of a decoded chunk, in bytes.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        let lengths = self.shape.iter().map(|&len| len as u64);
        lengths.fold(self.item_size() as u64, u64::saturating_mul)
    }
}

/// Returns two bounds on the size of a chunk after the array-to-bytes codec and after each later codec: zarrs' bound
/// and the maximum accepted size. The accepted size may be larger, because encoders other than zarrs' may produce more
/// bytes.
pub(super) fn size_bounds(
    to_bytes: &ArrayToBytes,
    elements: &Elements,
    bytes: &[(Arc<dyn BytesToBytesCodecTraits>, BytesCodecKind)],
) -> Vec<(BytesRepresentation, u64)> {
    use BytesRepresentation::{BoundedSize, FixedSize, UnboundedSize};
    let Elements {
        shape,
        data_type,
        fill_value,
    } = elements;
    let count = shape.iter().map(|len| len.get());
    let bytes_of = |element_bytes: usize| {
        count
            .clone()
            .fold(element_bytes as u64, u64::saturating_mul)
    };
    let zarrs_bound = match to_bytes {
        ArrayToBytes::Shard(shard, _) if shard.max_bytes() <= MAX_ZARRS_BYTES => {
            BoundedSize(shard.max_bytes())
        }
        // zarrs does not check this product for overflow.
        ArrayToBytes::Codec(codec) if bytes_of(fill_value.size()) <= MAX_ZARRS_BYTES => codec
            .encoded_representation(shape, data_type, fill_value)
            .unwrap_or(UnboundedSize),
        _ => UnboundedSize,
    };
    let max_bytes = match (to_bytes, zarrs_bound) {
        (ArrayToBytes::Shard(shard, _), _) => shard.max_bytes(),
        (_, FixedSize(bytes)) => bytes,
        (_, BoundedSize(bytes)) => max_compressed_bytes(bytes),
        // Without a bound from zarrs, each element is assumed to be encoded in at most twice its size plus 64 bytes.
        (_, UnboundedSize) => max_compressed_bytes(bytes_of(2 * fill_value.size() + 64)),
    };
    let mut bounds = vec![(zarrs_bound, max_bytes)];
    for (codec, kind) in bytes {
        let (zarrs_bound, input_bytes) = bounds[bounds.len() - 1];
        if input_bytes > MAX_ZARRS_BYTES {
            bounds.push((UnboundedSize, u64::MAX));
            continue;
        }
        let max_bytes = match (kind, codec.encoded_representation(&FixedSize(input_bytes))) {
            // A checksum adds a fixed number of bytes.
            (BytesCodecKind::Other, FixedSize(bytes)) => bytes,
            (BytesCodecKind::Other, BoundedSize(bytes)) => {
                max_compressed_bytes(bytes.max(input_bytes))
            }
            (BytesCodecKind::Other, UnboundedSize) => {
                max_compressed_bytes(input_bytes.saturating_mul(2))
            }
            _ => max_compressed_bytes(input_bytes),
        };
        bounds.push((codec.encoded_representation(&zarrs_bound), max_bytes));
    }
    bounds
}

/// Returns a bound on the compressed size of `bytes` incompressible bytes. It is larger than zarrs' bounds for zstd,
/// gzip, zlib and blosc, because other encoders may produce more bytes.
fn max_compressed_bytes(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 4).saturating_add(1024)
}
