//! Composes several operations on an array of known shape into one slice with lists.

use alloc::vec::Vec;

use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, SliceError};

use super::{AxisList, Split};
use crate::translate::error::TranslateError;
use crate::translate::spec::item;

/// The positions selected on an input axis.
enum AxisSelection {
    Range(AxisRange),
    List(Vec<usize>),
    Dropped(usize),
}

impl AxisSelection {
    fn position(&self, k: usize) -> usize {
        match self {
            AxisSelection::Range(range) => range.position(k),
            AxisSelection::List(positions) => positions[k],
            AxisSelection::Dropped(position) => *position,
        }
    }
}

/// The axes of an array of known shape, after some operations.
pub(crate) struct AxesOfShape {
    shape: Vec<usize>,
    inputs: Vec<AxisSelection>,
    /// For each axis of the result, the input axis, or `None` for a new axis.
    outputs: Vec<Option<usize>>,
}

impl AxesOfShape {
    /// Creates the axes of an array with the shape `shape`, before any operation.
    pub(crate) fn new(shape: &[usize]) -> Self {
        AxesOfShape {
            shape: shape.to_vec(),
            inputs: shape
                .iter()
                .map(|&size| AxisSelection::Range(AxisRange::whole(size)))
                .collect(),
            outputs: (0..shape.len()).map(Some).collect(),
        }
    }

    /// Applies one more operation, which must fit the shape of the previous result.
    pub(crate) fn then(mut self, split: &Split) -> Result<Self, TranslateError> {
        let mut outputs = Vec::new();
        let mut previous_outputs = self.outputs.iter().copied();
        for step in split.slice.resolved_steps() {
            let output = outputs.len();
            match step {
                ResolvedStep::Joined(_) => return Err(SliceError::NotStrided.into()),
                ResolvedStep::Insert { len } => outputs.push(new_axis(output, len)?),
                ResolvedStep::Keep(range) => match previous_outputs.next().flatten() {
                    Some(axis) => {
                        self.inputs[axis] = match &self.inputs[axis] {
                            &AxisSelection::Range(first) => AxisSelection::Range(AxisRange::new(
                                first.position(range.start()),
                                first.step().wrapping_mul(range.step()),
                                range.len(),
                            )),
                            kept => AxisSelection::List(
                                range.positions().map(|k| kept.position(k)).collect(),
                            ),
                        };
                        outputs.push(Some(axis));
                    }
                    None => outputs.push(new_axis(output, range.len())?),
                },
                ResolvedStep::Drop(position) => {
                    if let Some(axis) = previous_outputs.next().flatten() {
                        self.inputs[axis] =
                            AxisSelection::Dropped(self.inputs[axis].position(position));
                    }
                }
            }
        }
        self.outputs = outputs;
        for AxisList { axis, positions } in &split.lists {
            if positions.len() != 1 {
                self.swap_new_axis(*axis);
            }
            match self.outputs[*axis] {
                Some(input) => {
                    let kept = &self.inputs[input];
                    let positions = positions.iter().map(|&k| kept.position(k)).collect();
                    self.inputs[input] = AxisSelection::List(positions);
                }
                None => {
                    new_axis(*axis, positions.len())?;
                }
            }
        }
        Ok(self)
    }

    /// If `axis` of the result is a new axis, exchanges it with the nearest input axis before or after it, provided
    /// that exactly one position of that input axis is selected. Both axes then have length 1, so the exchange does not
    /// change the result, and a list that repeats the only position of `axis` can be written for the input axis.
    fn swap_new_axis(&mut self, axis: usize) {
        if self.outputs[axis].is_some() {
            return;
        }
        let axis_before = (0..axis).rev().find(|&other| self.outputs[other].is_some());
        let axis_after = (axis..self.outputs.len()).find(|&other| self.outputs[other].is_some());
        let is_single = |other: &usize| {
            self.outputs[*other].is_some_and(|input| match &self.inputs[input] {
                AxisSelection::Range(range) => range.len() == 1,
                AxisSelection::List(positions) => positions.len() == 1,
                AxisSelection::Dropped(_) => false,
            })
        };
        if let Some(other) = axis_before.into_iter().chain(axis_after).find(is_single) {
            self.outputs.swap(axis, other);
        }
    }

    /// Returns the slice with lists that selects the same elements as all operations together.
    pub(crate) fn spec(self) -> Result<DynSliceSpec, TranslateError> {
        let sizes = self.shape.iter();
        let mut inputs = self.inputs.into_iter().zip(sizes).peekable();
        let to_item = |(kept, &size): (AxisSelection, &usize)| match kept {
            AxisSelection::Range(range) => item(range, size),
            AxisSelection::List(positions) => {
                let positions = positions.into_iter().map(|position| position as i64);
                Item::from(positions.collect::<Vec<i64>>())
            }
            AxisSelection::Dropped(position) => Item::Index(position as i64),
        };
        let mut items = Vec::new();
        for output in self.outputs {
            // Dropped axes are written before new ones, so that a new axis directly precedes the next kept axis.
            let is_dropped =
                |(kept, _): &(AxisSelection, &usize)| matches!(kept, AxisSelection::Dropped(_));
            while let Some(input) = inputs.next_if(is_dropped) {
                items.push(to_item(input));
            }
            items.extend(match output {
                Some(_) => inputs.next().map(to_item),
                None => Some(Item::NewAxis),
            });
        }
        items.extend(inputs.map(to_item));
        Ok(DynSliceSpec::from_items(items)?)
    }
}

/// Returns `None`, which stands for a new axis in [`AxesOfShape::outputs`], or an error if `len` is not 1. The error
/// contains `axis`, the number of the axis in the result.
fn new_axis(axis: usize, len: usize) -> Result<Option<usize>, TranslateError> {
    match len {
        0 => Err(TranslateError::EmptyNewAxis { axis }),
        1 => Ok(None),
        len => Err(TranslateError::RepeatedNewAxis { axis, len }),
    }
}
