//! Splits read plans, serializes the resulting plans as JSON or in a binary format, and runs them. Together, the plans
//! must produce the same result as a single read. In one test, they run in separate processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

use ndarray::{Array2, ArrayD, IxDyn};
use serde_json::{Value, json};
use slice_zarr::{AccessOptions, Error, PlanSlice, ReadPlan, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    Bytes, ListableStorageTraits, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StoreKeys, StoreKeysPrefixes, StorePrefix, WritableStorageTraits,
    byte_range::ByteRangeIterator,
};

use crate::requests::{CountingStore, counting_store};
use crate::stores::stores;

/// A function that serializes and deserializes a plan, as if the plan were sent to another machine.
type RoundTrip = fn(&ReadPlan) -> ReadPlan;

fn through_json(plan: &ReadPlan) -> ReadPlan {
    serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap()
}

fn through_postcard(plan: &ReadPlan) -> ReadPlan {
    postcard::from_bytes(&postcard::to_allocvec(plan).unwrap()).unwrap()
}

/// Creates an array in memory for the result of a plan, with chunks of shape `chunk_shape`.
fn output_for<S: ?Sized>(
    plan: &ReadPlan,
    array: &Array<S>,
    chunk_shape: &[usize],
) -> Array<MemoryStore> {
    let lengths = |lengths: &[usize]| lengths.iter().map(|&len| len as u64).collect::<Vec<_>>();
    let (shape, chunks) = (lengths(plan.shape()), lengths(chunk_shape));
    let data_type = array.data_type().clone();
    let builder = ArrayBuilder::new(shape, chunks, data_type, array.fill_value().clone());
    builder.build(Arc::new(MemoryStore::new()), "/").unwrap()
}

/// Splits the plans of every other slice in [`stores`], starting with slice number `first` of each store (counted from
/// 0), and runs the resulting plans. The output and the numbers of bytes and requests must be the same as for a
/// single read.
fn check_splits(first: usize, round_trip: RoundTrip) {
    let (mut checked, mut split) = (0, 0);
    for store in stores() {
        let array = Array::open(store.in_memory(), "/").unwrap();
        for (number, case) in store.cases.iter().enumerate().skip(first).step_by(2) {
            let context = || format!("{}[{}]", store.name, case.slice);
            let Ok(plan) = array.plan_slice(case.slice.as_str()) else {
                continue;
            };
            let options = AccessOptions::new().workers(1 + number % 3);
            let (single, stats) = array.read_slice_raw(case.slice.as_str(), &options).unwrap();

            let chunk_shape = plan
                .shape()
                .iter()
                .map(|len| 1 + (len + number % 8) / (1 + number % 5));
            let chunk_shape: Vec<usize> = chunk_shape.collect();
            let output = output_for(&plan, &array, &chunk_shape);
            let (mut bytes, mut requests) = (0, 0);
            let plans = plan.split_for(1 + number % 7, &chunk_shape).unwrap();
            split += usize::from(plans.len() > 1);
            for plan in plans {
                let plan_stats = round_trip(&plan).run_to(&array, &output, &options);
                let plan_stats =
                    plan_stats.unwrap_or_else(|error| panic!("{}: {error}", context()));
                bytes += plan_stats.bytes;
                requests += plan_stats.requests;
            }
            assert_eq!(
                (bytes, requests),
                (stats.bytes, stats.requests),
                "{}",
                context()
            );
            let (out, _) = output.read_slice_raw("...", &AccessOptions::new()).unwrap();
            assert_eq!(out.shape(), single.shape(), "{}", context());
            assert_eq!(out.bytes(), single.bytes(), "{}", context());
            checked += 1;
        }
    }
    assert!(
        checked > 750 && split > 50,
        "too few slices: checked {checked}, of which {split} were split"
    );
}

#[test]
fn plans_serialized_as_json_give_the_same_result_as_a_single_read() {
    check_splits(0, through_json);
}

#[test]
fn plans_serialized_with_postcard_give_the_same_result_as_a_single_read() {
    check_splits(1, through_postcard);
}

