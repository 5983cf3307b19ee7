//! Reads Zarr arrays from directories and URLs, parses slices whose lists are read from files, and writes NumPy files.

pub mod lists;
pub mod npy;
#[cfg(feature = "remote")]
pub mod remote;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use slice_zarr::FileStorage;
use zarrs::array::{Array, ArrayCreateError};
use zarrs::storage::{ReadableStorageTraits, StoreKey};

/// Opens the array at `store`, which is a directory or a URL. Also returns whether `store` is a URL.
///
/// No request lasts beyond the deadline. Returns an error if there is no array, slice-zarr does not support the array,
/// or `store` is a URL and the feature `remote` is disabled.
pub fn open(
    store: &str,
    deadline: Option<Instant>,
) -> Result<(Array<dyn ReadableStorageTraits>, bool), Box<dyn Error>> {
    let is_url = store.contains("://");
    let storage: Arc<dyn ReadableStorageTraits> = if is_url {
        open_url(store, deadline)?
    } else {
        if !Path::new(store).is_dir() {
            return Err(
                format!("no array found in store {store:?}: there is no such directory").into(),
            );
        }
        Arc::new(FileStorage::new(store)?)
    };
    let store = without_password(store);
    let array = slice_zarr::open(storage.clone(), "/").map_err(|error| match error {
        _ if is_group(&*storage) => {
            format!("no array found in store {store:?}: it is a group; name one of its arrays")
        }
        ArrayCreateError::MissingMetadata => {
            format!("no array found in store {store:?}: it has neither zarr.json nor .zarray")
        }
        error => format!("cannot open the array {store:?}: {error}"),
    })?;
    Ok((array, is_url))
}

#[cfg(feature = "remote")]
fn open_url(
    store: &str,
    deadline: Option<Instant>,
) -> Result<Arc<dyn ReadableStorageTraits>, Box<dyn Error>> {
    Ok(Arc::new(remote::Remote::new(store, deadline)?))
}

#[cfg(not(feature = "remote"))]
fn open_url(
    store: &str,
    _deadline: Option<Instant>,
) -> Result<Arc<dyn ReadableStorageTraits>, Box<dyn Error>> {
    let store = without_password(store);
    Err(
        format!("{store:?} is a URL, but this command was built without the feature `remote`")
            .into(),
    )
}

/// Returns `true` if the store has the metadata of a group, in format 3 or 2.
fn is_group(storage: &dyn ReadableStorageTraits) -> bool {
    let get = |key| storage.get(&StoreKey::new(key).ok()?).ok()?;
    match get("zarr.json") {
        Some(metadata) => {
            let metadata: Option<serde_json::Value> = serde_json::from_slice(&metadata).ok();
            metadata.is_some_and(|metadata| metadata["node_type"] == "group")
        }
        None => get(".zgroup").is_some(),
    }
}

/// Returns `url` with its user name and password, if any, replaced by `***`, so that it is safe to print.
#[must_use]
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.into();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{}", &rest[end..]),
        None => url.into(),
    }
}
