//! Checks that this crate can read back the slices that it wrote. `oracle.py check` reads the same arrays with
//! zarr-python and tensorstore.
//!
//! With `SLICE_ZARR_WRITTEN=DIRECTORY`, the tests write the arrays to DIRECTORY for this script.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ndarray::{ArrayD, ArrayViewMutD, IxDyn, arr0, arr1};
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt, s};
use slice_zarr::{AccessOptions, Element, Error, ReadSlice, WriteSlice};
use zarrs::array::codec::{GzipCodec, ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, DataType, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableWritableStorageTraits;
use zarrs::storage::store::MemoryStore;

use crate::stores::{Case, stores};

type WritableArray = Array<dyn ReadableWritableStorageTraits>;

const SLICES: [&str; 10] = [
    "",
    "::2",
    "::-1",
    "1:-1, ::3",
    "-1",
    "..., 2:5",
    "3:, newaxis, ::-2",
    "2, 1",
    "5:2:-1, ..., None",
    ":0",
];

/// Writes values to several slices of `array` and of an ndarray array, and compares the two arrays after each write.
fn check<T: Element + PartialEq + std::fmt::Debug>(
    array: &WritableArray,
    fill: T,
    value: impl Fn(usize) -> T,
) -> ArrayD<T> {
    array.store_metadata().unwrap();
    let shape: Vec<usize> = array.shape().iter().map(|&len| len as usize).collect();
    let mut expected = ArrayD::from_elem(shape, fill);
    let mut next = 0;
    for (number, slice) in SLICES.iter().enumerate() {
        let spec: DynSliceSpec = slice.parse().unwrap();
        let mut region: ArrayViewMutD<'_, T> = expected.at_mut(&spec);
        // The values have the shape of the slice, or are broadcast along its first axis.
        let mut value_shape = region.shape().to_vec();
        if number % 2 == 1 && !value_shape.is_empty() {
            value_shape[0] = 1;
        }
        let values = ArrayD::from_shape_simple_fn(value_shape, || {
            next += 1;
            value(next)
        });
        region.assign(&values);
        let options = AccessOptions::new().workers(1 + number % 3);
        array.write_slice_with(*slice, &values, &options).unwrap();
        let stored: ArrayD<T> = array.read_slice("...").unwrap();
        assert_eq!(stored, expected, "after writing {slice:?}");
    }
    expected
}

/// If `SLICE_ZARR_WRITTEN` names a directory, writes the array and its expected elements to this directory.
fn keep<T: Element>(name: &str, array: &WritableArray, data: &ArrayD<T>) {
    let Some(directory) = std::env::var_os("SLICE_ZARR_WRITTEN").map(PathBuf::from) else {
        return;
    };
    let store = FilesystemStore::new(directory.join(format!("{name}.zarr"))).unwrap();
    let saved_array: Arc<dyn ReadableWritableStorageTraits> = Arc::new(store);
    let saved_array = array.with_storage(saved_array);
    saved_array.store_metadata().unwrap();
    saved_array.write_slice("...", data).unwrap();
    let bytes: Vec<u8> = data
        .iter()
        .flat_map(|&x| bytemuck::bytes_of(&x).to_vec())
        .collect();
    keep_bytes(&directory, name, &bytes);
}

/// Writes the expected bytes of all elements of an array to a file.
fn keep_bytes(directory: &Path, name: &str, bytes: &[u8]) {
    let json = serde_json::json!({ "bytes": BASE64_STANDARD.encode(bytes) });
    std::fs::write(directory.join(format!("{name}.json")), json.to_string()).unwrap();
}

fn builder(data_type: DataType, fill: impl Into<FillValue>, chunks: [u64; 2]) -> ArrayBuilder {
    ArrayBuilder::new(vec![11, 13], chunks.to_vec(), data_type, fill.into())
}

fn in_memory(builder: &mut ArrayBuilder) -> WritableArray {
    let store: Arc<dyn ReadableWritableStorageTraits> = Arc::new(MemoryStore::new());
    builder.build(store, "/").unwrap()
}

#[test]
fn written_slices_are_read_back() {
    let raw = in_memory(&mut builder(data_type::float32(), -1.0_f32, [4, 5]));
    keep("raw", &raw, &check(&raw, -1.0, |n| n as f32));

    let mut zstd = builder(data_type::int16(), 7_i16, [3, 13]);
    let zstd = in_memory(zstd.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]));
    keep("zstd", &zstd, &check(&zstd, 7, |n| n as i16));

    let mut sharding = ShardingCodecBuilder::new(
        [2, 3].map(|len| NonZeroU64::new(len).unwrap()).to_vec(),
        &data_type::uint64(),
    );
    sharding.bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(1).unwrap())]);
    let mut sharded = builder(data_type::uint64(), 0_u64, [6, 6]);
    let sharded = in_memory(sharded.array_to_bytes_codec(sharding.build_arc()));
    keep("sharded", &sharded, &check(&sharded, 0, |n| n as u64));

    let bools = in_memory(&mut builder(data_type::bool(), false, [5, 2]));
    keep("bool", &bools, &check(&bools, false, |n| n % 3 == 0));
}

