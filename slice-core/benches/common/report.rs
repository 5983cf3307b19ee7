//! Prints the rows of the list benchmarks, each on one line.

use std::time::Duration;

use super::timing::{Candidate, Effort, minima};

/// A random number generator that returns the same sequence of numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The requested rows, and the effort with which each row is measured.
pub struct Report {
    name_parts: Vec<String>,
    effort: Effort,
}

impl Report {
    /// Reads the arguments of the program: parts of the names of the requested rows, and `--quick` to measure each row
    /// once. Without names, all rows are requested.
    pub fn from_arguments() -> Self {
        let (options, name_parts): (Vec<String>, _) =
            { std::env::args().skip(1) }.partition(|word| word.starts_with("--"));
        let (rounds, batch) = match options.iter().any(|option| option == "--quick") {
            true => (1, Duration::ZERO),
            false => (25, Duration::from_millis(5)),
        };
        Report {
            name_parts,
            effort: Effort { rounds, batch },
        }
    }

    /// Returns `true` if this row was requested.
    pub fn is_requested(&self, name: &str) -> bool {
        self.name_parts.is_empty() || self.name_parts.iter().any(|part| name.contains(part))
    }

    /// Measures the candidates and prints their times in a row. The first candidate must be a `memcpy`, with which the
    /// other candidates are compared.
    pub fn row(&self, name: &str, mut candidates: Vec<Candidate<'_>>) {
        let times = minima(&mut candidates, self.effort);
        let copy = times[0];
        print!("{name:<36} {}", Time(copy));
        for (candidate, &time) in candidates.iter().zip(&times).skip(1) {
            print!(" | {} {} ({:.2})", candidate.name, Time(time), time / copy);
        }
        println!();
    }
}

/// A time in nanoseconds.
struct Time(f64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            time if time < 1e4 => write!(f, "{time:.0} ns"),
            time => write!(f, "{:.1} us", time / 1e3),
        }
    }
}
