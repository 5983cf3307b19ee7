//! Compares reads of lists and masks from arrays of 256 MiB with `oindex` of zarr-python and tensorstore, and with
//! slices of the same rows.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench lists -- [--gib|--quick] [raw|zstd|sharded|table ...] [--python PYTHON ...]
//! ```
//!
//! Prints the times of planning first, and then the times of reads as ratios. The arrays are those of the benchmark
//! `read`, and a table of 262,144 rows in shards of 64 inner chunks. Lists, and NumPy arrays of them, are made before
//! the measurement. The elements that are read are compared.
//!
//! The column `decoding` is a lower bound: the milliseconds in which zstd decodes the touched chunks from memory, with
//! the same number of threads, to one buffer for each thread.

#[allow(dead_code, reason = "each benchmark uses its part")]
#[path = "common/mod.rs"]
mod common;
#[path = "common/floor.rs"]
mod floor;

use std::hint::black_box;
use std::sync::Arc;

use slice_core::{DynOuterSpec, s};
use slice_zarr::{PlanSlice, ReadOptions, ReadSlice};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::store::MemoryStore;

use common::{Arguments, Peer, Scale, directory, median, ratios, sum, timed};
use floor::Encoded;

type Stored = Array<dyn ReadableStorageTraits>;

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
    let Arguments {
        kinds,
        scale,
        pythons,
    } = Arguments::read(7, &["raw", "zstd", "sharded", "table"]);
    plan(scale.turns);
    for kind in &kinds {
        compare(kind, scale, &pythons);
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
    let few = rows[..1_000_000].to_vec();
    rows.sort_unstable();
    println!("| planned positions | ms |\n|---|---|");
    for (name, rows) in [("10^6 random", &few), ("1.2*10^7 sorted", &rows)] {
        let times = (0..turns).map(|_| timed(|| black_box(array.plan_slice(s![&rows])).unwrap()).0);
        println!("| {name} | {:.1} |", median(times.collect()));
    }
}

/// Returns names and lists as Python texts, and the equivalent slice of those that have one.
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
    let some: Vec<usize> = (0..rows / 100).map(|_| random.below(rows)).collect();
    let many: Vec<usize> = (0..10_000).map(|_| random.below(rows)).collect();
    let mask: Vec<&str> = (0..rows)
        .map(|_| ["False", "True"][random.below(2)])
        .collect();
    let all: Vec<usize> = (0..rows).step_by(2).collect();
    let part = if rows > 10_000 { ":" } else { "100:102" };
    vec![
        ("sorted runs", text(&runs), None),
        ("strided lists", text(&strided), None),
        ("1 % random rows", text(&some), None),
        (
            "10,000 random rows",
            format!("{}, {part}", text(&many)),
            None,
        ),
        ("mask, half set", format!("[{}]", mask.join(", ")), None),
        ("a slice as a list", text(&all), Some("::2".into())),
    ]
}

fn compare(kind: &str, scale: Scale, pythons: &[String]) {
    let directory = directory(kind, scale);
    let files: Arc<dyn ReadableStorageTraits> = Arc::new(FilesystemStore::new(&directory).unwrap());
    let array: Stored = Array::open(files, "/").unwrap();
    let rows = array.shape()[0] as usize;
    println!("\n## {kind}: {:?} of float32\n", array.shape());
    let mut peers = Peer::start_all(pythons, "peers.py", &directory);
    let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
    println!(
        "| list | chunks | requests | MiB read | slice-zarr, ms | decoding, ms | its slice | {} |",
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
        let spec: DynOuterSpec = text.parse().unwrap();
        let slice: Option<DynOuterSpec> = slice.map(|slice| slice.parse().unwrap());
        // The libraries take turns, so that disturbances of the machine affect all of them.
        let (mut ours, mut sliced, mut theirs) =
            (Vec::new(), Vec::new(), vec![Vec::new(); peers.len()]);
        let mut stats = None;
        for turn in 0..scale.turns {
            let options = ReadOptions::new();
            let (time, (out, found)) =
                timed(|| array.read_slice_with::<f32>(&spec, &options).unwrap());
            ours.push(time);
            stats = Some(found);
            let expected = (turn == 0).then(|| sum(&out));
            drop(out);
            if let Some(slice) = &slice {
                let (time, _) = timed(|| array.read_slice::<f32>(slice).unwrap());
                sliced.push(time);
            }
            for (peer, times) in peers.iter_mut().zip(&mut theirs) {
                let answer = peer.run(&text);
                times.push(answer.ms);
                let same = expected.is_none_or(|expected| answer.sum == expected);
                assert!(same, "{name} in {}", peer.name);
            }
        }
        let floor = match kind {
            "raw" => String::new(),
            _ => {
                let selection = spec.resolve(&shape).unwrap();
                let encoded =
                    Encoded::read(&directory, &selection, &plan.array().chunk_shape, &unit);
                format!("{:.1}", encoded.decode(threads, scale.turns))
            }
        };
        let ours = median(ours);
        let stats = stats.expect("at least one turn");
        let (sliced, ratios) = (ratios(ours, vec![sliced]), ratios(ours, theirs));
        println!(
            "| {name} | {} | {} | {:.1} | {ours:.1} | {floor} | {sliced} | {ratios} |",
            stats.chunks,
            stats.requests,
            stats.bytes as f64 / f64::from(1 << 20),
        );
    }
}
