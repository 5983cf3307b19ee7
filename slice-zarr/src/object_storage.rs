//! Any store of the crate object_store as storage of arrays.

use futures::future::try_join_all;
use futures::stream::{self, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    AsyncMaybeBytesIterator, AsyncReadableStorageTraits, AsyncWritableStorageTraits, Bytes,
    MaybeBytes, OffsetBytesIterator, StorageError, StoreKey, StorePrefix,
    async_store_set_partial_many,
};

/// A store of [`object_store`](https://docs.rs/object_store) (S3, HTTP, Azure, Google, files, memory) that reads each
/// range with one request.
///
/// `AsyncObjectStore` of the crate `zarrs_object_store` works as well; for ranges of an object it first requests the
/// object's length, which doubles the requests.
///
/// Needs the feature `object_store`.
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
    /// The whole store; for a part of it, use `object_store::prefix::PrefixStore`.
    pub fn new(store: T) -> Self {
        ObjectStorage { store }
    }

    /// The bytes of a range, in one request; `None` if the object does not exist.
    async fn ask(&self, path: &Path, range: ByteRange) -> Result<MaybeBytes, StorageError> {
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
        let suffix = match range {
            Some(GetRange::Suffix(len)) => Some(len),
            _ => None,
        };
        let options = GetOptions {
            range,
            ..GetOptions::default()
        };
        let mut answer = self.store.get_opts(path, options).await;
        if let (Some(len), Err(object_store::Error::NotSupported { .. })) = (suffix, &answer) {
            // Azure needs the position of the end.
            let Some(size) = found(self.store.head(path).await)?.map(|meta| meta.size) else {
                return Ok(None);
            };
            let range = GetRange::Bounded(size.saturating_sub(len)..size);
            let options = GetOptions {
                range: Some(range),
                ..GetOptions::default()
            };
            answer = self.store.get_opts(path, options).await;
        }
        match found(answer)? {
            Some(answer) => Ok(Some(answer.bytes().await.map_err(failed)?)),
            None => Ok(None),
        }
    }
}

fn path_of(key: &StoreKey) -> Path {
    Path::from(key.as_str())
}

fn failed(error: object_store::Error) -> StorageError {
    StorageError::Other(error.to_string())
}

/// `None` if the object does not exist.
fn found<A>(answer: object_store::Result<A>) -> Result<Option<A>, StorageError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(failed(error)),
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
        let path = path_of(key);
        let answers = try_join_all(byte_ranges.map(|range| self.ask(&path, range))).await?;
        let answers: Option<Vec<Bytes>> = answers.into_iter().collect();
        Ok(answers.map(|answers| stream::iter(answers).map(Ok).boxed()))
    }

    async fn get_partial<'a>(
        &'a self,
        key: &StoreKey,
        byte_range: ByteRange,
    ) -> Result<MaybeBytes, StorageError> {
        self.ask(&path_of(key), byte_range).await
    }

    async fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Ok(found(self.store.head(&path_of(key)).await)?.map(|meta| meta.size))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl<T: ObjectStore> AsyncWritableStorageTraits for ObjectStorage<T> {
    async fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        let put = self.store.put(&path_of(key), value.into()).await;
        put.map(drop).map_err(failed)
    }

    async fn set_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'a>,
    ) -> Result<(), StorageError> {
        async_store_set_partial_many(self, key, offset_values).await
    }

    async fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        found(self.store.delete(&path_of(key)).await).map(drop)
    }

    async fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        let prefix = Path::from(prefix.as_str());
        let objects = self.store.list(Some(&prefix)).map_ok(|meta| meta.location);
        let erased = self.store.delete_stream(objects.boxed());
        erased
            .try_for_each(|_| async { Ok(()) })
            .await
            .map_err(failed)
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}