#[test]
fn plans_of_a_split_fill_an_array_in_memory() {
    let array = ArrayBuilder::new(vec![23, 17], vec![4, 5], data_type::int32(), -1_i32)
        .build(Arc::new(MemoryStore::new()), "/")
        .unwrap();
    let data = Array2::from_shape_fn((23, 17), |(i, j)| (17 * i + j) as i32);
    array.write_slice("...", &data).unwrap();
    for slice in [
        "...",
        "::-1, ::2",
        "3, ::-3",
        "newaxis, 1:20:6",
        "5, 5",
        ":0",
        "[20, 3, 3, 17, 8], ::2",
        "..., [16, 2, 4, 11, 2, 3]",
        "[9, 8, 7, 6, 5, 4, 3, 2, 20, 21, 22, 21], [True, False, False, True, True, False, False, False, False, \
         True, True, True, False, False, False, False, True]",
    ] {
        let plan = array.plan_slice(slice).unwrap();
        let single: ArrayD<i32> = array.read_slice(slice).unwrap();
        for n in 1..9 {
            let mut out = ArrayD::from_elem(IxDyn(plan.shape()), i32::MIN);
            let mut filled = 0;
            for part in plan.split(n) {
                let round_trip: RoundTrip = if n % 2 == 0 {
                    through_json
                } else {
                    through_postcard
                };
                let part = round_trip(&part);
                part.run_into(&array, out.view_mut(), &AccessOptions::new())
                    .unwrap();
                filled += part.elements();
                // A plan does not change elements that are filled by other plans.
                let untouched = out.iter().filter(|&&x| x == i32::MIN).count();
                assert_eq!(filled + untouched, out.len());
            }
            assert_eq!(out, single, "{slice} split into {n} plans");
        }
    }
}

/// Checks that a plan is compared with the array and the output before any chunk is read.
#[test]
fn plans_for_a_different_array_or_output_are_rejected() {
    let store = Arc::new(MemoryStore::new());
    let build = |shape: Vec<u64>, chunks: Vec<u64>| {
        let array = ArrayBuilder::new(shape, chunks, data_type::int32(), 0_i32);
        let array = array.build(store.clone(), "/").unwrap();
        array.store_metadata().unwrap();
        let counting_store = counting_store(store.clone());
        (
            Array::open(counting_store.clone(), "/").unwrap(),
            counting_store,
        )
    };
    let (array, _) = build(vec![20, 20], vec![5, 5]);
    let plan = array.plan_slice("::-1").unwrap();
    let good = serde_json::to_value(&plan).unwrap();
    let mut out = ArrayD::<i32>::zeros(plan.shape());
    let output = output_for(&plan, &array, &[5, 5]);

    let run = |array: &Array<CountingStore>, plan: &Value, out: &mut ArrayD<i32>| {
        let plan: ReadPlan =
            serde_json::from_value(plan.clone()).expect("the JSON should be a valid plan");
        let result = plan.run_into(array, out.view_mut(), &AccessOptions::new());
        let again = plan.run_to(array, &output, &AccessOptions::new());
        assert_eq!(result.is_ok(), again.is_ok());
        result.map_err(|error| error.to_string())
    };
    let (array, counter) = build(vec![20, 20], vec![5, 5]);
    assert!(run(&array, &good, &mut out).is_ok());
    let before = counter.watcher.requests.load(Ordering::Relaxed);
    for (field, value, message) in [
        (
            "data_type",
            json!("uint32"),
            "data type \"uint32\", but the array has \"int32\"",
        ),
        ("item_size", json!(8), "item size 8"),
        ("chunk_shape", json!([5, 10]), "chunk shape [5, 10]"),
        (
            "inner_chunk_shape",
            json!([5, 1]),
            "inner chunk shape Some([5, 1])",
        ),
        ("uncompressed", json!(false), "uncompressed"),
        ("index_bytes", json!(3), "shard index size 3"),
        ("chunk_memory", json!(3), "memory per chunk 3"),
    ] {
        let mut wrong = good.clone();
        wrong["array"][field] = value;
        let error = run(&array, &wrong, &mut out).expect_err(field);
        assert!(error.contains(message), "{field}: {error}");
    }
    // The address is not compared, because the same array may be reached at different addresses.
    let mut with_new_address = good.clone();
    with_new_address["array"]["address"] = json!("elsewhere");
    assert_eq!(counter.watcher.requests.load(Ordering::Relaxed), before);
    assert!(run(&array, &with_new_address, &mut out).is_ok());
    // A plan without `chunk_memory`, such as one written by hand, is accepted.
    let mut without_memory = good.clone();
    without_memory["array"]
        .as_object_mut()
        .unwrap()
        .remove("chunk_memory");
    assert!(run(&array, &without_memory, &mut out).is_ok());

    for (shape, message) in [
        (vec![20, 21], "shape [20, 20], but"),
        (vec![20], "shape [20, 20], but"),
    ] {
        let (array, counter) = build(shape.clone(), vec![5; shape.len()]);
        let before = counter.watcher.requests.load(Ordering::Relaxed);
        let error = run(&array, &good, &mut out)
            .expect_err("the run should fail, because the array has a different shape");
        assert!(error.contains(message), "{error}");
        assert_eq!(counter.watcher.requests.load(Ordering::Relaxed), before);
    }

    // A plan is rejected if the output has a different shape or data type, or if a chunk of the output would be written
    // by two plans.
    let (array, counter) = build(vec![20, 20], vec![5, 5]);
    let before = counter.watcher.requests.load(Ordering::Relaxed);
    let mut small = ArrayD::<i32>::zeros(IxDyn(&[20, 19]));
    assert!(
        plan.run_into(&array, small.view_mut(), &AccessOptions::new())
            .is_err()
    );
    let mut floats = ArrayD::<f32>::zeros(IxDyn(&[20, 20]));
    let error = plan.run_into(&array, floats.view_mut(), &AccessOptions::new());
    assert!(matches!(error, Err(Error::Element { .. })));
    let half = plan.split(2).next().unwrap();
    let shared = output_for(&plan, &array, &[20, 20]);
    let error = half.run_to(&array, &shared, &AccessOptions::new());
    assert!(matches!(error, Err(Error::SharedChunks { .. })));
    let floats = ArrayBuilder::new(vec![20, 20], vec![5, 5], data_type::float32(), 0_f32)
        .build(Arc::new(MemoryStore::new()), "/")
        .unwrap();
    let error = plan.run_to(&array, &floats, &AccessOptions::new());
    assert!(matches!(error, Err(Error::OtherArray { .. })));
    assert_eq!(counter.watcher.requests.load(Ordering::Relaxed), before);
}

