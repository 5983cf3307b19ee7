//! The examples that are commands, as a user runs them: what they write, what they refuse, and what they leave alone.

mod npy;
mod out;
#[path = "../../examples/zarr_slice/output.rs"]
mod output;
mod plans;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use ndarray::Array2;
use slice_zarr::WriteSlice;
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

/// An example that cargo built together with this test; building it here would build its dependencies again.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let built = test.parent().unwrap().parent().unwrap();
    let path: PathBuf = [built, "examples".as_ref(), name.as_ref()].iter().collect();
    assert!(
        path.exists(),
        "the example is built: run all tests of the package, not `--test commands` alone"
    );
    Command::new(path)
}

/// What it prints and how it ends, which is never by a panic.
fn ended(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert!(!said.contains("panicked"), "{command:?}: {said}");
    let printed = String::from_utf8_lossy(&stdout).into_owned();
    (status.code(), printed, said)
}

/// Runs a command that succeeds; returns what it prints.
fn succeeds(command: &mut Command) -> String {
    let (code, printed, said) = ended(command);
    assert_eq!(code, Some(0), "{command:?}: {said}");
    printed
}

/// Runs a command that is refused; returns its error.
fn fails(command: &mut Command) -> String {
    let (code, _, said) = ended(command);
    assert_eq!(code, Some(1), "{command:?}: {said}");
    assert!(said.starts_with("error: "), "{command:?}: {said}");
    said
}

/// Makes the array of 30 by 20 whose elements are `first`, `first + 1`, ... in chunks of 5 by 4.
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

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
