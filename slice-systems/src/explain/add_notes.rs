//! Finds the surprising effects of a slice, and adds a note about each to the explanation.

use alloc::format;
use alloc::vec::Vec;

use slice_core::resolve::{open_begin, open_end};
use slice_core::{ItemRole, SliceError};

use super::add_notes_on_lists::add_notes_on_list;
use super::note::{Note, note};
use super::{Entry, Explanation, Notation};
use crate::error::OperationError;
use crate::masked_slice::{MaskedSlice, mask_bits};

/// Adds notes about the entries, and a note about the valid indices if an index is out of bounds.
pub(super) fn add_notes_on_entries(explanation: &mut Explanation) {
    let implied = explanation
        .entries
        .iter()
        .filter(|entry| entry.item.is_none() && explanation.notation != Notation::NamedAxes)
        .filter_map(|entry| entry.axis);
    let notes = &mut explanation.notes;
    if let (Some(first), Some(last)) = (implied.clone().min(), implied.max()) {
        let covered = if first == last {
            format!("axis {first}")
        } else {
            format!("axes {first} to {last}")
        };
        let axes = first..last + 1;
        notes.push(note!(
            "implicit_ellipsis",
            [axes],
            "an implicit ellipsis covers {covered}"
        ));
    }
    let resolved = explanation.output_shape.is_ok();
    for entry in &explanation.entries {
        match (entry.item, entry.role) {
            (Some(item), ItemRole::Ellipsis) if entry.axis.is_none() && resolved => {
                notes.push(note!(
                    "nothing_covered",
                    [item],
                    "the ellipsis (item {}) covers no axis, because the other items apply to all \
                     axes",
                    item + 1
                ));
            }
            (Some(item), ItemRole::Index) => {
                add_notes_on_index(entry, item, explanation.notation, notes)
            }
            (Some(item), ItemRole::Range) => match &entry.list {
                Some(list) => {
                    // A position can be repeated on one of several axes although each element is selected once.
                    let same_item = |other: &&Entry| other.item == Some(item);
                    let is_joined = explanation.entries.iter().filter(same_item).count() > 1;
                    add_notes_on_list(entry, item, list, is_joined, notes);
                }
                None => add_notes_on_range(entry, item, notes),
            },
            _ => {}
        }
    }
    if let Err(OperationError::Slice(error)) = &explanation.output_shape
        && let SliceError::IndexOutOfBounds { axis, size, .. }
        | SliceError::ListIndexOutOfBounds { axis, size, .. } = *error
    {
        let text = match size {
            0 => format!("axis {axis} has length 0, so it has no valid index"),
            _ => format!(
                "the valid indices of axis {axis} are 0 to {}, or -{size} to -1 from the end",
                size - 1
            ),
        };
        notes.push(note!("positions", [axis, size], "{text}"));
    }
}

/// The smallest magnitude of a bound that a note may describe as equivalent to an omitted bound: the 32-bit INT_MAX,
/// which ONNX's documentation recommends for slicing to the end of an axis.
const MIN_OMITTED: u64 = i32::MAX as u64;

