//! Opens arrays with untrusted metadata.
//!
//! zarrs aborts the process on some metadata, and rejects some valid metadata written by zarr-python. This module
//! therefore reads the metadata, has it [checked and corrected](super::metadata), and then passes it to zarrs.

use std::fmt::Display;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use zarrs::array::{AdditionalFieldUnsupportedError, Array, ArrayCreateError};
use zarrs::metadata::ArrayMetadata;
use zarrs::metadata::v2::ArrayMetadataV2;
use zarrs::metadata::v3::ArrayMetadataV3;
use zarrs::node::{NodePath, meta_key_v2_array, meta_key_v2_attributes, meta_key_v3};
#[cfg(feature = "async")]
use zarrs::storage::AsyncReadableStorageTraits;
use zarrs::storage::{Bytes, MaybeBytes, ReadableStorageTraits, StorageError, StoreKey};

use crate::array::error::catch_panic;
use crate::array::metadata::correct_metadata;
use crate::array::storage::wanted::Wanted;
#[cfg(feature = "async")]
use crate::array::storage::wanted::future::WithHints;

/// The maximum size of a metadata object, in bytes. The size is limited because several copies of the object are in
/// memory while the array is opened.
const MAX_METADATA_BYTES: u64 = 16 << 20;

/// Opens an array whose metadata may come from an untrusted source.
///
/// In zarrs 0.23, [`Array::open`] cannot handle some metadata safely:
///
/// - If an element does not fit in memory, `Array::open` aborts the process. This function returns an error.
/// - `Array::open` has undefined behavior for arrays of Zarr format 2 that have Fortran order and no axes. This
///   function opens them.
///
/// `Array::open` also returns an error for an array of format 2 without a fill value if the elements are complex
/// numbers, fixed-length strings or raw bytes. This function sets the fill value to zero or to the empty string, as
/// zarr-python does. It also reads a fill value of format 2 that is a number in a string, such as `"0"`, and the codecs
/// `numcodecs.zstd`, `numcodecs.gzip`, `numcodecs.zlib`, `numcodecs.blosc` and `numcodecs.crc32c` of format 3.
///
/// Python equivalent: `zarr.open_array(store, path=path, mode="r+")`.
///
/// # Errors
///
/// Returns the same errors as [`Array::open`]. Also returns an error if the metadata or an element is larger than 16
/// MiB, if the elements have a structured data type, or if the chunk grid is not regular.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use slice_zarr::ReadSlice;
/// use zarrs::storage::store::MemoryStore;
/// use zarrs::storage::{StoreKey, WritableStorageTraits};
///
/// let store = Arc::new(MemoryStore::new());
/// let metadata = r#"{"zarr_format": 2, "shape": [], "chunks": [], "dtype": "<f8", "fill_value": 2.5, "order": "F",
///     "filters": null, "compressor": null}"#;
/// store.set(&StoreKey::new(".zarray")?, metadata.into())?;
/// let array = slice_zarr::open(store, "/")?;
/// assert_eq!(array.read_slice::<f64>("...")?, ndarray::arr0(2.5).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open<S>(storage: Arc<S>, path: &str) -> Result<Array<S>, ArrayCreateError>
where
    S: ?Sized + ReadableStorageTraits + 'static,
{
    let node = NodePath::new(path)?;
    let key = meta_key_v3(&node);
    if let Some(metadata) = get(&*storage, &key)? {
        return open_from_metadata(storage, path, vec![(key, metadata)]);
    }
    let mut metadata_objects = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get(&*storage, &key)? else {
            break;
        };
        metadata_objects.push((key, metadata));
    }
    open_from_metadata(storage, path, metadata_objects)
}

