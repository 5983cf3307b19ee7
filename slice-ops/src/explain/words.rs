//! Formats lists of elements and runs of positions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::AxisRun;

/// The length up to which all elements of a list are shown.
pub(super) const WRITTEN: usize = 12;

/// The number of elements shown at the start of a longer list, before the ellipsis and the last element.
const BEGUN: usize = 3;

/// Joins elements with commas. Of more than `most` elements, only the first few and the last are shown.
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

/// Formats each run as a Python range. A run that repeats one position is formatted as the position and the number of
/// repetitions.
pub(super) fn run_words(runs: &[AxisRun]) -> String {
    let words = runs.iter().map(|run| match (run.step, run.len) {
        (_, 1) => run.start.to_string(),
        (0, len) => format!("{} {len} times", run.start),
        (step, len) => {
            // The bound after the last position in the direction of the step, which is -1 after position 0.
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
