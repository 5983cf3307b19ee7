//! An adapter for storing arrays in the stores of the `object_store` crate.

use futures::future::try_join_all;
use futures::stream::{self, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{
    Attribute, GetOptions, GetRange, GetResult, GetResultPayload, ObjectMeta, ObjectStore,
    ObjectStoreExt,
};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    AsyncMaybeBytesIterator, AsyncReadableStorageTraits, AsyncWritableStorageTraits, Bytes,
    MaybeBytes, OffsetBytesIterator, StorageError, StoreKey, StorePrefix,
    async_store_set_partial_many,
};

use crate::array::storage::wanted::Wanted;

/// Storage for arrays in a store of [`object_store`](https://docs.rs/object_store): S3, HTTP, Azure, Google Cloud,
/// files or memory. Each range is read with one request.
///
/// `AsyncObjectStore` of the `zarrs_object_store` crate works too, but it requests the length of an object before each
/// range, which doubles the number of requests.
///
/// A read returns an error unless each response has the requested range and length, and no content encoding apart from
/// `aws-chunked`. No more bytes than requested are received. All responses for an object must have the same size and
/// the same version: the same `ETag` or, without an `ETag`, the same modification time. If the store supports
/// `If-Match`, the store itself compares the `ETag`. If the store reports neither an `ETag` nor a modification time, a
/// read may mix versions that have the same size.
///
/// As in zarr-python, array names are not escaped, whereas `object_store::path::Path::from` escapes some characters. An
/// array with a name such as `100%` therefore needs `Path::parse` in your own calls to object_store.
///
/// For untrusted directories, prefer [`FileStorage`](crate::FileStorage), because object_store's `LocalFileSystem`
/// follows all links.
///
/// Needs the `object_store` feature.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use slice_core::s;
/// use slice_zarr::{AsyncReadSlice, AsyncWriteSlice, ObjectStorage};
/// use zarrs::array::{ArrayBuilder, data_type};
///
/// # futures::executor::block_on(async {
/// let store = object_store::memory::InMemory::new();
/// let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8)
///     .build(Arc::new(ObjectStorage::new(store)), "/")?;
/// array.async_store_metadata().await?;
/// array.write_slice(s![::2, 1], ndarray::arr1(&[1_u8, 2])).await?;
/// let out = array.read_slice::<u8>(s![2, ::-1]).await?;
/// assert_eq!(out, ndarray::arr1(&[7, 7, 7, 7, 2, 7]).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct ObjectStorage<T> {
    store: T,
}

impl<T: ObjectStore> ObjectStorage<T> {
    /// Wraps a store. To use only part of the store, wrap an `object_store::prefix::PrefixStore`.
    pub fn new(store: T) -> Self {
        ObjectStorage { store }
    }

    /// Requests a range of bytes. Returns `None` if the object does not exist.
    async fn request(&self, path: &Path, range: ByteRange) -> Result<MaybeBytes, StorageError> {
        let range = match range {
            ByteRange::FromStart(_, Some(0)) | ByteRange::Suffix(0) => {
                return Ok(Some(Bytes::new()));
            }
            ByteRange::FromStart(0, None) => None,
            ByteRange::FromStart(start, None) => Some(GetRange::Offset(start)),
            ByteRange::FromStart(start, Some(len)) => {
                Some(GetRange::Bounded(start..start.saturating_add(len)))
            }
            ByteRange::Suffix(len) => Some(GetRange::Suffix(len)),
        };
        let wanted = Wanted::current();
        let mut options = GetOptions {
            range,
            if_match: wanted
                .as_ref()
                .and_then(|wanted| if_match_tag(wanted.version()?)),
            ..GetOptions::default()
        };
        let mut response = self.store.get_opts(path, options.clone()).await;
        if let (Some(GetRange::Suffix(len)), Err(object_store::Error::NotSupported { .. })) =
            (&options.range, &response)
        {
            // Azure does not support requests for the last bytes of an object, so the size of the object is requested
            // first.
            let Some(meta) = none_if_missing(self.store.head(path).await)? else {
                return self.check_missing(path).await;
            };
            if let Some(wanted) = &wanted {
                check_version(wanted, &meta)?;
            }
            options.range = Some(GetRange::Bounded(meta.size.saturating_sub(*len)..meta.size));
            response = self.store.get_opts(path, options.clone()).await;
        }
        let response = match (response, &wanted) {
            (Err(object_store::Error::Precondition { .. }), Some(wanted)) => {
                return Err(wanted.changed());
            }
            (response, _) => none_if_missing(response)?,
        };
        match (response, wanted) {
            (Some(response), wanted) => Ok(Some(receive(response, options.range, wanted).await?)),
            (None, Some(wanted)) if wanted.version().is_some() => Err(wanted.changed()),
            (None, _) => Ok(None),
        }
    }

