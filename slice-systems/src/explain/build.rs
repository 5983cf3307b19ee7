//! Computes the effect of each entry of a slice. Every number comes from the functions that resolve the slice, so that
//! an explanation agrees with the selection.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::element_count;
use slice_core::resolve::{open_begin, open_end, wrap};
use slice_core::{AxisRange, Item, ItemMasks, ItemRole, Selection, SliceError};

use super::add_notes::{add_notes_on_entries, add_notes_on_masks};
use super::entry::{Entry, ExplainedBound};
use super::{Explanation, Notation};
use crate::error::OperationError;
use crate::masked_slice::{MaskedSlice, mask_bits};

impl Explanation {
    /// Creates an explanation without entries and notes.
    pub(crate) fn new(
        subject: impl Into<String>,
        notation: Notation,
        shape: &[usize],
        outcome: Result<Selection, OperationError>,
    ) -> Self {
        Explanation {
            subject: subject.into(),
            notation,
            input_shape: shape.to_vec(),
            entries: Vec::new(),
            output_shape: outcome.map(|selection| selection.output_shape().to_vec()),
            notes: Vec::new(),
        }
    }

    /// Explains the entries of a strided slice, or nothing if `entries` is `None` because the entries are invalid.
    pub(crate) fn with_slice(self, entries: Option<&MaskedSlice<'_>>) -> Self {
        let columns = entries.map(|entries| self.columns(entries));
        let mut explanation = self.with_columns(columns.unwrap_or_default());
        if let Some(entries) = entries {
            add_notes_on_masks(&mut explanation, entries);
        }
        explanation
    }

    /// Sets the entries, after setting the output axis of each of them, and adds the notes on them.
    pub(crate) fn with_columns(mut self, mut columns: Vec<Entry>) -> Self {
        let kept = columns
            .iter_mut()
            .filter(|column| column.is_output() && self.output_shape.is_ok())
            .enumerate();
        for (output, column) in kept {
            column.output_axis = Some(output);
        }
        self.entries = columns;
        add_notes_on_entries(&mut self);
        self
    }

    pub(super) fn columns(&self, entries: &MaskedSlice<'_>) -> Vec<Entry> {
        // The shape is checked first, because arithmetic on axes relies on valid lengths.
        let items = element_count(&self.input_shape)
            .and_then(|_| entries.item_axes(self.input_shape.len()));
        let Ok(items) = items else {
            return (0..entries.len())
                .map(|item| self.column(entries, item, None))
                .collect();
        };
        let mut columns = Vec::new();
        for (item, role, axes) in items {
            match role {
                ItemRole::NewAxis => columns.push(self.column(entries, item, None)),
                ItemRole::Index => columns.push(self.index(entries, item, axes.start)),
                ItemRole::Range => columns.push(self.range(entries, item, axes.start)),
                ItemRole::Ellipsis if item == entries.len() => {
                    columns.extend(axes.map(|axis| Entry::whole(axis, self.input_shape[axis])));
                }
                ItemRole::Ellipsis if axes.is_empty() => {
                    columns.push(self.column(entries, item, None));
                }
                ItemRole::Ellipsis => {
                    // The item as written is shown once, for the first axis.
                    columns.push(self.whole(entries, item, axes.start));
                    columns.extend(axes.skip(1).map(|axis| Entry {
                        item: Some(item),
                        ..Entry::whole(axis, self.input_shape[axis])
                    }));
                }
            }
        }
        columns
    }

    /// Returns the entry of an item, with the item's axis but without its effect.
    fn column(&self, entries: &MaskedSlice<'_>, item: usize, axis: Option<usize>) -> Entry {
        let means = entries.item(item);
        let (begin, end, stride) = self.written(entries, item);
        Entry {
            item: Some(item),
            written: Some(match self.notation {
                Notation::Masks => {
                    let (begin, end, stride) = entries.numbers(item);
                    format!("{begin}:{end}:{stride}")
                }
                _ => means.to_string(),
            }),
            bits: match self.notation {
                Notation::Masks => bits(entries.item_masks(item)).collect(),
                _ => Vec::new(),
            },
            means: means.to_string(),
            role: entries.role(item),
            axis,
            size: axis.map(|axis| self.input_shape[axis]),
            begin: ExplainedBound::without_effect(begin),
            end: ExplainedBound::without_effect(end),
            stride,
            selected: None,
            list: None,
            output_axis: None,
        }
    }

    /// Returns the `begin`, `end` and stride as written. Each of them is `None` if it is omitted.
    fn written(
        &self,
        entries: &MaskedSlice<'_>,
        item: usize,
    ) -> (Option<i64>, Option<i64>, Option<i64>) {
        let (begin, end, step) = entries.numbers(item);
        match entries.item(item) {
            _ if self.notation == Notation::Masks => (Some(begin), Some(end), Some(step)),
            Item::Range { begin, end, step } => (begin, end, Some(step)),
            Item::Index(index) => (Some(index), None, None),
            _ => (None, None, None),
        }
    }

    fn whole(&self, entries: &MaskedSlice<'_>, item: usize, axis: usize) -> Entry {
        let whole = Entry::whole(axis, self.input_shape[axis]);
        let column = self.column(entries, item, None);
        Entry {
            begin: ExplainedBound {
                written: column.begin.written,
                ..whole.begin
            },
            end: ExplainedBound {
                written: column.end.written,
                ..whole.end
            },
            item: column.item,
            written: column.written,
            bits: column.bits,
            ..whole
        }
    }

    fn index(&self, entries: &MaskedSlice<'_>, item: usize, axis: usize) -> Entry {
        let size = self.input_shape[axis];
        let column = self.column(entries, item, Some(axis));
        let position = entries.index(item, axis, size).ok();
        let wrapped = column.begin.written.map(|index| wrap(index, size));
        Entry {
            begin: ExplainedBound {
                wrapped,
                resolved: position.map(|position| position as i64),
                ..column.begin
            },
            selected: position.map(AxisRange::single),
            ..column
        }
    }

    fn range(&self, entries: &MaskedSlice<'_>, item: usize, axis: usize) -> Entry {
        let size = self.input_shape[axis];
        let stride = entries.stride(item);
        let effective = entries.bounds(item, size);
        let column = self.column(entries, item, Some(axis));
        column.sliced(effective, stride, entries.range(item, axis, size))
    }
}

impl Entry {
    /// Returns the entry with the effect of a range. `begin` and `end` are the bounds that the system uses, or `None`
    /// for omitted or masked bounds. `selected` is the resolved range.
    pub(crate) fn sliced(
        self,
        (begin, end): (Option<i64>, Option<i64>),
        stride: i64,
        selected: Result<AxisRange, SliceError>,
    ) -> Self {
        let (Some(size), Ok(selected)) = (self.size, selected) else {
            return self;
        };
        let (first, last) = (open_begin(stride, size), open_end(stride, size));
        Entry {
            begin: ExplainedBound::of_range(self.begin.written, begin, first, stride, size),
            end: ExplainedBound::of_range(self.end.written, end, last, stride, size),
            selected: Some(selected),
            ..self
        }
    }

    /// Returns `true` if the entry has an axis in the result.
    fn is_output(&self) -> bool {
        match self.role {
            ItemRole::NewAxis => true,
            ItemRole::Range | ItemRole::Ellipsis => self.axis.is_some(),
            ItemRole::Index => false,
        }
    }
}

/// Returns the names of the masks whose bits are set.
fn bits(item_masks: ItemMasks) -> impl Iterator<Item = &'static str> {
    let masks = mask_bits(item_masks).into_iter();
    masks.filter_map(|(name, is_set)| is_set.then_some(name))
}
