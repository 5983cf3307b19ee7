//! The arguments of the benchmarks, which follow `--` on the command line.

use std::path::PathBuf;

use crate::common::stored::Scale;

/// The kinds and the size of the arrays to measure, the Python interpreters in which other libraries are measured for
/// comparison, and other options.
pub struct Arguments {
    pub kinds: Vec<String>,
    pub scale: Scale,
    pub pythons: Vec<String>,
    /// If set, only the benchmark whose row in the output has this name is run.
    only: Option<String>,
    /// The directory for the arrays of the `write` benchmark, instead of `target/zarr-bench`.
    pub directory: Option<PathBuf>,
}

impl Arguments {
    /// Reads `[--gib|--quick] [--only ROW] [--in DIRECTORY] [KIND ...] [--python PYTHON ...]`. If no kind is given, the
    /// kinds in `all_kinds` are measured. Each slice is measured `repetitions` times, unless `--gib` or `--quick` is
    /// given.
    pub fn read(repetitions: usize, all_kinds: &[&str]) -> Self {
        let (mut kinds, mut pythons) = (Vec::new(), Vec::new());
        let mut list = &mut kinds;
        let mut scale = Scale::new("256 MiB", 1024, repetitions);
        let (mut only, mut directory) = (None, None);
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--only" => only = words.next(),
                "--in" => directory = words.next().map(PathBuf::from),
                // Cargo adds this argument.
                "--bench" => {}
                "--gib" => scale = Scale::new("1 GiB", 4096, 3),
                "--quick" => scale = Scale::new("32 MiB", 128, 1),
                "--python" => list = &mut pythons,
                _ => list.push(word),
            }
        }
        if kinds.is_empty() {
            kinds = all_kinds.iter().map(|&kind| kind.to_owned()).collect();
        }
        Arguments {
            kinds,
            scale,
            pythons,
            only,
            directory,
        }
    }

    /// Returns `true` if the benchmark with the row `row` is to be run.
    pub fn includes_row(&self, row: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == row)
    }
}
