//! The shape, chunks, codecs and element size of a stored array.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use zarrs::array::{Array, DataType, FillValue};
use zarrs::plugin::{ExtensionName, ZarrVersion};

use crate::array::codecs::{Codecs, Inside, sizes};
use crate::array::error::Error;

/// The properties of an array for reading and writing.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) shape: Vec<usize>,
    pub(crate) chunk_shape: Vec<usize>,
    pub(crate) item_size: usize,
    pub(crate) data_type: DataType,
    pub(crate) fill_value: FillValue,
    pub(crate) codecs: Codecs,
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
        if item_size == 0 {
            let what = format!("the data type {}, whose elements have no bytes,", name());
            return Err(Error::Unsupported(what));
        }
        if array.fill_value().size() != item_size {
            return Err(Error::Metadata(format!(
                "a fill value of {} bytes for elements of {item_size}",
                array.fill_value().size()
            )));
        }
        let codecs = Codecs::new(&array.codecs(), &chunk_shape, data_type, array.fill_value())?;
        Ok(Stored {
            shape,
            chunk_shape,
            item_size,
            data_type: data_type.clone(),
            fill_value: array.fill_value().clone(),
            codecs,
        })
    }

    pub(crate) fn inside(&self) -> Inside<'_> {
        self.codecs.inside()
    }

    /// Returns the codecs of a unit of decoding: an inner chunk of a shard, or else a chunk.
    pub(crate) fn decoded(&self) -> &Codecs {
        match self.inside() {
            Inside::Shard(shard) => &shard.codecs,
            _ => &self.codecs,
        }
    }
}

/// Returns the name of a data type in metadata of format 3, or of format 2 if format 3 lacks the type.
pub(crate) fn name_of(data_type: &DataType) -> String {
    let name = data_type.name(ZarrVersion::V3);
    let name = name.or_else(|| data_type.name(ZarrVersion::V2));
    name.map_or_else(|| "unknown".into(), |name| name.into_owned())
}

/// Returns the name of a data type, including its configuration if it has one, which identifies the type.
///
/// Units of time are in NumPy's notation, `numpy.datetime64[10ns]`; other configurations are JSON.
pub(crate) fn type_of(data_type: &DataType) -> String {
    let name = name_of(data_type);
    let configuration = data_type.configuration(ZarrVersion::V3);
    // Sorted by name, since the order of serde_json's map depends on its features.
    let fields = configuration.iter();
    let fields: BTreeMap<&str, &Value> = fields.map(|(name, value)| (&name[..], value)).collect();
    let step = (fields.get("unit"), fields.get("scale_factor"));
    match step {
        _ if fields.is_empty() => name,
        (Some(Value::String(unit)), Some(Value::Number(factor))) if fields.len() == 2 => {
            match factor.as_u64() {
                Some(1) => format!("{name}[{unit}]"),
                _ => format!("{name}[{factor}{unit}]"),
            }
        }
        _ => format!("{name}{}", json!(fields)),
    }
}

fn regular_chunks<S: ?Sized>(array: &Array<S>) -> Result<Vec<usize>, Error> {
    let grid = array.chunk_grid();
    let name = grid.name(ZarrVersion::V3);
    if name.as_deref() != Some("regular") {
        let name = name.unwrap_or_default();
        return Err(Error::Unsupported(format!("the chunk grid {name:?}")));
    }
    // All chunks have the shape of the first chunk.
    let first = vec![0; grid.dimensionality()];
    let lengths = grid.chunk_shape_u64(&first).ok().flatten();
    sizes(&lengths.ok_or_else(|| Error::Metadata("the chunk grid has no chunk shape".into()))?)
}
