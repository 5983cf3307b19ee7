//! Checks arrays whose metadata leads to unsafe chunk keys, stores that never respond, and objects that change while
//! they are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ndarray::{ArrayD, arr0, arr1};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use slice_zarr::{
    AccessOptions, AsyncReadSlice, AsyncWriteSlice, ChunkError, Error, ObjectStorage,
};
use zarrs::array::codec::ShardingCodecBuilder;
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{AsyncMaybeBytesIterator, AsyncReadableStorageTraits, StorageError, StoreKey};

use crate::faults::SilentStore;
use crate::numpy::{in_memory, open};
use crate::server::{BUCKET, Server};
use crate::stores::stores;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_outside_the_array_are_not_requested() {
    for suffix in [
        "/../../secret",
        "/..",
        "/.",
        "//x",
        "/../../b/c/0",
        "\\..",
        ":stream",
        "/\u{0}",
    ] {
        let suffix = serde_json::to_string(suffix).unwrap();
        let metadata = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "fill_value": 7,
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
                "chunk_key_encoding": {{"name": "zarrs.default_suffix",
                    "configuration": {{"separator": "/", "suffix": {suffix}}}}},
                "codecs": [{{"name": "bytes"}}]}}"#
        );
        let memory = Arc::new(InMemory::new());
        for (key, bytes) in [
            ("a/zarr.json", metadata.as_str()),
            ("secret", "1234"),
            ("b/c/0", "1234"),
        ] {
            let bytes = PutPayload::from(bytes.to_owned());
            memory.put(&Path::from(key), bytes).await.unwrap();
        }
        let store = Arc::new(ObjectStorage::new(memory.clone()));
        let array = slice_zarr::open_async(store, "/a").await.unwrap();
        let requests = Arc::<AtomicUsize>::default();
        let silent = array.with_storage(Arc::new(SilentStore(requests.clone())));
        let errors = [
            array.read_slice::<u8>("...").await.unwrap_err(),
            silent.read_slice::<u8>("1").await.unwrap_err(),
            array
                .write_slice("...", arr1(&[1_u8, 2, 3, 4]))
                .await
                .unwrap_err(),
            array.write_slice("1", arr0(1_u8)).await.unwrap_err(),
            array.write_slice("...", arr0(7_u8)).await.unwrap_err(),
        ];
        for error in errors {
            let error = error.to_string();
            assert!(
                error.contains("chunk key encoding is not safe"),
                "{suffix}: {error}"
            );
        }
        assert_eq!(requests.load(Ordering::Relaxed), 0, "{suffix}");
        for key in ["secret", "b/c/0"] {
            let bytes = memory.get(&Path::from(key)).await.unwrap().bytes().await;
            assert_eq!(bytes.unwrap(), "1234");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_from_a_silent_store_ends_at_the_deadline() {
    for name in ["raw_2d", "sharded_zstd"] {
        let store = stores().find(|store| store.name == name).unwrap();
        let array = open(in_memory(store).await).await;
        let requests = Arc::<AtomicUsize>::default();
        let silent = array.with_storage(Arc::new(SilentStore(requests.clone())));
        for workers in [1, 4] {
            let start = Instant::now();
            let options = AccessOptions::new()
                .workers(workers)
                .deadline(start + Duration::from_millis(200));
            let error = silent.read_slice_raw("...", &options).await.unwrap_err();
            assert!(matches!(error, Error::TimedOut), "{error}");
            let elapsed = start.elapsed();
            assert!(
                elapsed >= Duration::from_millis(200) && elapsed < Duration::from_secs(10),
                "{elapsed:?}"
            );
            assert!((1..=workers).contains(&requests.swap(0, Ordering::Relaxed)));
        }
        let expired_options = AccessOptions::new().deadline(Instant::now());
        let error = silent
            .read_slice_raw("...", &expired_options)
            .await
            .unwrap_err();
        assert!(matches!(error, Error::TimedOut), "{error}");
        assert_eq!(requests.load(Ordering::Relaxed), 0);
    }
}

/// A store that replaces or removes an object after the first response.
struct ReplacingStore<T> {
    storage: ObjectStorage<Arc<T>>,
    store: Arc<T>,
    key: Path,
    replacement: Option<PutPayload>,
    responses: AtomicUsize,
}

#[async_trait::async_trait]
impl<T: ObjectStore> AsyncReadableStorageTraits for ReplacingStore<T> {
    async fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<AsyncMaybeBytesIterator<'a>, StorageError> {
        let response = self.storage.get_partial_many(key, byte_ranges).await?;
        if self.responses.fetch_add(1, Ordering::Relaxed) == 0 {
            // Object stores backed by files distinguish versions by modification time, so the times must differ.
            tokio::time::sleep(Duration::from_millis(20)).await;
            match self.replacement.clone() {
                Some(replacement) => drop(self.store.put(&self.key, replacement).await.unwrap()),
                None => self.store.delete(&self.key).await.unwrap(),
            }
        }
        Ok(response)
    }

    async fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.storage.size_key(key).await
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

/// Checks reads of a shard that is replaced by a shard of the same length, or removed, after its index has been read.
async fn check_changes<T: ObjectStore>(store: T) {
    let store = Arc::new(store);
    let storage = Arc::new(ObjectStorage::new(store.clone()));
    let mut builder = ArrayBuilder::new(vec![1000], vec![1000], data_type::uint8(), 0_u8);
    let inner = vec![10.try_into().unwrap()];
    builder.array_to_bytes_codec(ShardingCodecBuilder::new(inner, &data_type::uint8()).build_arc());
    let array = builder.build(storage, "/").unwrap();
    array.async_store_metadata().await.unwrap();
    let key = Path::from("c/0");
    array.write_slice("...", arr0(2_u8)).await.unwrap();
    let replacement = store.get(&key).await.unwrap().bytes().await.unwrap();
    for replacement in [Some(replacement.into()), None] {
        array.write_slice("...", arr0(1_u8)).await.unwrap();
        let expected = if replacement.is_some() { 2 } else { 0 };
        let replacing_array: Array<ReplacingStore<T>> =
            array.with_storage(Arc::new(ReplacingStore {
                storage: ObjectStorage::new(store.clone()),
                store: store.clone(),
                key: key.clone(),
                replacement,
                responses: AtomicUsize::new(0),
            }));
        let error = replacing_array.read_slice::<u8>("...").await.unwrap_err();
        let Error::Chunk { source, .. } = &error else {
            panic!("{error}")
        };
        assert!(
            matches!(**source, ChunkError::Changed),
            "{expected}: {error}"
        );
        // The next read succeeds, because the object no longer changes.
        let out = replacing_array.read_slice::<u8>("...").await.unwrap();
        assert_eq!(out, ArrayD::from_elem(vec![1000], expected));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_an_object_that_changes_causes_an_error() {
    check_changes(InMemory::new()).await;
    let directory = tempfile::tempdir().unwrap();
    check_changes(LocalFileSystem::new_with_prefix(directory.path()).unwrap()).await;
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    check_changes(PrefixStore::new(server.client(), "changes")).await;
    assert!(
        directory
            .path()
            .join(BUCKET)
            .join("changes/zarr.json")
            .is_file()
    );
}
