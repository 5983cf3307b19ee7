//! Limits on the bytes of a chunk: encoded, after each of its codecs, and held while it is decoded.

use std::sync::Arc;

use zarrs::array::{BytesRepresentation, BytesToBytesCodecTraits};
use zarrs::plugin::{ExtensionName, ZarrVersion};

use crate::array::codecs::{Codecs, Elements, Kind, ToBytes};

/// The largest chunk that zarrs is asked about; none that can be read is as large.
const LARGEST: u64 = 1 << 56;

impl Codecs {
    /// Returns zarrs' bound on the bytes of an encoded chunk.
    pub(crate) fn encoded_representation(&self) -> &BytesRepresentation {
        &self.levels[self.bytes.len()].0
    }

    /// The most bytes that an encoded chunk may have.
    pub(crate) fn most_encoded(&self) -> u64 {
        self.levels[self.bytes.len()].1
    }

    /// The most bytes that are held at once to decode a chunk, beside the encoded ones.
    pub(crate) fn most_decoding(&self) -> u64 {
        let (mut most, mut held) = (0_u64, 0_u64);
        // The last codec decodes what was fetched.
        for &(_, made) in self.levels[..self.bytes.len()].iter().rev() {
            most = most.max(held.saturating_add(made));
            held = made;
        }
        let bytes_of = |elements: &Elements| {
            let lengths = elements.shape.iter().map(|len| len.get());
            lengths.fold(elements.fill_value.size() as u64, u64::saturating_mul)
        };
        let mut levels = self.elements.iter().rev().map(bytes_of);
        let mut made = levels.next().unwrap_or(0);
        most = most.max(match &self.to_bytes {
            ToBytes::Codec(_) if self.copies() => held.saturating_add(made),
            // It changes the bytes where they are.
            ToBytes::Codec(_) => held.max(made),
            ToBytes::Shard(shard) => held
                .saturating_add(made)
                .saturating_add(shard.index_bytes.saturating_mul(2))
                .saturating_add(shard.codecs.most_decoding()),
        });
        for level in levels {
            most = most.max(made.saturating_add(level));
            made = level;
        }
        most
    }

    /// The most bytes that are held at once to read a chunk.
    pub(crate) fn most_memory(&self) -> u64 {
        self.most_encoded().saturating_add(self.most_decoding())
    }

    /// Whether the codec to bytes is any but the plain one, which swaps bytes in their place.
    fn copies(&self) -> bool {
        match &self.to_bytes {
            ToBytes::Codec(codec) => codec.name(ZarrVersion::V3).as_deref() != Some("bytes"),
            ToBytes::Shard(_) => true,
        }
    }

    /// Whether one step decodes everything.
    pub(crate) fn is_one_step(&self) -> bool {
        self.to_elements.is_empty() && self.bytes.len() <= 1 && !self.copies()
    }

    /// The bytes of a decoded chunk.
    pub(crate) fn bytes(&self) -> u64 {
        let lengths = self.shape.iter().map(|&len| len as u64);
        lengths.fold(self.item_size() as u64, u64::saturating_mul)
    }
}

/// Returns zarrs' bounds on the bytes of a chunk after the codec to bytes and after each codec that follows, and the
/// largest ones: encoders other than zarrs' may need more.
pub(super) fn levels(
    to_bytes: &ToBytes,
    elements: &Elements,
    bytes: &[(Arc<dyn BytesToBytesCodecTraits>, Kind)],
) -> Vec<(BytesRepresentation, u64)> {
    use BytesRepresentation::{BoundedSize, FixedSize, UnboundedSize};
    let Elements {
        shape,
        data_type,
        fill_value,
    } = elements;
    let count = shape.iter().map(|len| len.get());
    let bytes_of = |each: usize| count.clone().fold(each as u64, u64::saturating_mul);
    let said = match to_bytes {
        ToBytes::Shard(shard) if shard.most_bytes() <= LARGEST => BoundedSize(shard.most_bytes()),
        // zarrs multiplies without a check.
        ToBytes::Codec(codec) if bytes_of(fill_value.size()) <= LARGEST => codec
            .encoded_representation(shape, data_type, fill_value)
            .unwrap_or(UnboundedSize),
        _ => UnboundedSize,
    };
    let most = match (to_bytes, said) {
        (ToBytes::Shard(shard), _) => shard.most_bytes(),
        (_, FixedSize(bytes)) => bytes,
        (_, BoundedSize(bytes)) => grown(bytes),
        // No codec makes more than this of an element.
        (_, UnboundedSize) => grown(bytes_of(2 * fill_value.size() + 64)),
    };
    let mut levels = vec![(said, most)];
    for (codec, kind) in bytes {
        let (said, before) = levels[levels.len() - 1];
        if before > LARGEST {
            levels.push((UnboundedSize, u64::MAX));
            continue;
        }
        let most = match (kind, codec.encoded_representation(&FixedSize(before))) {
            // Checksums.
            (Kind::Other, FixedSize(bytes)) => bytes,
            (Kind::Other, BoundedSize(bytes)) => grown(bytes.max(before)),
            (Kind::Other, UnboundedSize) => grown(before.saturating_mul(2)),
            _ => grown(before),
        };
        levels.push((codec.encoded_representation(&said), most));
    }
    levels
}

/// The most bytes that a compressor makes of data that cannot be compressed: more than any of them says.
fn grown(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 4).saturating_add(1024)
}