/// Checks that data types with the same name and size are distinguished by their configurations.
#[test]
fn plans_for_a_different_data_type_configuration_are_rejected() {
    let build = |unit: &str, factor: u64| {
        let store = Arc::new(MemoryStore::new());
        let metadata = json!({
            "zarr_format": 3, "node_type": "array", "shape": [4], "fill_value": 0,
            "data_type": {"name": "numpy.datetime64", "configuration": {"unit": unit, "scale_factor": factor}},
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
            "chunk_key_encoding": {"name": "default"},
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        });
        let key = StoreKey::new("zarr.json").unwrap();
        store.set(&key, metadata.to_string().into()).unwrap();
        Array::open(store, "/").unwrap()
    };
    let options = AccessOptions::new();
    let kinds = [("s", 1), ("ns", 1), ("ns", 10), ("generic", 1), ("us", 1)];
    let names = ["s", "ns", "10ns", "generic", "us"];
    for ((unit, factor), name) in kinds.into_iter().zip(names) {
        let array = build(unit, factor);
        let plan = through_json(&array.plan_slice("1:").unwrap());
        assert_eq!(plan.array().data_type, format!("numpy.datetime64[{name}]"));
        for (unit, factor) in kinds {
            let same = array.data_type() == build(unit, factor).data_type();
            // Runs the plan twice. In the first run, the input array has this unit and factor; in the second, the
            // output array does.
            let other = build(unit, factor);
            let output = output_for(&plan, &array, &[1]);
            let read_result = plan.run_to(&other, &output, &options);
            let write_result = plan.run_to(&array, &output_for(&plan, &other, &[1]), &options);
            for outcome in [read_result, write_result] {
                match outcome {
                    Ok(_) => assert!(same, "a plan for {name} was accepted for {factor} {unit}"),
                    Err(Error::OtherArray { what, .. }) => {
                        assert_eq!((what, same), ("data type", false))
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    // For data types other than `numpy.datetime64`, a plan contains the configuration as JSON.
    let fill = FillValue::new(vec![0; 12]);
    let text = ArrayBuilder::new(
        vec![4],
        vec![2],
        data_type::fixed_length_utf32(12.try_into().unwrap()).unwrap(),
        fill,
    )
    .build(Arc::new(MemoryStore::new()), "/")
    .unwrap();
    let plan = text.plan_slice("...").unwrap();
    let name = r#"fixed_length_utf32{"length_bytes":12}"#;
    assert_eq!(plan.array().data_type, name);
}

/// A file-system store that aborts the process during the `writes_left`-th write from now, after half of the chunk has
/// been written.
struct AbortingStore {
    store: FilesystemStore,
    writes_left: AtomicUsize,
}

impl WritableStorageTraits for AbortingStore {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        if self.writes_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.store.set(key, value.slice(..value.len() / 2))?;
            std::process::abort();
        }
        self.store.set(key, value)
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        offsets: zarrs::storage::OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        self.store.set_partial_many(key, offsets)
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.store.erase(key)
    }

    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        self.store.erase_prefix(prefix)
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}

impl ReadableStorageTraits for AbortingStore {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.store.get_partial_many(key, byte_ranges)
    }

    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.store.get(key)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.store.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl ListableStorageTraits for AbortingStore {
    fn list(&self) -> Result<StoreKeys, StorageError> {
        self.store.list()
    }

    fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        self.store.list_prefix(prefix)
    }

    fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        self.store.list_dir(prefix)
    }

    fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        self.store.size_prefix(prefix)
    }
}

