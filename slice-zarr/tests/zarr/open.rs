//! Tests opening arrays whose metadata is invalid or untrusted, or is valid but not accepted by zarrs.

use std::sync::Arc;

use ndarray::{ArrayD, arr0, arr1};
use serde_json::{Value, json};
use slice_zarr::{FileStorage, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::{Array, ArrayCreateError};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits};

fn open(objects: &[(&str, &[u8])]) -> Result<Array<MemoryStore>, ArrayCreateError> {
    let store = Arc::new(MemoryStore::new());
    for &(key, bytes) in objects {
        store
            .set(&StoreKey::new(key).unwrap(), bytes.to_vec().into())
            .unwrap();
    }
    slice_zarr::open(store, "/")
}

fn version_2(changes: Value) -> Vec<u8> {
    let mut metadata = json!({
        "zarr_format": 2, "shape": [], "chunks": [], "dtype": "<f8", "fill_value": 0.0, "order": "F", "filters": null,
        "compressor": null, "dimension_separator": "."
    });
    for (name, value) in changes.as_object().unwrap() {
        metadata[name] = value.clone();
    }
    metadata.to_string().into_bytes()
}

fn version_3(changes: Value) -> Vec<u8> {
    let mut metadata = json!({
        "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int16", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]
    });
    for (name, value) in changes.as_object().unwrap() {
        metadata[name] = value.clone();
    }
    metadata.to_string().into_bytes()
}

