//! Describes positions in words.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::AxisRun;

/// The length up to which all elements of a list are shown.
pub(super) const WRITTEN: usize = 12;

/// The number of elements shown at the start of a longer list, before its last one.
const BEGUN: usize = 3;

/// Joins elements with commas. Only the first few elements and the last element of a long list are shown.
pub(super) fn listed<T: ToString>(
    elements: impl ExactSizeIterator<Item = T>,
    most: usize,
) -> String {
    let len = elements.len();
    let mut words = Vec::new();
    for (place, element) in elements.enumerate() {
        match place {
            _ if len <= most || place < BEGUN || place + 1 == len => {
                words.push(element.to_string())
            }
            BEGUN => words.push("...".to_string()),
            _ => {}
        }
    }
    words.join(", ")
}

/// Formats runs as Python slices. A run of a single position is its position and the number of repetitions.
pub(super) fn run_words(runs: &[AxisRun]) -> String {
    let words = runs.iter().map(|run| match (run.step, run.len) {
        (_, 1) => run.start.to_string(),
        (0, len) => format!("{} {len} times", run.start),
        (step, len) => {
            // One past the last position. It may be before the first element.
            let end = run.start as i64 + step as i64 * (len as i64 - 1) + step.signum() as i64;
            match (step, end) {
                (1, end) => format!("{}:{end}", run.start),
                (step, -1) => format!("{}::{step}", run.start),
                (step, end) => format!("{}:{end}:{step}", run.start),
            }
        }
    });
    listed(words, WRITTEN)
}
