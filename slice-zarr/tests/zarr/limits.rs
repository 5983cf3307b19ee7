//! Tests limits on threads and time, zero-sized elements, and files that change during a read.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ndarray::ArrayD;
use slice_zarr::{AccessOptions, ChunkError, Error, FileStorage, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, TransposeCodec, TransposeOrder};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{MaybeBytes, StorageError, StoreKey, WritableStorageTraits};

use crate::stores::stores;
use crate::watched_store::{WatchedStore, Watcher};

/// If this process was started by `reads_use_fewer_threads_if_no_more_can_be_started`, which limits its memory, writes
/// and reads an array. Otherwise does nothing.
#[test]
fn process_with_few_threads() {
    if std::env::var_os("SLICE_ZARR_FEW_THREADS").is_none() {
        return;
    }
    let store = Arc::new(MemoryStore::new());
    let builder = ArrayBuilder::new(vec![40, 6], vec![1, 2], data_type::uint8(), 7_u8);
    let array = builder.build(store, "/").unwrap();
    // Starts threads until the operating system cannot start another one.
    let (stop, stopped) = channel::<()>();
    let stopped = Arc::new(Mutex::new(stopped));
    let wait = |_| {
        let stopped = stopped.clone();
        let wait = move || stopped.lock().unwrap().recv().is_ok();
        thread::Builder::new().spawn(wait).ok()
    };
    let waiting: Vec<_> = (0..100).map_while(wait).collect();
    assert!(
        waiting.len() < 100,
        "the memory limit does not limit the number of threads"
    );

    let options = AccessOptions::new().workers(100);
    let values = ArrayD::from_elem(vec![40, 6], 3_u8);
    array.write_slice_with("...", &values, &options).unwrap();
    let (out, stats) = array.read_slice_with::<u8>("...", &options).unwrap();
    assert_eq!((out, stats.chunks), (values, 120));
    drop(stop);
    for thread in waiting {
        assert!(!thread.join().unwrap());
    }
    println!("read with few threads");
}

#[cfg(target_os = "linux")]
#[test]
fn reads_use_fewer_threads_if_no_more_can_be_started() {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 8388608 && exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "limits::process_with_few_threads",
            "--test-threads=1",
            "--nocapture",
        ])
        .env("SLICE_ZARR_FEW_THREADS", "1")
        // Each thread reserves a stack of 1 GiB, so only a few threads fit into the limit of 8 GiB. rayon starts only
        // one thread.
        .env("RUST_MIN_STACK", (1 << 30).to_string())
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("read with few threads"),
        "{output:?}"
    );
}

/// The array has 10^15 zero-sized elements in as many chunks. It is rejected, because a read would request every chunk.
#[test]
fn zero_sized_elements_are_rejected() {
    let metadata = r#"{"zarr_format": 3, "node_type": "array", "shape": [1000000000000000], "data_type": "r0",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}}, "fill_value": [],
        "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}]}"#;
    let store = Arc::new(MemoryStore::new());
    let key = StoreKey::new("zarr.json").unwrap();
    store.set(&key, metadata.into()).unwrap();
    let array = Array::open(store, "/").unwrap();
    let options = AccessOptions::new();
    let errors = [
        array.plan_slice("...").map(drop).unwrap_err(),
        array.read_slice_raw("...", &options).map(drop).unwrap_err(),
        array.read_slice_raw("0", &options).map(drop).unwrap_err(),
        array.read_slice::<[u8; 0]>("...").map(drop).unwrap_err(),
        array
            .write_slice("...", &ndarray::arr0([0_u8; 0]))
            .unwrap_err(),
    ];
    for error in errors {
        let text = error.to_string();
        assert_eq!(
            text,
            "the data type r0, whose elements are zero-sized, is not supported"
        );
    }
}

/// A [`Watcher`] that delays each response, and counts the responses.
struct SlowResponses(Duration, AtomicUsize);

impl Watcher for SlowResponses {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        thread::sleep(self.0);
        Ok(bytes)
    }
}

#[test]
fn nothing_is_requested_after_the_deadline() {
    let store = stores().find(|store| store.name == "raw_2d").unwrap();
    let array = Array::open(store.in_memory(), "/").unwrap();
    let slow = SlowResponses(Duration::from_millis(50), AtomicUsize::new(0));
    let slow = Arc::new(WatchedStore {
        store: store.in_memory(),
        watcher: slow,
    });
    let array = array.with_storage(slow.clone());
    for workers in [1, 3] {
        slow.watcher.1.store(0, Ordering::Relaxed);
        let begin = Instant::now();
        let options = AccessOptions::new()
            .workers(workers)
            .deadline(begin + Duration::from_millis(120));
        let error = array.read_slice_raw("...", &options).unwrap_err();
        assert!(matches!(error, Error::TimedOut), "{error}");
        let requested = slow.watcher.1.load(Ordering::Relaxed);
        assert!(
            (1..=3 * workers).contains(&requested),
            "{requested} of 16 chunks were requested"
        );
        assert!(begin.elapsed() < Duration::from_secs(60));
    }
    let late_options = AccessOptions::new().deadline(Instant::now());
    let error = array.read_slice_raw("...", &late_options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "timed out: the deadline has passed; allow more time, or select less"
    );
    let ample_options = AccessOptions::new().deadline(Instant::now() + Duration::from_secs(600));
    assert!(array.read_slice_raw("0", &ample_options).is_ok());
}

