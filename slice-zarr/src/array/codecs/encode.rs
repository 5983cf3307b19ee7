//! Encodes chunks with zarrs' codecs. Each worker reuses its zstd context, whereas zarrs would create a new one for
//! each chunk.

use std::borrow::Cow;

use zarrs::array::{ArrayBytes, BytesToBytesCodecTraits, CodecError, CodecMetadataOptions};
use zarrs::plugin::ZarrVersion;

use crate::array::codecs::scratch::Scratch;
use crate::array::codecs::{ArrayToBytes, BytesCodecKind, Codecs, panicked, single_threaded};
use crate::array::error::{ChunkError, catch_panic};

impl Codecs {
    /// Encodes the elements of a chunk, which are in C order.
    pub(crate) fn encode<'a>(
        &self,
        elements: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, ChunkError> {
        catch_panic(|| Ok(self.encode_all(elements, scratch)?), panicked)
    }

    fn encode_all<'a>(
        &self,
        elements: Cow<'a, [u8]>,
        scratch: &mut Scratch,
    ) -> Result<Cow<'a, [u8]>, CodecError> {
        let mut elements = ArrayBytes::new_flen(elements);
        let mut levels = self.elements.iter();
        let mut level = levels.next().expect("the first codec should have an input");
        for codec in &self.array_to_array {
            let (shape, data_type) = (&level.shape, &level.data_type);
            elements = codec.encode(
                elements,
                shape,
                data_type,
                &level.fill_value,
                &single_threaded(),
            )?;
            level = levels
                .next()
                .expect("each array-to-array codec should have a result");
        }
        let codec = match &self.array_to_bytes {
            ArrayToBytes::Codec(codec) | ArrayToBytes::Shard(_, codec) => codec,
        };
        let (shape, data_type) = (&level.shape, &level.data_type);
        let mut bytes = codec.encode(
            elements,
            shape,
            data_type,
            &level.fill_value,
            &single_threaded(),
        )?;
        for (codec, kind) in &self.bytes_to_bytes {
            bytes = match kind {
                BytesCodecKind::Zstd(Some(settings)) => {
                    Cow::Owned(scratch.encode_zstd(&bytes, *settings)?)
                }
                _ => codec.encode(bytes, &single_threaded())?,
            };
        }
        Ok(bytes)
    }
}

/// The zstd compression level, and whether each frame has a checksum.
pub(super) type ZstdSettings = (i32, bool);

/// Returns the settings of a zstd codec, or `None` if its configuration lacks a setting or contains other settings.
pub(super) fn zstd_settings(codec: &dyn BytesToBytesCodecTraits) -> Option<ZstdSettings> {
    let settings = codec.configuration(ZarrVersion::V3, &CodecMetadataOptions::default())?;
    let level = i32::try_from(settings.get("level")?.as_i64()?).ok()?;
    let checksum = settings.get("checksum")?.as_bool()?;
    (settings.len() == 2).then_some((level, checksum))
}
