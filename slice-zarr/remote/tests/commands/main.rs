//! Runs the `slice_plan` example as a command, and checks the files that it writes, removes and leaves unchanged.

mod plans;
mod run;

use std::path::Path;
use std::sync::Arc;

use ndarray::Array2;
use slice_zarr::WriteSlice;
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

use run::{example, fails, succeeds};

/// Writes a 30 x 20 array with 5 x 4 chunks and the elements `first`, `first + 1` and so on.
fn make_array(folder: &Path, first: i32) {
    let store = Arc::new(FilesystemStore::new(folder).unwrap());
    let array = ArrayBuilder::new(vec![30, 20], vec![5, 4], data_type::int32(), -1_i32)
        .build(store, "/")
        .unwrap();
    array.store_metadata().unwrap();
    array.write_slice("...", &elements(first)).unwrap();
}

fn elements(first: i32) -> Array2<i32> {
    Array2::from_shape_fn((30, 20), |(i, j)| first + (20 * i + j) as i32)
}

/// Returns the sorted names of the files and folders in a folder, including hidden ones.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