    /// Requests the first byte of an object to determine whether the object is missing. Returns `None` if the object is
    /// missing. Otherwise, returns an error, because the store provides neither the end nor the size of the object.
    ///
    /// A HEAD request is not sufficient: servers that do not support requests for the end of an object may not support
    /// HEAD requests either.
    async fn check_missing(&self, path: &Path) -> Result<MaybeBytes, StorageError> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(0..1)),
            ..GetOptions::default()
        };
        match none_if_missing(self.store.get_opts(path, options).await)? {
            None => Ok(None),
            Some(_) => Err(StorageError::Other(
                "the store returned neither the end nor the size of the object".into(),
            )),
        }
    }
}

/// Checks a response, and returns its bytes. Receives no more bytes than were requested.
async fn receive(
    response: GetResult,
    range: Option<GetRange>,
    wanted: Option<Wanted>,
) -> Result<Bytes, StorageError> {
    let size = response.meta.size;
    let requested = match range {
        None => 0..size,
        Some(GetRange::Bounded(range)) => range.start..range.end.min(size),
        Some(GetRange::Offset(start)) => start..size,
        Some(GetRange::Suffix(len)) => size.saturating_sub(len)..size,
    };
    if response.range != requested {
        return Err(StorageError::Other(format!(
            "the store returned bytes {:?} instead of {requested:?}",
            response.range
        )));
    }
    let len = requested.end.saturating_sub(requested.start);
    if let Some(wanted) = &wanted {
        wanted.check_bytes(len)?;
        check_version(wanted, &response.meta)?;
    }
    // Some stores return `aws-chunked`, the encoding in which the object was uploaded to S3. The stored bytes do not
    // have this encoding.
    if let Some(encoding) = response.attributes.get(&Attribute::ContentEncoding)
        && !["", "identity", "aws-chunked"].contains(&&**encoding)
    {
        return Err(StorageError::Other(format!(
            "the store used the content encoding {:?}, which is not supported",
            &**encoding
        )));
    }
    let wrong_length = |bytes: usize| {
        let bytes = if bytes as u64 > len {
            "too many".into()
        } else {
            bytes.to_string()
        };
        StorageError::Other(format!("the store sent {bytes} bytes; {len} were expected"))
    };
    // The payload of a file contains no more than the requested range, so it can be read in one call.
    if !matches!(response.payload, GetResultPayload::Stream(_)) {
        return response.bytes().await.map_err(store_error);
    }
    let mut stream = response.into_stream();
    let mut buffer = Vec::new();
    while let Some(bytes) = stream.try_next().await.map_err(store_error)? {
        if bytes.len() as u64 > len - buffer.len() as u64 {
            return Err(wrong_length(buffer.len() + bytes.len()));
        }
        if bytes.len() as u64 == len {
            return Ok(bytes);
        }
        if buffer.is_empty() {
            let reserved = usize::try_from(len).map(|len| buffer.try_reserve_exact(len));
            if !matches!(reserved, Ok(Ok(()))) {
                return Err(StorageError::Other(format!(
                    "unable to allocate {len} bytes"
                )));
            }
        }
        buffer.extend_from_slice(&bytes);
    }
    if buffer.len() as u64 != len {
        return Err(wrong_length(buffer.len()));
    }
    Ok(buffer.into())
}

