//! Tests reads from stores that fail, panic, lose objects, or send too few or too many bytes. Also tests progress and
//! cancellation.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use slice_zarr::{AccessOptions, Error, FileStorage, Progress, ReadSlice, WriteSlice};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{MaybeBytes, ReadableStorageTraits, StorageError};

use crate::stores::{Store, stores};
use crate::watched_store::{WatchedStore, Watcher};

/// A fault in the responses of a store.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Fails,
    Disappears,
    Truncates,
    SendsMore,
    Panics,
}

struct FaultyResponses {
    fault: Fault,
    /// The number of correct responses before the fault.
    correct_responses: AtomicUsize,
}

impl Watcher for FaultyResponses {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        let remaining =
            self.correct_responses
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        match self.fault {
            _ if remaining.is_ok() => Ok(bytes),
            Fault::Fails => Err(StorageError::Other("connection reset".into())),
            Fault::Disappears => Ok(None),
            Fault::Truncates => Ok(bytes.map(|bytes| bytes.slice(..bytes.len() / 2))),
            Fault::SendsMore => Ok(bytes.map(|bytes| bytes.repeat(1000).into())),
            Fault::Panics => panic!("the store panics on purpose"),
        }
    }
}

fn open(
    store: &Store,
    fault: Fault,
    correct_responses: usize,
) -> Array<WatchedStore<MemoryStore, FaultyResponses>> {
    let healthy = Array::open(store.in_memory(), "/").unwrap();
    let correct_responses = AtomicUsize::new(correct_responses);
    healthy.with_storage(Arc::new(WatchedStore {
        store: store.in_memory(),
        watcher: FaultyResponses {
            fault,
            correct_responses,
        },
    }))
}

/// Returns the stores that have several chunks, none of which is missing.
fn complete_stores() -> impl Iterator<Item = &'static Store> {
    stores().filter(|store| {
        let whole = store.cases.iter().find(|case| case.slice.is_empty());
        whole.is_some_and(|case| case.chunks.is_some_and(|chunks| chunks > 1))
    })
}

#[test]
fn a_fault_causes_an_error_that_names_the_chunk() {
    let mut error_count = 0;
    for store in complete_stores() {
        for fault in [
            Fault::Fails,
            Fault::Disappears,
            Fault::Truncates,
            Fault::Panics,
        ] {
            for (correct_responses, workers) in [(0, 1), (1, 2), (3, 3)] {
                let context = || format!("{}: {fault:?} after {correct_responses}", store.name);
                let array = open(store, fault, correct_responses);
                let options = AccessOptions::new().workers(workers);
                let sharded = store.name.contains("sharded");
                match array.read_slice_raw("...", &options) {
                    Err(Error::Chunk { chunk, key, .. }) => {
                        assert_eq!(chunk.len(), array.shape().len(), "{}", context());
                        assert_eq!(key, array.chunk_key(&chunk).to_string(), "{}", context());
                        error_count += 1;
                    }
                    Err(error) => panic!("{}: {error}", context()),
                    // A chunk that has disappeared is read as fill values. Any other successful read ended before the
                    // fault.
                    Ok((_, stats)) => assert!(
                        fault == Fault::Disappears || stats.requests <= correct_responses,
                        "{}: the read succeeded; sharded: {sharded}, {stats:?}",
                        context()
                    ),
                }
            }
        }
    }
    assert!(error_count > 200, "there were only {error_count} errors");
}

/// The error must name the chunk. A read that ends before the fault must return the correct elements.
#[test]
fn a_fault_during_a_read_of_lists_causes_an_error() {
    let (mut error_count, mut read_count) = (0, 0);
    for store in complete_stores() {
        for case in store.cases.iter().filter(|case| case.distinct.is_some()) {
            for (number, fault) in [Fault::Fails, Fault::Truncates, Fault::Panics]
                .into_iter()
                .enumerate()
            {
                let context = || format!("{}[{}]: {fault:?}", store.name, case.slice);
                let array = open(store, fault, number % 2);
                let options = AccessOptions::new().workers(1 + number);
                match array.read_slice_raw(case.slice.as_str(), &options) {
                    Err(Error::Chunk { chunk, key, .. }) => {
                        assert_eq!(key, array.chunk_key(&chunk).to_string(), "{}", context());
                        error_count += 1;
                    }
                    Err(error) => panic!("{}: {error}", context()),
                    Ok((out, stats)) => {
                        assert!(stats.requests <= number % 2, "{}: {stats:?}", context());
                        assert!(out.bytes() == case.bytes(), "{}", context());
                        read_count += 1;
                    }
                }
            }
        }
    }
    assert!(
        error_count > 1000 && read_count > 20,
        "too few errors or successful reads: {error_count} and {read_count}"
    );
}

