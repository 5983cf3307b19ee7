//! Measures how far apart two ranges of an object must be for two requests to be faster than one, for files and for a
//! simulated remote store.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench gap [-- --quick]
//! ```
//!
//! With `--quick`, only one distance is measured, once, to check that everything works.
//!
//! The slice selects the first KiB of each row of an uncompressed array, so the rest of the row is between two ranges.
//! The time with one request for each row is divided by the time with one request for all rows. If the ratio is below
//! 1, separate requests are faster. The remote store begins to respond after 20 ms, and then sends 90 MB/s, like an
//! object store over one connection.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ndarray::ArrayD;
use slice_core::s;
use slice_zarr::{AccessOptions, ReadSlice, WriteSlice};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::{MaybeBytes, ReadableStorageTraits, StorageError};

#[path = "../tests/zarr/watched_store.rs"]
mod watched_store;
use watched_store::{WatchedStore, Watcher};

const LATENCY: Duration = Duration::from_millis(20);
const NANOSECONDS_PER_BYTE: u64 = 11;

/// Delays each response as a remote store does.
struct RemoteDelay;

impl Watcher for RemoteDelay {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        let len = bytes.as_ref().map_or(0, |bytes| bytes.len());
        sleep(LATENCY + Duration::from_nanos(NANOSECONDS_PER_BYTE * len as u64));
        Ok(bytes)
    }
}

/// Returns the time of a read with one request per range, divided by the time with a single request.
fn ratio<S: ?Sized + ReadableStorageTraits + 'static>(array: &Array<S>, turns: usize) -> f64 {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..turns {
        for (gap, times) in [0, u64::MAX].into_iter().zip(&mut times) {
            let options = AccessOptions::new().workers(1).merge_gap(gap);
            let begin = Instant::now();
            let (out, stats) = array.read_slice_with::<u8>(s![:, :1024], &options).unwrap();
            times.push(begin.elapsed());
            assert_eq!(stats.requests, if gap == 0 { out.shape()[0] } else { 1 });
        }
    }
    let [separate, merged] = times.map(|mut times| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    });
    separate / merged
}

fn main() {
    let quick = std::env::args().any(|word| word == "--quick");
    let turns = if quick { 1 } else { 41 };
    let gaps = [2_u64, 4, 8, 16, 32, 64, 256, 512, 1024, 2048, 4096];
    let directory = tempfile::tempdir().unwrap();
    println!("| KiB between two ranges | files, ratio | remote store, ratio |");
    println!("|---|---|---|");
    for &gap in if quick { &gaps[4..5] } else { &gaps } {
        let rows = (4096 / gap).clamp(8, 64);
        let path = directory.path().join(gap.to_string());
        let files = Arc::new(FilesystemStore::new(path).unwrap());
        let shape = vec![rows, (gap + 1) * 1024];
        let array = ArrayBuilder::new(shape.clone(), shape.clone(), data_type::uint8(), 0_u8)
            .build(files.clone(), "/")
            .unwrap();
        let shape: Vec<usize> = shape.iter().map(|&len| len as usize).collect();
        array
            .write_slice(s![], &ArrayD::from_elem(shape, 1_u8))
            .unwrap();
        let remote = WatchedStore {
            store: files,
            watcher: RemoteDelay,
        };
        let remote = ratio(&array.with_storage(Arc::new(remote)), 1);
        println!("| {gap} | {:.2} | {remote:.2} |", ratio(&array, turns));
    }
}
