//! Benchmarks writes of slices to existing 256 MiB or 1 GiB arrays, and compares slice-zarr with zarr-python and
//! tensorstore. Prints the times of slice-zarr and their ratios to the times of the other libraries.
//!
//! ```sh
//! cargo bench -p slice-zarr-benches --bench write -- [--gib|--quick] [--only ROW] [--in DIRECTORY] [raw|zstd|sharded ...] [--python PYTHON ...]
//! ```
//!
//! The array is 256 MiB by default, and 1 GiB with `--gib`. With `--quick`, the array is 32 MiB and each slice is
//! measured once, to check that everything works. With `--only`, only the slice in the row named ROW, such as `plane`,
//! is measured. Each PYTHON is an interpreter for which `zarr` or `tensorstore` is installed, as for the `read`
//! benchmark.
//!
//! Each library writes to a separate copy of the array in `target/zarr-bench`, or in the directory given with `--in`.
//! After each slice has been written, all copies must have equal elements. Each library uses its default number of
//! threads, and writes each slice once to warm up. The libraries then take turns, and the shortest time of each library
//! is reported.
//!
//! zarrs' file store waits until each file is on disk. zarr-python's store does not wait, and tensorstore is configured
//! not to wait. With a directory in memory (`/dev/shm`), the times do not include disk I/O.

#[allow(
    dead_code,
    unused_imports,
    reason = "each benchmark uses only part of the module"
)]
#[path = "common/mod.rs"]
mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, s};
use slice_zarr::{ReadSlice, WriteSlice};
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;

use common::{Arguments, Peer, Turns, directory, timed};

/// The name of each row of the printed table, and its slice.
const SLICES: [(&str, &str); 6] = [
    ("whole", "..."),
    ("box", "100:900, 20:200, 30:250"),
    ("plane", ":, :, 100"),
    ("::2", "::2"),
    ("::-1", "::-1"),
    ("::128", "::128"),
];

fn main() {
    let arguments = Arguments::read(5, &["raw", "zstd", "sharded"]);
    for kind in &arguments.kinds {
        compare(kind, &arguments);
    }
}

fn compare(kind: &str, arguments: &Arguments) {
    let (scale, pythons) = (arguments.scale, &arguments.pythons);
    let parent = arguments.directory.as_deref();
    let source = directory(kind, scale);
    let our_directory = fresh_copy(&source, parent, "ours");
    let array = open(&our_directory);
    let mut peers: Vec<(Peer, PathBuf)> = Vec::new();
    for (i, python) in pythons.iter().enumerate() {
        let directory = fresh_copy(&source, parent, &format!("peer{i}"));
        peers.push((Peer::start(python, "write_peers.py", &directory), directory));
    }
    let names: Vec<&str> = peers.iter().map(|(peer, _)| peer.name.as_str()).collect();
    println!(
        "\n## {kind}: writing to {} of float32, shape {:?}\n\n\
         The columns after `slice-zarr, ms` contain ratios of this time to the other times.\n\n\
         | slice | slice-zarr, ms | {} |\n|---|---{}|",
        scale.name,
        scale.shape,
        names.join(" | "),
        "|---".repeat(names.len())
    );
    for (name, slice) in { SLICES }
        .into_iter()
        .filter(|(name, _)| arguments.includes_row(name))
    {
        let spec: DynSliceSpec = slice.parse().unwrap();
        let shape = spec.resolve(&scale.shape).unwrap().output_shape().to_vec();
        let values = values(&shape);
        let turns = Turns::take(1 + peers.len(), scale.turns, |candidate, _| {
            Some(match candidate.checked_sub(1) {
                None => timed(|| array.write_slice(slice, &values).unwrap()).0,
                Some(peer) => peers[peer].0.run(slice).ms,
            })
        });
        let our_elements = array.read_slice::<f32>(s![...]).unwrap();
        for (peer, directory) in &peers {
            let other = open(directory).read_slice::<f32>(s![...]).unwrap();
            assert!(
                our_elements == other,
                "{slice}: the array written by {} has different elements",
                peer.name
            );
        }
        let (ours, ratios) = (turns.shortest_time(0), turns.ratios(1..1 + peers.len()));
        println!("| {name} `{slice}` | {ours:.1} | {ratios} |");
    }
    for directory in peers
        .iter()
        .map(|(_, directory)| directory)
        .chain([&our_directory])
    {
        fs::remove_dir_all(directory).unwrap();
    }
}

/// Returns the values to write. `write_peers.py` creates the same values.
fn values(shape: &[usize]) -> ArrayD<f32> {
    let mut next = 0;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        next += 1;
        (next % 1021) as f32
    })
}

fn open(directory: &Path) -> Array<FilesystemStore> {
    Array::open(Arc::new(FilesystemStore::new(directory).unwrap()), "/").unwrap()
}

/// Copies the array for a library, replacing any older copy, and returns the path of the copy.
fn fresh_copy(from: &Path, parent: Option<&Path>, library: &str) -> PathBuf {
    let name = from.with_extension(library);
    let to = match (parent, name.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => name,
    };
    let _ = fs::remove_dir_all(&to);
    copy(from, &to);
    to
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}
