//! Explains slices with lists in the same form as other slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::wrap;
use slice_core::{
    AxisPositions, AxisRun, DisplayShape, DynOuterSpec, DynSliceSpec, Item, JoinedItem, ListSpec,
    NdList, OuterItem, Selection,
};

use super::add_notes_on_lists::add_note_on_numpy;
use super::build::Subject;
use super::entry::{Entry, ExplainedBound, ExplainedList};
use super::format::{MAX_SHOWN_ELEMENTS, join_abbreviated};
use super::systems::Explain;
use super::{Explanation, Notation};
use crate::masked_slice::MaskedSlice;
use crate::translate::spec::WHOLE;

impl<const M: usize, K> Explain for ListSpec<'_, M, K> {
    fn explain(&self, shape: &[usize]) -> Explanation {
        self.to_dyn().explain(shape)
    }
}

impl Explain for DynOuterSpec {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let selection = self.resolve(shape);
        let shape_of = |selection: &Selection| selection.output_shape().to_vec();
        let subject = Subject {
            name: format!("x[{}]", items_text(self.items())),
            notation: Notation::Python,
            shape,
            outcome: selection
                .as_ref()
                .map(shape_of)
                .map_err(|error| error.clone().into()),
        };
        // `:` takes the place of each axis to which a list applies, while axes are assigned to the items.
        let mut ranges = Vec::new();
        for (number, item) in self.items().iter().enumerate() {
            match item {
                OuterItem::Item(item) => ranges.push((number, *item)),
                OuterItem::Positions(_) | OuterItem::Mask(_) => ranges.push((number, WHOLE)),
                OuterItem::Joined(item) => match input_axes(item) {
                    0 => ranges.push((number, Item::NewAxis)),
                    axes => ranges.extend((0..axes).map(|_| (number, WHOLE))),
                },
            }
        }
        let Ok(spec) = DynSliceSpec::from_items(ranges.iter().map(|&(_, item)| item)) else {
            // Masks of many axes need more than 64 items.
            return subject.with_columns(Vec::new());
        };
        let mut columns = subject.columns(&MaskedSlice::of_spec(&spec));
        for column in &mut columns {
            if let Some(range) = column.item
                && let Some(&(number, _)) = ranges.get(range)
            {
                column.item = Some(number);
                column.set_list(&self.items()[number], selection.as_ref().ok());
            }
        }
        let mut explanation = subject.with_columns(columns);
        if selection.is_ok() {
            set_output_axes(&mut explanation.entries, self.items());
            add_note_on_numpy(&explanation.entries, &mut explanation.notes);
        }
        explanation
    }
}

/// Returns the number of axes to which an item applies.
fn input_axes(item: &JoinedItem) -> usize {
    match item {
        JoinedItem::Positions(_) => 1,
        JoinedItem::Mask(mask) => mask.rank(),
        JoinedItem::Points(lists) => lists.len(),
    }
}

/// Sets the axis of the result of each entry. Of the entries of an item that joins axes, the first has the first of its
/// axes.
fn set_output_axes(entries: &mut [Entry], items: &[OuterItem]) {
    let (mut output, mut joined) = (0, None);
    for entry in entries {
        let item = entry.item.and_then(|item| items.get(item));
        let Some(OuterItem::Joined(item)) = item else {
            if entry.output_axis.is_some() {
                entry.output_axis = Some(output);
                output += 1;
            }
            continue;
        };
        entry.output_axis = None;
        if joined.replace(entry.item) != Some(entry.item) {
            entry.output_axis = Some(output);
            output += match item {
                JoinedItem::Positions(list) => list.rank(),
                JoinedItem::Mask(_) => 1,
                JoinedItem::Points(lists) => {
                    lists.iter().map(|list| list.rank()).max().unwrap_or(0)
                }
            };
        }
    }
}

/// Formats the items in Python's notation. Only the first few elements of a long list and its last element are shown.
fn items_text(items: &[OuterItem]) -> String {
    if items.is_empty() {
        return "()".to_string();
    }
    let items: Vec<String> = items.iter().map(item_text).collect();
    items.join(", ")
}

fn item_text(item: &OuterItem) -> String {
    match item {
        OuterItem::Positions(positions) if positions.len() > MAX_SHOWN_ELEMENTS => {
            format!(
                "[{}]",
                join_abbreviated(positions.iter(), MAX_SHOWN_ELEMENTS)
            )
        }
        OuterItem::Mask(mask) if mask.len() > MAX_SHOWN_ELEMENTS => {
            let words = mask.iter().map(|&x| if x { "True" } else { "False" });
            format!("[{}]", join_abbreviated(words, MAX_SHOWN_ELEMENTS))
        }
        OuterItem::Joined(JoinedItem::Positions(list)) => list_text(list),
        OuterItem::Joined(JoinedItem::Mask(mask)) if mask.elements().len() > MAX_SHOWN_ELEMENTS => {
            format!("<mask of shape {}>", DisplayShape(mask.shape()))
        }
        OuterItem::Joined(JoinedItem::Points(lists)) => {
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
        _ => OuterItem::from(JoinedItem::Positions(list.clone())).to_string(),
    }
}

impl Entry {
    /// If `item` is a list or a mask, replaces this entry, which describes the `:` in place of the list, with the entry
    /// of the list. Otherwise, does nothing.
    fn set_list(&mut self, item: &OuterItem, selection: Option<&Selection>) {
        let written = match item {
            OuterItem::Item(_) => return,
            OuterItem::Positions(positions) => Some(positions),
            OuterItem::Mask(_) | OuterItem::Joined(_) => None,
        };
        let selected = self.axis.and_then(|axis| Some(selection?.axis(axis)));
        let positions = self.axis.and_then(|axis| Some(selection?.positions(axis)));
        self.written = Some(item_text(item));
        self.means = item_text(item);
        (self.begin, self.end) = (
            ExplainedBound::without_effect(None),
            ExplainedBound::without_effect(None),
        );
        self.stride = None;
        self.selected = match selected {
            Some(AxisPositions::Range(range)) => Some(range),
            _ => None,
        };
        let size = self.size;
        self.list = Some(ExplainedList {
            mask: match item {
                OuterItem::Mask(mask) => Some(mask.clone()),
                _ => None,
            },
            written: written.cloned(),
            wrapped: written.and_then(|positions| {
                let size = size?;
                Some(positions.iter().map(|&k| wrap(k, size)).collect())
            }),
            runs: positions
                .as_ref()
                .zip(selected)
                .map(|(all, selected)| runs(all, selected)),
            positions,
        });
    }
}

/// Returns the selected positions of an axis as runs with a constant step.
fn runs(positions: &[usize], selected: AxisPositions<'_>) -> Vec<AxisRun> {
    let single = |start| AxisRun {
        start,
        step: 1,
        len: 1,
    };
    match selected {
        AxisPositions::Range(range) if range.is_empty() => Vec::new(),
        AxisPositions::Range(range) => Vec::from([AxisRun {
            start: range.start(),
            step: range.step(),
            len: range.len(),
        }]),
        AxisPositions::Runs(runs) => runs.into_owned(),
        _ => positions.iter().map(|&k| single(k)).collect(),
    }
}
