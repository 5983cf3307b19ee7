//! Compares pairs of models that differ in one place, or that are equal but written differently. The script `pairs.py`
//! writes the pairs, and records whether their outputs are equal in ONNX Runtime.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::thread;

use flate2::read::GzDecoder;
use slice_check::Model;
use slice_check::compare::compare;

struct Pair {
    is_equal: bool,
    kind: String,
    models: [Vec<u8>; 2],
}

fn pairs() -> Vec<Pair> {
    let file = File::open("tests/pairs/pairs.bin.gz").expect("the pairs should be readable");
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .expect("the pairs should be compressed");
    let mut rest = &bytes[..];
    let mut pairs = Vec::new();
    while let Some((&is_equal, parts)) = rest.split_first() {
        rest = parts;
        let mut part = || {
            let (len, parts) = rest.split_first_chunk().expect("a length should follow");
            let (part, parts) = parts.split_at(u32::from_le_bytes(*len) as usize);
            rest = parts;
            part.to_vec()
        };
        let kind = String::from_utf8(part()).expect("the kind should be text");
        pairs.push(Pair {
            is_equal: is_equal == 1,
            kind,
            models: [part(), part()],
        });
    }
    pairs
}

impl Pair {
    /// Returns `true` if no difference between the models is found.
    fn compares_equal(&self) -> bool {
        let [one, other] = self
            .models
            .clone()
            .map(|bytes| Model::from_bytes(bytes).expect("the model should be valid"));
        let comparison = compare(&one, &other).expect("the models should be small");
        comparison.difference.is_none()
    }
}

/// Compares the models of all pairs, on all processors.
fn results(pairs: &[Pair]) -> Vec<bool> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let parts = pairs.chunks(pairs.len().div_ceil(threads));
        let compare_all = |part: &[Pair]| part.iter().map(Pair::compares_equal).collect();
        let parts: Vec<_> = parts
            .map(|part| scope.spawn(move || -> Vec<bool> { compare_all(part) }))
            .collect();
        let results = parts.into_iter().map(|part| part.join());
        results
            .flat_map(|results| results.expect("no comparison should panic"))
            .collect()
    })
}

#[test]
fn models_differ_if_and_only_if_their_outputs_differ() {
    let (mut missed, mut invented): (BTreeMap<String, usize>, BTreeMap<String, usize>) =
        Default::default();
    let (mut different, mut equal) = (0, 0);
    let pairs = pairs();
    for (number, (pair, is_equal)) in pairs.iter().zip(results(&pairs)).enumerate() {
        match pair.is_equal {
            true => equal += 1,
            false => different += 1,
        }
        if is_equal != pair.is_equal {
            let counts = if is_equal { &mut missed } else { &mut invented };
            *counts.entry(pair.kind.clone()).or_default() += 1;
            if let Some(folder) = std::env::var_os("SLICE_PAIRS") {
                let kind = pair.kind.replace(' ', "_");
                for (at, bytes) in pair.models.iter().enumerate() {
                    let name = format!(
                        "{}_{number}_{kind}_{at}.onnx",
                        if is_equal { "missed" } else { "invented" }
                    );
                    std::fs::write(std::path::Path::new(&folder).join(name), bytes)
                        .expect("writing should succeed");
                }
            }
        }
    }
    println!("{different} different, missed {missed:?}; {equal} equal, invented {invented:?}");
    assert!(different > 1000 && equal > 1000);
    assert!(
        missed.values().sum::<usize>() * 100 <= different,
        "missed: {missed:?}"
    );
    assert_eq!(invented.remove("rewritten"), None);
    // The difference between two models may have no effect, for example if a mean is computed.
    assert!(
        invented.values().sum::<usize>() * 50 <= equal,
        "not equal: {invented:?}"
    );
}