/// Checks that the response has the same version and size as previous responses.
fn check_version(wanted: &Wanted, meta: &ObjectMeta) -> Result<(), StorageError> {
    wanted.check_size(meta.size)?;
    version(meta).map_or(Ok(()), |version| wanted.check_version(&version))
}

/// Returns an identifier of an object's version, or `None` if the store reports neither an `ETag` nor a modification
/// time.
fn version(meta: &ObjectMeta) -> Option<String> {
    // The field `version` is not used, because requests by version need an additional permission in S3.
    match &meta.e_tag {
        Some(tag) => Some(tag.clone()),
        None if meta.last_modified.timestamp() == 0 => None,
        None => Some(format!(
            "{MODIFIED_PREFIX}{} {}",
            meta.last_modified, meta.size
        )),
    }
}

/// The first characters of a version that is a modification time instead of an `ETag`.
const MODIFIED_PREFIX: &str = "modified ";

/// Returns the `ETag` for the header `If-Match`. Returns `None` for weak tags and for times, because the header allows
/// neither.
fn if_match_tag(version: &str) -> Option<String> {
    let is_weak_or_time = version.starts_with("W/") || version.starts_with(MODIFIED_PREFIX);
    (!is_weak_or_time).then(|| version.to_owned())
}

/// Returns the path of a key. As in zarr-python, no characters are escaped; `Path::from` would escape some.
fn path_of(key: &str) -> Result<Path, StorageError> {
    Path::parse(key).map_err(|error| StorageError::Other(error.to_string()))
}

fn store_error(error: object_store::Error) -> StorageError {
    StorageError::Other(error.to_string())
}

/// Converts the error for a missing object to `None`.
fn none_if_missing<A>(response: object_store::Result<A>) -> Result<Option<A>, StorageError> {
    match response {
        Ok(response) => Ok(Some(response)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(store_error(error)),
    }
}

#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl<T: ObjectStore> AsyncReadableStorageTraits for ObjectStorage<T> {
    async fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<AsyncMaybeBytesIterator<'a>, StorageError> {
        let path = path_of(key.as_str())?;
        let responses = try_join_all(byte_ranges.map(|range| self.request(&path, range))).await?;
        let any_exists = responses.iter().any(Option::is_some);
        let responses: Option<Vec<Bytes>> = responses.into_iter().collect();
        if let (true, None, Some(wanted)) = (any_exists, &responses, Wanted::current()) {
            return Err(wanted.changed());
        }
        Ok(responses.map(|responses| stream::iter(responses).map(Ok).boxed()))
    }

    async fn get_partial<'a>(
        &'a self,
        key: &StoreKey,
        byte_range: ByteRange,
    ) -> Result<MaybeBytes, StorageError> {
        self.request(&path_of(key.as_str())?, byte_range).await
    }

    async fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Ok(none_if_missing(self.store.head(&path_of(key.as_str())?).await)?.map(|meta| meta.size))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl<T: ObjectStore> AsyncWritableStorageTraits for ObjectStorage<T> {
    async fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        let put = self.store.put(&path_of(key.as_str())?, value.into()).await;
        put.map(drop).map_err(store_error)
    }

    async fn set_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'a>,
    ) -> Result<(), StorageError> {
        async_store_set_partial_many(self, key, offset_values).await
    }

    async fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        none_if_missing(self.store.delete(&path_of(key.as_str())?).await).map(drop)
    }

    async fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        let prefix = path_of(prefix.as_str())?;
        let objects = self.store.list(Some(&prefix)).map_ok(|meta| meta.location);
        let erased = self.store.delete_stream(objects.boxed());
        erased
            .try_for_each(|_| async { Ok(()) })
            .await
            .map_err(store_error)
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}
