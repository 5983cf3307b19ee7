//! Checks reads from stores that are slow, fail, lose objects or send only half of an object, and reads whose future
//! is dropped.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ndarray::{Ix2, arr0};
use object_store::memory::InMemory;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use slice_core::s;
use slice_zarr::{AccessOptions, AsyncReadSlice, AsyncWriteSlice, Error, ObjectStorage, Progress};
use zarrs::array::codec::ShardingCodecBuilder;
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    AsyncMaybeBytesIterator, AsyncReadableStorageTraits, MaybeBytes, StorageError, StoreKey,
};

use crate::numpy::{in_memory, open};
use crate::stores::{Store, stores};

fn throttled() -> ThrottleConfig {
    ThrottleConfig {
        wait_get_per_call: Duration::from_millis(20),
        wait_get_per_byte: Duration::from_nanos(100),
        ..ThrottleConfig::default()
    }
}

fn store(name: &str) -> &'static Store {
    stores().find(|store| store.name == name).unwrap()
}

/// A read must take at least the total time of its requests, divided by the number of workers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_worker_makes_one_request_at_a_time() {
    for name in ["raw_2d", "sharded_zstd", "v2_fortran"] {
        let store = store(name);
        let array = open(ThrottledStore::new(in_memory(store).await, throttled())).await;
        for case in store
            .cases
            .iter()
            .filter(|case| case.error.is_none())
            .step_by(5)
        {
            let options = AccessOptions::new().workers(8);
            let start = Instant::now();
            let (out, stats) = array
                .read_slice_raw(case.slice.as_str(), &options)
                .await
                .unwrap();
            assert!(out.bytes() == case.bytes(), "{name}[{}]", case.slice);
            let min_duration = Duration::from_millis(20 * stats.requests.div_ceil(8) as u64);
            assert!(
                start.elapsed() >= min_duration,
                "the read took {:?} instead of at least {min_duration:?}",
                start.elapsed()
            );
        }
    }
}

/// A fault in a response.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Fails,
    Truncates,
    Disappears,
}

/// A store with a fault in its responses: in every `nth` response or, if `then_all` is `true`, in the `nth` response
/// and all later ones.
struct FaultyStore<S> {
    store: S,
    fault: Fault,
    nth: usize,
    then_all: bool,
    responses: AtomicUsize,
}

impl<S> FaultyStore<S> {
    fn change(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        let number = 1 + self.responses.fetch_add(1, Ordering::Relaxed);
        let healthy = if self.then_all {
            number < self.nth
        } else {
            !number.is_multiple_of(self.nth)
        };
        match self.fault {
            _ if healthy => Ok(bytes),
            Fault::Fails => Err(StorageError::Other("connection reset".into())),
            Fault::Truncates => Ok(bytes.map(|bytes| bytes.slice(..bytes.len() / 2))),
            Fault::Disappears => Ok(None),
        }
    }
}

