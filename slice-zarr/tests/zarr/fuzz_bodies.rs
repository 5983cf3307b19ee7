//! Runs the bodies of the fuzz targets `keys` and `splits` on seeds and on modified copies of the seeds, and the body
//! of the fuzz target `serialized_plans` on random inputs.

use slice_core::DynSliceSpec;
use slice_zarr::{ChunkedArray, ReadPlan};

use crate::random::Random;
use crate::{chunk_keys, serialized_plans, splits};

/// Returns a copy of a seed with up to four random changes, some of which write or insert one of the `characters`.
fn with_random_changes(seed: &[u8], characters: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = seed.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(input.len());
        match random.below(5) {
            0 => input[at] = random.below(256) as u8,
            1 => input[at] = characters[random.below(characters.len())],
            2 if input.len() > 3 => drop(input.remove(at)),
            3 => input.insert(at, characters[random.below(characters.len())]),
            _ => input.insert(at, input[at]),
        }
    }
    input
}

/// Returns a copy of a seed in which one of the digits is replaced by a random digit. The copy is unchanged if the seed
/// contains no digits.
fn with_random_digit(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = seed.to_vec();
    let digits: Vec<usize> = (0..input.len())
        .filter(|&at| input[at].is_ascii_digit())
        .collect();
    if !digits.is_empty() {
        input[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8;
    }
    input
}

/// Writes seeds for the fuzz target `name` if `SLICE_ZARR_SEEDS` names a directory.
fn write_seeds(name: &str, seeds: &[Vec<u8>]) {
    let Some(directory) = std::env::var_os("SLICE_ZARR_SEEDS") else {
        return;
    };
    let directory = std::path::Path::new(&directory).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(directory.join(number.to_string()), seed).unwrap();
    }
}

#[test]
fn untrusted_keys_stay_in_the_folder_of_the_array() {
    let endings = [
        "", ".tiff", "/x", "/../x", "/..", "//", "/. ", "\\..\\x", ":x", "7", "/\u{e9}", "/\0",
        "/a/b/c",
    ];
    let mut seeds = Vec::new();
    for number in 0..3 {
        for ending in endings {
            seeds.push([&[number][..], b"/\n", ending.as_bytes()].concat());
            seeds.push([&[number][..], b"100\n", ending.as_bytes()].concat());
        }
    }
    write_seeds("keys", &seeds);
    let mut random = Random(32);
    let (mut requested, mut rejected) = (0, 0);
    for seed in &seeds {
        for round in 0..30 {
            let input = match round {
                0 => seed.clone(),
                _ => with_random_changes(seed, b"./\\: \0\n~C0", &mut random),
            };
            match chunk_keys::check(&input) {
                true => requested += 1,
                false => rejected += 1,
            }
        }
    }
    assert!(
        requested > 300 && rejected > 300,
        "too few inputs: {requested} requested a key, and {rejected} did not"
    );
}

#[test]
fn splits_of_untrusted_plans_are_consistent() {
    let mut seeds = Vec::new();
    for (shape, chunks, slice) in [
        (vec![100, 90], vec![10, 9], "::2, 5:"),
        (vec![7], vec![2], "::-1"),
        (vec![], vec![], "..., newaxis"),
        (vec![5, 0, 9], vec![2, 1, 3], "..."),
        (vec![1000, 1000, 1000], vec![100, 1, 1000], "3, ..., ::-7"),
        (vec![90, 70], vec![8, 9], "[3, 80, 3, 41, 8], ::2"),
        (
            vec![60],
            vec![7],
            "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 50, 48, 46, 44, 42, 5, 5, 5, 5, 5]",
        ),
        (
            vec![9, 30],
            vec![2, 7],
            "[2, -1], [20, 21, 22, 23, 24, 25, 3, 2, 1, 0]",
        ),
    ] {
        let spec: DynSliceSpec = slice.parse().unwrap();
        let array = ChunkedArray {
            shape: shape.clone(),
            item_size: 4,
            chunk_shape: chunks,
            ..ChunkedArray::default()
        };
        let plan = ReadPlan::new(array, spec.resolve(&shape).unwrap()).unwrap();
        let mut plans = vec![plan.clone()];
        plans.extend(plan.split(3));
        for plan in plans {
            let text = serde_json::to_vec(&plan).unwrap();
            seeds.push([&[5, 4][..], &text].concat());
        }
    }
    write_seeds("splits", &seeds);
    let mut random = Random(33);
    let (mut plans, mut rejected) = (0, 0);
    for seed in &seeds {
        for round in 0..60 {
            let input = match round {
                0 => seed.clone(),
                _ if round % 2 == 0 => {
                    with_random_changes(seed, b"0123456789-[]{}\",:", &mut random)
                }
                _ => with_random_digit(seed, &mut random),
            };
            match splits::check(&input) {
                true => plans += 1,
                false => rejected += 1,
            }
        }
    }
    assert!(
        plans > 100 && rejected > 500,
        "too few inputs: {plans} contained a plan, and {rejected} did not"
    );
}

#[test]
fn serialized_plans_with_lists_select_the_correct_elements() {
    let mut random = Random(35);
    let (mut seeds, mut elements) = (Vec::new(), 0);
    for case in 0..500 {
        let input: Vec<u8> = (0..random.below(160))
            .map(|_| random.below(256) as u8)
            .collect();
        elements += serialized_plans::check(&input);
        if case < 50 {
            seeds.push(input);
        }
    }
    write_seeds("serialized_plans", &seeds);
    assert!(
        elements > 5000,
        "too few elements were selected: {elements}"
    );
}
