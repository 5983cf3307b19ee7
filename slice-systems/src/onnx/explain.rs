//! Explains ONNX's `Slice`, whose entries name their axes.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use slice_core::resolve::element_count;
use slice_core::{Item, ItemRole};

use crate::explain::entry::{Entry, ExplainedBound};
use crate::explain::{Explanation, Notation};
use crate::onnx::{EndRule, Slice};

impl Slice {
    /// Explains what ONNX Runtime selects from an array with the shape `shape`; see
    /// [`resolve_onnxruntime`](Self::resolve_onnxruntime).
    ///
    /// ```
    /// use slice_systems::onnx::Slice;
    ///
    /// let slice = Slice { starts: vec![1], ends: vec![3], opset: 13, ..Slice::default() };
    /// let explanation = slice.explain_onnxruntime(&[5]);
    /// assert_eq!(explanation.output_shape, Ok(vec![2]));
    /// ```
    #[must_use]
    pub fn explain_onnxruntime(&self, shape: &[usize]) -> Explanation {
        self.explain_with(EndRule::Runtime, shape)
    }

    pub(super) fn explain_with(&self, end: EndRule, shape: &[usize]) -> Explanation {
        let system = match end {
            EndRule::Specification => "ONNX's Slice",
            EndRule::Runtime => "ONNX Runtime's Slice",
        };
        let name = format!("{system} (opset {})", self.opset);
        let explanation =
            Explanation::new(name, Notation::NamedAxes, shape, self.select(shape, end));
        let is_valid = self.check(shape.len()).is_ok() && element_count(shape).is_ok();
        let columns = if is_valid {
            self.columns(end, shape)
        } else {
            Vec::new()
        };
        explanation.with_columns(columns)
    }

    /// Returns the columns of the explanation: one for each axis, followed by one for each entry whose axis does not
    /// exist or belongs to an earlier entry.
    fn columns(&self, end: EndRule, shape: &[usize]) -> Vec<Entry> {
        let mut columns: Vec<Entry> = (0..shape.len())
            .map(|axis| Entry {
                means: ":".into(),
                ..Entry::whole(axis, shape[axis])
            })
            .collect();
        for item in 0..self.starts.len() {
            let axis = self.axis(item, shape.len()).ok();
            let free_axis = axis.filter(|&axis| columns[axis].item.is_none());
            let axis = free_axis.map(|axis| (axis, shape[axis]));
            let column = self.column(item, end, axis);
            match axis {
                Some((axis, _)) => columns[axis] = column,
                None => columns.push(column),
            }
        }
        columns
    }

    /// Returns the column of entry `item`. `axis` consists of the entry's axis and the length of that axis, or is
    /// `None` if the entry has no axis of its own.
    fn column(&self, item: usize, end: EndRule, axis: Option<(usize, usize)>) -> Entry {
        let (start, stop, step) = (self.starts[item], self.ends[item], self.step(item));
        let text = Item::Range {
            begin: Some(start),
            end: Some(stop),
            step,
        }
        .to_string();
        let entry = Entry {
            list: None,
            item: Some(item),
            written: Some(text.clone()),
            bits: Vec::new(),
            means: text,
            role: ItemRole::Range,
            axis: axis.map(|(axis, _)| axis),
            size: axis.map(|(_, size)| size),
            begin: ExplainedBound::without_effect(Some(start)),
            end: ExplainedBound::without_effect(Some(stop)),
            stride: Some(step),
            selected: None,
            output_axis: None,
        };
        let Some((axis, size)) = axis else {
            return entry;
        };
        let bounds = self.bounds(item, end, size);
        entry.sliced(bounds, step, self.range(item, axis, bounds, size))
    }
}