/// Opens an array in asynchronous storage, with the same checks and corrections as [`open`].
///
/// # Errors
/// Returns the same errors as [`open`].
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use ndarray::ArrayD;
/// use slice_core::s;
/// use slice_zarr::{AsyncReadSlice, open_async};
/// use zarrs::storage::AsyncReadableStorageTraits;
///
/// async fn corner<S>(store: Arc<S>) -> Result<ArrayD<f32>, Box<dyn std::error::Error>>
/// where
///     S: ?Sized + AsyncReadableStorageTraits + 'static,
/// {
///     let array = open_async(store, "/volume").await?;
///     Ok(array.read_slice(s![:10, ..., :10]).await?)
/// }
/// ```
#[cfg(feature = "async")]
pub async fn open_async<S>(storage: Arc<S>, path: &str) -> Result<Array<S>, ArrayCreateError>
where
    S: ?Sized + AsyncReadableStorageTraits + 'static,
{
    let node = NodePath::new(path)?;
    let key = meta_key_v3(&node);
    if let Some(metadata) = get_async(&*storage, &key).await? {
        return open_from_metadata(storage, path, vec![(key, metadata)]);
    }
    let mut metadata_objects = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get_async(&*storage, &key).await? else {
            break;
        };
        metadata_objects.push((key, metadata));
    }
    open_from_metadata(storage, path, metadata_objects)
}

/// Returns the hints for a metadata request, which limit the size of the response.
fn metadata_hints() -> Wanted {
    Wanted::new(MAX_METADATA_BYTES, None, Arc::default())
}

/// Reads a metadata object. If the store reports the size of the object, the size is checked first.
fn get<S>(storage: &S, key: &StoreKey) -> Result<MaybeBytes, StorageError>
where
    S: ?Sized + ReadableStorageTraits,
{
    let wanted = metadata_hints();
    wanted.clone().with_hints(|| {
        if let Some(size) = storage.size_key(key)? {
            wanted.check_bytes(size)?;
        }
        storage.get(key)
    })
}

#[cfg(feature = "async")]
async fn get_async<S>(storage: &S, key: &StoreKey) -> Result<MaybeBytes, StorageError>
where
    S: ?Sized + AsyncReadableStorageTraits,
{
    let wanted = Some(metadata_hints());
    let request = storage.get(key);
    WithHints { wanted, request }.await
}

/// Creates the array from its metadata and, for format 2, also from its attributes.
fn open_from_metadata<S: ?Sized>(
    storage: Arc<S>,
    path: &str,
    metadata_objects: Vec<(StoreKey, Bytes)>,
) -> Result<Array<S>, ArrayCreateError> {
    let mut objects = metadata_objects.into_iter();
    let (key, bytes) = objects.next().ok_or(ArrayCreateError::MissingMetadata)?;
    let mut metadata: Value = parse(&key, &bytes)?;
    correct_metadata(&mut metadata).map_err(|error| invalid_metadata(&key, &error))?;
    let invalid = |error| invalid_metadata(&key, &error);
    let metadata = if key == meta_key_v3(&NodePath::new(path)?) {
        let metadata: ArrayMetadataV3 = serde_json::from_value(metadata).map_err(invalid)?;
        for (name, field) in &metadata.additional_fields {
            if field.must_understand() {
                let (name, value) = (name.clone(), field.as_value().clone());
                return Err(AdditionalFieldUnsupportedError::new(name, value).into());
            }
        }
        ArrayMetadata::V3(metadata)
    } else {
        let mut metadata: ArrayMetadataV2 = serde_json::from_value(metadata).map_err(invalid)?;
        if let Some((key, bytes)) = objects.next() {
            metadata.attributes = parse(&key, &bytes)?;
        }
        ArrayMetadata::V2(metadata)
    };
    let create = || Array::new_with_metadata(storage, path, metadata);
    catch_panic(create, || invalid_metadata(&key, &"zarrs panicked"))
}

/// Parses a metadata object. The store may have ignored the size limit, which is therefore checked again.
fn parse<T: DeserializeOwned>(key: &StoreKey, bytes: &[u8]) -> Result<T, ArrayCreateError> {
    metadata_hints().check_bytes(bytes.len() as u64)?;
    serde_json::from_slice(bytes).map_err(|error| invalid_metadata(key, &error))
}

fn invalid_metadata(key: &StoreKey, why: &dyn Display) -> ArrayCreateError {
    StorageError::InvalidMetadata(key.clone(), why.to_string()).into()
}
