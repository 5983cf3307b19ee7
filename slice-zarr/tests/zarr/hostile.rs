//! Metadata and chunks that anybody may have made: an error or an answer, no panic, and no memory for mere claims.

use std::panic::{AssertUnwindSafe, catch_unwind};

use slice_zarr::{PlanSlice, ReadOptions, ReadSlice};
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};

use crate::stores::stores;

/// A small generator, so that the same cases run everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn chunks_of_strangers() {
    let mut random = Random(1);
    let (mut errors, mut answers) = (0, 0);
    for store in stores() {
        for _ in 0..60 {
            let memory = store.in_memory();
            let array = Array::open(memory.clone(), "/").unwrap();
            let chunks: Vec<_> = store
                .files()
                .filter(|(key, _)| !key.contains("z"))
                .collect();
            if chunks.is_empty() {
                continue;
            }
            let (key, mut bytes) = chunks[random.below(chunks.len())].clone();
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
                        // A huge number where one may be.
                        let end = (at + 8).min(bytes.len());
                        bytes[at..end].fill([0x7F, 0xFF][random.below(2)]);
                    }
                }
            }
            memory
                .set(&StoreKey::new(key).unwrap(), bytes.into())
                .unwrap();
            let options = ReadOptions::new()
                .workers(1)
                .merge_gap([0, u64::MAX][random.below(2)]);
            match array.read_slice_raw("::-1, ...", &options).is_ok() {
                true => answers += 1,
                false => errors += 1,
            }
        }
    }
    assert!(
        errors > 300 && answers > 300,
        "{errors} errors, {answers} answers"
    );
}

/// Numbers of the metadata replaced by what nobody has.
#[test]
fn metadata_of_strangers() {
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
    let (mut refused, mut opened, mut answered) = (0, 0, 0);
    // Opening an array of text, zarrs makes a fill value as long as the metadata says.
    for store in stores()
        .into_iter()
        .filter(|store| !store.name.contains("text"))
    {
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
            let mut places: Vec<usize> = text
                .char_indices()
                .filter(|(at, c)| {
                    c.is_ascii_digit()
                        && !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric())
                })
                .map(|(at, _)| at)
                .collect();
            let mut text = text.to_owned();
            for _ in 0..1 + random.below(2) {
                let at = places.swap_remove(random.below(places.len()));
                places.retain(|&place| place < at);
                let end = at
                    + text[at..]
                        .find(|c: char| !c.is_ascii_digit())
                        .unwrap_or(text.len() - at);
                text.replace_range(at..end, NUMBERS[random.below(NUMBERS.len())]);
                if places.is_empty() {
                    break;
                }
            }
            memory.set(&key, text.clone().into_bytes().into()).unwrap();
            // What zarrs makes of metadata is its own affair.
            let Ok(Ok(array)) = catch_unwind(AssertUnwindSafe(|| Array::open(memory.clone(), "/")))
            else {
                refused += 1;
                continue;
            };
            opened += 1;
            let options = ReadOptions::new().workers(1).max_chunk(1 << 24);
            // A plan is made for whatever has a shape, and read if it is not too much to ask for.
            let small = |plan: slice_zarr::ReadPlan| {
                let _ = plan.to_string();
                plan.output_bytes() < 1 << 20 && plan.touched_chunks() < 10_000
            };
            let slice = ["...", ":3", "::-1000000"][text.len() % 3];
            let answer = array.plan_slice(slice).is_ok_and(small)
                && array.read_slice_raw(slice, &options).is_ok();
            answered += usize::from(answer);
        }
    }
    assert!(
        refused > 300 && opened > 300 && answered > 100,
        "{refused} {opened} {answered}"
    );
}
