//! Runs Python libraries in other processes, to compare their speed with slice-zarr's.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A Python library in its own process, which reads or writes slices on request.
pub struct Peer {
    pub name: String,
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The time that the library takes for a slice, in milliseconds, and a checksum of the elements read: the sum of their
/// bit patterns, or 0 after a write.
#[derive(serde::Deserialize)]
pub struct Measurement {
    pub ms: f64,
    pub sum: u64,
}

impl Peer {
    /// Runs `script`, which is in the folder of this package, and passes it `directory`, which contains the array.
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
            .expect("the script should print its library's name first")
            .unwrap();
        Peer {
            name,
            process,
            lines,
        }
    }

    /// Runs `script` with each interpreter in `pythons`, as [`start`](Self::start) does.
    pub fn start_all(pythons: &[String], script: &str, directory: &Path) -> Vec<Self> {
        let start = |python: &String| Peer::start(python, script, directory);
        pythons.iter().map(start).collect()
    }

    /// Makes the library read or write a slice, and returns the measurement.
    pub fn run(&mut self, slice: &str) -> Measurement {
        writeln!(self.process.stdin.as_mut().unwrap(), "{slice}").unwrap();
        let line = self
            .lines
            .next()
            .expect("the script should print a line for each slice")
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
