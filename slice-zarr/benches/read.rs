//! Benchmarks reads of slices from 256 MiB or 1 GiB arrays, and compares slice-zarr with zarr-python, tensorstore and
//! zarrs. With zarrs, the box around each slice is read. Prints the numbers of chunks, requests and bytes first, and
//! then the times of slice-zarr and their ratios to the other times.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench read -- [--gib|--quick] [--only ROW] [raw|zstd|sharded ...] [--python PYTHON ...]
//! ```
//!
//! The array is 256 MiB by default, and 1 GiB with `--gib`. With `--quick`, the array is 32 MiB and each slice is
//! measured once, to check that everything works. With `--only`, only the slice in the row named ROW, such as `plane`,
//! is measured. Each PYTHON is an interpreter for which `zarr` or `tensorstore` is installed; `benches/peers.py`
//! describes how to install these packages.
//!
//! Arrays are written once to `target/zarr-bench`, and read from the page cache. Each library uses its default number
//! of threads. The elements read by all libraries must have the same checksum.

#[allow(
    dead_code,
    unused_imports,
    reason = "each benchmark uses only part of the module"
)]
#[path = "common/mod.rs"]
mod common;

use std::sync::Arc;

use ndarray::ArrayD;
use slice_core::{DynSliceSpec, Selection};
use slice_zarr::{AccessOptions, ReadSlice};
use zarrs::array::{Array, ArraySubset};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;

use common::{Arguments, Peer, Turns, directory, sum, timed};

/// The name of each row of the printed tables, and its slice.
const SLICES: [(&str, &str); 7] = [
    ("whole", "..."),
    ("box", "100:900, 20:200, 30:250"),
    ("plane", ":, :, 100"),
    ("::2", "::2"),
    ("::-1", "::-1"),
    ("::128", "::128"),
    ("::256", "::256"),
];

type BenchArray = Array<dyn ReadableStorageTraits>;

fn main() {
    let arguments = Arguments::read(7, &["raw", "zstd", "sharded"]);
    for kind in &arguments.kinds {
        compare(kind, &arguments);
    }
}

fn compare(kind: &str, arguments: &Arguments) {
    let (scale, pythons) = (arguments.scale, &arguments.pythons);
    let directory = directory(kind, scale);
    let files = || FilesystemStore::new(&directory).unwrap();
    let open = |storage: Arc<dyn ReadableStorageTraits>| -> BenchArray {
        Array::open(storage, "/").unwrap()
    };
    let array = open(Arc::new(files()));
    let metrics_store = Arc::new(PerformanceMetricsStorageAdapter::new(Arc::new(files())));
    let metered_array = open(metrics_store.clone());

    println!(
        "\n## {kind}: {} of float32, {:?}\n",
        scale.name, scale.shape
    );
    println!("| slice | chunks | requests | MiB read | zarrs' box: requests | zarrs' box: MiB |");
    println!("|---|---|---|---|---|---|");
    for (name, slice) in { SLICES }
        .into_iter()
        .filter(|(name, _)| arguments.includes_row(name))
    {
        let (_, stats) = metered_array
            .read_slice_with::<f32>(slice, &AccessOptions::new())
            .unwrap();
        metrics_store.reset();
        drop(zarrs_box(&metered_array, slice));
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!(
            "| {name} `{slice}` | {} | {} | {:.1} | {} | {:.1} |",
            stats.chunks,
            stats.requests,
            mib(stats.bytes),
            metrics_store.reads(),
            mib(metrics_store.bytes_read() as u64)
        );
    }

    let mut peers = Peer::start_all(pythons, "peers.py", &directory);
    let names: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
    println!(
        "\nThe columns after `slice-zarr, ms` contain ratios of this time to the other times.\n\n\
         | slice | slice-zarr, ms | zarrs' box and ndarray's copy | {} |",
        names.join(" | ")
    );
    println!("|---|---|---{}|", "|---".repeat(names.len()));
    for (name, slice) in { SLICES }
        .into_iter()
        .filter(|(name, _)| arguments.includes_row(name))
    {
        let mut expected = None;
        let turns = Turns::take(2 + peers.len(), scale.turns, |candidate, turn| {
            if candidate < 2 {
                let (time, out) = timed(|| match candidate {
                    0 => array.read_slice::<f32>(slice).unwrap(),
                    _ => zarrs_box(&array, slice),
                });
                if turn == 0 {
                    let checksum = sum(&out);
                    assert_eq!(
                        *expected.get_or_insert(checksum),
                        checksum,
                        "{slice}: the elements read by zarrs have a different sum"
                    );
                }
                return Some(time);
            }
            let peer = &mut peers[candidate - 2];
            let measurement = peer.run(slice);
            assert_eq!(
                Some(measurement.sum),
                expected,
                "{slice}: the elements read by {} have a different sum",
                peer.name
            );
            Some(measurement.ms)
        });
        let (ours, ratios) = (turns.shortest_time(0), turns.ratios(1..2 + peers.len()));
        println!("| {name} `{slice}` | {ours:.1} | {ratios} |");
    }
}

/// Reads the box around the selected elements with zarrs, and copies the slice from it with ndarray.
fn zarrs_box(array: &BenchArray, slice: &str) -> ArrayD<f32> {
    let spec: DynSliceSpec = slice.parse().unwrap();
    let shape: Vec<usize> = array.shape().iter().map(|&len| len as usize).collect();
    let selection = spec.resolve(&shape).unwrap();
    let ranges = selection.axes().unwrap().iter().map(|range| {
        let last = range.start() as isize + range.step() * (range.len() as isize - 1);
        let last = last as usize;
        range.start().min(last) as u64..range.start().max(last) as u64 + 1
    });
    let subset = ArraySubset::new_with_ranges(&ranges.collect::<Vec<_>>());
    let mut out: ArrayD<f32> = array.retrieve_array_subset(&subset).unwrap();
    let is_box = |selection: &Selection| {
        selection
            .axes()
            .unwrap()
            .iter()
            .all(|range| range.step() == 1)
    };
    if !is_box(&selection) {
        let steps: Vec<ndarray::SliceInfoElem> = selection
            .axes()
            .unwrap()
            .iter()
            .map(|range| ndarray::SliceInfoElem::Slice {
                start: 0,
                end: None,
                step: range.step(),
            })
            .collect();
        // `to_owned` would keep the order of the elements in memory, so that reversed axes would not be rearranged.
        out = out
            .slice(steps.as_slice())
            .as_standard_layout()
            .into_owned();
    }
    out.into_shape_with_order(selection.output_shape()).unwrap()
}