#[test]
fn failed_writes_leave_the_array_unchanged() {
    let array = in_memory(&mut builder(data_type::float64(), 0.0_f64, [4, 4]));
    let error = array
        .write_slice(s![1:, :4], &arr1(&[1.0, 2.0, 3.0]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not broadcast input array from shape (3,) into shape (10,4); axis 1 of the slice has size 4, so the value \
         may have size 1 or 4 there, not 3"
    );
    let lists = s![[0, 3, 1], 0];
    let error = array
        .write_slice(&lists, &arr1(&[1.0, 2.0]))
        .unwrap_err()
        .to_string();
    let expected = ndarray::Array2::<f64>::zeros((11, 13))
        .try_set(&lists, [1.0, 2.0])
        .unwrap_err();
    assert!(matches!(expected, SliceError::BroadcastToLists { .. }));
    assert_eq!(error, expected.to_string());
    let error = array.write_slice(s![11], &arr0(1.0)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("index 11 is out of bounds for axis 0 with size 11")
    );
    let error = array.write_slice(s![0], &arr0(1_u8)).unwrap_err();
    assert!(matches!(error, Error::Element { .. }), "{error}");
    assert!(
        array
            .read_slice::<f64>(s![])
            .unwrap()
            .iter()
            .all(|&x| x == 0.0)
    );
}

#[test]
fn slices_are_read_into_views() {
    let array = in_memory(&mut builder(data_type::int32(), 0_i32, [4, 5]));
    let data = ArrayD::from_shape_fn(IxDyn(&[11, 13]), |at| (at[0] * 100 + at[1]) as i32);
    array.write_slice(s![], &data).unwrap();

    // The view is transposed, and has a reversed axis and steps on both axes.
    let mut out = ArrayD::from_elem(IxDyn(&[13, 5]), -1);
    let mut transposed = out.view_mut().reversed_axes();
    let options = AccessOptions::new();
    let error = array.read_slice_into(s![1::9, -7:], transposed.at_mut(s![::-3, 1:12:2]), &options);
    assert_eq!(
        error.unwrap_err().to_string(),
        "shapes differ: expected (2,7), but got (2,6)"
    );
    assert!(transposed.iter().all(|&x| x == -1));

    let view = transposed.at_mut(s![::-3, 1:12:2]);
    array
        .read_slice_into(s![1::9, -7:-1], view, &options)
        .unwrap();
    assert_eq!(transposed.at(s![::-3, 1:12:2]), data.at(s![1::9, -7:-1]));
    assert_eq!(out.iter().filter(|&&x| x != -1).count(), 12);
}

/// As in NumPy, elements that are not selected stay unchanged, and if several values are written to one element, the
/// last value remains.
#[test]
fn slices_with_lists_are_written_as_in_numpy() {
    let mut count = 0;
    let directory = std::env::var_os("SLICE_ZARR_WRITTEN").map(PathBuf::from);
    for store in stores() {
        for (number, case) in store.cases.iter().enumerate() {
            let Some(expected) = case.bytes_after_write() else {
                continue;
            };
            let open = |storage: Arc<dyn ReadableWritableStorageTraits>| -> WritableArray {
                Array::open(storage, "/").unwrap()
            };
            let array = open(store.in_memory());
            let options = AccessOptions::new().workers(1 + number % 3);
            let integers = ["holes", "raw_big_endian", "sharded_index_first"];
            let write: Write = match array.data_type().fixed_size() {
                Some(1) => write_back::<u8>,
                Some(2) if store.name.starts_with("sharded") => write_back::<u16>,
                Some(2) => write_back::<i16>,
                Some(4) if integers.contains(&&*store.name) => write_back::<i32>,
                Some(4) if store.name.starts_with("uint32") => write_back::<u32>,
                Some(4) => write_back::<f32>,
                Some(8) if store.name.starts_with("zstd") => write_back::<u64>,
                Some(8) if store.name.starts_with("v2_zstd") => write_back::<i64>,
                _ => write_back::<f64>,
            };
            let bytes = write(&array, case, &options);
            assert!(
                bytes == expected,
                "{}[{}]: incorrect elements",
                store.name,
                case.slice
            );
            count += 1;
            // Keeps the array for `oracle.py check`. Its metadata and its untouched chunks are from zarr-python or
            // tensorstore.
            if let Some(directory) = &directory {
                let name = format!("list_{}_{number}", store.name);
                let path = directory.join(format!("{name}.zarr"));
                store.write_to_directory(&path);
                write(
                    &open(Arc::new(FilesystemStore::new(path).unwrap())),
                    case,
                    &options,
                );
                keep_bytes(directory, &name, &bytes);
            }
        }
    }
    assert!(count > 200, "too few slices were written: {count}");
}

type Write = fn(&WritableArray, &Case, &AccessOptions<'_>) -> Vec<u8>;

/// Writes the elements of a slice back in reverse order. Returns the bytes of all elements of the array.
fn write_back<T: Element>(
    array: &WritableArray,
    case: &Case,
    options: &AccessOptions<'_>,
) -> Vec<u8> {
    let slice = case.slice.as_str();
    let out: ArrayD<T> = array.read_slice(slice).unwrap();
    let shape = out.raw_dim();
    let (mut values, _) = out.into_raw_vec_and_offset();
    values.reverse();
    let values = ArrayD::from_shape_vec(shape, values).unwrap();
    array.write_slice_with(slice, &values, options).unwrap();
    let stored: ArrayD<T> = array.read_slice("...").unwrap();
    let bytes = stored.iter().flat_map(|&x| bytemuck::bytes_of(&x).to_vec());
    bytes.collect()
}
