//! A store whose responses can be counted, delayed or changed.

use std::sync::Arc;

use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
};

/// An observer of a store's responses. It may also replace a response.
pub trait Watch: Send + Sync {
    /// Receives the store's response to a request for an object or a byte range, and returns the response to pass on.
    fn answer(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError>;

    /// Observes a request for the size of an object.
    fn size(&self) {}
}

/// A store, and the observer of its responses.
pub struct Watched<S, W> {
    pub store: Arc<S>,
    pub watch: W,
}

impl<S: ReadableStorageTraits, W: Watch> ReadableStorageTraits for Watched<S, W> {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.watch.answer(self.store.get(key)?)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let answers =
            byte_ranges.map(|range| self.watch.answer(self.store.get_partial(key, range)?));
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        let answers: Option<Vec<_>> = answers.into_iter().collect();
        Ok(answers.map(|answers| Box::new(answers.into_iter().map(Ok)) as _))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.watch.size();
        self.store.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}
