//! Benchmarks reads of lists and masks of rows from 256 MiB or 1 GiB arrays, and compares slice-zarr with `oindex` in
//! zarr-python and tensorstore. A list that is equivalent to a slice is also compared with this slice.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench lists -- [--gib|--quick] [--only ROW] [raw|zstd|sharded|table ...] [--python PYTHON ...]
//! ```
//!
//! The options have the same meaning as for the `read` benchmark.
//!
//! The benchmark first prints the times of planning. For each list, it then prints the time of slice-zarr in
//! milliseconds, and the ratios of this time to the time of the equivalent slice and to the times of the other
//! libraries. The libraries read the arrays of the `read` benchmark, and a table of 262,144 rows (with `--gib`, four
//! times as many) in shards of 64 inner chunks. Lists, and NumPy arrays with the same positions, are created before the
//! measurement. The elements read by all libraries must have the same checksum.
//!
//! All files are on the disk and in the page cache before the first measurement. Each library reads each list once to
//! warm up. The libraries then read alternately, and the shortest time of each library is reported.
//!
//! The column `decoding, ms` contains an approximate lower bound for the time of a read: the time in milliseconds that
//! zstd takes to decode the touched chunks from memory, with the same number of threads, into one buffer per thread.

#[allow(
    dead_code,
    unused_imports,
    reason = "each benchmark uses only part of the module"
)]
#[path = "common/mod.rs"]
mod common;
#[path = "common/floor.rs"]
mod floor;

use std::hint::black_box;
use std::sync::Arc;

use slice_core::{DynSliceSpec, s};
use slice_zarr::{AccessOptions, PlanSlice, ReadSlice};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::store::MemoryStore;

use common::{Arguments, Peer, Turns, directory, shortest, sum, timed};
use floor::EncodedChunks;

type BenchArray = Array<dyn ReadableStorageTraits>;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn main() {
    let arguments = Arguments::read(7, &["raw", "zstd", "sharded", "table"]);
    plan(arguments.scale.turns);
    for kind in &arguments.kinds {
        compare(kind, &arguments);
    }
}

/// Measures planning, without reading.
fn plan(turns: usize) {
    let store = Arc::new(MemoryStore::new());
    let builder = ArrayBuilder::new(
        vec![100_000_000],
        vec![10_000],
        data_type::float32(),
        0.0_f32,
    );
    let array = builder.build(store, "/").unwrap();
    let mut random = Random(1);
    let mut rows: Vec<usize> = (0..12_000_000).map(|_| random.below(100_000_000)).collect();
    let random_rows = rows[..1_000_000].to_vec();
    rows.sort_unstable();
    println!("| planned positions | ms |\n|---|---|");
    for (name, rows) in [("10^6 random", &random_rows), ("1.2*10^7 sorted", &rows)] {
        let times = (0..turns).map(|_| timed(|| black_box(array.plan_slice(s![&rows])).unwrap()).0);
        println!("| {name} | {:.1} |", shortest(&times.collect::<Vec<_>>()));
    }
}

/// Returns, for each benchmarked list, its name, the slice with the list in Python syntax, and the equivalent slice
/// without a list, if there is one.
fn slices(rows: usize) -> Vec<(&'static str, String, Option<String>)> {
    let mut random = Random(2);
    let text = |list: &[usize]| format!("{list:?}");
    let mut runs = Vec::new();
    for k in 0..8 {
        let begin = k * rows / 8 + random.below(rows / 16);
        runs.extend(begin..begin + rows / 64);
    }
    let strided: Vec<usize> = (0..rows / 4)
        .step_by(2)
        .chain((rows / 2..rows).step_by(4))
        .collect();
    let one_percent: Vec<usize> = (0..rows / 100).map(|_| random.below(rows)).collect();
    let ten_thousand: Vec<usize> = (0..10_000).map(|_| random.below(rows)).collect();
    let mask: Vec<&str> = (0..rows)
        .map(|_| ["False", "True"][random.below(2)])
        .collect();
    let every_second: Vec<usize> = (0..rows).step_by(2).collect();
    let part = if rows > 10_000 { ":" } else { "100:102" };
    vec![
        ("sorted runs", text(&runs), None),
        ("strided lists", text(&strided), None),
        ("1 % random rows", text(&one_percent), None),
        (
            "10,000 random rows",
            format!("{}, {part}", text(&ten_thousand)),
            None,
        ),
        ("mask, half set", format!("[{}]", mask.join(", ")), None),
        ("a slice as a list", text(&every_second), Some("::2".into())),
    ]
}

fn compare(kind: &str, arguments: &Arguments) {
    let (scale, pythons) = (arguments.scale, &arguments.pythons);
    let directory = directory(kind, scale);
    let files: Arc<dyn ReadableStorageTraits> = Arc::new(FilesystemStore::new(&directory).unwrap());
    let array: BenchArray = Array::open(files, "/").unwrap();
    let rows = array.shape()[0] as usize;
    println!(
        "\n## {kind}: {:?} of float32\n\n\
         The columns after `decoding, ms` contain ratios of slice-zarr's time to the other times.\n",
        array.shape()
    );
    let mut peers = Peer::start_all(pythons, "peers.py", &directory);
    let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
    println!(
        "| list | chunks | requests | MiB read | slice-zarr, ms | decoding, ms | equivalent slice | {} |",
        names.join(" | ")
    );
    println!(
        "|---|--:|--:|--:|--:|--:|--:{}|",
        "|--:".repeat(names.len())
    );
    let plan = array.plan_slice(s![...]).unwrap();
    let inner = plan.array().inner_chunk_shape.as_ref();
    let unit = inner.unwrap_or(&plan.array().chunk_shape).clone();
    let shape = plan.array().shape.clone();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    for (name, text, slice) in slices(rows) {
        if !arguments.includes_row(name) {
            continue;
        }
        let spec: DynSliceSpec = text.parse().unwrap();
        let slice: Option<DynSliceSpec> = slice.map(|slice| slice.parse().unwrap());
        let (mut stats, mut expected) = (None, None);
        let turns = Turns::take(2 + peers.len(), scale.turns, |candidate, turn| {
            if candidate == 0 {
                let options = AccessOptions::new();
                let read = || array.read_slice_with::<f32>(&spec, &options).unwrap();
                let (time, (out, read_stats)) = timed(read);
                if turn == 0 {
                    (stats, expected) = (Some(read_stats), Some(sum(&out)));
                }
                return Some(time);
            }
            if candidate == 1 {
                let slice = slice.as_ref()?;
                return Some(timed(|| array.read_slice::<f32>(slice).unwrap()).0);
            }
            let peer = &mut peers[candidate - 2];
            let measurement = peer.run(&text);
            assert_eq!(
                Some(measurement.sum),
                expected,
                "{name}: the elements read by {} have a different sum",
                peer.name
            );
            Some(measurement.ms)
        });
        let floor = match kind {
            "raw" => String::new(),
            _ => {
                let selection = spec.resolve(&shape).unwrap();
                let encoded =
                    EncodedChunks::read(&directory, &selection, &plan.array().chunk_shape, &unit);
                format!("{:.1}", encoded.decode(threads, scale.turns))
            }
        };
        let stats = stats.expect("the list has been read at least once");
        let (ours, sliced) = (turns.shortest_time(0), turns.ratios(1..2));
        let ratios = turns.ratios(2..2 + peers.len());
        println!(
            "| {name} | {} | {} | {:.1} | {ours:.1} | {floor} | {sliced} | {ratios} |",
            stats.chunks,
            stats.requests,
            stats.bytes as f64 / f64::from(1 << 20),
        );
    }
}
