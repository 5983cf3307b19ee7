//! Defines a store whose responses can be counted, delayed or changed.

use std::sync::Arc;

use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
};

/// An observer of a store's responses. It can also replace a response.
pub trait Watcher: Send + Sync {
    /// Receives the store's response to a request for an object or a byte range, and returns the response to pass on.
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError>;

    /// Observes a request for the size of an object.
    fn on_size_request(&self) {}
}

/// A store, and the observer of its responses.
pub struct WatchedStore<S, W> {
    pub store: Arc<S>,
    pub watcher: W,
}

impl<S: ReadableStorageTraits, W: Watcher> ReadableStorageTraits for WatchedStore<S, W> {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.watcher.on_response(self.store.get(key)?)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let responses = byte_ranges.map(|range| {
            self.watcher
                .on_response(self.store.get_partial(key, range)?)
        });
        let responses = responses.collect::<Result<Vec<_>, _>>()?;
        let responses: Option<Vec<_>> = responses.into_iter().collect();
        Ok(responses.map(|responses| Box::new(responses.into_iter().map(Ok)) as _))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.watcher.on_size_request();
        self.store.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}
