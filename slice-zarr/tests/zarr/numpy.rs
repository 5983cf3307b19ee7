//! Reads every recorded slice from memory and from files, with several combinations of options, and compares the
//! results with NumPy's.

use std::sync::Arc;

use slice_zarr::{AccessOptions, Error, PlanSlice, ReadPlan, ReadSlice, Stats};
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::ReadableStorageTraits;

use crate::requests::counting_store;
use crate::stores::{Case, Store, all_stores, is_unsupported, stores};

type OpenArray = Array<dyn ReadableStorageTraits>;

fn open(storage: Arc<dyn ReadableStorageTraits>, name: &str) -> OpenArray {
    Array::open(storage, "/").unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn check(
    array: &OpenArray,
    store: &Store,
    case: &Case,
    options: &AccessOptions<'_>,
) -> Option<Stats> {
    let context = || format!("{}[{}] with {options:?}", store.name, case.slice);
    let result = array.read_slice_raw(case.slice.as_str(), options);
    match (result, &case.error) {
        (Ok((out, stats)), None) => {
            assert_eq!(Some(out.shape()), case.shape.as_deref(), "{}", context());
            assert!(
                out.bytes() == case.bytes(),
                "{}: the elements differ from NumPy's",
                context()
            );
            if let Some(chunks) = case.chunks {
                assert_eq!(stats.chunks, chunks, "{}", context());
            }
            Some(stats)
        }
        (Err(error), Some(expected)) => {
            let error = error.to_string();
            assert!(
                error.starts_with(&**expected),
                "{}: {error}\nNumPy: {expected}",
                context()
            );
            None
        }
        (result, expected) => {
            let result = result.map(|(out, _)| out.shape().to_vec());
            panic!(
                "{}: got {result:?}, but NumPy's error is {expected:?}",
                context()
            )
        }
    }
}

#[test]
fn slices_agree_with_numpy() {
    let options = [
        AccessOptions::new(),
        AccessOptions::new().workers(1).merge_gap(0),
        AccessOptions::new().workers(3).merge_gap(8).batch(1),
        AccessOptions::new().workers(5).merge_gap(64).batch(100),
        AccessOptions::new().workers(2).merge_gap(u64::MAX),
    ];
    let (mut slices, mut errors) = (0, 0);
    for store in stores() {
        let directory = tempfile::tempdir().unwrap();
        store.write_to_directory(directory.path());
        let files = FilesystemStore::new(directory.path()).unwrap();
        let files = open(Arc::new(files), &store.name);
        let counting_store = counting_store(store.in_memory());
        let memory = open(counting_store.clone(), &store.name);
        counting_store.watcher.take();
        // Compares the statistics of the read with the requests received by the store. An invalid slice must cause no
        // requests.
        let check_counted = |case, options: &_| {
            let stats = check(&memory, store, case, options);
            let counted = stats.map_or((0, 0), |stats| (stats.requests, stats.bytes as usize));
            let (requests, bytes, size_requests) = counting_store.watcher.take();
            let context = || format!("{}[{}] with {options:?}", store.name, case.slice);
            assert_eq!((requests, bytes), counted, "{}", context());
            assert!(size_requests <= requests, "{}", context());
            stats
        };
        for (number, case) in store.cases.iter().enumerate() {
            let option_number = number % options.len();
            let stats = check_counted(case, &options[option_number]);
            assert_eq!(
                check(&files, store, case, &options[option_number]).map(without_peak),
                stats.map(without_peak)
            );
            if option_number != 0 {
                check_counted(case, &options[0]);
            }
            if stats.is_some() {
                slices += 1;
            } else {
                errors += 1;
            }
        }
    }
    assert!(
        slices > 2300 && errors > 180,
        "too few slices or errors: {slices} slices, {errors} errors"
    );
}

/// Returns the statistics without the peak memory, which depends on the order in which workers run.
fn without_peak(mut stats: Stats) -> Stats {
    stats.peak_bytes = 0;
    stats
}

#[test]
fn plans_bound_the_chunks_requests_bytes_and_memory_of_a_read() {
    let mut sharded = 0;
    for store in stores() {
        let array = open(store.in_memory(), &store.name);
        for case in store.cases.iter().filter(|case| case.error.is_none()) {
            let context = || format!("{}[{}]", store.name, case.slice);
            let plan = array.plan_slice(case.slice.as_str()).unwrap();
            let merge_all = AccessOptions::new().merge_gap(u64::MAX);
            let (out, stats) = array
                .read_slice_raw(case.slice.as_str(), &merge_all)
                .unwrap();
            assert_eq!(plan.shape(), out.shape());
            assert!(stats.requests <= plan.requests(), "{}", context());
            assert!(stats.chunks <= plan.inner_chunks(), "{}", context());
            // If all ranges are merged, a shard needs one request for its index and one for its inner chunks.
            let requests_per_chunk = if store.name.contains("sharded") { 2 } else { 1 };
            assert!(
                stats.requests <= requests_per_chunk * plan.touched_chunks(),
                "{}",
                context()
            );
            sharded += requests_per_chunk - 1;
            if case.chunks.is_some() && requests_per_chunk == 1 && !store.name.contains("raw") {
                assert!(stats.requests >= plan.touched_chunks(), "{}", context());
            }
            assert!(
                stats.peak_bytes <= plan.peak_bytes(&merge_all),
                "{}",
                context()
            );
            check_counts(
                &array,
                case,
                &plan,
                store.name.contains("v2") || store.name.contains("holes"),
            );
            if let Some(chunks) = case.chunks {
                assert_eq!(plan.inner_chunks(), chunks, "{}", context());
            }
            assert!(plan.to_string().contains("chunks"));
        }
    }
    assert!(sharded > 150);
}

/// Checks that the plan contains the exact numbers of requests and bytes if the array is neither compressed nor sharded
/// and has no missing chunks. Also checks, with one of the gaps, that a limit that is one less than the number in the plan
/// causes an error.
fn check_counts(array: &OpenArray, case: &Case, plan: &ReadPlan, may_miss_chunks: bool) {
    const GAPS: [u64; 3] = [0, 8, 1 << 15];
    let limited_gap = GAPS[case.slice.len() % 3];
    for gap in GAPS {
        let options = AccessOptions::new().merge_gap(gap);
        let (requests, bytes) = plan.requests_and_bytes(&options);
        let (_, stats) = array.read_slice_raw(case.slice.as_str(), &options).unwrap();
        let raw = plan.array().uncompressed && plan.array().inner_chunk_shape.is_none();
        if raw && !may_miss_chunks {
            assert_eq!((stats.requests, stats.bytes), (requests, bytes), "{case:?}");
        }
        if requests == 0 || gap != limited_gap {
            continue;
        }
        for (options, what) in [
            (options.max_requests(requests - 1), "requests"),
            (options.max_bytes(bytes - 1), "bytes"),
            (options.max_chunks(plan.inner_chunks() - 1), "chunks"),
            (
                options.max_memory(plan.peak_bytes(&options) - 1),
                "bytes of memory",
            ),
        ] {
            let error = array.read_slice_raw(case.slice.as_str(), &options);
            match error.unwrap_err() {
                Error::Limit {
                    what: quantity,
                    needed,
                    limit,
                } => {
                    assert_eq!((quantity, needed), (what, limit + 1), "{case:?}");
                }
                error => panic!("{error}"),
            }
        }
        let sufficient_options = options
            .max_chunks(plan.inner_chunks())
            .max_bytes(u64::max(bytes, stats.bytes))
            .max_requests(usize::max(requests, stats.requests))
            .max_memory(plan.peak_bytes(&options));
        let (out, _) = array
            .read_slice_raw(case.slice.as_str(), &sufficient_options)
            .unwrap();
        assert!(out.bytes() == case.bytes());
    }
}

/// Checks that only the bytes of selected elements are requested from uncompressed chunks if ranges with gaps are not
/// merged.
#[test]
fn only_selected_elements_of_uncompressed_chunks_are_read() {
    for store in stores() {
        if !store.name.starts_with("raw") && store.name != "ts_raw" {
            continue;
        }
        let array = open(store.in_memory(), &store.name);
        for case in store.cases.iter().filter(|case| case.error.is_none()) {
            let options = AccessOptions::new().merge_gap(0);
            let (out, stats) = array.read_slice_raw(case.slice.as_str(), &options).unwrap();
            // Bytes of unselected elements are read only if a chunk is selected as a whole, because
            // the chunk is then read together with its padding beyond the array.
            let min_bytes = match case.distinct {
                Some(distinct) => (distinct * out.data_type().fixed_size().unwrap()) as u64,
                None => out.bytes().len() as u64,
            };
            let plan = array.plan_slice(case.slice.as_str()).unwrap();
            let whole = plan
                .parts()
                .any(|part| part.chunks().parts().any(|chunk| chunk.is_whole()));
            assert!(
                stats.bytes >= min_bytes && (whole || stats.bytes == min_bytes),
                "{}[{}]",
                store.name,
                case.slice
            );
        }
    }
}

#[test]
fn errors_name_unsupported_data_types() {
    let unsupported = all_stores().iter().filter(|store| is_unsupported(store));
    let errors = unsupported.map(|store| {
        let error = Array::open(store.in_memory(), "/").unwrap_err();
        (store.name.as_str(), error.to_string())
    });
    let expected = [
        (
            "v2_datetime",
            "data type <M8[s] is not supported".to_owned(),
        ),
        ("v2_bytes", "data type |S5 is not supported".to_owned()),
    ];
    assert_eq!(errors.collect::<Vec<_>>(), expected);
}
