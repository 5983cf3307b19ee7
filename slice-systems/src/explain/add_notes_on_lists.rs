//! Finds the surprising effects of lists, and adds a note about each to an explanation.

use alloc::vec::Vec;

use slice_core::ItemRole;

use super::entry::{Entry, ExplainedList};
use super::note::{Note, NoteKind};

/// Adds notes about the positions of a list. `is_joined` is `true` if the item has lists for several axes.
pub(super) fn add_notes_on_list(
    entry: &Entry,
    item: usize,
    list: &ExplainedList,
    is_joined: bool,
    notes: &mut Vec<Note>,
) {
    let (Some(axis), Some(size), Some(positions)) = (entry.axis, entry.size, &list.positions)
    else {
        return;
    };
    if let (Some(written), Some(wrapped)) = (&list.written, &list.wrapped) {
        let mut negative = (0..written.len()).filter(|&i| written[i] < 0);
        if let Some(i) = negative.next() {
            notes.push(Note::new(NoteKind::FromTheEnd {
                item,
                axis,
                place: i,
                written: written[i],
                position: wrapped[i],
                others: negative.count(),
            }));
        }
    }
    if positions.is_empty() {
        notes.push(Note::new(NoteKind::NothingListed { item, axis, size }));
    }
    if is_joined {
        return;
    }
    let mut sorted = positions.clone();
    sorted.sort_unstable();
    let repeated = sorted
        .chunk_by(|a, b| a == b)
        .filter(|group| group.len() > 1);
    let mut repeated = repeated.map(|group| (group[0], group.len()));
    if let Some((position, times)) = repeated.next() {
        notes.push(Note::new(NoteKind::Repeated {
            item,
            axis,
            position,
            times,
            others: repeated.count(),
        }));
    }
}

/// Adds a note if the lists have a different meaning in NumPy's `x[...]`.
pub(super) fn add_note_on_numpy(entries: &[Entry], notes: &mut Vec<Note>) {
    // The entries of an item that joins axes are next to each other.
    let mut lists: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.list.is_some())
        .collect();
    lists.dedup_by_key(|entry| entry.item);
    let kind = match lists[..] {
        [list] => {
            // NumPy moves the axis of the list to the front unless the list and the indices are adjacent items.
            let is_advanced =
                |entry: &&Entry| entry.list.is_some() || entry.role == ItemRole::Index;
            let items = entries
                .iter()
                .filter(is_advanced)
                .filter_map(|entry| entry.item);
            let (Some(first), Some(last)) = (items.clone().min(), items.clone().max()) else {
                return;
            };
            if last - first < items.count() || list.output_axis == Some(0) {
                return;
            }
            let Some(item) = list.item else { return };
            NoteKind::ListFirst { item }
        }
        [
            Entry {
                item: Some(first), ..
            },
            Entry {
                item: Some(second), ..
            },
            ..,
        ] => NoteKind::Paired {
            item: *first,
            second: *second,
        },
        _ => return,
    };
    notes.push(Note::new(kind));
}
