//! From what becomes of each axis to a selection.

use slice_core::{AxisRange, OutputAxis, Selection, SliceError};

use crate::Dims;

/// Collects the axes of a selection from left to right.
#[derive(Default)]
pub(crate) struct SelectionBuilder {
    axes: Dims<AxisRange>,
    output: Dims<OutputAxis>,
}

impl SelectionBuilder {
    /// The next input axis stays.
    pub(crate) fn keep(&mut self, range: AxisRange) {
        self.output.push(OutputAxis::Input(self.axes.len()));
        self.axes.push(range);
    }

    /// The next input axis is dropped at a position.
    pub(crate) fn drop(&mut self, position: usize) {
        self.axes.push(AxisRange::single(position));
    }

    /// A new axis is inserted.
    pub(crate) fn insert(&mut self, len: usize) {
        self.output.push(OutputAxis::New { len });
    }

    /// What is selected of an array of this shape.
    pub(crate) fn select(self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::from_axes(shape, &self.axes, &self.output)
    }
}
