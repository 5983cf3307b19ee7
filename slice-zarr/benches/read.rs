//! Compares reads of slices of arrays of 256 MiB or 1 GiB with zarrs' box read, zarr-python and tensorstore. Prints
//! exact counts first, and then times as ratios.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench read -- [--gib|--quick] [raw|zstd|sharded ...] [--python PYTHON ...]
//! ```
//!
//! Each PYTHON is an interpreter with `zarr` or `tensorstore`; `benches/peers.py` says how to install it. Arrays are
//! written once to `target/zarr-bench`, and read from the page cache. Each library uses its default number of threads.
//! The elements that they read are compared. With `--quick`, the array has 32 MiB and each slice is read once, to test
//! that everything works.

#[path = "common/mod.rs"]
mod common;

use std::sync::Arc;

use ndarray::ArrayD;
use slice_core::{DynSliceSpec, Selection};
use slice_zarr::{ReadOptions, ReadSlice};
use zarrs::array::{Array, ArraySubset};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;

use common::{Arguments, Peer, Scale, directory, median, ratios, sum, timed};

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

fn main() {
    let Arguments {
        kinds,
        scale,
        pythons,
    } = Arguments::read(7, &["raw", "zstd", "sharded"]);
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

    let mut peers = Peer::start_all(pythons, "peers.py", &directory);
    let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
    println!(
        "\n| slice | slice-zarr, ms | zarrs' box and ndarray's copy | {} |",
        names.join(" | ")
    );
    println!("|---|---|---{}|", "|---".repeat(names.len()));
    for (name, slice) in SLICES {
        // The libraries take turns, so that disturbances of the machine affect all of them.
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
                let answer = peer.run(slice);
                times.push(answer.ms);
                let same = expected.is_none_or(|expected| answer.sum == expected);
                assert!(same, "{slice} in {}", peer.name);
            }
        }
        let ours = median(ours);
        let ratios = ratios(ours, theirs);
        println!("| {name} `{slice}` | {ours:.1} | {ratios} |");
    }
}

/// Reads the box around the selected elements with zarrs, and copies the slice from it with ndarray.
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
        // `to_owned` would keep the memory order, so that a reversal would not be copied.
        out = out
            .slice(steps.as_slice())
            .as_standard_layout()
            .into_owned();
    }
    out.into_shape_with_order(selection.output_shape()).unwrap()
}
