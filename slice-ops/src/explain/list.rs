//! Explains slices with lists in the same form as other slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::wrap;
use slice_core::{
    AxisPositions, AxisRun, DynOuterSpec, DynSliceSpec, Item, OuterItem, OuterSelection, OuterSpec,
};

use super::build::Subject;
use super::entry::{Entry, ExplainedBound, ExplainedList};
use super::notice_of_lists::of_numpy;
use super::systems::{Encoded, Explain};
use super::words::{WRITTEN, listed};
use super::{Explanation, Form};

impl<const M: usize, K> Explain for OuterSpec<'_, M, K> {
    fn explain(&self, shape: &[usize]) -> Explanation {
        self.to_dyn().explain(shape)
    }
}

impl Explain for DynOuterSpec {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let selection = self.resolve(shape);
        let shape_of = |selection: &OuterSelection| selection.output_shape().to_vec();
        let subject = Subject {
            name: format!("x[{}]", written(self.items())),
            form: Form::Python,
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
            unreachable!("the items form a valid spec")
        };
        let mut columns = subject.columns(&Encoded::of(&ranges));
        for column in &mut columns {
            if let Some(item) = column.item {
                column.list(&self.items()[item], selection.as_ref().ok());
            }
        }
        let mut explanation = subject.with(columns);
        if selection.is_ok() {
            of_numpy(&explanation.entries, &mut explanation.notes);
        }
        explanation
    }
}

const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

/// Formats the items in Python's notation. Only the beginning and the end of a long list are shown.
fn written(items: &[OuterItem]) -> String {
    if items.is_empty() {
        return "()".to_string();
    }
    let items: Vec<String> = items.iter().map(short).collect();
    items.join(", ")
}

fn short(item: &OuterItem) -> String {
    match item {
        OuterItem::Positions(positions) if positions.len() > WRITTEN => {
            format!("[{}]", listed(positions.iter(), WRITTEN))
        }
        OuterItem::Mask(mask) if mask.len() > WRITTEN => {
            let words = mask.iter().map(|&x| if x { "True" } else { "False" });
            format!("[{}]", listed(words, WRITTEN))
        }
        item => item.to_string(),
    }
}

impl Entry {
    /// Changes the entry of the range that took the place of a list to the entry of the list. Does nothing if `item` is
    /// not a list or a mask.
    fn list(&mut self, item: &OuterItem, selection: Option<&OuterSelection>) {
        let written = match item {
            OuterItem::Item(_) => return,
            OuterItem::Positions(positions) => Some(positions),
            OuterItem::Mask(_) => None,
        };
        let selected = self.axis.and_then(|axis| Some(selection?.axis(axis)));
        let positions = self.axis.and_then(|axis| Some(selection?.positions(axis)));
        self.written = Some(short(item));
        self.means = short(item);
        (self.begin, self.end) = (ExplainedBound::idle(None), ExplainedBound::idle(None));
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
