//! Reads every recorded slice through asynchronous storage, and compares the results with NumPy's. Also checks the
//! number of requests.

use std::sync::Arc;

use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt};
use slice_zarr::{AccessOptions, AsyncReadSlice, Error, ObjectStorage, PlanSlice};
use zarrs::array::Array;
use zarrs::storage::AsyncReadableStorageTraits;

use crate::server::{BUCKET, Server};
use crate::stores::{Store, stores};

type AsyncArray = Array<dyn AsyncReadableStorageTraits>;

/// Opens the array at the root of an object store.
pub async fn open(store: impl ObjectStore) -> AsyncArray {
    let storage: Arc<dyn AsyncReadableStorageTraits> = Arc::new(ObjectStorage::new(store));
    Array::async_open(storage, "/").await.unwrap()
}

pub async fn in_memory(store: &Store) -> InMemory {
    let memory = InMemory::new();
    for (key, bytes) in store.files() {
        memory.put(&Path::from(key), bytes.into()).await.unwrap();
    }
    memory
}

/// Compares the results of all slices of a store with NumPy's, and returns the number of valid slices and the number of
/// errors. After each slice, calls `after_slice` with a description of the slice and the number of requests.
async fn check(
    array: &AsyncArray,
    store: &Store,
    options: &AccessOptions<'_>,
    mut after_slice: impl FnMut(&str, usize),
) -> (usize, usize) {
    let (mut slices, mut errors) = (0, 0);
    for case in &store.cases {
        let label = || format!("{}[{}]", store.name, case.slice);
        let result = array.read_slice_raw(case.slice.as_str(), options).await;
        match (result, &case.error) {
            (Ok((out, stats)), None) => {
                assert_eq!(Some(out.shape()), case.shape.as_deref(), "{}", label());
                assert!(
                    out.bytes() == case.bytes(),
                    "{}: the elements differ from NumPy's",
                    label()
                );
                if let Some(chunks) = case.chunks {
                    assert_eq!(stats.chunks, chunks, "{}", label());
                }
                after_slice(&label(), stats.requests);
                slices += 1;
            }
            (Err(error), Some(expected)) => {
                let error = error.to_string();
                assert!(error.starts_with(&**expected), "{}: {error}", label());
                after_slice(&label(), 0);
                errors += 1;
            }
            (result, expected) => {
                let result = result.map(|(out, _)| out.shape().to_vec());
                panic!(
                    "{}: got {result:?}, but the error recorded from NumPy is {expected:?}",
                    label()
                )
            }
        }
    }
    (slices, errors)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slices_from_memory_and_files_agree_with_numpy() {
    let (mut slices, mut errors) = (0, 0);
    for (number, store) in stores().enumerate() {
        let memory = open(in_memory(store).await).await;
        let options = AccessOptions::new().workers(1 + number % 5).merge_gap(8);
        let in_memory = check(&memory, store, &options, |_, _| ()).await;

        let directory = tempfile::tempdir().unwrap();
        store.write_to_directory(directory.path());
        let files = open(LocalFileSystem::new_with_prefix(directory.path()).unwrap()).await;
        assert_eq!(check(&files, store, &options, |_, _| ()).await, in_memory);
        (slices, errors) = (slices + in_memory.0, errors + in_memory.1);
    }
    assert!(
        slices > 1500 && errors > 100,
        "too few slices or errors: {slices} slices, {errors} errors"
    );
}

/// The server must receive only GET requests, and exactly as many as the read statistics count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slices_from_an_s3_server_agree_with_numpy() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    let (mut slices, mut errors, mut requests) = (0, 0, 0);
    for (number, store) in stores().enumerate() {
        store.write_to_directory(&directory.path().join(BUCKET).join("some").join(&store.name));
        let prefix = format!("some/{}", store.name);
        let array = open(PrefixStore::new(server.client(), prefix)).await;
        let gap = [0, 16, u64::MAX][number % 3];
        let options = AccessOptions::new().workers(8).merge_gap(gap);
        server.requests.take();
        let comparison = check(&array, store, &options, |label, count| {
            assert_eq!(server.requests.take(), (count, 0), "{label}");
            requests += count;
        });
        let (new_slices, new_errors) = comparison.await;
        (slices, errors) = (slices + new_slices, errors + new_errors);
    }
    assert!(
        slices > 1500 && errors > 100,
        "too few slices or errors: {slices} slices, {errors} errors"
    );
    assert!(requests > slices, "there were only {requests} requests");
}

/// All ranges of a shard are merged, so a read requests the index of the shard once, and its inner chunks at most once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_takes_at_most_two_requests() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    let mut sharded = 0;
    for store in stores().filter(|store| store.name.contains("sharded")) {
        store.write_to_directory(&directory.path().join(BUCKET).join(&store.name));
        let array = open(PrefixStore::new(server.client(), store.name.as_str())).await;
        for case in store.cases.iter().filter(|case| case.error.is_none()) {
            let plan = array.plan_slice(case.slice.as_str()).unwrap();
            let options = AccessOptions::new().merge_gap(1 << 20);
            server.requests.take();
            let result = array.read_slice_raw(case.slice.as_str(), &options).await;
            let (get, others) = server.requests.take();
            assert!(result.is_ok() && others == 0 && get <= 2 * plan.touched_chunks());
            sharded += 1;
        }
    }
    assert!(sharded > 200, "too few slices were read: {sharded}");
}

/// Each limit is one less than the plan needs, so the read must return an error without any request to the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slices_that_exceed_a_limit_are_rejected_before_anything_is_requested() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    let mut rejected = 0;
    for store in stores().filter(|store| store.name.contains("sharded") || store.name == "raw_2d") {
        store.write_to_directory(&directory.path().join(BUCKET).join(&store.name));
        let array = open(PrefixStore::new(server.client(), store.name.clone())).await;
        for case in store.cases.iter().filter(|case| case.error.is_none()) {
            let options = AccessOptions::far_away();
            let plan = array.plan_slice(case.slice.as_str()).unwrap();
            let (requests, bytes) = plan.requests_and_bytes(&options);
            if requests == 0 {
                continue;
            }
            server.requests.take();
            for (limits, unit) in [
                (options.max_chunks(plan.inner_chunks() - 1), "chunks"),
                (options.max_requests(requests - 1), "requests"),
                (options.max_bytes(bytes - 1), "bytes"),
                (
                    options.max_memory(plan.peak_bytes(&options) - 1),
                    "bytes of memory",
                ),
            ] {
                let error = array.read_slice_raw(case.slice.as_str(), &limits).await;
                let error = error.unwrap_err();
                let is_limit = matches!(&error, Error::Limit { what, .. } if *what == unit);
                assert!(is_limit, "{}[{}]: {unit}: {error}", store.name, case.slice);
                rejected += 1;
            }
            assert_eq!(
                server.requests.take(),
                (0, 0),
                "{}[{}]",
                store.name,
                case.slice
            );
        }
    }
    assert!(rejected > 1000, "there were only {rejected} errors");
}
