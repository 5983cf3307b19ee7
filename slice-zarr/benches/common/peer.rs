//! Runs Python libraries in other processes, for comparison.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A Python library in its own process, which reads or writes slices on request.
pub struct Peer {
    pub name: String,
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The time of the library for a slice, in milliseconds, and the sum of the bits of the elements that were read.
#[derive(serde::Deserialize)]
pub struct Measurement {
    pub ms: f64,
    pub sum: u64,
}

impl Peer {
    /// Starts a script in the folder of this package for the array in `directory`.
    pub fn start(python: &str, script: &str, directory: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let mut process = Command::new(python)
            .arg(script)
            .arg(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let name = lines
            .next()
            .expect("the script prints its library's name first")
            .unwrap();
        Peer {
            name,
            process,
            lines,
        }
    }

    /// Starts a script for the array in `directory` with each of these interpreters.
    pub fn start_all(pythons: &[String], script: &str, directory: &Path) -> Vec<Self> {
        let start = |python: &String| Peer::start(python, script, directory);
        pythons.iter().map(start).collect()
    }

    /// Makes the library read or write a slice, and returns the result.
    pub fn run(&mut self, slice: &str) -> Measurement {
        writeln!(self.process.stdin.as_mut().unwrap(), "{slice}").unwrap();
        let line = self
            .lines
            .next()
            .expect("the script prints a line for each slice")
            .unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
