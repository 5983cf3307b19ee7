//! Creates selections and specs that reverse, insert or drop whole axes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slice_core::resolve::{element_count, index};
use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, Selection, SliceError};

use crate::Dims;
use crate::error::OperationError;
use crate::translate::error::TranslateError;
use crate::translate::spec::WHOLE;

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

/// Returns the range that reverses an axis of length `size`.
fn reversed(size: usize) -> AxisRange {
    match size {
        0 | 1 => AxisRange::whole(size),
        _ => AxisRange::new(size - 1, -1, size),
    }
}

/// Returns a map from each axis named in `axes` to the index of its entry. The keys of the map are counted from the
/// front. It is an error if an axis does not exist or is named twice.
pub(crate) fn entries_by_axis(
    axes: &[i64],
    rank: usize,
) -> Result<BTreeMap<usize, usize>, OperationError> {
    let mut entries = BTreeMap::new();
    for (item, &axis) in axes.iter().enumerate() {
        let position = index(axis, rank);
        let axis = position.ok_or(OperationError::AxisOutOfRange { item, axis, rank })?;
        if let Some(first) = entries.insert(axis, item) {
            let second = item;
            return Err(OperationError::RepeatedAxis {
                first,
                second,
                axis,
            });
        }
    }
    Ok(entries)
}

/// Returns the selection that reverses the axes for which `reverses` returns `true`.
pub(crate) fn reversed_axes(
    shape: &[usize],
    reverses: impl Fn(usize) -> bool,
) -> Result<Selection, OperationError> {
    // This check comes first, because arithmetic on axes relies on valid lengths.
    element_count(shape)?;
    let steps = shape.iter().enumerate().map(|(axis, &size)| {
        ResolvedStep::Keep(match reverses(axis) {
            true => reversed(size),
            false => AxisRange::whole(size),
        })
    });
    Ok(Selection::from_steps(shape, steps.collect::<Dims<_>>())?)
}

/// Returns the selection that inserts axes of length 1. `rank` is the number of output axes, and `inserts` returns
/// `true` for a new axis.
pub(crate) fn inserted_axes(
    shape: &[usize],
    rank: usize,
    inserts: impl Fn(usize) -> bool,
) -> Result<Selection, SliceError> {
    let mut sizes = shape.iter();
    let steps = (0..rank).filter_map(|axis| match inserts(axis) {
        true => Some(ResolvedStep::Insert { len: 1 }),
        false => sizes
            .next()
            .map(|&size| ResolvedStep::Keep(AxisRange::whole(size))),
    });
    Selection::from_steps(shape, steps.collect::<Dims<_>>())
}

/// Returns the spec with `len` items: `item` where `has_item` returns `true`, and `:` elsewhere.
pub(crate) fn spec_with_items(
    len: usize,
    item: Item,
    has_item: impl Fn(usize) -> bool,
) -> Result<DynSliceSpec, TranslateError> {
    let items = (0..len).map(|axis| match has_item(axis) {
        true => item.clone(),
        false => WHOLE,
    });
    Ok(DynSliceSpec::from_items(items)?)
}