#[test]
fn a_shard_that_disappears_after_its_index_is_read_causes_an_error() {
    for store in complete_stores().filter(|store| store.name.contains("sharded")) {
        let error = open(store, Fault::Disappears, 1)
            .read_slice_raw("...", &AccessOptions::new().workers(1))
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("disappeared while it was being read"),
            "{error}"
        );
    }
}

#[test]
fn responses_with_too_many_bytes_are_not_reported_as_truncated() {
    let store = complete_stores()
        .find(|store| store.name == "raw_2d")
        .unwrap();
    let options = AccessOptions::new().workers(1).merge_gap(0);
    let read = |fault| {
        let error = open(store, fault, 0).read_slice_raw("0, :3", &options);
        error.unwrap_err().to_string()
    };
    let error = read(Fault::SendsMore);
    assert!(error.contains(" is too long: "), "{error}");
    assert!(!error.contains("truncated"), "{error}");
    assert!(read(Fault::Truncates).contains(" is truncated: "));
}

#[test]
fn every_truncation_of_a_chunk_causes_an_error() {
    use zarrs::storage::WritableStorageTraits;
    let mut truncation_count = 0;
    for store in complete_stores() {
        let array = Array::open(store.in_memory(), "/").unwrap();
        let rank = array.shape().len();
        let key = array.chunk_key(&vec![0; rank]);
        let whole = array.storage().get(&key).unwrap().unwrap();
        for len in (0..whole.len()).step_by(1 + whole.len() / 40) {
            array.storage().set(&key, whole.slice(..len)).unwrap();
            for gap in [0, u64::MAX] {
                let options = AccessOptions::new().workers(1).merge_gap(gap);
                let result = array.read_slice_raw("...", &options);
                let error = result.err().unwrap_or_else(|| {
                    panic!("{}: a chunk of {len} bytes was accepted", store.name)
                });
                assert!(matches!(error, Error::Chunk { .. }), "{error}");
                truncation_count += 1;
            }
        }
    }
    assert!(
        truncation_count > 1000,
        "too few truncations were tried: {truncation_count}"
    );
}

/// Reads lists from truncated chunks and shards. Each read must return an error that names the chunk, unless the
/// remaining bytes contain all selected elements.
#[test]
fn reads_of_lists_detect_every_truncation() {
    use zarrs::storage::WritableStorageTraits;
    let (mut errors, mut read) = (0, BTreeSet::new());
    for store in complete_stores() {
        let array = Array::open(store.in_memory(), "/").unwrap();
        let shape: Vec<usize> = array.shape().iter().map(|&len| len as usize).collect();
        let key = array.chunk_key(&vec![0; shape.len()]);
        let whole = array.storage().get(&key).unwrap().unwrap();
        // These lists select the first row, the last row or both, out of order or repeatedly.
        let (last, rest) = (shape[0] - 1, ", 0".repeat(shape.len() - 1));
        let slices = [
            format!("[0, {last}, 0]{rest}"),
            format!("[{last}, 0]"),
            "[0, 0, 0]".to_owned(),
        ];
        for slice in &slices {
            let expected = array.read_slice_raw(slice.as_str(), &AccessOptions::new());
            let (expected, _) = expected.unwrap();
            for len in (0..whole.len()).step_by(1 + whole.len() / 40) {
                array.storage().set(&key, whole.slice(..len)).unwrap();
                for (workers, gap) in [(1, 0), (2, u64::MAX)] {
                    let context = || format!("{}[{slice}] from a chunk of {len} bytes", store.name);
                    let options = AccessOptions::new().workers(workers).merge_gap(gap);
                    match array.read_slice_raw(slice.as_str(), &options) {
                        Err(Error::Chunk { chunk, .. }) => {
                            assert!(chunk.iter().all(|&k| k == 0), "{}: {chunk:?}", context());
                            errors += 1;
                        }
                        Err(error) => panic!("{}: {error}", context()),
                        Ok((out, _)) => {
                            assert!(out.bytes() == expected.bytes(), "{}", context());
                            read.insert(store.name.as_str());
                        }
                    }
                }
            }
            array.storage().set(&key, whole.clone()).unwrap();
        }
    }
    assert!(errors > 3000, "there were only {errors} errors");
    // Only a shard that begins with its index can be read after it has been truncated.
    let first = ["sharded_index_first", "ts_sharded_first"];
    assert_eq!(Vec::from_iter(read), first);
}

