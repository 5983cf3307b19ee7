//! The command-line arguments of the benchmarks, which follow `--`.

use std::path::PathBuf;

use crate::common::stored::Scale;

/// The kinds of arrays to measure, their size, and the Python interpreters of the other libraries.
pub struct Arguments {
    pub kinds: Vec<String>,
    pub scale: Scale,
    pub pythons: Vec<String>,
    /// The name of the only row to measure.
    only: Option<String>,
    /// The directory in which arrays are written, instead of `target/zarr-bench`.
    pub directory: Option<PathBuf>,
}

impl Arguments {
    /// Reads `[--gib|--quick] [KIND ...] [--python PYTHON ...]`. If no kind is named, all kinds are measured. `turns`
    /// is the number of turns without `--gib` and `--quick`.
    pub fn read(turns: usize, all: &[&str]) -> Self {
        let (mut kinds, mut pythons) = (Vec::new(), Vec::new());
        let mut into = &mut kinds;
        let mut scale = Scale::new("256 MiB", 1024, turns);
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
                "--python" => into = &mut pythons,
                _ => into.push(word),
            }
        }
        if kinds.is_empty() {
            kinds = all.iter().map(|&kind| kind.to_owned()).collect();
        }
        Arguments {
            kinds,
            scale,
            pythons,
            only,
            directory,
        }
    }

    /// Returns whether a row of this name is measured.
    pub fn has(&self, row: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == row)
    }
}
