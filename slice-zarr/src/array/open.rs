//! Opening arrays whose metadata anybody may have written.
//!
//! zarrs aborts the process on some metadata, and refuses some that zarr-python writes. So metadata is looked at here first, and
//! zarrs gets it from memory.

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

use crate::array::error::guarded;
use crate::array::storage::wanted::Wanted;
#[cfg(feature = "async")]
use crate::array::storage::wanted::future::During;

/// The most bytes of an element: zarrs allocates one for the fill value.
const MAX_ITEM: u64 = 16 << 20;

/// The most bytes of an object of metadata: it is held in memory, and more than once while it is read.
const MAX_METADATA: u64 = 16 << 20;

/// Opens an array whose metadata may come from an untrusted source.
///
/// [`Array::open`] of zarrs 0.23 aborts the process, or worse, where this is an error or an array: elements of text that are
/// longer than the memory, arrays of format 2 without axes in the order of Fortran. It also refuses complex numbers, text of a
/// fixed length and raw bytes of format 2 without a fill value, which here have the value zero, as in zarr-python.
///
/// Python equivalent: `zarr.open_array(store, path=path, mode="r+")`.
///
/// # Errors
///
/// As [`Array::open`]; for metadata and elements of more than 16 MiB, and for chunks that are not all of one shape.
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
        return Ok(opened(path, vec![(key, metadata)])?.with_storage(storage));
    }
    let mut found = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get(&*storage, &key)? else {
            break;
        };
        found.push((key, metadata));
    }
    Ok(opened(path, found)?.with_storage(storage))
}

/// [`open`] for asynchronous storage.
///
/// # Errors
///
/// The errors of [`open`].
#[cfg(feature = "async")]
pub async fn open_async<S>(storage: Arc<S>, path: &str) -> Result<Array<S>, ArrayCreateError>
where
    S: ?Sized + AsyncReadableStorageTraits + 'static,
{
    let node = NodePath::new(path)?;
    let key = meta_key_v3(&node);
    if let Some(metadata) = get_async(&*storage, &key).await? {
        return Ok(opened(path, vec![(key, metadata)])?.with_storage(storage));
    }
    let mut found = Vec::new();
    for key in [meta_key_v2_array(&node), meta_key_v2_attributes(&node)] {
        let Some(metadata) = get_async(&*storage, &key).await? else {
            break;
        };
        found.push((key, metadata));
    }
    Ok(opened(path, found)?.with_storage(storage))
}

/// Limits of metadata.
fn metadata_wanted() -> Wanted {
    Wanted::new(MAX_METADATA, None, Arc::default())
}

/// Metadata of a size that is looked at first, where the store says it for less than the metadata.
fn get<S>(storage: &S, key: &StoreKey) -> Result<MaybeBytes, StorageError>
where
    S: ?Sized + ReadableStorageTraits,
{
    let wanted = metadata_wanted();
    wanted.clone().during(|| {
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
    let wanted = Some(metadata_wanted());
    let request = storage.get(key);
    During { wanted, request }.await
}

/// The array of this metadata, with the attributes of format 2.
fn opened(
    path: &str,
    metadata: Vec<(StoreKey, Bytes)>,
) -> Result<Array<MemoryStore>, ArrayCreateError> {
    let memory = Arc::new(MemoryStore::new());
    let first = metadata.first().map(|(key, _)| key.clone());
    for (number, (key, bytes)) in metadata.into_iter().enumerate() {
        // The store may not have looked.
        metadata_wanted().check_bytes(bytes.len() as u64)?;
        let bytes = match number {
            0 => checked(&bytes)
                .map_err(|why| invalid(&key, why))?
                .into_owned()
                .into(),
            _ => bytes,
        };
        memory.set(&key, bytes)?;
    }
    let panicked = || match first {
        Some(key) => invalid(&key, "zarrs panicked".into()),
        None => ArrayCreateError::MissingMetadata,
    };
    guarded(|| Array::open(memory, path), panicked)
}

fn invalid(key: &StoreKey, why: String) -> ArrayCreateError {
    StorageError::InvalidMetadata(key.clone(), why).into()
}

/// The metadata of an array as zarrs can open it.
fn checked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    // zarrs explains metadata that is not JSON.
    let Ok(mut metadata) = serde_json::from_slice::<Value>(bytes) else {
        return Ok(bytes.into());
    };
    if metadata["zarr_format"] == 2 {
        return Ok(match version_2(&mut metadata)? {
            true => metadata.to_string().into_bytes().into(),
            false => bytes.into(),
        });
    }
    check_items(&metadata)?;
    let grid = &metadata["chunk_grid"];
    match grid["name"].as_str().or(grid.as_str()) {
        // Others can name more chunks than there is memory for their lengths.
        Some(name) if name != "regular" => Err(format!("the chunk grid {name:?} is not supported")),
        _ => Ok(bytes.into()),
    }
}

/// Whether the metadata of format 2 was changed.
fn version_2(metadata: &mut Value) -> Result<bool, String> {
    let dtype = metadata["dtype"].as_str().unwrap_or_default();
    let kind = dtype.trim_start_matches(['<', '>', '|', '=']);
    let characters = kind
        .strip_prefix('U')
        .and_then(|digits| digits.parse().ok());
    check_item(characters.map_or(0, |count: u64| count.saturating_mul(4)))?;
    let is_complex = ["c8", "c16"].contains(&kind);
    let bytes = kind.strip_prefix('V').and_then(|bytes| bytes.parse().ok());
    check_item(bytes.unwrap_or(0))?;
    let zero = match (is_complex, characters, bytes) {
        (true, ..) => Some(json!([0.0, 0.0])),
        (_, Some(_), _) => Some(json!("")),
        (.., Some(bytes)) => Some(zeros_in_base64(bytes as usize).into()),
        _ => None,
    };
    let mut changed = false;
    // Without axes there is no order of them.
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

/// Returns a number of zero bytes in base64, as format 2 has them.
fn zeros_in_base64(bytes: usize) -> String {
    let unused = bytes.next_multiple_of(3) - bytes;
    let letters = bytes.div_ceil(3) * 4 - unused;
    "A".repeat(letters) + &"=".repeat(unused)
}

/// Checks the length of every data type of text, wherever it is: codecs have data types too.
fn check_items(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(fields) => {
            let length = &value["configuration"]["length_bytes"];
            if value["name"] == "fixed_length_utf32" {
                check_item(length.as_u64().unwrap_or(0))?;
            }
            fields.values().try_for_each(check_items)
        }
        Value::Array(values) => values.iter().try_for_each(check_items),
        _ => Ok(()),
    }
}

fn check_item(bytes: u64) -> Result<(), String> {
    match bytes <= MAX_ITEM {
        true => Ok(()),
        false => Err(format!(
            "an element has {bytes} bytes, and at most {MAX_ITEM} are possible"
        )),
    }
}