/// Reads a list into an existing array. Output positions whose elements are in a truncated chunk must keep their old
/// elements.
#[test]
fn output_positions_of_a_truncated_chunk_keep_their_elements() {
    use ndarray::ArrayD;
    use zarrs::array::codec::ZstdCodec;
    use zarrs::storage::{StoreKey, WritableStorageTraits};
    for compressed in [false, true] {
        let mut builder = ArrayBuilder::new(vec![8, 4], vec![2, 4], data_type::uint8(), 0_u8);
        if compressed {
            builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, true))]);
        }
        let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
        array.write_slice("...", &ndarray::arr0(5_u8)).unwrap();
        let key = StoreKey::new("c/2/0").unwrap();
        let chunk = array.storage().get(&key).unwrap().unwrap();
        array
            .storage()
            .set(&key, chunk.slice(..chunk.len() - 1))
            .unwrap();
        for workers in [1, 3] {
            let mut out = ArrayD::from_elem(vec![4, 4], 9_u8);
            let options = AccessOptions::new().workers(workers).merge_gap(0);
            let error = array.read_slice_into("[5, 0, 5, 7]", out.view_mut(), &options);
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("chunk [2, 0] (\"c/2/0\")"), "{error}");
            for (row, truncated) in out.outer_iter().zip([true, false, true, false]) {
                let read = row.iter().all(|&x| x == 5);
                let kept = row.iter().all(|&x| x == 9);
                assert!(kept || (read && !truncated), "{out}");
            }
        }
        // If the slice exceeds a limit, the read returns an error, and the output is unchanged.
        let mut out = ArrayD::from_elem(vec![4, 4], 9_u8);
        let options = AccessOptions::new().max_chunks(1);
        let error = array.read_slice_into("[5, 0, 5, 7]", out.view_mut(), &options);
        assert!(matches!(error, Err(Error::Limit { .. })), "{error:?}");
        assert!(out.iter().all(|&x| x == 9));
    }
}

/// Writes an array of uncompressed chunks to a directory, and returns it in both stores of files.
fn arrays_in(directory: &Path) -> (Array<FilesystemStore>, Array<FileStorage>) {
    let files = Arc::new(FilesystemStore::new(directory).unwrap());
    let array = ArrayBuilder::new(vec![4, 4], vec![2, 2], data_type::uint8(), 0_u8)
        .build(files, "/")
        .unwrap();
    array.write_slice("...", &ndarray::arr0(5_u8)).unwrap();
    let confined = Arc::new(FileStorage::new(directory).unwrap());
    let confined = array.with_storage(confined);
    (array, confined)
}

/// Reads parts of an uncompressed chunk, and the whole chunk, from `FilesystemStore`, which ignores hints about the
/// size of the chunk, and from `FileStorage`, which uses the hints.
#[test]
fn an_uncompressed_chunk_of_incorrect_size_causes_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let (array, confined) = arrays_in(directory.path());
    let chunk = directory.path().join("c/0/0");
    for (len, message) in [(5, "is too long: 5 bytes"), (3, "is truncated: 3 bytes")] {
        let file = std::fs::OpenOptions::new().write(true).open(&chunk);
        file.unwrap().set_len(len).unwrap();
        for slice in ["0, :2", "0, 0", ":2, :2"] {
            for gap in [0, u64::MAX] {
                let options = AccessOptions::new().workers(1).merge_gap(gap);
                let errors = [
                    array.read_slice_raw(slice, &options).unwrap_err(),
                    confined.read_slice_raw(slice, &options).unwrap_err(),
                ];
                for error in errors {
                    let error = error.to_string();
                    assert!(error.contains(message), "{slice}: {error}");
                }
            }
        }
    }
}

/// A write to part of a chunk checks the size of the chunk's object in the same way as a read.
#[test]
fn a_write_to_part_of_a_chunk_whose_object_is_empty_causes_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let (array, confined) = arrays_in(directory.path());
    std::fs::write(directory.path().join("c/0/0"), "").unwrap();
    let value = ndarray::arr0(1_u8);
    for result in [
        array.write_slice("0, 0", &value),
        confined.write_slice("0, 0", &value),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("is truncated: it has no bytes"), "{error}");
    }
}

#[test]
fn a_read_reports_progress_and_can_be_cancelled() {
    let store = complete_stores()
        .find(|store| store.name == "raw_2d")
        .unwrap();
    let array = Array::open(store.in_memory(), "/").unwrap();
    let cancelled = AtomicBool::new(false);
    let progress_count = AtomicUsize::new(0);
    let progress = |progress: Progress| {
        assert_eq!(progress.of, 16);
        assert_eq!(
            progress.chunks,
            1 + progress_count.fetch_add(1, Ordering::Relaxed)
        );
        cancelled.store(progress.chunks == 5, Ordering::Relaxed);
    };
    let options = AccessOptions::new().workers(1).progress(&progress);
    array.read_slice_raw("...", &options).unwrap();
    assert_eq!(progress_count.swap(0, Ordering::Relaxed), 16);
    let error = array
        .read_slice_raw("...", &options.cancel(&cancelled))
        .unwrap_err();
    assert!(matches!(error, Error::Cancelled));
    assert_eq!(progress_count.load(Ordering::Relaxed), 5);
}
