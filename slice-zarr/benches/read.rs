//! Slices of 256 MiB or 1 GiB, beside zarrs' box read, zarr-python and tensorstore: exact counts first, then times as ratios.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench read -- [--gib|--quick] [raw|zstd|sharded ...] [--python PYTHON ...]
//! ```
//!
//! Each PYTHON is an interpreter with `zarr` or `tensorstore`; `benches/peers.py` says how to get it. Arrays are written to
//! `target/zarr-bench` once, and read from the page cache. All libraries use as many threads as they like. What they
//! read is compared. With `--quick`, the array has 32 MiB and each slice is read once: to see that everything works.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, Selection, s};
use slice_zarr::{ReadOptions, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, ArraySubset, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;

const SLICES: [(&str, &str); 7] = [
    ("whole", "..."),
    ("box", "100:900, 20:200, 30:250"),
    ("plane", ":, :, 100"),
    ("::2", "::2"),
    ("::-1", "::-1"),
    ("::128", "::128"),
    ("::256", "::256"),
];

type Stored = Array<dyn ReadableStorageTraits>;

/// The size of the array, and how often each slice is read.
#[derive(Clone, Copy)]
struct Scale {
    name: &'static str,
    shape: [usize; 3],
    turns: usize,
}

impl Scale {
    fn new(name: &'static str, len: usize, turns: usize) -> Self {
        let shape = [len, 256, 256];
        Scale { name, shape, turns }
    }
}

fn main() {
    let mut kinds: Vec<String> = Vec::new();
    let mut pythons: Vec<String> = Vec::new();
    let mut into = &mut kinds;
    let mut scale = Scale::new("256 MiB", 1024, 7);
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "--bench" => {}
            "--gib" => scale = Scale::new("1 GiB", 4096, 3),
            "--quick" => scale = Scale::new("32 MiB", 128, 1),
            "--python" => into = &mut pythons,
            _ => into.push(word),
        }
    }
    if kinds.is_empty() {
        kinds = ["raw", "zstd", "sharded"].map(String::from).to_vec();
    }
    for kind in &kinds {
        compare(kind, scale, &pythons);
    }
}

fn compare(kind: &str, scale: Scale, pythons: &[String]) {
    let directory = directory(kind, scale);
    let files = || FilesystemStore::new(&directory).unwrap();
    let open =
        |storage: Arc<dyn ReadableStorageTraits>| -> Stored { Array::open(storage, "/").unwrap() };
    let array = open(Arc::new(files()));
    let metered = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(files())));
    let counted = open(metered.clone());

    println!(
        "\n## {kind}: {} of float32, {:?}\n",
        scale.name, scale.shape
    );
    println!("| slice | chunks | requests | MiB read | of zarrs' box: requests | MiB |");
    println!("|---|---|---|---|---|---|");
    for (name, slice) in SLICES {
        let (_, stats) = counted
            .read_slice_with::<f32>(slice, &ReadOptions::new())
            .unwrap();
        metered.reset();
        drop(zarrs_box(&counted, slice));
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!(
            "| {name} `{slice}` | {} | {} | {:.1} | {} | {:.1} |",
            stats.chunks,
            stats.requests,
            mib(stats.bytes),
            metered.reads(),
            mib(metered.bytes_read() as u64)
        );
    }

    let mut peers: Vec<Peer> = pythons
        .iter()
        .map(|python| Peer::start(python, &directory))
        .collect();
    let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
    println!(
        "\n| slice | slice-zarr, ms | zarrs' box and ndarray's copy | {} |",
        names.join(" | ")
    );
    println!("|---|---|---{}|", "|---".repeat(names.len()));
    for (name, slice) in SLICES {
        // In turns, so that what disturbs one disturbs the others.
        let (mut ours, mut theirs) = (Vec::new(), vec![Vec::new(); 1 + peers.len()]);
        for turn in 0..scale.turns {
            let (time, out) = timed(|| array.read_slice::<f32>(slice).unwrap());
            ours.push(time);
            let expected = (turn == 0).then(|| sum(&out));
            drop(out);
            let (time, out) = timed(|| zarrs_box(&array, slice));
            theirs[0].push(time);
            assert!(
                expected.is_none_or(|expected| sum(&out) == expected),
                "{slice}"
            );
            drop(out);
            for (peer, times) in peers.iter_mut().zip(&mut theirs[1..]) {
                let answer = peer.read(slice);
                times.push(answer.ms);
                let same = expected.is_none_or(|expected| answer.sum == expected);
                assert!(same, "{slice} in {}", peer.name);
            }
        }
        let ours = median(ours);
        let ratios: Vec<String> = theirs
            .into_iter()
            .map(|other| format!("{:.2}", ours / median(other)))
            .collect();
        println!("| {name} `{slice}` | {ours:.1} | {} |", ratios.join(" | "));
    }
}