/// zarr-python 3.1.6 writes `"order": "F"` for uncompressed arrays without axes. [`Array::open`] has undefined behavior
/// for such metadata.
#[test]
fn fortran_order_without_axes_is_accepted() {
    let objects = [
        (".zarray", &version_2(json!({}))[..]),
        (".zattrs", br#"{"unit": "m"}"#),
        ("0", &2.5_f64.to_le_bytes()),
    ];
    let array = open(&objects).unwrap();
    assert_eq!(
        array.read_slice::<f64>("...").unwrap(),
        arr0(2.5).into_dyn()
    );
    assert_eq!(array.attributes()["unit"], "m");
    array.write_slice("...", &arr0(4.5)).unwrap();
    assert_eq!(
        array.read_slice::<f64>("newaxis").unwrap(),
        arr1(&[4.5]).into_dyn()
    );
    // For an array with axes, Fortran order is kept.
    let metadata =
        version_2(json!({"shape": [2, 2], "chunks": [2, 2], "dtype": "|u1", "fill_value": 0}));
    let array = open(&[(".zarray", &metadata), ("0.0", &[1, 2, 3, 4])]).unwrap();
    let elements = ndarray::arr2(&[[1_u8, 3], [2, 4]]).into_dyn();
    assert_eq!(array.read_slice::<u8>("...").unwrap(), elements);
}

/// Elements are limited to 16 MiB, because zarrs would otherwise allocate a fill value of the claimed size, which may
/// be several terabytes.
#[test]
fn elements_larger_than_16_mib_are_rejected() {
    let string_type = |length: u64| json!({"name": "fixed_length_utf32", "configuration": {"length_bytes": length}});
    for length in [1 << 42, 1 << 25, 4 * ((1 << 22) + 1), !3] {
        let metadata = version_3(json!({"data_type": string_type(length), "fill_value": ""}));
        let error = open(&[("zarr.json", &metadata)]).unwrap_err().to_string();
        assert!(
            error.contains(&format!("an element has {length} bytes")),
            "{error}"
        );
        let optional = json!({"name": "zarrs.optional", "configuration": string_type(length)});
        let metadata = version_3(json!({"data_type": optional, "fill_value": null}));
        assert!(open(&[("zarr.json", &metadata)]).is_err());
    }
    for dtype in ["<U1073741823", ">U4194305", "<U18446744073709551615"] {
        let metadata = version_2(json!({"dtype": dtype, "fill_value": ""}));
        let error = open(&[(".zarray", &metadata)]).unwrap_err().to_string();
        assert!(error.contains("an element has "), "{error}");
    }
    let metadata = version_3(json!({"data_type": string_type(8), "fill_value": "a"}));
    let (out, _) = open(&[("zarr.json", &metadata)])
        .unwrap()
        .read_slice_raw("1", &Default::default())
        .unwrap();
    assert_eq!(
        out.bytes(),
        [u32::from(b'a').to_ne_bytes(), [0; 4]].concat()
    );
}

/// Only the grid `regular` is accepted. Other grids may repeat a chunk length any number of times, and the list of all
/// lengths might not fit in memory.
#[test]
fn irregular_chunk_grids_are_rejected() {
    for name in [
        "rectilinear",
        "rectangular",
        "zarrs.regular_bounded",
        "unknown",
    ] {
        let grid = json!({"name": name, "configuration": {"kind": "inline", "chunk_shapes": [[[1, 1_u64 << 60]]]}});
        let metadata = version_3(json!({"shape": [1_u64 << 60], "chunk_grid": grid}));
        let error = open(&[("zarr.json", &metadata)]).unwrap_err().to_string();
        assert!(
            error.contains(&format!("the chunk grid {name:?} is not supported")),
            "{error}"
        );
    }
}

/// Checks that missing chunks of complex numbers are read as zeros if the fill value is `null`, as in zarr-python.
#[test]
fn missing_complex_numbers_without_a_fill_value_are_zeros() {
    for (dtype, size) in [("<c8", 8), ("<c16", 16), (">c16", 16)] {
        let changes =
            json!({"shape": [3], "chunks": [2], "dtype": dtype, "fill_value": null, "order": "C"});
        let array = open(&[(".zarray", &version_2(changes))]).unwrap();
        let (out, _) = array.read_slice_raw("::-1", &Default::default()).unwrap();
        assert_eq!(out.bytes(), vec![0; 3 * size]);
    }
    let changes = json!({"shape": [1], "chunks": [1], "dtype": "<c16", "fill_value": [1.0, "NaN"]});
    let array = open(&[(".zarray", &version_2(changes))]).unwrap();
    let out: ArrayD<num_complex::Complex64> = array.read_slice("...").unwrap();
    assert!(out[[0]].re == 1.0 && out[[0]].im.is_nan());
}

#[test]
fn invalid_metadata_is_rejected() {
    assert!(matches!(open(&[]), Err(ArrayCreateError::MissingMetadata)));
    for metadata in [
        &b"{"[..],
        b"",
        b"[]",
        b"7",
        br#"{"zarr_format": 2}"#,
        br#"{"zarr_format": 3}"#,
    ] {
        assert!(open(&[("zarr.json", metadata)]).is_err());
        assert!(open(&[(".zarray", metadata)]).is_err());
    }
    let unknown = json!({"extra": {"must_understand": true, "name": "x"}});
    assert!(open(&[("zarr.json", &version_3(unknown))]).is_err());
    let ignored = json!({"extra": {"must_understand": false, "name": "x"}});
    assert!(open(&[("zarr.json", &version_3(ignored))]).is_ok());
    assert!(slice_zarr::open(Arc::new(MemoryStore::new()), "no path").is_err());
}

/// Checks that a metadata file of 1 GiB is not read.
#[test]
fn metadata_files_that_are_too_long_are_not_read() {
    for name in ["zarr.json", ".zarray"] {
        let directory = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(directory.path().join(name)).unwrap();
        file.set_len(1 << 30).unwrap();
        let confined = FileStorage::new(directory.path()).unwrap();
        let files = FilesystemStore::new(directory.path()).unwrap();
        for error in [
            slice_zarr::open(Arc::new(confined), "/")
                .map(drop)
                .unwrap_err(),
            slice_zarr::open(Arc::new(files), "/")
                .map(drop)
                .unwrap_err(),
        ] {
            let error = error.to_string();
            assert!(error.contains("is too long: 1073741824 bytes"), "{error}");
        }
    }
}

/// Checks that arrays of strings or raw bytes in Zarr format 2 can be opened if their fill value is `null`, which is
/// the value that zarr-python writes.
#[test]
fn a_null_fill_value_is_accepted_in_format_2() {
    for (dtype, size) in [("<U3", 12), (">U3", 12), ("|V5", 5), ("|V6", 6), ("|V7", 7)] {
        let store = Arc::new(MemoryStore::new());
        let metadata = json!({
            "zarr_format": 2, "shape": [2], "chunks": [2], "dtype": dtype, "fill_value": null, "order": "C",
            "filters": null, "compressor": null,
        });
        let key = StoreKey::new(".zarray").unwrap();
        store.set(&key, metadata.to_string().into()).unwrap();
        let array = slice_zarr::open(store, "/").unwrap();
        let (out, _) = array
            .read_slice_raw("...", &slice_zarr::AccessOptions::new())
            .unwrap();
        assert_eq!(out.bytes(), vec![0; 2 * size], "{dtype}");
    }
}

/// Checks that `reshape` codecs whose shapes have 2^64 or more elements, and a shard index that is larger than the
/// limit, cause errors.
#[test]
fn codecs_with_impossible_sizes_are_rejected() {
    let open = |shape: Value, chunk: Value, codecs: Value| {
        let store = Arc::new(MemoryStore::new());
        let metadata = json!({
            "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "uint8", "fill_value": 0,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
            "chunk_key_encoding": {"name": "default"}, "codecs": codecs,
        });
        let key = StoreKey::new("zarr.json").unwrap();
        store.set(&key, metadata.to_string().into()).unwrap();
        slice_zarr::open(store, "/")
    };
    let bytes = json!({"name": "bytes"});
    let big = 1_u64 << 33;
    for (chunk, shape) in [
        (json!([4, 1]), json!([9_223_372_036_854_775_808_u64, 2, -1])),
        (
            json!([4, 1]),
            json!([3, 12_297_829_382_473_034_411_u64, -1]),
        ),
        (json!([big, big]), json!([[0, 1]])),
        (json!([4, 9_223_372_036_854_775_807_u64]), json!([[0], [1]])),
    ] {
        let reshape = json!({"name": "reshape", "configuration": {"shape": shape}});
        let Ok(array) = open(json!([7, 6]), chunk, json!([reshape, bytes])) else {
            continue;
        };
        let planned = array.plan_slice("0, 0").map(drop);
        let read = array.read_slice_raw("0, 0", &slice_zarr::AccessOptions::new());
        assert!(planned.is_err() || read.is_err());
    }
    let sharding = json!({"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1], "codecs": [bytes],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    }});
    let array = open(json!([1 << 27]), json!([1 << 27]), json!([sharding])).unwrap();
    let options = slice_zarr::AccessOptions::new().max_chunk(1 << 30);
    let error = array.read_slice_raw("0:1", &options).unwrap_err();
    assert!(error.to_string().contains("2147483648 bytes"), "{error}");
}
