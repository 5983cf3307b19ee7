//! Finds the surprising effects of lists, and adds a note about each to an explanation.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slice_core::ItemRole;

use super::entry::{Entry, ExplainedList};
use super::note::{Note, note};

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
    let number = item + 1;
    if let (Some(written), Some(wrapped)) = (&list.written, &list.wrapped) {
        let mut negative = (0..written.len()).filter(|&i| written[i] < 0);
        if let Some(place) = negative.next() {
            let (written, position) = (written[place], wrapped[place]);
            let others = negative.count();
            notes.push(note!(
                "from_the_end",
                [item, axis, place, written, position, others],
                "{written} at index {place} of the list in item {number} counts from the end: it \
                 selects position {position} of axis {axis}{}",
                likewise(others)
            ));
        }
    }
    if positions.is_empty() {
        notes.push(note!(
            "nothing_listed",
            [item, axis, size],
            "nothing is selected on axis {axis}: item {number} selects no positions"
        ));
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
        let others = repeated.count();
        notes.push(note!(
            "repeated",
            [item, axis, position, times, others],
            "position {position} of axis {axis} is selected {times} times by item {number}{}; if \
             several values are assigned to one element, the last one remains",
            likewise(others)
        ));
    }
}

/// Returns the end of a note that concerns further positions.
fn likewise(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " (likewise for 1 other position)".into(),
        others => format!(" (likewise for {others} other positions)"),
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
    match lists[..] {
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
            notes.push(note!(
                "list_first",
                [item],
                "each item applies to its own axis; in NumPy's x[...], the axis of item {} would \
                 come first, because other items separate the list from an index",
                item + 1
            ));
        }
        [first, second, ..] => {
            let (Some(item), Some(second)) = (first.item, second.item) else {
                return;
            };
            notes.push(note!(
                "paired",
                [item, second],
                "each item applies to its own axis, as with np.ix_; NumPy's x[...] would pair \
                 items {} and {} element by element",
                item + 1,
                second + 1
            ));
        }
        [] => {}
    }
}
