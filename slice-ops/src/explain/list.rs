//! Slices with lists: what each list selects, in the words that the other items have.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::wrap;
use slice_core::{
    AxisPositions, AxisRun, DynOuterSpec, DynSliceSpec, Item, ItemRole, OuterItem, OuterSelection,
    OuterSpec,
};

use super::build::Subject;
use super::entry::{Entry, ExplainedBound, ExplainedList};
use super::note::{Note, NoteKind};
use super::systems::{Encoded, Explain};
use super::{Explanation, Form};

/// The most elements of a list that are written out, and as many as are written of a longer one before its last.
const WRITTEN: usize = 12;
const BEGUN: usize = 3;

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
        // A list has the axis that a range would have in its place.
        let ranges = self.items().iter().map(|item| match item {
            OuterItem::Item(item) => *item,
            OuterItem::Positions(_) | OuterItem::Mask(_) => WHOLE,
        });
        let Ok(ranges) = DynSliceSpec::from_items(ranges) else {
            unreachable!("the items are those of a spec")
        };
        let mut columns = subject.columns(&Encoded::of(&ranges));
        for column in &mut columns {
            if let Some(item) = column.item {
                column.list(&self.items()[item], selection.as_ref().ok());
            }
        }
        let mut explanation = subject.with(columns);
        if selection.is_ok() {
            of_numpy(&mut explanation);
        }
        explanation
    }
}

const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    stride: 1,
};

/// The items as Python writes them, of long lists the beginning and the end.
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

/// The elements with commas, of more than so many the first few and the last.
pub(super) fn listed<T: ToString>(
    elements: impl ExactSizeIterator<Item = T>,
    most: usize,
) -> String {
    let len = elements.len();
    let mut words = Vec::new();
    for (place, element) in elements.enumerate() {
        match place {
            _ if len <= most || place < BEGUN || place + 1 == len => {
                words.push(element.to_string())
            }
            BEGUN => words.push("...".to_string()),
            _ => {}
        }
    }
    words.join(", ")
}

impl Entry {
    /// The entry of a range as that of the list in its place, if the item is one.
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
            runs: selected.map(runs),
            positions,
        });
    }
}

/// What is selected of an axis, in runs.
fn runs(selected: AxisPositions<'_>) -> Vec<AxisRun> {
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
        AxisPositions::Singles(positions) => positions.iter().map(|&k| single(k)).collect(),
        AxisPositions::Runs(runs) => runs.into_owned(),
    }
}

/// The runs as Python writes slices; of one position, that, and how often.
pub(super) fn run_words(runs: &[AxisRun]) -> String {
    let words = runs.iter().map(|run| match (run.step, run.len) {
        (_, 1) => run.start.to_string(),
        (0, len) => format!("{} {len} times", run.start),
        (step, len) => {
            // One past the last, which may be before the first element.
            let end = run.start as i64 + step as i64 * (len as i64 - 1) + step.signum() as i64;
            match (step, end) {
                (1, end) => format!("{}:{end}", run.start),
                (step, -1) => format!("{}::{step}", run.start),
                (step, end) => format!("{}:{end}:{step}", run.start),
            }
        }
    });
    listed(words, WRITTEN)
}

/// Notes on what a list selects.
pub(super) fn of_list(entry: &Entry, item: usize, list: &ExplainedList, notes: &mut Vec<Note>) {
    let (Some(axis), Some(size), Some(positions)) = (entry.axis, entry.size, &list.positions)
    else {
        return;
    };
    if let (Some(written), Some(wrapped)) = (&list.written, &list.wrapped) {
        let mut negative = (0..written.len()).filter(|&place| written[place] < 0);
        if let Some(place) = negative.next() {
            notes.push(Note::new(NoteKind::FromTheEnd {
                item,
                axis,
                place,
                written: written[place],
                position: wrapped[place],
                others: negative.count(),
            }));
        }
    }
    if positions.is_empty() {
        notes.push(Note::new(NoteKind::NothingListed { item, axis, size }));
    }
    let mut sorted = positions.clone();
    sorted.sort_unstable();
    let repeated = sorted.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
    let mut repeated = repeated.map(|same| (same[0], same.len()));
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

/// Notes on what NumPy's brackets make of the same items.
fn of_numpy(explanation: &mut Explanation) {
    let entries = &explanation.entries;
    let lists: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.list.is_some())
        .collect();
    let kind = match lists[..] {
        [list] => {
            // All items from the first to the last that is a list or an index.
            let taking = |entry: &&Entry| entry.list.is_some() || entry.role == ItemRole::Index;
            let places = entries.iter().filter(taking).filter_map(|entry| entry.item);
            let (Some(first), Some(last)) = (places.clone().min(), places.clone().max()) else {
                return;
            };
            if last - first < places.count() || list.output_axis == Some(0) {
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
    explanation.notes.push(Note::new(kind));
}