/// Runs a plan if this process was started by `processes_run_the_plans_of_a_split_into_one_array`. Otherwise does
/// nothing.
#[test]
fn worker_process() {
    let Some(plan) = env::var_os("SLICE_ZARR_PLAN").map(PathBuf::from) else {
        return;
    };
    let text = fs::read_to_string(&plan).unwrap();
    let plan_read: ReadPlan = serde_json::from_str(&text).unwrap();
    let input = FilesystemStore::new(&plan_read.array().address).unwrap();
    let array = Array::open(Arc::new(input), "/").unwrap();
    let writes_left = env::var("SLICE_ZARR_ABORTS_AT")
        .map_or(usize::MAX, |writes_left| writes_left.parse().unwrap());
    let store = FilesystemStore::new(env::var_os("SLICE_ZARR_OUTPUT").unwrap()).unwrap();
    let writes_left = AtomicUsize::new(writes_left);
    let output = Array::open(Arc::new(AbortingStore { store, writes_left }), "/").unwrap();
    let options = AccessOptions::new().workers(1);
    let stats = plan_read.run_to(&array, &output, &options).unwrap();
    fs::write(plan.with_extension("bytes"), stats.bytes.to_string()).unwrap();
}

/// Returns a command that runs a plan in another process. If `aborts_at` is given, the process aborts during its
/// `aborts_at`-th write (counting from 1).
fn worker_command(plan: &Path, output: &Path, aborts_at: Option<usize>) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["plans::worker_process", "--exact", "--test-threads=1"]);
    command
        .env("SLICE_ZARR_PLAN", plan)
        .env("SLICE_ZARR_OUTPUT", output);
    if let Some(aborts_at) = aborts_at {
        command.env("SLICE_ZARR_ABORTS_AT", aborts_at.to_string());
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs the six plans of a split in separate processes. One process aborts while it writes a chunk, and its plan is run
/// again.
#[test]
fn processes_run_the_plans_of_a_split_into_one_array() {
    const SIZE: usize = 480;
    let directory = tempfile::tempdir().unwrap();
    let [input, output] =
        ["input", "output"].map(|name| directory.path().join(format!("{name}.zarr")));
    let lengths = |len: u64| vec![len.try_into().unwrap(); 2];
    let mut sharding = ShardingCodecBuilder::new(lengths(20), &data_type::int32());
    sharding.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]);
    let array = ArrayBuilder::new(
        vec![SIZE as u64; 2],
        vec![80, 80],
        data_type::int32(),
        0_i32,
    )
    .array_to_bytes_codec(sharding.build_arc())
    .build(Arc::new(FilesystemStore::new(&input).unwrap()), "/")
    .unwrap();
    array.store_metadata().unwrap();
    let data = Array2::from_shape_fn((SIZE, SIZE), |(i, j)| {
        ((i * 7919 + j * 104_729) % 65_521) as i32
    });
    array.write_slice("...", &data).unwrap();

    let slice = "::2, 100::-1";
    let options = AccessOptions::new();
    let (single, stats) = array.read_slice_with::<i32>(slice, &options).unwrap();
    let plan = array
        .plan_slice(slice)
        .unwrap()
        .with_address(input.to_str().unwrap());
    let out = ArrayBuilder::new(vec![240, 101], vec![20, 101], data_type::int32(), 0_i32)
        .build(Arc::new(FilesystemStore::new(&output).unwrap()), "/")
        .unwrap();
    out.store_metadata().unwrap();

    let plans = plan.split_for(6, &[20, 101]).unwrap().enumerate();
    let plans: Vec<PathBuf> = plans
        .map(|(number, plan)| {
            let path = directory.path().join(format!("{number}.json"));
            fs::write(&path, serde_json::to_string_pretty(&plan).unwrap()).unwrap();
            path
        })
        .collect();
    assert_eq!(plans.len(), 6);
    let aborts_at = |number| (number == 3).then_some(2);
    let processes = plans.iter().enumerate();
    let processes: Vec<_> = processes
        .map(|(number, plan)| {
            worker_command(plan, &output, aborts_at(number))
                .spawn()
                .unwrap()
        })
        .collect();
    for (number, mut process) in processes.into_iter().enumerate() {
        assert_eq!(
            process.wait().unwrap().success(),
            aborts_at(number).is_none()
        );
    }
    // One chunk of the output is incomplete.
    assert!(out.read_slice::<i32>("...").is_err());
    assert!(
        worker_command(&plans[3], &output, None)
            .status()
            .unwrap()
            .success()
    );

    assert_eq!(out.read_slice::<i32>("...").unwrap(), single);
    let bytes = plans
        .iter()
        .map(|plan| fs::read_to_string(plan.with_extension("bytes")).unwrap());
    let bytes: u64 = bytes.map(|bytes| bytes.parse::<u64>().unwrap()).sum();
    assert_eq!(bytes, stats.bytes);
}