#[async_trait::async_trait]
impl<S: AsyncReadableStorageTraits> AsyncReadableStorageTraits for FaultyStore<S> {
    async fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<AsyncMaybeBytesIterator<'a>, StorageError> {
        let mut responses = Vec::new();
        for range in byte_ranges {
            let bytes = self.store.get_partial(key, range).await?;
            match self.change(bytes)? {
                Some(bytes) => responses.push(Ok(bytes)),
                None => return Ok(None),
            }
        }
        Ok(Some(Box::pin(futures::stream::iter(responses))))
    }

    async fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.store.size_key(key).await
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_causes_an_error_that_names_the_chunk() {
    let (mut errors, mut fill_reads) = (0, 0);
    for store in stores() {
        // Skips stores that have only one chunk, or missing chunks.
        let whole_case = store
            .cases
            .iter()
            .find(|case| case.slice.is_empty())
            .unwrap();
        if whole_case.chunks.is_none_or(|chunks| chunks < 2) {
            continue;
        }
        let healthy_array = open(in_memory(store).await).await;
        for fault in [Fault::Fails, Fault::Truncates, Fault::Disappears] {
            for (nth, then_all, workers) in
                [(1, true, 1), (2, false, 4), (3, false, 2), (4, true, 3)]
            {
                let label = || format!("{}: {fault:?}, nth {nth}, then all {then_all}", store.name);
                let array = healthy_array.with_storage(Arc::new(FaultyStore {
                    store: ObjectStorage::new(in_memory(store).await),
                    fault,
                    nth,
                    then_all,
                    responses: AtomicUsize::new(0),
                }));
                let options = AccessOptions::new().workers(workers);
                match array.read_slice_raw("...", &options).await {
                    Err(Error::Chunk { chunk, key, .. }) => {
                        assert_eq!(key, array.chunk_key(&chunk).to_string(), "{}", label());
                        errors += 1;
                    }
                    Err(error) => panic!("{}: {error}", label()),
                    // A missing chunk is read as fill values.
                    Ok((_, stats)) if fault == Fault::Disappears => {
                        assert!(stats.requests < nth || stats.chunks < whole_case.chunks.unwrap());
                        fill_reads += 1;
                    }
                    Ok((_, stats)) => assert!(stats.requests < nth, "{}: {stats:?}", label()),
                }
            }
        }
    }
    assert!(
        errors > 200 && fill_reads > 50,
        "too few errors or reads of fill values: {errors} and {fill_reads}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_asynchronous_read_reports_progress_and_can_be_cancelled() {
    let store = store("raw_2d");
    let array = open(in_memory(store).await).await;
    let (cancelled, reports) = (AtomicBool::new(false), AtomicUsize::new(0));
    let progress = |progress: Progress| {
        assert_eq!(progress.of, 16);
        assert_eq!(progress.chunks, 1 + reports.fetch_add(1, Ordering::Relaxed));
        cancelled.store(progress.chunks == 5, Ordering::Relaxed);
    };
    let options = AccessOptions::new().workers(1).progress(&progress);
    array.read_slice_raw("...", &options).await.unwrap();
    assert_eq!(reports.swap(0, Ordering::Relaxed), 16);
    let error = array
        .read_slice_raw("...", &options.cancel(&cancelled))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
    assert!((5..8).contains(&reports.load(Ordering::Relaxed)));
}

/// A store that counts the requests and never responds.
pub struct SilentStore(pub Arc<AtomicUsize>);

#[async_trait::async_trait]
impl AsyncReadableStorageTraits for SilentStore {
    async fn get_partial_many<'a>(
        &'a self,
        _: &StoreKey,
        _: ByteRangeIterator<'a>,
    ) -> Result<AsyncMaybeBytesIterator<'a>, StorageError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        std::future::pending().await
    }

    async fn size_key(&self, _: &StoreKey) -> Result<Option<u64>, StorageError> {
        std::future::pending().await
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_the_future_cancels_the_read() {
    let store = store("raw_2d");
    let requests = Arc::<AtomicUsize>::default();
    let array = open(in_memory(store).await).await;
    let array = array.with_storage(Arc::new(SilentStore(requests.clone())));
    let options = AccessOptions::new().workers(3);
    let reading = array.read_slice_raw("...", &options);
    let result = tokio::time::timeout(Duration::from_millis(200), reading).await;
    assert!(result.is_err(), "a store that never responds was read");
    assert_eq!(requests.load(Ordering::Relaxed), 3);
    // The requests have been dropped with the future, so only the array still refers to the store.
    let storage = Arc::downgrade(&array.storage());
    drop(array);
    assert!(storage.upgrade().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_of_static_rank_make_as_many_requests_as_other_reads() {
    let storage = ObjectStorage::new(Arc::new(InMemory::new()));
    let mut builder = ArrayBuilder::new(vec![32, 65536], vec![32, 65536], data_type::uint8(), 0_u8);
    let inner = vec![1.try_into().unwrap(), 65536.try_into().unwrap()];
    builder.array_to_bytes_codec(ShardingCodecBuilder::new(inner, &data_type::uint8()).build_arc());
    let array = builder.build(Arc::new(storage.clone()), "/").unwrap();
    array.async_store_metadata().await.unwrap();
    array.write_slice("...", arr0(2_u8)).await.unwrap();

    let store = Arc::new(FaultyStore {
        store: storage,
        fault: Fault::Fails,
        nth: usize::MAX,
        then_all: true,
        responses: AtomicUsize::new(0),
    });
    let array = array.with_storage(store.clone());
    let out = array.read_slice::<u8>(s![..., ::2]).await.unwrap();
    let requests = store.responses.swap(0, Ordering::Relaxed);
    let static_rank_read = array.read_slice_of::<Ix2, u8, _>(s![..., ::2]);
    assert_eq!(static_rank_read.await.unwrap().into_dyn(), out);
    assert_eq!(store.responses.load(Ordering::Relaxed), requests);
}

/// Checks that the futures of reads are `Send`, so that slices can be read in separate tasks.
#[test]
fn futures_are_send() {
    fn assert_send<'a, F: Future + Send + 'a>(_: F) {}
    fn check_reads(array: &Array<dyn AsyncReadableStorageTraits>, options: &AccessOptions<'_>) {
        assert_send(array.read_slice::<f32>("..."));
        assert_send(array.read_slice_raw("...", options));
    }
    let _ = check_reads;
}