/// A [`Watcher`] that returns each response after the deadline.
struct LateResponses(Instant);

impl Watcher for LateResponses {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        thread::sleep(self.0.saturating_duration_since(Instant::now()));
        Ok(bytes)
    }
}

/// A transposed shard is decoded as a whole, in one step.
#[test]
fn no_inner_chunk_of_a_whole_shard_is_decoded_after_the_deadline() {
    let store = Arc::new(MemoryStore::new());
    let mut builder = ArrayBuilder::new(vec![8, 6], vec![8, 6], data_type::uint8(), 0_u8);
    let inner = [3, 2].map(|len: u64| len.try_into().unwrap()).to_vec();
    let order = TransposeOrder::new(&[1, 0]).unwrap();
    builder.array_to_array_codecs(vec![Arc::new(TransposeCodec::new(order))]);
    builder.array_to_bytes_codec(ShardingCodecBuilder::new(inner, &data_type::uint8()).build_arc());
    let array = builder.build(store.clone(), "/").unwrap();
    let ones = ndarray::arr0(1_u8);
    array.write_slice("...", &ones).unwrap();
    array.store_metadata().unwrap();
    let deadline = Instant::now() + Duration::from_millis(50);
    let watcher = LateResponses(deadline);
    let array = Array::open(store.clone(), "/").unwrap();
    let array = array.with_storage(Arc::new(WatchedStore { store, watcher }));
    let options = AccessOptions::new().deadline(deadline);
    let error = array.read_slice_raw("0", &options).unwrap_err();
    assert!(matches!(error, Error::TimedOut), "{error}");
    let (out, _) = array.read_slice_raw("0", &AccessOptions::new()).unwrap();
    assert_eq!(out.bytes(), [1; 6]);
}

#[test]
fn nothing_is_written_after_the_deadline() {
    let array = ArrayBuilder::new(vec![8], vec![2], data_type::uint8(), 7_u8);
    let array = array.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let late_options = AccessOptions::new().deadline(Instant::now());
    let error = array
        .write_slice_with("...", &ndarray::arr0(1_u8), &late_options)
        .unwrap_err();
    assert!(matches!(error, Error::TimedOut), "{error}");
    assert_eq!(
        array.read_slice::<u8>("...").unwrap(),
        ArrayD::from_elem(vec![8], 7)
    );
}

/// A [`Watcher`] that replaces a file after the first response.
struct ReplaceFile {
    responses: AtomicUsize,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Watcher for ReplaceFile {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        if self.responses.fetch_add(1, Ordering::Relaxed) == 0 {
            fs::write(self.path.with_extension("new"), &self.bytes)?;
            fs::rename(self.path.with_extension("new"), &self.path)?;
        }
        Ok(bytes)
    }
}

/// Replaces a shard with a different shard of the same length, after its index has been read and before its inner
/// chunks are requested.
#[test]
fn reading_a_file_that_changes_causes_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStorage::new(directory.path()).unwrap());
    let mut builder = ArrayBuilder::new(vec![1000], vec![1000], data_type::uint8(), 0_u8);
    let inner = vec![10.try_into().unwrap()];
    builder.array_to_bytes_codec(ShardingCodecBuilder::new(inner, &data_type::uint8()).build_arc());
    let array = builder.build(store.clone(), "/").unwrap();
    let path = directory.path().join("c/0");
    array.write_slice("...", &ndarray::arr0(2_u8)).unwrap();
    let bytes = fs::read(&path).unwrap();
    array.write_slice("...", &ndarray::arr0(1_u8)).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), bytes.len() as u64);

    let watcher = ReplaceFile {
        responses: AtomicUsize::new(0),
        path,
        bytes,
    };
    let watched_array = array.with_storage(Arc::new(WatchedStore { store, watcher }));
    let error = watched_array.read_slice::<u8>("...").unwrap_err();
    let Error::Chunk { source, .. } = &error else {
        panic!("{error}")
    };
    assert!(matches!(**source, ChunkError::Changed), "{error}");
    assert_eq!(
        error.to_string(),
        "chunk [0] (\"c/0\"): the object changed while it was read; read again"
    );
    // The next read succeeds, because the file no longer changes.
    assert_eq!(
        watched_array.read_slice::<u8>("...").unwrap(),
        ArrayD::from_elem(vec![1000], 2)
    );
}