fn add_notes_on_range(entry: &Entry, item: usize, notes: &mut Vec<Note>) {
    let (Some(axis), Some(size), Some(selected)) = (entry.axis, entry.size, entry.selected) else {
        return;
    };
    let stride = entry.stride.unwrap_or(1);
    let (Some(begin), Some(end)) = (entry.begin.resolved, entry.end.resolved) else {
        return;
    };
    let number = item + 1;
    for (bound, stages, omitted) in [
        ("begin", entry.begin, open_begin(stride, size)),
        ("end", entry.end, open_end(stride, size)),
    ] {
        let (Some(written), Some(wrapped), Some(clamped), Some(place)) = (
            stages.written,
            stages.wrapped,
            stages.clamped,
            stages.resolved,
        ) else {
            continue;
        };
        if entry.bits.contains(&bound) {
            if written != 0 {
                notes.push(masked(bound, item, written, place));
            }
        } else if clamped != place {
            // With a negative step, ONNX Runtime gives an end of INT_MAX its own meaning.
            notes.push(note!(
                "open_end",
                [item, written],
                "end {written} (item {number}) means \"down to element 0\" in ONNX Runtime; \
                 according to the ONNX specification, the range selects nothing"
            ));
        } else if wrapped < 0 && clamped == 0 && stride < 0 {
            // This is the meaning in OpenVINO and ONNX.
            notes.push(note!(
                "starts_at_first",
                [item, written],
                "begin {written} (item {number}) is before the first element: this operation \
                 starts at element 0, but Python would select nothing"
            ));
        } else if wrapped != clamped && place == omitted && MIN_OMITTED <= written.unsigned_abs() {
            let way = if bound == "begin" { "from" } else { "to" };
            let edge = if written < 0 { "beginning" } else { "end" };
            notes.push(note!(
                "unbounded",
                [bound, item, axis, written],
                "{bound} {written} (item {number}) means \"{way} the {edge}\" of axis {axis}"
            ));
        } else if wrapped != clamped {
            let before = if place < 0 {
                ", before the first element,"
            } else {
                ""
            };
            notes.push(note!(
                "clamped",
                [bound, item, axis, written, place],
                "{bound} {written} is clamped to {place}{before} on axis {axis} (item {number})"
            ));
        }
    }
    if selected.is_empty() {
        let reason = match size {
            0 => "its length is 0".into(),
            _ if stride > 0 => format!("begin {begin} is not before end {end}"),
            _ => format!("the step is negative, and begin {begin} is not after end {end}"),
        };
        notes.push(note!(
            "empty_axis",
            [axis, size, begin, end, stride],
            "nothing is selected on axis {axis}: {reason}"
        ));
        if stride < 0 && size > 0 && entry.end.written == Some(-1) && !entry.bits.contains(&"end") {
            notes.push(note!(
                "last_not_first",
                [item],
                "end -1 (item {number}) means the last element; omit the end to reach element 0"
            ));
        }
    }
}

/// Returns a note that the mask bit of a bound or an index replaces the number as written.
fn masked(bound: &'static str, item: usize, written: i64, place: i64) -> Note {
    note!(
        "masked",
        [bound, item, written, place],
        "{bound} {written} (item {}) is ignored: {bound} bit {item} is set, and {place} is used instead",
        item + 1
    )
}

fn add_notes_on_index(entry: &Entry, item: usize, notation: Notation, notes: &mut Vec<Note>) {
    let (Some(written), Some(place)) = (entry.begin.written, entry.begin.resolved) else {
        return;
    };
    if entry.begin.wrapped != Some(place) {
        notes.push(masked("begin", item, written, place));
    }
    let end_of_position = written.saturating_add(1);
    if let Some(written) = entry.end.written
        && notation == Notation::Masks
        && written != end_of_position
    {
        notes.push(note!(
            "end_of_index",
            [item, written],
            "end {written} (item {}) is ignored: an index uses only its begin",
            item + 1
        ));
    }
}

/// The names that notes use for the masks, in the order of [`mask_bits`].
const MASKS: [&str; 5] = ["begin", "end", "ellipsis", "new_axis", "shrink"];

/// Adds notes about ignored mask bits.
pub(super) fn add_notes_on_masks(explanation: &mut Explanation, entries: &MaskedSlice<'_>) {
    let notes = &mut explanation.notes;
    for bit in 0..entries.len() {
        let item_masks = entries.item_masks(bit);
        let ignored = [
            ("new_axis", item_masks.new_axis),
            ("shrink", item_masks.shrink_axis),
            ("begin", item_masks.begin),
        ];
        let (winner, ignored) = match entries.role(bit) {
            ItemRole::Ellipsis => ("ellipsis", &ignored[..2]),
            ItemRole::NewAxis => ("new_axis", &ignored[1..2]),
            // There is no note if the resulting index is 0. In some systems, the begin bit has set the index to 0, so
            // the bit is not ignored. In the other systems, an index of 0 is the same with and without the bit.
            ItemRole::Index if entries.index_number(bit) != 0 => ("shrink", &ignored[2..]),
            ItemRole::Index | ItemRole::Range => continue,
        };
        for &(mask, _) in ignored.iter().filter(|(_, is_set)| *is_set) {
            notes.push(note!(
                "bit_ignored",
                [mask, bit, winner],
                "{mask} bit {bit} is ignored: the {winner} bit takes precedence"
            ));
        }
    }
    let items = entries.len();
    for (number, mask) in MASKS.into_iter().enumerate() {
        let is_set = |&bit: &usize| mask_bits(entries.item_masks(bit))[number].1;
        let first_ignored = (items..64).find(is_set);
        if let Some(bit) = first_ignored {
            notes.push(note!(
                "bits_beyond",
                [mask, bit, items],
                "{mask} bits {bit} and above are ignored: the number of items is {items}"
            ));
        }
    }
}
