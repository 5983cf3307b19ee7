//! Runs the bodies of the fuzz targets on a fixed set of random inputs, and on the seeds, inputs that each reached new
//! code during fuzzing.

use std::fmt::Debug;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use fastrand::Rng;
use flate2::read::GzDecoder;
use slice_tests::{fuzz, text};
use tar::Archive;

/// A guard that prints the input if the test panics.
struct PrintOnPanic<'a, T: Debug>(&'a T);

impl<T: Debug> Drop for PrintOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{:#?}", self.0);
        }
    }
}

/// Runs `check` on the input built from `bytes`, and returns the result of `check`.
fn run_input<T: Debug + for<'a> Arbitrary<'a>>(bytes: &[u8], check: impl Fn(&T) -> bool) -> bool {
    let input = T::arbitrary_take_rest(Unstructured::new(bytes))
        .expect("every byte string should be a valid input");
    let guard = PrintOnPanic(&input);
    check(guard.0)
}

/// Returns the bytes of each seed of a fuzz target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds.tar.gz");
    let file = File::open(&archive).unwrap_or_else(|e| panic!("{archive:?}: {e}"));
    let mut archive = Archive::new(GzDecoder::new(file));
    let mut seeds = Vec::new();
    for entry in archive.entries().expect("the file should be an archive") {
        let mut entry = entry.expect("the entry should be readable");
        let path = entry
            .path()
            .expect("the entry should have a path")
            .into_owned();
        if path.starts_with(Path::new("seeds").join(target))
            && entry.header().entry_type().is_file()
        {
            let mut seed = Vec::new();
            entry
                .read_to_end(&mut seed)
                .expect("the entry should be complete");
            seeds.push(seed);
        }
    }
    assert!(!seeds.is_empty(), "the archive has no seeds for {target}");
    seeds
}

fn run<T: Debug + for<'a> Arbitrary<'a>>(target: &str, inputs: usize, check: impl Fn(&T) -> bool) {
    for bytes in seeds(target) {
        run_input(&bytes, &check);
    }
    let mut rng = Rng::with_seed(10);
    let bytes = (0..inputs).map(|_| {
        let mut bytes = vec![0; rng.usize(0..200)];
        rng.fill(&mut bytes);
        bytes
    });
    let valid_inputs = bytes.filter(|bytes| run_input(bytes, &check)).count();
    println!("{target}: {valid_inputs} of {inputs} inputs are valid");
    assert!(
        valid_inputs > inputs / 5,
        "too few inputs are valid: {valid_inputs} of {inputs}"
    );
}

#[test]
fn fuzz_target_assign_passes() {
    run("assign", 1_500, fuzz::assign::check);
}

#[test]
fn fuzz_target_disjoint_passes() {
    run("disjoint", 1_500, fuzz::disjoint::check);
}

#[test]
fn fuzz_target_dialect_passes() {
    run("dialect", 2_500, fuzz::dialect::check);
}

#[test]
fn fuzz_target_gather_passes() {
    run("gather", 2_000, fuzz::gather::check);
}

#[test]
fn fuzz_target_lists_passes() {
    run("lists", 4_000, fuzz::lists::check);
}

#[test]
fn fuzz_target_plan_passes() {
    run("plan", 1_500, fuzz::plan::check);
}

#[test]
fn fuzz_target_spec_passes() {
    run("spec", 2_000, fuzz::spec::check);
}

#[test]
fn fuzz_target_translate_passes() {
    run("translate", 2_000, fuzz::translate::check);
}

#[test]
fn fuzz_target_view_passes() {
    run("view", 2_000, fuzz::view::check);
}

// Only the seeds are run here, because tests/conformance/text/random.rs checks random strings.
#[test]
fn fuzz_target_text_passes_on_its_seeds() {
    for seed in seeds("text") {
        if let Ok(seed) = String::from_utf8(seed) {
            text::check(&seed);
        }
    }
}
