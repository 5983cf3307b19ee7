//! Finds the surprising effects of a slice, and adds a note about each to the explanation.

use alloc::vec::Vec;

use slice_core::resolve::{open_begin, open_end};
use slice_core::{ItemMasks, ItemRole, SliceError};

use super::add_notes_on_lists::add_notes_on_list;
use super::note::{BoundKind, Note, NoteKind};
use super::{Entry, Explanation, Notation, Outcome};
use crate::error::OperationError;
use crate::masked_slice::MaskedSlice;

/// Adds notes about the entries, and a note about the valid indices if an index is out of bounds.
pub(super) fn add_notes_on_entries(explanation: &mut Explanation) {
    let implied = explanation
        .entries
        .iter()
        .filter(|entry| entry.item.is_none() && explanation.notation != Notation::NamedAxes)
        .filter_map(|entry| entry.axis);
    let notes = &mut explanation.notes;
    if let (Some(first), Some(last)) = (implied.clone().min(), implied.max()) {
        notes.push(Note::new(NoteKind::ImplicitEllipsis {
            axes: first..last + 1,
        }));
    }
    let resolved = matches!(explanation.outcome, Outcome::OutputShape(_));
    for entry in &explanation.entries {
        match (entry.item, entry.role) {
            (Some(item), ItemRole::Ellipsis) if entry.axis.is_none() && resolved => {
                notes.push(Note::new(NoteKind::NothingCovered { item }));
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
    if let Outcome::Error(OperationError::Slice(error)) = &explanation.outcome
        && let SliceError::IndexOutOfBounds { axis, size, .. }
        | SliceError::ListIndexOutOfBounds { axis, size, .. } = *error
    {
        notes.push(Note::new(NoteKind::Positions { axis, size }));
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
    let omitted = |bound| match bound {
        BoundKind::Begin => open_begin(stride, size),
        BoundKind::End => open_end(stride, size),
    };
    for (bound, stages, bit) in [
        (BoundKind::Begin, entry.begin, "begin"),
        (BoundKind::End, entry.end, "end"),
    ] {
        let (Some(written), Some(wrapped), Some(clamped), Some(place)) = (
            stages.written,
            stages.wrapped,
            stages.clamped,
            stages.resolved,
        ) else {
            continue;
        };
        let note = if entry.bits.contains(&bit) {
            (written != 0).then_some(NoteKind::Masked {
                bound,
                item,
                written,
                place,
            })
        } else if clamped != place {
            Some(NoteKind::OpenEnd { item, written })
        } else if wrapped < 0 && clamped == 0 && stride < 0 {
            Some(NoteKind::StartsAtFirst { item, written })
        } else if wrapped != clamped
            && place == omitted(bound)
            && MIN_OMITTED <= written.unsigned_abs()
        {
            Some(NoteKind::Unbounded {
                bound,
                item,
                axis,
                written,
            })
        } else {
            (wrapped != clamped).then_some(NoteKind::Clamped {
                bound,
                item,
                axis,
                written,
                place,
            })
        };
        notes.extend(note.map(Note::new));
    }
    if selected.is_empty() {
        notes.push(Note::new(NoteKind::EmptyAxis {
            axis,
            size,
            begin,
            end,
            stride,
        }));
        if stride < 0 && size > 0 && entry.end.written == Some(-1) && !entry.bits.contains(&"end") {
            notes.push(Note::new(NoteKind::LastNotFirst { item }));
        }
    }
}

fn add_notes_on_index(entry: &Entry, item: usize, notation: Notation, notes: &mut Vec<Note>) {
    let (Some(written), Some(place)) = (entry.begin.written, entry.begin.resolved) else {
        return;
    };
    if entry.begin.wrapped != Some(place) {
        notes.push(Note::new(NoteKind::Masked {
            bound: BoundKind::Begin,
            item,
            written,
            place,
        }));
    }
    if let Some(end) = entry.end.written
        && notation == Notation::Masks
        && end != written.saturating_add(1)
    {
        notes.push(Note::new(NoteKind::EndOfIndex { item, written: end }));
    }
}

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
        for &(mask, is_set) in ignored {
            notes.extend(is_set.then_some(Note::new(NoteKind::BitIgnored { mask, bit, winner })));
        }
    }
    let items = entries.len();
    for (mask, has_bit) in MASKS {
        let first_ignored = (items..64).find(|&bit| has_bit(entries.item_masks(bit)));
        notes.extend(first_ignored.map(|bit| Note::new(NoteKind::BitsBeyond { mask, bit, items })));
    }
}

/// The name of a mask, and a function that returns its bit for an item.
type Mask = (&'static str, fn(ItemMasks) -> bool);

/// All masks, with the names that notes use.
const MASKS: [Mask; 5] = [
    ("begin", |item_masks| item_masks.begin),
    ("end", |item_masks| item_masks.end),
    ("ellipsis", |item_masks| item_masks.ellipsis),
    ("new_axis", |item_masks| item_masks.new_axis),
    ("shrink", |item_masks| item_masks.shrink_axis),
];