/// Reads a list with several axes into views in which these axes cannot be merged, as a whole and plan by plan.
#[test]
fn lists_with_several_axes_fill_views_of_any_strides() {
    let array = ArrayBuilder::new(vec![12, 5], vec![5, 2], data_type::int32(), -1_i32)
        .build(Arc::new(MemoryStore::new()), "/")
        .unwrap();
    let data = Array2::from_shape_fn((12, 5), |(i, j)| (5 * i + j) as i32);
    array.write_slice("...", &data).unwrap();
    for slice in [
        "[[3, 0, 11], [3, 7, 5]], ::2",
        "zip([[3, 0, 11], [3, 7, 5]], [[4, 4, 0], [1, 2, 3]]), newaxis",
    ] {
        let expected = array.read_slice::<i32>(slice).unwrap();
        let shape = expected.shape();
        let wide = [2 * shape[0], shape[1], 2 * shape[2]];
        let mut out = ArrayD::<i32>::zeros(&wide[..]);
        let view = out.view_mut();
        let view = view.slice_move(ndarray::s![..;2, ..;-1, ..;-2]);
        let options = AccessOptions::new();
        array.read_slice_into(slice, view, &options).unwrap();
        let view = out.slice(ndarray::s![..;2, ..;-1, ..;-2]);
        assert_eq!(view.into_dyn(), expected, "{slice}");

        let peak_bytes = array.plan_slice(slice).unwrap().peak_bytes(&options);
        let second_output = (4 * expected.len()) as u64;
        for (max_bytes, is_enough) in [
            (peak_bytes + second_output - 1, false),
            (peak_bytes + second_output, true),
        ] {
            let options = options.max_memory(max_bytes);
            let mut out = ArrayD::<i32>::zeros(&wide[..]);
            let view = out.view_mut();
            let view = view.slice_move(ndarray::s![..;2, ..;-1, ..;-2]);
            let read = array.read_slice_into(slice, view, &options);
            match read {
                Ok(stats) => assert!(is_enough && stats.peak_bytes <= max_bytes),
                Err(error) => assert!(
                    !is_enough && error.to_string().contains("memory"),
                    "{error}"
                ),
            }
        }

        let bytes: Vec<i32> = array
            .read_slice_raw(slice, &options)
            .map(|(raw, _)| {
                raw.bytes()
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&four| i32::from_ne_bytes(four))
                    .collect()
            })
            .unwrap();
        assert!(bytes.iter().eq(&expected), "{slice}");
        let mut halves = ArrayD::<i16>::zeros([&wide[..], &[2]].concat());
        let view = halves.view_mut();
        let view = view.slice_move(ndarray::s![..;2, ..;-1, ..;-2, ..]);
        array.read_slice_raw_into(slice, view, &options).unwrap();
        let low = halves.slice(ndarray::s![..;2, ..;-1, ..;-2, 0]);
        assert!(
            low.iter()
                .zip(&expected)
                .all(|(&low, &element)| i32::from(low) == element)
        );

        let mut out = ArrayD::<i32>::zeros(&wide[..]);
        for plan in array.plan_slice(slice).unwrap().split(3) {
            let view = out.view_mut();
            let view = view.slice_move(ndarray::s![..;2, ..;-1, ..;-2]);
            plan.run_into(&array, view, &options).unwrap();
        }
        let view = out.slice(ndarray::s![..;2, ..;-1, ..;-2]);
        assert_eq!(view.into_dyn(), expected, "{slice}");
    }
}
