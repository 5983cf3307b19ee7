//! Creates selections and specs that apply one item to some axes, and selections that change a shape.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use slice_core::resolve::{element_count, index, index_at, range_at};
use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, Selection, SliceError};

use crate::Dims;
use crate::error::OperationError;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, spec_on_axes};

/// The item `::-1`, which reverses an axis.
pub(crate) const REVERSED: Item = Item::Range {
    begin: None,
    end: None,
    step: -1,
};

/// Checks that the length of each axis fits in the 32 bits of LiteRT and coremltools.
pub(crate) fn check_axes(shape: &[usize]) -> Result<(), SliceError> {
    element_count(shape)?;
    let mut axes = shape.iter().enumerate();
    match axes.find(|&(_, &size)| i32::try_from(size).is_err()) {
        Some((axis, &size)) => Err(SliceError::TooLarge { axis, size }),
        None => Ok(()),
    }
}

/// Returns the index and the value of the first number that does not fit in 32 bits.
pub(crate) fn first_beyond_int32(numbers: &[i64]) -> Option<(usize, i64)> {
    let mut numbers = numbers.iter().copied().enumerate();
    numbers.find(|&(_, value)| i32::try_from(value).is_err())
}

/// Returns the selection with one step for each axis. `step` returns the step, given the axis and its length.
pub(crate) fn select_each_axis(
    shape: &[usize],
    step: impl Fn(usize, usize) -> Result<ResolvedStep<'static>, OperationError>,
) -> Result<Selection, OperationError> {
    // This check comes first, because arithmetic on axes relies on valid lengths.
    element_count(shape)?;
    let steps = shape
        .iter()
        .enumerate()
        .map(|(axis, &size)| step(axis, size));
    let steps = steps.collect::<Result<Dims<_>, _>>()?;
    Ok(Selection::from_steps(shape, steps)?)
}

/// Returns the selection that changes `shape` to `new_shape` by inserting and dropping axes of length 1, or `None` if
/// there is no such selection.
pub(crate) fn reshaped(
    shape: &[usize],
    new_shape: &[usize],
) -> Result<Option<Selection>, SliceError> {
    element_count(shape)?;
    let sizes_to_keep = |shape: &[usize]| {
        shape
            .iter()
            .copied()
            .filter(|&size| size != 1)
            .collect::<Vec<_>>()
    };
    if sizes_to_keep(shape) != sizes_to_keep(new_shape) {
        return Ok(None);
    }
    let mut steps = Dims::new();
    let mut new_sizes = new_shape.iter().copied().peekable();
    for &size in shape {
        if size != 1 {
            while new_sizes.next_if_eq(&1).is_some() {
                steps.push(ResolvedStep::Insert { len: 1 });
            }
            new_sizes.next();
            steps.push(ResolvedStep::Keep(AxisRange::whole(size)));
        } else if new_sizes.next_if_eq(&1).is_some() {
            steps.push(ResolvedStep::Keep(AxisRange::whole(1)));
        } else {
            steps.push(ResolvedStep::Drop(0));
        }
    }
    for _ in new_sizes {
        steps.push(ResolvedStep::Insert { len: 1 });
    }
    Ok(Some(Selection::from_steps(shape, steps)?))
}

/// Returns the position of the axis that entry `item` of an operation names, or an error if there is no such axis.
pub(crate) fn axis_at(item: usize, axis: i64, rank: usize) -> Result<usize, OperationError> {
    index(axis, rank).ok_or(OperationError::AxisOutOfRange { item, axis, rank })
}

/// An item that applies to some axes, while all other axes are selected in full.
pub(crate) struct ItemOnAxes {
    /// A range, an index or a new axis.
    pub(crate) item: Item,
    /// The axes, numbered as in the input or, if the item is a new axis, as in the result.
    pub(crate) axes: BTreeSet<usize>,
}

impl ItemOnAxes {
    /// Returns the item on the axes named in `axes`, of which there are `rank`. It is an error if an axis does not
    /// exist or is named twice.
    pub(crate) fn new(item: Item, axes: &[i64], rank: usize) -> Result<Self, OperationError> {
        let mut entries = BTreeMap::new();
        for (item, &axis) in axes.iter().enumerate() {
            let axis = axis_at(item, axis, rank)?;
            if let Some(first) = entries.insert(axis, item) {
                let (second, axis) = (item, axis as i64);
                return Err(OperationError::RepeatedAxis {
                    first,
                    second,
                    axis,
                });
            }
        }
        let axes = entries.into_keys().collect();
        Ok(ItemOnAxes { item, axes })
    }

    /// Returns the new axes named in `axes`, which are numbered as in the result, for inputs with `rank` axes.
    pub(crate) fn new_axes(axes: &[i64], rank: usize) -> Result<Self, OperationError> {
        ItemOnAxes::new(Item::NewAxis, axes, rank.saturating_add(axes.len()))
    }

    /// Returns the selection for arrays with the shape `shape`.
    pub(crate) fn select(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        // This check comes first, because arithmetic on axes relies on valid lengths.
        element_count(shape)?;
        let new_axes = match self.item {
            Item::NewAxis => self.axes.len(),
            _ => 0,
        };
        let (mut steps, mut sizes) = (Dims::new(), shape.iter().copied());
        for axis in 0..shape.len() + new_axes {
            // Every axis that is not new has a length.
            let mut size = || sizes.next().unwrap_or_default();
            let applies = self.axes.contains(&axis);
            steps.push(match *if applies { &self.item } else { &WHOLE } {
                Item::Range { begin, end, step } => {
                    ResolvedStep::Keep(range_at(0, axis, begin, end, step, size())?)
                }
                Item::Index(index) => ResolvedStep::Drop(index_at(0, axis, index, size())?),
                _ => ResolvedStep::Insert { len: 1 },
            });
        }
        Ok(Selection::from_steps(shape, steps)?)
    }

    /// Returns the spec that selects the same elements for all shapes.
    pub(crate) fn spec(&self) -> Result<DynSliceSpec, TranslateError> {
        let axes = self
            .axes
            .iter()
            .filter_map(|&axis| i64::try_from(axis).ok());
        let items = axes.map(|axis| (axis, self.item.clone()));
        Ok(spec_on_axes(&items.collect())?)
    }
}
