//! Checks that an explanation agrees with the explained selection.

use std::fmt::Debug;

use slice_core::{OutputAxis, Selection};
use slice_systems::OperationError;
use slice_systems::explain::Explanation;

/// Compares an explanation with `outcome`, the result of resolving the explained operation.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn check<E: Clone + Debug + Into<OperationError>>(
    explanation: &Explanation,
    outcome: &Result<Selection, E>,
) -> Result<(), String> {
    let text = explanation.to_string();
    if text.is_empty() || text.lines().any(|line| line.ends_with(' ')) {
        return Err(format!(
            "the text is empty or a line has trailing spaces:\n{text}"
        ));
    }
    let picture = explanation.picture();
    if picture.is_none() != outcome.is_err() {
        return Err(format!(
            "a picture is missing or unexpected for {outcome:?}"
        ));
    }
    let drawing = picture.map_or(String::new(), |picture| picture.to_string());
    if drawing.lines().any(|line| line.ends_with(' ')) {
        return Err(format!(
            "a line of the picture has trailing spaces:\n{drawing}"
        ));
    }
    let sentences = explanation.sentences();
    if let Some(sentence) = sentences.iter().find(|sentence| !sentence.ends_with('.')) {
        return Err(format!(
            "a sentence does not end with a full stop: {sentence}"
        ));
    }
    let outcome = outcome.as_ref();
    let shape = outcome.map(|selection| selection.output_shape().to_vec());
    if explanation.output_shape != shape.map_err(|error| error.clone().into()) {
        return Err(format!(
            "the output shape differs from the selection's: {:?}",
            explanation.output_shape
        ));
    }
    let Ok(selection) = outcome else {
        return Ok(());
    };
    let axes = explanation.entries.iter().filter_map(|entry| {
        let axis = entry.axis?;
        Some((axis, entry.selected))
    });
    let expected = selection.axes().unwrap().iter().map(|&range| Some(range));
    if axes.ne(expected.enumerate()) {
        return Err(format!(
            "the input axes differ from the selection's:\n{text}"
        ));
    }
    let output = explanation.entries.iter().filter_map(|entry| {
        let output = entry.output_axis?;
        let origin = entry
            .axis
            .map_or(OutputAxis::New { len: 1 }, OutputAxis::Input);
        Some((output, origin))
    });
    if output.ne(selection.output_axes().iter().copied().enumerate()) {
        return Err(format!(
            "the output axes differ from the selection's:\n{text}"
        ));
    }
    // The resolved `begin` is the first selected position. In the direction of the stride, the resolved `end` lies
    // after the last selected position, by at most one stride.
    for entry in &explanation.entries {
        let (Some(begin), Some(end), Some(range)) =
            (entry.begin.resolved, entry.end.resolved, entry.selected)
        else {
            continue;
        };
        let stride = entry.stride.unwrap_or(1);
        let is_before_end = |position: i64| (position < end) == (stride > 0) && position != end;
        let last = range.positions().next_back().map(|last| last as i64);
        let bounds_match = last.is_none_or(|last| {
            range.start() as i64 == begin
                && is_before_end(last)
                && !is_before_end(last.saturating_add(stride))
        });
        if !bounds_match || range.is_empty() == is_before_end(begin) {
            return Err(format!(
                "the bounds of {entry:?} do not match the selection:\n{text}"
            ));
        }
    }
    Ok(())
}
