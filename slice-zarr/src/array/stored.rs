//! The shape, chunks, codecs and element size of a stored array.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use zarrs::array::codec::CodecChain;
use zarrs::array::{Array, ChunkGrid, DataType, FillValue};
use zarrs::plugin::{ExtensionName, ZarrVersion};

use crate::array::codecs::{Codecs, Content, to_usizes};
use crate::array::element::{Unit, as_units};
use crate::array::error::{ChunkError, Error};

/// The properties of an array that are needed to read and write it.
#[derive(Debug)]
pub(crate) struct StoredArray {
    pub(crate) shape: Vec<usize>,
    pub(crate) chunk_shape: Vec<usize>,
    pub(crate) item_size: usize,
    pub(crate) data_type: DataType,
    pub(crate) fill_value: FillValue,
    pub(crate) codecs: Codecs,
    /// The chunk grid and the codecs from which these properties were derived.
    derived_from: (ChunkGrid, Arc<CodecChain>),
}

thread_local! {
    static LAST: RefCell<Option<Arc<StoredArray>>> = const { RefCell::new(None) };
}

impl StoredArray {
    /// Returns the properties of an array. Each thread keeps those of the last array, because creating the codecs of a shard
    /// takes longer than reading an element.
    pub(crate) fn of<S: ?Sized>(array: &Array<S>) -> Result<Arc<Self>, Error> {
        LAST.with_borrow_mut(|last| {
            if let Some(stored) = last
                && Arc::ptr_eq(&stored.derived_from.0, array.chunk_grid())
                && Arc::ptr_eq(&stored.derived_from.1, &array.codecs())
                && stored.data_type == *array.data_type()
                && stored.fill_value == *array.fill_value()
            {
                return Ok(stored.clone());
            }
            Ok(last.insert(Arc::new(StoredArray::new(array)?)).clone())
        })
    }

    fn new<S: ?Sized>(array: &Array<S>) -> Result<Self, Error> {
        let data_type = array.data_type();
        let shape = to_usizes(array.shape())?;
        let chunk_shape = regular_chunks(array)?;
        if chunk_shape.len() != shape.len() {
            return Err(Error::Metadata(format!(
                "the shape {shape:?} and the chunk shape {chunk_shape:?} have different ranks"
            )));
        }
        let name = || name_of(data_type);
        let Some(item_size) = data_type.fixed_size().filter(|_| !data_type.is_optional()) else {
            return Err(Error::DataType { data_type: name() });
        };
        if item_size == 0 {
            let what = format!("the data type {}, whose elements are zero-sized,", name());
            return Err(Error::Unsupported(what));
        }
        if array.fill_value().size() != item_size {
            return Err(Error::Metadata(format!(
                "the fill value has {} bytes, but an element has {item_size}",
                array.fill_value().size()
            )));
        }
        let fill_value = array.fill_value();
        let codecs = Codecs::new(&array.codecs(), &chunk_shape, data_type, fill_value)?;
        Ok(StoredArray {
            shape,
            chunk_shape,
            item_size,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
            codecs,
            derived_from: (array.chunk_grid().clone(), array.codecs()),
        })
    }

    pub(crate) fn content(&self) -> Content<'_> {
        self.codecs.content()
    }

    /// Returns the fill value as units.
    pub(crate) fn fill_units<U: Unit>(&self) -> Result<Cow<'_, [U]>, ChunkError> {
        as_units(self.fill_value.as_ne_bytes()).map_err(|_| {
            ChunkError::Broken("the fill value is not a valid element of the data type".into())
        })
    }

    /// Returns the codecs of an inner chunk if the array is sharded, and otherwise the codecs of a chunk.
    pub(crate) fn unit_codecs(&self) -> &Codecs {
        match self.content() {
            Content::Shard(shard) => &shard.codecs,
            _ => &self.codecs,
        }
    }
}

/// Returns the name of a data type in Zarr format 3, its name in format 2 if format 3 has no name for it, or `unknown`
/// if neither format has one.
pub(crate) fn name_of(data_type: &DataType) -> String {
    let name = data_type.name(ZarrVersion::V3);
    let name = name.or_else(|| data_type.name(ZarrVersion::V2));
    name.map_or_else(|| "unknown".into(), |name| name.into_owned())
}

/// Returns a string that identifies a data type: its name, followed by its configuration if it has one.
///
/// Time units are written in NumPy's notation, as in `numpy.datetime64[10ns]`. Other configurations are written as
/// JSON.
pub(crate) fn type_of(data_type: &DataType) -> String {
    let name = name_of(data_type);
    let configuration = data_type.configuration(ZarrVersion::V3);
    // The fields are sorted by name, because the order of serde_json's map depends on the features of that crate.
    let fields = configuration.iter();
    let fields: BTreeMap<&str, &Value> = fields.map(|(name, value)| (&name[..], value)).collect();
    let time_unit = (fields.get("unit"), fields.get("scale_factor"));
    match time_unit {
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
    // In a regular grid, all chunks have the shape of the first chunk.
    let first = vec![0; grid.dimensionality()];
    let lengths = grid.chunk_shape_u64(&first).ok().flatten();
    to_usizes(&lengths.ok_or_else(|| Error::Metadata("the chunk grid has no chunk shape".into()))?)
}
