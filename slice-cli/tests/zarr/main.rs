//! Tests the output and the errors of `slice zarr`, and checks that it leaves other files unchanged.

#[cfg(feature = "remote")]
mod addresses;
mod interrupts;
mod json;
mod npy;
mod out;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn output_matches_the_snapshots() {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", "100").case("tests/zarr/pages/*.md");
}

/// Returns the `slice zarr` command.
fn zarr() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    command.arg("zarr");
    command
}

/// Runs a command, and returns its exit status, its output and its error output, after checking that it did not panic.
fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the command should start");
    let error_output = String::from_utf8(stderr).expect("the output should be UTF-8");
    assert!(
        !error_output.contains("panicked"),
        "{command:?}: {error_output}"
    );
    let printed = String::from_utf8_lossy(&stdout).into_owned();
    (status.code(), printed, error_output)
}

/// Runs a command that must succeed, and returns its output.
fn succeeds(command: &mut Command) -> String {
    let (code, printed, error_output) = run(command);
    assert_eq!(code, Some(0), "{command:?}: {error_output}");
    printed
}

/// Runs a command that must fail with status 1, and returns its error output.
fn fails(command: &mut Command) -> String {
    fails_with(command, 1)
}

/// Runs a command that must fail with the status `status`, and returns its error output.
fn fails_with(command: &mut Command, status: i32) -> String {
    let (code, _, error_output) = run(command);
    assert_eq!(code, Some(status), "{command:?}: {error_output}");
    assert!(
        error_output.starts_with("error: "),
        "{command:?}: {error_output}"
    );
    error_output
}

/// Creates an array without stored chunks, so all its elements are the fill value. All parameters except `folder` are
/// JSON.
fn make_empty_array(folder: &Path, shape: &str, chunks: &str, data_type: &str, fill_value: &str) {
    let metadata = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape}, "data_type": {data_type}, "fill_value": {fill_value},
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {chunks}}}}},
            "chunk_key_encoding": {{"name": "default"}},
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
    );
    fs::create_dir_all(folder).expect("creating a folder should succeed");
    fs::write(folder.join("zarr.json"), metadata).expect("the file should be writable");
}

/// Creates an array of shape (30, 20) with the elements 0, 1, ..., in chunks of shape (5, 4).
fn make_array(folder: &Path) {
    make_empty_array(folder, "[30, 20]", "[5, 4]", "\"int32\"", "-1");
    for i in 0..6 {
        fs::create_dir_all(folder.join(format!("c/{i}")))
            .expect("creating a folder should succeed");
        for j in 0..5 {
            let rows = 5 * i..5 * (i + 1);
            let elements =
                rows.flat_map(|row| (4 * j..4 * (j + 1)).map(move |column| element(row, column)));
            let bytes: Vec<u8> = elements.flat_map(i32::to_le_bytes).collect();
            fs::write(folder.join(format!("c/{i}/{j}")), bytes)
                .expect("the file should be writable");
        }
    }
}

fn element(row: i32, column: i32) -> i32 {
    20 * row + column
}

/// Returns the sorted names of all files in a directory, including hidden files.
fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder should be readable");
    let file_names = entries.map(|entry| entry.expect("the entry should be readable").file_name());
    let mut file_names: Vec<String> = file_names
        .map(|name| name.into_string().expect("the name should be UTF-8"))
        .collect();
    file_names.sort();
    file_names
}
