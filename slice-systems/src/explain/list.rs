//! Explains slices with lists in the same form as other slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::wrap;
use slice_core::{DisplayShape, DynSliceSpec, Item, NdList, Selection};

use super::add_notes_on_lists::add_note_on_numpy;
use super::entry::{Entry, ExplainedBound, ExplainedList};
use super::format::{MAX_SHOWN_ELEMENTS, join_abbreviated};
use super::{Explanation, Notation};
use crate::error::OperationError;
use crate::masked_slice::MaskedSlice;
use crate::translate::spec::WHOLE;

/// Explains a slice with lists.
pub(super) fn explain(spec: &DynSliceSpec, shape: &[usize]) -> Explanation {
    let (items, selection) = (spec.items().collect::<Vec<_>>(), spec.resolve(shape));
    let texts: Vec<String> = items.iter().map(item_text).collect();
    let name = format!("x[{}]", texts.join(", "));
    let outcome = selection.clone().map_err(OperationError::from);
    let explanation = Explanation::new(name, Notation::Python, shape, outcome);
    // `:` takes the place of each axis to which a list applies, while axes are assigned to the items.
    let mut ranges = Vec::new();
    for (number, item) in items.iter().enumerate() {
        match (item.role(), item.input_axes()) {
            (None, Some(0)) => ranges.push((number, Item::NewAxis)),
            (None, Some(axes)) => ranges.extend((0..axes).map(|_| (number, WHOLE))),
            _ => ranges.push((number, item.clone())),
        }
    }
    let Ok(spec) = DynSliceSpec::from_items(ranges.iter().map(|(_, item)| item.clone())) else {
        // Masks of many axes need more than 64 items.
        return explanation.with_columns(Vec::new());
    };
    let mut columns = explanation.columns(&MaskedSlice::of_spec(&spec));
    for column in &mut columns {
        if let Some(range) = column.item
            && let Some(&(number, _)) = ranges.get(range)
        {
            column.item = Some(number);
            column.set_list(&items[number], selection.as_ref().ok());
        }
    }
    let mut explanation = explanation.with_columns(columns);
    if selection.is_ok() {
        set_output_axes(&mut explanation.entries, &items);
        add_note_on_numpy(&explanation.entries, &mut explanation.notes);
    }
    explanation
}

/// Sets the axis of the result of each entry. Of the entries of one list, the first has the first of its axes.
fn set_output_axes(entries: &mut [Entry], items: &[Item]) {
    let (mut output, mut list) = (0, None);
    for entry in entries {
        let item = entry.item.and_then(|item| items.get(item));
        let Some(item) = item.filter(|item| item.role().is_none()) else {
            if entry.output_axis.is_some() {
                entry.output_axis = Some(output);
                output += 1;
            }
            continue;
        };
        entry.output_axis = None;
        if list.replace(entry.item) != Some(entry.item) {
            entry.output_axis = Some(output);
            output += item.output_axes().unwrap_or(0);
        }
    }
}

/// Formats an item in Python's notation. Only the first few elements of a long list and its last element are shown.
fn item_text(item: &Item) -> String {
    match item {
        Item::List(list) => list_text(list),
        Item::Mask(mask) if mask.elements().len() > MAX_SHOWN_ELEMENTS => match mask.rank() {
            1 => {
                let words = mask.elements().iter();
                let words = words.map(|&x| if x { "True" } else { "False" });
                format!("[{}]", join_abbreviated(words, MAX_SHOWN_ELEMENTS))
            }
            _ => format!("<mask of shape {}>", DisplayShape(mask.shape())),
        },
        Item::Points(lists) => {
            let lists: Vec<String> = lists.iter().map(list_text).collect();
            format!("zip({})", lists.join(", "))
        }
        item => item.to_string(),
    }
}

fn list_text(list: &NdList<i64>) -> String {
    let elements = list.elements();
    match list.rank() {
        0 => join_abbreviated(elements.iter(), MAX_SHOWN_ELEMENTS),
        1 => format!(
            "[{}]",
            join_abbreviated(elements.iter(), MAX_SHOWN_ELEMENTS)
        ),
        _ if elements.len() > MAX_SHOWN_ELEMENTS => {
            format!("<list of shape {}>", DisplayShape(list.shape()))
        }
        _ => Item::List(list.clone()).to_string(),
    }
}

impl Entry {
    /// If `item` is a list or a mask, replaces this entry, which describes the `:` in place of the list, with the entry
    /// of the list. Otherwise, does nothing.
    fn set_list(&mut self, item: &Item, selection: Option<&Selection>) {
        let (written, mask) = match item {
            Item::List(list) if list.rank() == 1 => (Some(list.elements()), None),
            Item::Mask(mask) if mask.rank() == 1 => (None, Some(mask.elements())),
            item if item.role().is_some() => return,
            _ => (None, None),
        };
        let axis = self.axis.zip(selection);
        let positions = axis.map(|(axis, selection)| selection.axis(axis));
        self.written = Some(item_text(item));
        self.means = item_text(item);
        (self.begin, self.end) = (
            ExplainedBound::without_effect(None),
            ExplainedBound::without_effect(None),
        );
        self.stride = None;
        self.selected = axis.and_then(|(axis, selection)| selection.range(axis));
        let size = self.size;
        self.list = Some(ExplainedList {
            mask: mask.map(<[bool]>::to_vec),
            written: written.map(<[i64]>::to_vec),
            wrapped: written.and_then(|positions| {
                let size = size?;
                Some(positions.iter().map(|&k| wrap(k, size)).collect())
            }),
            runs: positions.as_ref().map(|list| list.runs().collect()),
            positions: positions.map(|list| list.iter().collect()),
        });
    }
}
