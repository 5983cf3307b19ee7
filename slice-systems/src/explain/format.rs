//! Formats lists of elements and runs of positions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::AxisRange;

/// The maximum number of list elements, or of runs, that are shown in full.
pub(super) const MAX_SHOWN_ELEMENTS: usize = 12;

/// The maximum number of selected positions that are listed in full.
pub(super) const MAX_LISTED_POSITIONS: usize = 8;

/// The number of elements shown at the start of a longer list, before the ellipsis and the last element.
const LEADING_ELEMENTS: usize = 3;

/// Joins elements with commas. If there are more than `max_len` elements, only the first few and the last are shown.
pub(super) fn join_abbreviated<T: ToString>(
    mut elements: impl DoubleEndedIterator<Item = T> + ExactSizeIterator,
    max_len: usize,
) -> String {
    let is_long = elements.len() > max_len;
    let last = if is_long { elements.next_back() } else { None };
    let shown = if is_long { LEADING_ELEMENTS } else { max_len };
    let words = elements.take(shown).map(|element| element.to_string());
    let mut words: Vec<String> = words.collect();
    if let Some(last) = last {
        words.extend(["...".to_string(), last.to_string()]);
    }
    words.join(", ")
}

/// Describes positions. Only the first few and the last of many positions are listed.
pub(super) fn describe_positions(
    positions: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
) -> String {
    let listed = join_abbreviated(positions.clone(), MAX_LISTED_POSITIONS);
    match positions.len() {
        0 => "no positions".to_string(),
        1 => format!("position {listed}"),
        len if len > MAX_LISTED_POSITIONS => format!("the {len} positions {listed}"),
        _ => format!("positions {listed}"),
    }
}

/// Formats each run as a Python range. A run of one position is formatted as the position, and a run that repeats a
/// position as the position, followed by the number of times in parentheses.
pub(super) fn format_runs(runs: &[AxisRange]) -> String {
    let words = runs.iter().map(|run| match (run.step(), run.len()) {
        (_, 1) => run.start().to_string(),
        (0, len) => format!("{} ({len} times)", run.start()),
        (step, len) => {
            // The end directly follows the last position in the direction of the step. If the last position is 0 and
            // the step is negative, the end is -1, and is omitted.
            let end = run.start() as i64 + step as i64 * (len as i64 - 1) + step.signum() as i64;
            match (step, end) {
                (1, end) => format!("{}:{end}", run.start()),
                (step, -1) => format!("{}::{step}", run.start()),
                (step, end) => format!("{}:{end}:{step}", run.start()),
            }
        }
    });
    join_abbreviated(words, MAX_SHOWN_ELEMENTS)
}
