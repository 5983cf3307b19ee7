//! Requests objects and ranges from a store, and checks their sizes and versions.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use zarrs::array::Array;
use zarrs::storage::{ReadableStorage, ReadableStorageTraits, StorageError, StoreKey};

use crate::array::error::{ChunkError, Error, catch_panic};
use crate::array::options::AccessOptions;
use crate::array::read::tally::Tally;
use crate::array::storage::confined::ConfinedDirectory;
use crate::array::storage::keys::chunk_key;
use crate::array::storage::wanted::{Object, Wanted, check_size};
use crate::array::stored::StoredArray;

/// A chunk that is being read or written.
pub(crate) struct StoredChunk {
    pub(crate) indices: Vec<u64>,
    pub(crate) key: StoreKey,
    /// The number of [pieces](super::piece) of the chunk that are not yet complete.
    pub(crate) pieces_left: AtomicUsize,
    /// The properties of the object that are known from the responses of the store.
    pub(crate) object: Arc<Object>,
}

impl StoredChunk {
    pub(crate) fn failed(&self, source: ChunkError) -> Error {
        source.of_chunk(self.indices.clone(), self.key.as_str())
    }
}

/// Returns the key of the chunk at a position of the chunk grid.
type ChunkKey<'r> = dyn Fn(&[u64]) -> Result<StoreKey, Error> + Sync + 'r;

pub(crate) struct Reader<'r> {
    pub(crate) stored: &'r StoredArray,
    pub(crate) storage: ReadableStorage,
    confined: Option<ConfinedDirectory>,
    key: Box<ChunkKey<'r>>,
    pub(crate) options: &'r AccessOptions<'r>,
    pub(crate) tally: Arc<Tally>,
}

impl<'r> Reader<'r> {
    pub(crate) fn new<S: ?Sized + ReadableStorageTraits + 'static>(
        array: &'r Array<S>,
        stored: &'r StoredArray,
        options: &'r AccessOptions<'r>,
    ) -> Result<Self, Error> {
        let transformers = array.storage_transformers();
        let storage = transformers.create_readable_transformer(Arc::new(array.storage()));
        Ok(Reader {
            stored,
            storage: storage.map_err(|error| Error::Unsupported(error.to_string()))?,
            confined: ConfinedDirectory::of(array),
            key: Box::new(|indices| chunk_key(array, indices)),
            options,
            tally: Arc::default(),
        })
    }

    /// Returns the chunk with the position `indices` in the chunk grid.
    pub(crate) fn chunk(&self, indices: Vec<u64>) -> Result<StoredChunk, Error> {
        Ok(StoredChunk {
            key: (self.key)(&indices)?,
            indices,
            pieces_left: AtomicUsize::new(0),
            object: Arc::default(),
        })
    }

    /// Returns an error if zarrs' `FilesystemStore` would leave its directory, or open something other than a regular file.
    pub(crate) fn check_file(&self, chunk: &StoredChunk) -> Result<(), StorageError> {
        match &self.confined {
            Some(confined) => confined.check(chunk.key.as_str()).map(drop),
            None => Ok(()),
        }
    }

    /// Calls `request`, with `most_bytes` and the deadline as hints to the store, and returns the response. Converts a
    /// panic of the store to an error. Returns [`ChunkError::Changed`] if the object has changed.
    pub(crate) fn request<T>(
        &self,
        chunk: &StoredChunk,
        most_bytes: u64,
        request: impl FnOnce() -> Result<T, StorageError>,
    ) -> Result<T, ChunkError> {
        let wanted = Wanted::new(most_bytes, self.options.deadline, chunk.object.clone());
        // Some stores panic if a range lies beyond the end of an object.
        let panicked =
            || ChunkError::Broken("the store panicked; the chunk may be truncated".into());
        let checked_request = || {
            self.check_file(chunk)?;
            Ok(wanted.with_hints(request)?)
        };
        let response = catch_panic(checked_request, panicked);
        if chunk.object.has_changed() {
            return Err(ChunkError::Changed);
        }
        response
    }

    /// Checks the size of an object before the object is read. The size is not requested from asynchronous storage,
    /// because this would take an additional request to a server.
    pub(crate) fn check_size(
        &self,
        chunk: &StoredChunk,
        sizes: RangeInclusive<u64>,
    ) -> Result<(), ChunkError> {
        // `FileStorage` checks the size itself when it opens the file.
        chunk.object.sizes.get_or_init(|| sizes.clone());
        if !self.options.requests_size_first {
            return Ok(());
        }
        let size = self.request(chunk, *sizes.end(), || self.storage.size_key(&chunk.key))?;
        size.map_or(Ok(()), |size| {
            check_size(size, &sizes).map_err(ChunkError::Broken)
        })
    }
}
