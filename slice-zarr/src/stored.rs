//! How an array is stored: shape, chunks, element size, and which parts of a chunk can be read separately.

use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::{CodecChain, ShardingCodecConfiguration, ShardingIndexLocation};
use zarrs::array::{
    Array, ArrayToBytesCodecTraits, BytesRepresentation, CodecMetadataOptions, DataType, FillValue,
    data_type,
};
use zarrs::plugin::{ExtensionName, ZarrVersion};

use crate::Error;
use crate::decode::Codecs;

/// What reading and writing have to know of an array.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) shape: Vec<usize>,
    pub(crate) chunk_shape: Vec<usize>,
    pub(crate) item_size: usize,
    pub(crate) data_type: DataType,
    pub(crate) fill_value: FillValue,
    pub(crate) codecs: Codecs,
    pub(crate) inside: Inside,
}

/// What is inside the object of a chunk.
#[derive(Debug)]
pub(crate) enum Inside {
    /// The elements, in C order.
    Raw,
    /// Anything that can only be decoded as a whole.
    Encoded,
    /// Inner chunks and an index.
    Shard(Box<Shard>),
}

/// Inner chunks and an index of where they are.
#[derive(Debug)]
pub(crate) struct Shard {
    pub(crate) chunk_shape: Vec<usize>,
    /// Inner chunks of a shard, along each axis.
    pub(crate) grid: Vec<usize>,
    pub(crate) codecs: Codecs,
    /// Whether inner chunks are stored as they are.
    pub(crate) raw: bool,
    pub(crate) index_codecs: Arc<CodecChain>,
    pub(crate) index_shape: Vec<NonZeroU64>,
    pub(crate) index_bytes: u64,
    pub(crate) index_at_end: bool,
}

impl Stored {
    pub(crate) fn new<S: ?Sized>(array: &Array<S>) -> Result<Self, Error> {
        let data_type = array.data_type();
        let shape = sizes(array.shape())?;
        let chunk_shape = regular_chunks(array)?;
        if chunk_shape.len() != shape.len() {
            return Err(Error::Metadata(format!(
                "shape {shape:?}, chunks {chunk_shape:?}"
            )));
        }
        let name = || name_of(data_type);
        let Some(item_size) = data_type.fixed_size().filter(|_| !data_type.is_optional()) else {
            return Err(Error::DataType { data_type: name() });
        };
        let codecs = array.codecs();
        let inside = if !codecs.array_to_array_codecs().is_empty()
            || !codecs.bytes_to_bytes_codecs().is_empty()
        {
            Inside::Encoded
        } else {
            match codec_name(codecs.array_to_bytes_codec().as_ref()).as_deref() {
                Some("sharding_indexed") => Inside::Shard(Box::new(Shard::new(
                    codecs.array_to_bytes_codec().as_ref(),
                    &chunk_shape,
                )?)),
                Some("bytes") if item_size > 0 => Inside::Raw,
                _ => Inside::Encoded,
            }
        };
        if array.fill_value().size() != item_size {
            return Err(Error::Metadata(format!(
                "a fill value of {} bytes for elements of {item_size}",
                array.fill_value().size()
            )));
        }
        Ok(Stored {
            shape,
            chunk_shape,
            item_size,
            data_type: data_type.clone(),
            fill_value: array.fill_value().clone(),
            codecs: Codecs::new(&codecs),
            inside,
        })
    }

    /// The shape of what is decoded at a time, and what decodes it.
    pub(crate) fn decoded(&self) -> (&[usize], &Codecs) {
        match &self.inside {
            Inside::Shard(shard) => (&shard.chunk_shape, &shard.codecs),
            _ => (&self.chunk_shape, &self.codecs),
        }
    }

    /// The bytes of what is decoded at a time.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        let (shape, _) = self.decoded();
        let bytes = shape.iter().map(|&len| len as u128).product::<u128>() * self.item_size as u128;
        bytes.try_into().unwrap_or(u64::MAX)
    }
}

