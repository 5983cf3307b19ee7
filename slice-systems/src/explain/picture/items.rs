//! Creates a table with one column for each item of a slice. Each column shows the axes of the item, the item as
//! written, its bounds and its mask bits.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::ItemRole;

use crate::explain::Notation;
use crate::explain::{Entry, ExplainedBound, Explanation};

/// The table of items.
#[derive(Clone, Debug)]
pub(super) struct Items {
    /// The headings of the columns: the axes of each item.
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// The name of a row, its cells and, for a mask row, the value of the mask.
type Row = (&'static str, Vec<String>, Option<u64>);

/// A function that returns whether an item's bit must be set in a mask.
type HasBit = fn(&Entry) -> bool;

/// For each mask, the name of its bit in [`Entry::bits`], the name of its row, and a function that returns whether an
/// item's bit must be set.
const MASK_ROWS: [(&str, &str, HasBit); 5] = [
    ("begin", "begin_mask", |entry| {
        entry.role == ItemRole::Range && entry.list.is_none() && entry.begin.written.is_none()
    }),
    ("end", "end_mask", |entry| {
        entry.role == ItemRole::Range && entry.list.is_none() && entry.end.written.is_none()
    }),
    ("ellipsis", "ellipsis_mask", |entry| {
        entry.role == ItemRole::Ellipsis
    }),
    ("new_axis", "new_axis_mask", |entry| {
        entry.role == ItemRole::NewAxis
    }),
    ("shrink_axis", "shrink_axis_mask", |entry| {
        entry.role == ItemRole::Index
    }),
];

impl Items {
    pub(super) fn new(explanation: &Explanation) -> Self {
        let entries = &explanation.entries[..];
        // An ellipsis has an entry for each axis that it covers; only the first contains the item as written. Lists have an
        // entry for each axis too.
        let columns = entries.iter().filter(|entry| entry.written.is_some());
        let mut columns: Vec<&Entry> = columns.collect();
        columns.dedup_by(|b, a| b.list.is_some() && a.item == b.item);
        let header = columns.iter().map(|column| {
            let covered = match column.role {
                ItemRole::Ellipsis => entries,
                _ if column.list.is_some() => entries,
                _ => core::slice::from_ref(*column),
            };
            let covered = covered.iter().filter(|entry| entry.item == column.item);
            let axes: Vec<usize> = covered.filter_map(|entry| entry.axis).collect();
            match axes[..] {
                [] if column.role == ItemRole::NewAxis => "new axis".to_string(),
                [] => "no axis".to_string(),
                [axis] => format!("axis {axis}"),
                [first, .., last] => format!("axes {first} to {last}"),
            }
        });
        let header = header.collect();
        let has_lists = entries.iter().any(|entry| entry.list.is_some());
        let row = |name, cell: &dyn Fn(&Entry) -> String| {
            (
                name,
                columns.iter().map(|column| cell(column)).collect(),
                None,
            )
        };
        let mut rows = Vec::from([
            row("item", &|entry| entry.written.clone().unwrap_or_default()),
            row("begin", &|entry| match entry.role {
                _ if entry.list.is_some() => String::new(),
                ItemRole::Range | ItemRole::Index => bound(entry, entry.begin, "begin"),
                _ => String::new(),
            }),
            row("end", &|entry| match entry.role {
                _ if entry.list.is_some() => String::new(),
                ItemRole::Range => bound(entry, entry.end, "end"),
                _ => String::new(),
            }),
            row("step", &|entry| match (entry.role, entry.stride) {
                (ItemRole::Range, Some(stride)) => stride.to_string(),
                _ => String::new(),
            }),
        ]);
        // Lists have no bounds, so some of these rows may be empty.
        if has_lists {
            rows.retain(|(_, cells, _): &Row| cells.iter().any(|cell| !cell.is_empty()));
        }
        for (bit, name, must_be_set) in MASK_ROWS {
            let is_set = |entry: &Entry| match explanation.notation {
                Notation::Masks => entry.bits.contains(&bit),
                _ => must_be_set(entry),
            };
            let items = columns
                .iter()
                .filter(|column| is_set(column))
                .filter_map(|column| column.item);
            let mask = items
                .filter(|&item| item < 64)
                .map(|item| 1_u64 << item)
                .sum();
            let cells = columns
                .iter()
                .map(|column| u8::from(is_set(column)).to_string());
            // Operations that name their axes have no masks, and slices with lists cannot be written with masks, so
            // neither of them has mask rows.
            if explanation.notation != Notation::NamedAxes && !has_lists {
                rows.push((name, cells.collect(), Some(mask)));
            }
        }
        Items { header, rows }
    }
}

/// Formats a bound as written, followed by its position if that is a different number. For a bound that is omitted or
/// masked, `default` takes the place of the written bound.
fn bound(entry: &Entry, bound: ExplainedBound, bit: &str) -> String {
    let position = match bound.resolved {
        Some(-1) => "before 0".to_string(),
        Some(position) => position.to_string(),
        None => String::new(),
    };
    match bound.written {
        Some(written) if bound.resolved == Some(written) && !entry.bits.contains(&bit) => position,
        Some(written) if !entry.bits.contains(&bit) => format!("{written} -> {position}"),
        _ => format!("default -> {position}"),
    }
}
