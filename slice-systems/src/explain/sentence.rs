//! Explains a slice in sentences: one for the whole slice, and one for each item or group of axes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::{AxisRange, ItemRole};

use super::format::describe_positions;
use super::table::Shape;
use super::{Entry, ExplainedList, Explanation};

impl Explanation {
    /// Returns a description in words: a sentence for the whole slice, then one for each item and for each group of
    /// neighboring axes to which no item applies.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Explain;
    ///
    /// assert_eq!(
    ///     s![1:, None, -1].explain(&[4, 6]).sentences(),
    ///     [
    ///         "x[1:, None, -1] selects 3 of the 24 elements of an array of shape (4, 6), as an array of shape (3, 1).",
    ///         "`1:` takes positions 1, 2, 3 of axis 0, which has length 4.",
    ///         "`None` is a new axis of length 1.",
    ///         "`-1` takes position 5 of axis 1, which has length 6, and drops the axis.",
    ///     ]
    /// );
    /// ```
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let (subject, input) = (&self.subject, Shape(&self.input_shape));
        let whole = match &self.output_shape {
            Ok(shape) => {
                let result = Shape(shape);
                match (count(shape), count(&self.input_shape)) {
                    (0, _) => format!(
                        "{subject} selects nothing from an array of shape {input}: the result has shape {result} and no \
                         elements."
                    ),
                    (1, 1) => format!(
                        "{subject} selects the only element of an array of shape {input}, as an array of shape {result}."
                    ),
                    (selected, all) if selected == all => format!(
                        "{subject} selects all {all} elements of an array of shape {input}, as an array of shape {result}."
                    ),
                    (selected, all) => format!(
                        "{subject} selects {selected} of the {all} elements of an array of shape {input}, as an array of \
                         shape {result}."
                    ),
                }
            }
            Err(_) => {
                return Vec::from([format!("{subject} does not fit an array of shape {input}.")]);
            }
        };
        let mut sentences = Vec::from([whole]);
        let mut entries = &self.entries[..];
        while let [first, rest @ ..] = entries {
            // An ellipsis, explicit or implied, has an entry for each axis that it covers.
            let more = rest.iter().take_while(|entry| {
                first.role == ItemRole::Ellipsis
                    && entry.role == ItemRole::Ellipsis
                    && entry.written.is_none()
            });
            let axes = 1 + more.count();
            sentences.push(sentence(first, &entries[..axes]));
            entries = &entries[axes..];
        }
        sentences
    }
}

/// Returns the number of elements, which fits in a `u128` if an array can have this shape.
fn count(shape: &[usize]) -> u128 {
    let sizes = shape.iter().map(|&size| size as u128);
    sizes.fold(1, u128::saturating_mul)
}

fn sentence(entry: &Entry, ellipsis: &[Entry]) -> String {
    let written = match &entry.written {
        Some(written) => format!("`{written}`"),
        None => String::new(),
    };
    let length = entry.size.unwrap_or(0);
    if let (Some(axis), Some(list)) = (entry.axis, &entry.list) {
        return describe_list(&written, axis, length, list);
    }
    let (Some(axis), Some(range)) = (entry.axis, entry.selected) else {
        return match entry.role {
            ItemRole::NewAxis => format!("{written} is a new axis of length 1."),
            _ => format!("{written} covers no axis."),
        };
    };
    match entry.role {
        ItemRole::Index => format!(
            "{written} takes position {} of axis {axis}, which has length {length}, and drops the axis.",
            range.start()
        ),
        ItemRole::Ellipsis if ellipsis.len() > 1 => {
            let last = axis + ellipsis.len() - 1;
            match entry.written {
                Some(_) => format!("{written} takes all of axes {axis} to {last}."),
                None => {
                    format!("No item applies to axes {axis} to {last}: they are taken in full.")
                }
            }
        }
        ItemRole::Ellipsis if entry.written.is_none() => {
            format!(
                "No item applies to axis {axis}, which has length {length}: it is taken in full."
            )
        }
        _ => match describe_range(range, length) {
            (positions, "") => {
                format!("{written} takes {positions} of axis {axis}, which has length {length}.")
            }
            (positions, order) => format!(
                "{written} takes {positions} of axis {axis} {order} (the axis has length {length})."
            ),
        },
    }
}

fn describe_list(written: &str, axis: usize, length: usize, list: &ExplainedList) -> String {
    let positions = list.positions.as_deref().unwrap_or_default();
    let described = describe_positions(positions.iter().copied());
    let mask = match list.mask {
        Some(_) => "is a mask: it ",
        None => "",
    };
    format!("{written} {mask}takes {described} of axis {axis}, which has length {length}.")
}

/// Describes the positions of a range on an axis of length `size`, and their order if it is not obvious.
fn describe_range(range: AxisRange, size: usize) -> (String, &'static str) {
    let is_whole = range.len() == size && size > 0;
    match range.step() {
        1 if is_whole => ("all".to_string(), ""),
        -1 if is_whole => ("all".to_string(), "in reverse order"),
        _ => (describe_positions(range.positions()), ""),
    }
}
