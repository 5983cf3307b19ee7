//! Writes times to a file with a line of JSON for each row of the benchmark's tables. Charts and tables are created
//! from such files.
//!
//! ```text
//! {"bench":"gather","class":"l2","nanoseconds":{"floor":2900.0,"memcpy":2110.0,"slice-core":2764.1},
//!  "processor":"AuthenticAMD, family 26, model 2, AMD EPYC","slice":"f32 `[8:-8, 8:-8]` 256×256"}
//! ```
//!
//! In the file, each row is a single line. If the file already contains the row, the row keeps its position and its
//! other columns, such as the columns for NumPy and PyTorch that `peers.py` adds.

use super::processor;
use super::verdict::Times;
use super::workloads::{Class, Workload};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// The file named by `--json`, and the values shared by all lines that a benchmark writes.
pub struct Record {
    path: PathBuf,
    bench: &'static str,
    processor: String,
}

impl Record {
    pub fn new(path: &str, bench: &'static str) -> Self {
        Self {
            path: path.into(),
            bench,
            processor: processor::name(),
        }
    }

    /// Writes the times of a row, replacing earlier times in the file.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be written, or contains a line that is not JSON.
    pub fn save(&self, class: Class, row: &Workload, times: &Times) {
        let before = fs::read_to_string(&self.path).unwrap_or_default();
        let parsed = before.lines().map(serde_json::from_str);
        let mut lines: Vec<Value> = parsed
            .collect::<Result<_, _>>()
            .expect("the file should contain only lines of JSON");
        let new = json!({
            "bench": self.bench,
            "class": class.name(),
            "nanoseconds": {},
            "processor": self.processor,
            "slice": row.name,
        });
        let is_row = |line: &Value| {
            ["bench", "class", "slice"]
                .iter()
                .all(|key| line[key] == new[key])
        };
        let index = lines.iter().position(is_row).unwrap_or_else(|| {
            lines.push(new.clone());
            lines.len() - 1
        });
        lines[index]["processor"] = new["processor"].clone();
        for (column, time) in times.iter() {
            lines[index]["nanoseconds"][column] = json!((time * 10.0).round() / 10.0);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&self.path, text).expect("the file named by --json should be writable");
    }
}