impl Shard {
    fn new(codec: &dyn ArrayToBytesCodecTraits, shard_shape: &[usize]) -> Result<Self, Error> {
        let broken = |why: String| Error::Metadata(format!("sharding codec: {why}"));
        let configuration = codec
            .configuration(ZarrVersion::V3, &CodecMetadataOptions::default())
            .ok_or_else(|| broken("has no configuration".into()))?;
        let configuration = serde_json::to_value(configuration)
            .and_then(serde_json::from_value::<ShardingCodecConfiguration>)
            .map_err(|error| broken(error.to_string()))?;
        let ShardingCodecConfiguration::V1(configuration) = configuration else {
            return Err(Error::Unsupported(
                "this version of the sharding codec".into(),
            ));
        };
        let chain = |metadata: &_| {
            let chain = CodecChain::from_metadata(metadata);
            chain
                .map(Arc::new)
                .map_err(|error| broken(error.to_string()))
        };
        let codecs = chain(&configuration.codecs)?;
        let index_codecs = chain(&configuration.index_codecs)?;
        let inner: Vec<u64> = configuration
            .chunk_shape
            .iter()
            .map(|len| len.get())
            .collect();
        let chunk_shape = sizes(&inner)?;
        let fits = chunk_shape.len() == shard_shape.len()
            && chunk_shape
                .iter()
                .zip(shard_shape)
                .all(|(inner, outer)| outer % inner == 0);
        if !fits {
            return Err(broken(format!(
                "inner chunks {chunk_shape:?} do not divide shards {shard_shape:?}"
            )));
        }
        let grid: Vec<usize> = chunk_shape
            .iter()
            .zip(shard_shape)
            .map(|(inner, outer)| outer / inner)
            .collect();
        let index_shape = grid.iter().map(|&len| len as u64).chain([2]);
        let index_shape: Vec<NonZeroU64> = index_shape.filter_map(NonZeroU64::new).collect();
        let entries = grid.iter().map(|&len| len as u128).product::<u128>();
        if entries > 1 << 40 {
            return Err(broken(format!("{entries} inner chunks in one shard")));
        }
        let representation = index_codecs
            .encoded_representation(
                &index_shape,
                &data_type::uint64(),
                &FillValue::from(u64::MAX),
            )
            .map_err(|error| broken(error.to_string()))?;
        let BytesRepresentation::FixedSize(index_bytes) = representation else {
            return Err(broken("the index has no fixed size".into()));
        };
        let raw = codecs.array_to_array_codecs().is_empty()
            && codecs.bytes_to_bytes_codecs().is_empty()
            && codec_name(codecs.array_to_bytes_codec().as_ref()).as_deref() == Some("bytes");
        Ok(Shard {
            chunk_shape,
            grid,
            codecs: Codecs::new(&codecs),
            raw,
            index_codecs,
            index_shape,
            index_bytes,
            index_at_end: configuration.index_location == ShardingIndexLocation::End,
        })
    }
}

/// The name of a data type in the metadata of version 3, or of version 2 if version 3 does not have it.
pub(crate) fn name_of(data_type: &DataType) -> String {
    let name = data_type.name(ZarrVersion::V3);
    let name = name.or_else(|| data_type.name(ZarrVersion::V2));
    name.map_or_else(|| "unknown".into(), |name| name.into_owned())
}

fn codec_name(codec: &dyn ArrayToBytesCodecTraits) -> Option<String> {
    codec.name(ZarrVersion::V3).map(|name| name.into_owned())
}

fn regular_chunks<S: ?Sized>(array: &Array<S>) -> Result<Vec<usize>, Error> {
    let grid = array.chunk_grid();
    let name = grid.name(ZarrVersion::V3);
    if name.as_deref() != Some("regular") {
        let name = name.unwrap_or_default();
        return Err(Error::Unsupported(format!("the chunk grid {name:?}")));
    }
    let configuration = serde_json::to_value(grid.configuration());
    let lengths = configuration.ok().and_then(|configuration| {
        serde_json::from_value::<Vec<u64>>(configuration.get("chunk_shape")?.clone()).ok()
    });
    sizes(&lengths.ok_or_else(|| Error::Metadata("the chunk grid has no chunk shape".into()))?)
}

fn sizes(lengths: &[u64]) -> Result<Vec<usize>, Error> {
    let sizes: Result<_, _> = lengths.iter().map(|&len| usize::try_from(len)).collect();
    sizes.map_err(|_| Error::Metadata(format!("{lengths:?} is more than this machine can address")))
}
