//! Reads arrays with untrusted metadata or chunks. Each read must succeed or return an error. It must neither panic nor
//! allocate memory for sizes that the input only claims.

use slice_zarr::{AccessOptions, PlanSlice, ReadSlice};
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};

use crate::random::Random;
use crate::stores::{Store, stores};
use crate::untrusted_arrays::{self, Outcome};

#[test]
fn untrusted_chunks_are_read_or_cause_an_error() {
    let mut random = Random(1);
    let (mut errors, mut reads) = (0, 0);
    for store in stores() {
        let memory = store.in_memory();
        let array = Array::open(memory.clone(), "/").unwrap();
        let chunks = store.files().filter(|(key, _)| !key.contains("z"));
        let chunks: Vec<_> = chunks.collect();
        for _ in 0..60 {
            if chunks.is_empty() {
                continue;
            }
            let (key, whole) = &chunks[random.below(chunks.len())];
            let mut bytes = whole.to_vec();
            if bytes.is_empty() {
                continue;
            }
            for _ in 0..1 + random.below(6) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes[at] = 255,
                    2 => bytes.truncate(at.max(1)),
                    _ => {
                        // Overwrites up to eight bytes, so that a number at this offset becomes huge.
                        let end = (at + 8).min(bytes.len());
                        bytes[at..end].fill([0x7F, 0xFF][random.below(2)]);
                    }
                }
            }
            let key = StoreKey::new(*key).unwrap();
            memory.set(&key, bytes.into()).unwrap();
            let options = AccessOptions::new()
                .workers(1)
                .merge_gap([0, u64::MAX][random.below(2)]);
            match array.read_slice_raw("::-1, ...", &options).is_ok() {
                true => reads += 1,
                false => errors += 1,
            }
            memory.set(&key, whole.clone()).unwrap();
        }
    }
    assert!(
        errors > 300 && reads > 300,
        "too few errors or successful reads: {errors} and {reads}"
    );
}

/// Returns seeds for the fuzz target `untrusted_arrays`. Each seed contains the metadata and one chunk of a store. If
/// `SLICE_ZARR_SEEDS` names a directory, also writes the seeds to files in the folder `untrusted_arrays` of this
/// directory.
fn seeds() -> Vec<Vec<u8>> {
    let seed = |store: &Store| {
        let is_metadata = |key: &str| key == "zarr.json" || key == ".zarray";
        let metadata = store.files().find(|(key, _)| is_metadata(key)).unwrap();
        let chunks = store.files().filter(|(key, _)| !key.contains('z')).take(2);
        let seeds = chunks.enumerate().map(|(number, (_, chunk))| {
            let slice_number = (store.name.len() + 64 * number) as u8;
            untrusted_arrays::seed(metadata.0, &metadata.1, &chunk, slice_number)
        });
        seeds.collect::<Vec<_>>()
    };
    let seeds: Vec<Vec<u8>> = stores().flat_map(seed).collect();
    if let Some(directory) = std::env::var_os("SLICE_ZARR_SEEDS") {
        let directory = std::path::Path::new(&directory).join("untrusted_arrays");
        std::fs::create_dir_all(&directory).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(directory.join(number.to_string()), seed).unwrap();
        }
    }
    seeds
}

/// Runs the body of the fuzz target `untrusted_arrays` on seeds and on modified copies of the seeds.
#[test]
fn untrusted_arrays_are_read_or_cause_an_error() {
    let mut random = Random(3);
    let mut outcomes = [0; 3];
    for seed in seeds() {
        let mut count = |outcome: Outcome| outcomes[outcome as usize] += 1;
        count(untrusted_arrays::check(&seed));
        for _ in 0..60 {
            let mut input = seed.clone();
            for _ in 0..1 + random.below(4) {
                if input.len() < 9 {
                    break;
                }
                let at = random.below(input.len());
                match random.below(5) {
                    0 => input[at] = random.below(256) as u8,
                    1 => input[at] = b"0123456789-[]{}\",:"[random.below(18)],
                    2 => input.truncate(at.max(9)),
                    3 => drop(input.remove(at)),
                    _ => input.insert(at, input[at]),
                }
            }
            count(untrusted_arrays::check(&input));
        }
    }
    let [rejected, failed, read] = outcomes;
    assert!(
        rejected > 500 && failed > 100 && read > 100,
        "an outcome is too rare; rejected, failed, read: {outcomes:?}"
    );
}

/// Replaces numbers in the metadata with extreme or invalid values.
#[test]
fn untrusted_metadata_is_used_or_causes_an_error() {
    const NUMBERS: [&str; 8] = [
        "0",
        "-1",
        "1",
        "4294967296",
        "9223372036854775807",
        "18446744073709551615",
        "1e300",
        "null",
    ];
    let mut random = Random(2);
    let (mut rejected, mut opened, mut read) = (0, 0, 0);
    for store in stores() {
        for _ in 0..60 {
            let memory = store.in_memory();
            let name = if memory
                .get(&StoreKey::new("zarr.json").unwrap())
                .unwrap()
                .is_some()
            {
                "zarr.json"
            } else {
                ".zarray"
            };
            let key = StoreKey::new(name).unwrap();
            let text = memory.get(&key).unwrap().unwrap();
            let text = std::str::from_utf8(&text).unwrap();
            let mut digits: Vec<usize> = text
                .char_indices()
                .filter(|(at, c)| {
                    c.is_ascii_digit()
                        && !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric())
                })
                .map(|(at, _)| at)
                .collect();
            let mut text = text.to_owned();
            for _ in 0..1 + random.below(2) {
                let at = digits.swap_remove(random.below(digits.len()));
                digits.retain(|&digit| digit < at);
                let end = at
                    + text[at..]
                        .find(|c: char| !c.is_ascii_digit())
                        .unwrap_or(text.len() - at);
                text.replace_range(at..end, NUMBERS[random.below(NUMBERS.len())]);
                if digits.is_empty() {
                    break;
                }
            }
            memory.set(&key, text.clone().into_bytes().into()).unwrap();
            let Ok(array) = slice_zarr::open(memory.clone(), "/") else {
                rejected += 1;
                continue;
            };
            opened += 1;
            let options = AccessOptions::new().workers(1).max_chunk(1 << 24);
            // Plans a slice of every array that can be opened, and reads the slice if its plan is not too large.
            let is_small = |plan: slice_zarr::ReadPlan| {
                let _ = plan.to_string();
                plan.output_bytes() < 1 << 20 && plan.touched_chunks() < 1000
            };
            let slice = ["...", ":3", "::-1000000"][text.len() % 3];
            let was_read = array.plan_slice(slice).is_ok_and(is_small)
                && array.read_slice_raw(slice, &options).is_ok();
            read += usize::from(was_read);
        }
    }
    assert!(
        rejected > 300 && opened > 300 && read > 100,
        "too few arrays: {rejected} rejected, {opened} opened, {read} read"
    );
}
