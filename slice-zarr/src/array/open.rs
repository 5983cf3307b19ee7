//! Opens arrays with untrusted metadata.
//!
//! zarrs aborts the process on some metadata, and rejects some valid metadata written by zarr-python. This module
//! therefore reads, checks and corrects the metadata first, and then passes the corrected copy to zarrs in a memory
//! store.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};
use zarrs::array::{Array, ArrayCreateError};
use zarrs::node::{NodePath, meta_key_v2_array, meta_key_v2_attributes, meta_key_v3};
#[cfg(feature = "async")]
use zarrs::storage::AsyncReadableStorageTraits;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    Bytes, MaybeBytes, ReadableStorageTraits, StorageError, StoreKey, WritableStorageTraits,
};

use crate::array::error::catch_panic;
use crate::array::storage::wanted::Wanted;
#[cfg(feature = "async")]
use crate::array::storage::wanted::future::WithHints;

/// The maximum size of an element, in bytes. Metadata may claim any size, and zarrs would allocate a fill value of that
/// size.
const MAX_ELEMENT_BYTES: u64 = 16 << 20;

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
/// zarr-python does.
///
/// Python equivalent: `zarr.open_array(store, path=path, mode="r+")`.
///
/// # Errors
///
/// Returns the same errors as [`Array::open`]. Also returns an error if the metadata or an element is larger than 16
/// MiB, or if the chunk grid is not regular.
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
        return Ok(open_from_metadata(path, vec![(key, metadata)])?.with_storage(storage));
    }
    let mut metadata_objects = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get(&*storage, &key)? else {
            break;
        };
        metadata_objects.push((key, metadata));
    }
    Ok(open_from_metadata(path, metadata_objects)?.with_storage(storage))
}

/// Opens an array in asynchronous storage, with the same checks and corrections as [`open`].
///
/// # Errors
/// Returns the same errors as [`open`].
#[cfg(feature = "async")]
pub async fn open_async<S>(storage: Arc<S>, path: &str) -> Result<Array<S>, ArrayCreateError>
where
    S: ?Sized + AsyncReadableStorageTraits + 'static,
{
    let node = NodePath::new(path)?;
    let key = meta_key_v3(&node);
    if let Some(metadata) = get_async(&*storage, &key).await? {
        return Ok(open_from_metadata(path, vec![(key, metadata)])?.with_storage(storage));
    }
    let mut metadata_objects = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get_async(&*storage, &key).await? else {
            break;
        };
        metadata_objects.push((key, metadata));
    }
    Ok(open_from_metadata(path, metadata_objects)?.with_storage(storage))
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
fn open_from_metadata(
    path: &str,
    metadata: Vec<(StoreKey, Bytes)>,
) -> Result<Array<MemoryStore>, ArrayCreateError> {
    let memory = Arc::new(MemoryStore::new());
    let first = metadata.first().map(|(key, _)| key.clone());
    for (number, (key, bytes)) in metadata.into_iter().enumerate() {
        // The store may have ignored the size limit.
        metadata_hints().check_bytes(bytes.len() as u64)?;
        let bytes = match number {
            0 => corrected_metadata(&bytes)
                .map_err(|why| invalid_metadata(&key, why))?
                .into_owned()
                .into(),
            _ => bytes,
        };
        memory.set(&key, bytes)?;
    }
    let panicked = || match first {
        Some(key) => invalid_metadata(&key, "zarrs panicked".into()),
        None => ArrayCreateError::MissingMetadata,
    };
    catch_panic(|| Array::open(memory, path), panicked)
}

fn invalid_metadata(key: &StoreKey, why: String) -> ArrayCreateError {
    StorageError::InvalidMetadata(key.clone(), why).into()
}

/// Checks the metadata of an array. Returns the metadata after correcting the values that zarrs does not accept.
fn corrected_metadata(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    // If the metadata is not JSON, zarrs reports the error.
    let Ok(mut metadata) = serde_json::from_slice::<Value>(bytes) else {
        return Ok(bytes.into());
    };
    if metadata["zarr_format"] == 2 {
        return Ok(match correct_version_2(&mut metadata)? {
            true => metadata.to_string().into_bytes().into(),
            false => bytes.into(),
        });
    }
    check_element_sizes(&metadata)?;
    let grid = &metadata["chunk_grid"];
    match grid["name"].as_str().or(grid.as_str()) {
        // Other grids may repeat a chunk length any number of times, so the list of all lengths may not fit in memory.
        Some(name) if name != "regular" => Err(format!("the chunk grid {name:?} is not supported")),
        _ => Ok(bytes.into()),
    }
}

/// Checks and corrects metadata of format 2. Returns `true` if the metadata has been changed.
fn correct_version_2(metadata: &mut Value) -> Result<bool, String> {
    let dtype = metadata["dtype"].as_str().unwrap_or_default();
    let kind = dtype.trim_start_matches(['<', '>', '|', '=']);
    let characters = kind
        .strip_prefix('U')
        .and_then(|digits| digits.parse().ok());
    check_element_size(characters.map_or(0, |count: u64| count.saturating_mul(4)))?;
    let is_complex = ["c8", "c16"].contains(&kind);
    let bytes = kind.strip_prefix('V').and_then(|bytes| bytes.parse().ok());
    check_element_size(bytes.unwrap_or(0))?;
    let zero = match (is_complex, characters, bytes) {
        (true, ..) => Some(json!([0.0, 0.0])),
        (_, Some(_), _) => Some(json!("")),
        (.., Some(bytes)) => Some(zeros_in_base64(bytes as usize).into()),
        _ => None,
    };
    let mut changed = false;
    // An array without axes has a single element, so both orders are equivalent.
    if metadata["order"] == "F" && metadata["shape"] == json!([]) {
        metadata["order"] = "C".into();
        changed = true;
    }
    if let Some(zero) = zero.filter(|_| metadata.get("fill_value") == Some(&Value::Null)) {
        metadata["fill_value"] = zero;
        changed = true;
    }
    Ok(changed)
}

/// Returns `bytes` zero bytes in base64, the encoding of raw fill values in format 2.
fn zeros_in_base64(bytes: usize) -> String {
    let unused = bytes.next_multiple_of(3) - bytes;
    let letters = bytes.div_ceil(3) * 4 - unused;
    "A".repeat(letters) + &"=".repeat(unused)
}

/// Checks the element size of each fixed-length string data type in the metadata, including data types in the
/// configurations of codecs.
fn check_element_sizes(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(fields) => {
            let length = &value["configuration"]["length_bytes"];
            if value["name"] == "fixed_length_utf32" {
                check_element_size(length.as_u64().unwrap_or(0))?;
            }
            fields.values().try_for_each(check_element_sizes)
        }
        Value::Array(values) => values.iter().try_for_each(check_element_sizes),
        _ => Ok(()),
    }
}

fn check_element_size(bytes: u64) -> Result<(), String> {
    match bytes <= MAX_ELEMENT_BYTES {
        true => Ok(()),
        false => Err(format!(
            "an element has {bytes} bytes, but at most {MAX_ELEMENT_BYTES} are supported"
        )),
    }
}
