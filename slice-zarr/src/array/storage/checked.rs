//! A wrapper around the storage of an array. The wrapper returns an error for keys outside the array.

use std::any::Any;
use std::sync::Arc;

use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StorePrefix, WritableStorageTraits,
};

use crate::array::storage::confined::ConfinedDirectory;
use crate::array::storage::keys::{check_below, key_error};

/// A store restricted to keys below the path of an array and, if it is a [`FilesystemStore`], to regular files.
pub(crate) struct CheckedStorage<S: ?Sized> {
    storage: Arc<S>,
    path: String,
    /// The directory, if the store is a [`FilesystemStore`].
    confined: Option<ConfinedDirectory>,
}

impl<S: ?Sized + 'static> CheckedStorage<S> {
    pub(crate) fn new(array: &Array<S>) -> Self {
        let storage = array.storage();
        let any: &dyn Any = &storage;
        let directory = any.downcast_ref::<Arc<FilesystemStore>>();
        let directory = directory.map(|files| files.key_to_fspath(&StoreKey::root()));
        CheckedStorage {
            path: array.path().as_str().trim_start_matches('/').into(),
            confined: directory.map(ConfinedDirectory::new),
            storage,
        }
    }

    fn check(&self, key: &StoreKey) -> Result<(), StorageError> {
        let key = key.as_str();
        check_below(&self.path, key).map_err(|why| key_error(key, why))?;
        match &self.confined {
            Some(confined) => confined.check(key).map(drop),
            None => Ok(()),
        }
    }
}

impl<S: ?Sized + ReadableStorageTraits + 'static> ReadableStorageTraits for CheckedStorage<S> {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.check(key)?;
        self.storage.get(key)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.check(key)?;
        self.storage.get_partial_many(key, byte_ranges)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.check(key)?;
        self.storage.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        self.storage.supports_get_partial()
    }
}

impl<S: ?Sized + WritableStorageTraits + 'static> WritableStorageTraits for CheckedStorage<S> {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        self.check(key)?;
        self.storage.set(key, value)
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        self.check(key)?;
        self.storage.set_partial_many(key, offset_values)
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.check(key)?;
        self.storage.erase(key)
    }

    /// Returns an error, because this crate erases only single objects.
    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        let message = format!("erasing all objects below {prefix} is not supported");
        Err(StorageError::Unsupported(message))
    }

    fn supports_set_partial(&self) -> bool {
        self.storage.supports_set_partial()
    }
}
