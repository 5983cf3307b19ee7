//! Compares arrays whose metadata zarrs does not accept as it stands with the results of zarr-python, which the script
//! `metadata.py` recorded: fill values of format 2, the codecs of numcodecs in format 3, and data types.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value, json};
use slice_zarr::{ReadSlice, WriteSlice};
use zarrs::array::{Array, ArrayCreateError};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits};

/// The contents of each file in base64, keyed by path.
type Files = BTreeMap<String, String>;

#[derive(Deserialize)]
struct Recorded {
    fill_values: Vec<(String, Value, Option<String>)>,
    codecs: Vec<Files>,
    types: Vec<(String, u32, Files, Option<String>)>,
}

static RECORDED: LazyLock<Recorded> = LazyLock::new(|| {
    let mut text = String::new();
    let file = include_bytes!("metadata.json.gz");
    GzDecoder::new(&file[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
});

fn open(files: &Files) -> Result<Array<MemoryStore>, ArrayCreateError> {
    let store = Arc::new(MemoryStore::new());
    for (path, bytes) in files {
        let bytes = BASE64_STANDARD.decode(bytes).unwrap();
        store
            .set(&StoreKey::new(path).unwrap(), bytes.into())
            .unwrap();
    }
    slice_zarr::open(store, "/")
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the elements as little-endian bytes, or an error of opening or reading the array.
#[cfg(target_endian = "little")]
fn read(files: &Files) -> Result<String, String> {
    let array = open(files).map_err(|error| error.to_string())?;
    let read = array.read_slice_raw("...", &Default::default());
    let (elements, _) = read.map_err(|error| error.to_string())?;
    Ok(hex_of(elements.bytes()))
}

/// Checks the fill value of each data type of format 2: a number, or a number in a string, as zarr-python reads it.
///
/// Only booleans differ. For zarr-python, every string that is not empty and every number other than 0 is `true`, even
/// `"false"`. Only `true`, `false`, 0, 1 and null are accepted here.
#[test]
#[cfg(target_endian = "little")]
fn fill_values_agree_with_zarr_python() {
    let (mut accepted, mut rejected) = (0, 0);
    for (dtype, fill_value, expected) in &RECORDED.fill_values {
        let metadata = json!({"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": dtype, "fill_value": fill_value,
            "order": "C", "filters": null, "compressor": null})
        .to_string();
        let files = Files::from([(".zarray".into(), BASE64_STANDARD.encode(metadata))]);
        let actual = read(&files);
        let is_boolean = fill_value.is_boolean()
            || fill_value.is_null()
            || [0, 1].iter().any(|number| fill_value == number);
        let case = format!("{dtype} {fill_value}: {actual:?}, zarr-python: {expected:?}");
        match expected {
            Some(_) if dtype == "|b1" && !is_boolean => assert!(actual.is_err(), "{case}"),
            Some(expected) => {
                assert_eq!(actual.as_ref(), Ok(expected), "{case}");
                accepted += 1;
            }
            None => {
                assert!(actual.is_err(), "{case}");
                rejected += 1;
            }
        }
    }
    assert!(
        accepted > 300 && rejected > 150,
        "{accepted} values were accepted, and {rejected} rejected"
    );
}

/// Checks that the arrays are read, except those with a checksum before the data, which zarrs cannot decode in format 3.
/// Also checks that slice-zarr reads what it writes to them.
#[test]
fn codecs_of_numcodecs_are_supported_in_format_3() {
    let mut rejected = 0;
    for files in &RECORDED.codecs {
        let metadata = BASE64_STANDARD.decode(&files["zarr.json"]).unwrap();
        let metadata = String::from_utf8(metadata).unwrap();
        if metadata.contains("\"location\": \"start\"") {
            let error = open(files).unwrap_err().to_string();
            assert!(
                error.contains("numcodecs.crc32c") && error.contains("start"),
                "{error}"
            );
            rejected += 1;
            continue;
        }
        let array = open(files).unwrap_or_else(|error| panic!("{error}: {metadata}"));
        let elements = array.read_slice::<i32>("...").unwrap();
        assert!(elements.iter().copied().eq(0..24), "{metadata}");
        let negated = elements.mapv(|element| -element);
        array.write_slice("::-1", &negated).unwrap();
        let written = array.read_slice::<i32>("::-1").unwrap();
        assert_eq!(written, negated, "{metadata}");
    }
    assert_eq!((RECORDED.codecs.len(), rejected), (26, 1));
}

/// The data types that are rejected: the type, the Zarr format, and the words with which the error and the README of
/// slice-zarr name the type.
const REJECTED_TYPES: [(&str, u32, &str, &str); 13] = [
    (
        "[('a', '<i4'), ('b', '<f8')]",
        2,
        "structured data type",
        "structured types",
    ),
    (
        "[('a', '<i4'), ('b', '<f8')]",
        3,
        "structured",
        "structured types",
    ),
    ("datetime64[s]", 2, "M8[s]", "`M8` dates of format 2"),
    (
        "timedelta64[10ms]",
        2,
        "m8[10ms]",
        "`m8` durations of format 2",
    ),
    ("|S3", 2, "|S3", "`S` strings of format 2"),
    ("|S3", 3, "null_terminated_bytes", "`null_terminated_bytes`"),
    ("|V3", 3, "raw_bytes", "`raw_bytes`"),
    (
        "VariableLengthUTF8",
        2,
        "string has no fixed size",
        "`string`",
    ),
    (
        "VariableLengthUTF8",
        3,
        "string has no fixed size",
        "`string`",
    ),
    (
        "VariableLengthBytes",
        2,
        "string has no fixed size",
        "`bytes`",
    ),
    (
        "VariableLengthBytes",
        3,
        "bytes has no fixed size",
        "`bytes`",
    ),
    ("float8_e4m3fn", 3, "float8_e4m3fn", "`float8_e4m3fn`"),
    ("float8_e5m2", 3, "float8_e5m2", "`float8_e5m2`"),
];

/// Checks that each data type of zarr-python and tensorstore is read, or rejected with an error that names it. The
/// README names all rejected types.
#[test]
#[cfg(target_endian = "little")]
fn data_types_are_read_or_named_in_an_error() {
    let readme = include_str!("../../README.md").replace('\n', " ");
    let mut rejected = 0;
    for (name, format, files, expected) in &RECORDED.types {
        let actual = read(files);
        let rejection = REJECTED_TYPES
            .iter()
            .find(|(other, in_format, ..)| (*other, in_format) == (name, format));
        let Some((.., in_error, in_readme)) = rejection else {
            assert_eq!(actual.ok(), *expected, "{name} in format {format}");
            continue;
        };
        let error = actual.expect_err(name);
        assert!(error.contains(in_error), "{name}: {error}");
        assert!(
            readme.contains(in_readme),
            "the README should name {in_readme}"
        );
        rejected += 1;
    }
    assert_eq!((RECORDED.types.len(), rejected), (49, REJECTED_TYPES.len()));
}