/// zarrs reads the box around what is selected, and ndarray copies the slice out of it.
fn zarrs_box(array: &Stored, slice: &str) -> ArrayD<f32> {
    let spec: DynSliceSpec = slice.parse().unwrap();
    let shape: Vec<usize> = array.shape().iter().map(|&len| len as usize).collect();
    let selection = spec.resolve(&shape).unwrap();
    let ranges = selection.axes().iter().map(|range| {
        let last = range.start() as isize + range.step() * (range.len() as isize - 1);
        let last = last as usize;
        range.start().min(last) as u64..range.start().max(last) as u64 + 1
    });
    let subset = ArraySubset::new_with_ranges(&ranges.collect::<Vec<_>>());
    let mut out: ArrayD<f32> = array.retrieve_array_subset(&subset).unwrap();
    let is_box = |selection: &Selection| selection.axes().iter().all(|range| range.step() == 1);
    if !is_box(&selection) {
        let steps: Vec<ndarray::SliceInfoElem> = selection
            .axes()
            .iter()
            .map(|range| ndarray::SliceInfoElem::Slice {
                start: 0,
                end: None,
                step: range.step(),
            })
            .collect();
        // `to_owned` would keep the order of memory: no reversal would be written.
        out = out
            .slice(steps.as_slice())
            .as_standard_layout()
            .into_owned();
    }
    out.into_shape_with_order(selection.output_shape()).unwrap()
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let out = work();
    (begin.elapsed().as_secs_f64() * 1e3, out)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The sum of the elements' bits.
fn sum(out: &ArrayD<f32>) -> u64 {
    out.iter().map(|x| u64::from(x.to_bits())).sum()
}

/// A Python library in a process of its own, which reads one slice after the other.
struct Peer {
    name: String,
    process: Child,
    answers: Lines<BufReader<ChildStdout>>,
}

/// The time that it takes for a slice, and the sum of the elements' bits.
#[derive(serde::Deserialize)]
struct Answer {
    ms: f64,
    sum: u64,
}

impl Peer {
    fn start(python: &str, directory: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
        let mut process = Command::new(python)
            .arg(script)
            .arg(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut answers = BufReader::new(process.stdout.take().unwrap()).lines();
        let name = answers.next().expect("the library's name").unwrap();
        Peer {
            name,
            process,
            answers,
        }
    }

    fn read(&mut self, slice: &str) -> Answer {
        writeln!(self.process.stdin.as_mut().unwrap(), "{slice}").unwrap();
        let answer = self.answers.next().expect("an answer").unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends when its input does.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The array, written if it is not there.
fn directory(kind: &str, scale: Scale) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("{kind}-{}", scale.shape[0]);
    let directory = target.parent().unwrap().join("zarr-bench").join(name);
    if directory.join("zarr.json").exists() {
        return directory;
    }
    fs::create_dir_all(&directory).unwrap();
    let shape = scale.shape.map(|len| len as u64).to_vec();
    let chunks = if kind == "sharded" {
        vec![256, 128, 128]
    } else {
        vec![64; 3]
    };
    let mut builder = ArrayBuilder::new(shape, chunks, data_type::float32(), 0.0_f32);
    let zstd = Arc::new(ZstdCodec::new(1, false));
    match kind {
        "raw" => {}
        "zstd" => drop(builder.bytes_to_bytes_codecs(vec![zstd])),
        "sharded" => {
            let inner = vec![std::num::NonZeroU64::new(32).unwrap(); 3];
            let mut sharding = ShardingCodecBuilder::new(inner, &data_type::float32());
            builder.array_to_bytes_codec(sharding.bytes_to_bytes_codecs(vec![zstd]).build_arc());
        }
        kind => panic!("there is no array {kind:?}"),
    }
    let array = builder
        .build(Arc::new(FilesystemStore::new(&directory).unwrap()), "/")
        .unwrap();
    // A time series of images: smooth, with noise that leaves about a third after compression.
    let mut state = 1_u32;
    let [len, rows, columns] = scale.shape;
    for begin in (0..len).step_by(256) {
        let part = ArrayD::from_shape_fn(IxDyn(&[len.min(256), rows, columns]), |at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let smooth = (begin + at[0]) / 8 + at[1] / 16 + at[2] / 16;
            (smooth as u32 * 16 + (state >> 28)) as f32
        });
        array
            .write_slice(s![begin:begin + part.shape()[0]], &part)
            .unwrap();
    }
    array.store_metadata().unwrap();
    directory
}
