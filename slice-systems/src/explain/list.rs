//! Explains slices with lists in the same form as other slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::wrap;
use slice_core::{
    AxisPositions, AxisRun, DynOuterSpec, DynSliceSpec, ListSpec, OuterItem, Selection,
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
        // A list consumes one axis, as a range does, so `:` takes its place while axes are assigned to the items.
        let ranges = self.items().iter().map(|item| match item {
            OuterItem::Item(item) => *item,
            OuterItem::Positions(_) | OuterItem::Mask(_) => WHOLE,
        });
        let Ok(ranges) = DynSliceSpec::from_items(ranges) else {
            unreachable!("the spec is invalid with ranges in place of its lists")
        };
        let mut columns = subject.columns(&MaskedSlice::of_spec(&ranges));
        for column in &mut columns {
            if let Some(item) = column.item {
                column.set_list(&self.items()[item], selection.as_ref().ok());
            }
        }
        let mut explanation = subject.with_columns(columns);
        if selection.is_ok() {
            add_note_on_numpy(&explanation.entries, &mut explanation.notes);
        }
        explanation
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
        item => item.to_string(),
    }
}

impl Entry {
    /// If `item` is a list or a mask, replaces this entry, which describes the `:` in place of the list, with the entry
    /// of the list. Otherwise, does nothing.
    fn set_list(&mut self, item: &OuterItem, selection: Option<&Selection>) {
        let written = match item {
            OuterItem::Item(_) => return,
            OuterItem::Positions(positions) => Some(positions),
            OuterItem::Mask(_) => None,
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
