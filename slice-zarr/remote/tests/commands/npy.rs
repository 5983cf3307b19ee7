//! Files that NumPy reads, and arrays that it cannot have.

use std::fs;
use std::path::Path;

use crate::{example, fails, succeeds};

/// Makes the folder of an array without chunks, so that all of its elements have its fill value.
fn describe(folder: &Path, shape: &str, chunks: &str, data_type: &str, fill_value: &str) {
    let metadata = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape}, "data_type": {data_type}, "fill_value": {fill_value},
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {chunks}}}}},
            "chunk_key_encoding": {{"name": "default"}},
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
    );
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("zarr.json"), metadata).unwrap();
}

/// The header of the file of a slice.
fn header(folder: &Path, slice: &str) -> String {
    let out = folder.join("out.npy");
    succeeds(example("zarr_slice").arg(folder).arg(slice).arg(&out));
    let file = fs::read(out).unwrap();
    let header = &file[10..file.iter().position(|&byte| byte == b'\n').unwrap()];
    String::from_utf8(header.to_vec())
        .unwrap()
        .trim_end()
        .to_owned()
}

fn refused(folder: &Path, slice: &str) -> String {
    let out = folder.join("none.npy");
    let error = fails(example("zarr_slice").arg(folder).arg(slice).arg(&out));
    assert!(!out.exists());
    error
}

/// NumPy writes microseconds as `us`, and reads nothing else.
#[test]
fn microseconds() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, letter) in [("datetime64", 'M'), ("timedelta64", 'm')] {
        for (unit, factor, expected) in [
            ("us", 1, "[us]"),
            ("\u{3bc}s", 1, "[us]"),
            ("\u{3bc}s", 25, "[25us]"),
            ("ns", 2_147_483_647, "[2147483647ns]"),
        ] {
            let data_type = format!(
                r#"{{"name": "numpy.{kind}", "configuration": {{"unit": "{unit}", "scale_factor": {factor}}}}}"#
            );
            describe(folder.path(), "[3]", "[3]", &data_type, "0");
            let order = if cfg!(target_endian = "little") {
                '<'
            } else {
                '>'
            };
            assert_eq!(
                header(folder.path(), ":"),
                format!(
                    "{{'descr': '{order}{letter}8{expected}', 'fortran_order': False, 'shape': (3,), }}"
                )
            );
        }
        let data_type = format!(
            r#"{{"name": "numpy.{kind}", "configuration": {{"unit": "s", "scale_factor": 2147483648}}}}"#
        );
        describe(folder.path(), "[3]", "[3]", &data_type, "0");
        let error = refused(folder.path(), ":");
        assert!(
            error.contains("not understood") || error.contains("scale_factor"),
            "{error}"
        );
    }
}

/// As zarr-python writes it; zarrs aborts the process.
#[test]
fn no_axes_in_the_order_of_fortran() {
    let folder = tempfile::tempdir().unwrap();
    let metadata = r#"{"zarr_format": 2, "shape": [], "chunks": [], "dtype": "<f8", "fill_value": 0.0, "order": "F",
        "filters": null, "compressor": null, "dimension_separator": "."}"#;
    fs::write(folder.path().join(".zarray"), metadata).unwrap();
    assert!(header(folder.path(), "...").contains("'shape': ()"));
}

#[test]
fn more_axes_than_numpy_has() {
    let folder = tempfile::tempdir().unwrap();
    let ones = format!("[{}]", ["1"; 63].join(", "));
    describe(folder.path(), &ones, &ones, "\"int8\"", "0");
    assert!(header(folder.path(), "newaxis").contains(&["1,"; 64].join(" ")));
    let error = refused(folder.path(), "newaxis, newaxis");
    let words = "error: number of dimensions must be within [0, 64], indexing result would have 65";
    assert!(error.starts_with(words), "{error}");
}

/// Axes without elements count for NumPy, too.
#[test]
fn arrays_that_are_too_large_for_numpy() {
    let folder = tempfile::tempdir().unwrap();
    describe(
        folder.path(),
        "[4611686018427387904, 0]",
        "[1, 1]",
        "\"float64\"",
        "0.0",
    );
    let error = refused(folder.path(), "...");
    assert!(error.contains("array is too big"), "{error}");
    assert!(header(folder.path(), ":7").contains("(7, 0,)"));
}
