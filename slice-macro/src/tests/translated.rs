//! Checks that the correction suggested for an ndarray slice selects the same elements as the ndarray slice.

use ndarray::{Array1, Axis, Slice};

use super::run;

/// Computes, one by one, the positions that a Python range selects on an axis of length `len`.
fn selected_by_python(text: &str, len: i64) -> Vec<i64> {
    let mut parts = text.split(':').map(|part| part.parse::<i64>().ok());
    let mut part = || parts.next().flatten();
    let (begin, end, step) = (part(), part(), part().unwrap_or(1));
    let from_end = |bound: i64| if bound < 0 { bound + len } else { bound };
    let mut at = match (begin, step > 0) {
        (None, true) => 0,
        (None, false) => len - 1,
        (Some(begin), true) => from_end(begin).max(0),
        (Some(begin), false) => from_end(begin).min(len - 1),
    };
    let mut selected = Vec::new();
    while (0..len).contains(&at) {
        let before_end = match end.map(from_end) {
            None => true,
            Some(end) => (end - at) * step.signum() > 0,
        };
        if !before_end {
            break;
        }
        selected.push(at);
        at += step;
    }
    selected
}

/// Returns the code that the message for `source` suggests after the word "write", or `None` if it suggests no code.
fn suggestion(source: &str) -> Option<String> {
    let [text] = run(source.parse().unwrap()).mistakes.try_into().unwrap();
    let code = text.split_once("write `")?.1.trim_end_matches('`');
    // Without the compiler, the locations of the tokens are unknown, so the message contains a space between any two
    // tokens.
    Some(code.replace(' ', ""))
}

/// Checks that the slice suggested for `source` selects the same elements as `slice` in ndarray. Returns `false` if
/// there is no suggestion.
fn compare(source: &str, slice: Slice) -> bool {
    let Some(suggested) = suggestion(source) else {
        return false;
    };
    for len in 4..6 {
        let all = Array1::from_iter(0..len);
        let expected = all.slice_axis(Axis(0), slice).to_vec();
        assert_eq!(
            selected_by_python(&suggested, len),
            expected,
            "{source} as {suggested}"
        );
    }
    true
}

#[test]
fn suggestions_for_ndarray_ranges_select_the_same_elements() {
    let bounds: Vec<Option<isize>> = (-4..=4).map(Some).chain([None]).collect();
    let text = |bound: Option<isize>| bound.map_or_else(String::new, |bound| bound.to_string());
    for &begin in &bounds {
        for &end in &bounds {
            for step in [1, 2, -1, -2, -3] {
                let source = format!("{}..{};{step}", text(begin), text(end));
                let slice = Slice::new(begin.unwrap_or(0), end, step);
                // If the step is negative and `end` is 0, there is no suggestion, because the Python range would have
                // to begin at -1, which is the last position.
                assert!(compare(&source, slice) || end == Some(0), "{source}");
                if let Some(end) = end.filter(|&end| end < 4) {
                    let source = format!("{}..={end};{step}", text(begin));
                    let slice = Slice::from(begin.unwrap_or(0)..=end).step_by(step);
                    assert!(compare(&source, slice), "{source}");
                }
            }
        }
    }
}
