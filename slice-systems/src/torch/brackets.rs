//! Resolves PyTorch's *brackets*, the indexing expressions `x[...]`. They have the same meaning as in Python, but do
//! not support steps below 1.

use alloc::vec::Vec;

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, ItemRole, Selection, SliceError};

use super::check_step;
use crate::error::OperationError;
use crate::lists::{joins_axes, role_on_axis};
use crate::masked_slice::MaskedSlice;
use crate::torch::error::AtenError;
use crate::translate::spec::WHOLE;

/// Resolves brackets without lists for an array with the shape `shape`. The items are checked from left to right.
fn resolve_without_lists(
    spec: &DynSliceSpec,
    shape: &[usize],
) -> Result<Selection, OperationError> {
    let mut items = spec.items();
    if let (Some(Item::Range { step, .. }), 0, []) = (items.next(), items.len(), shape) {
        // For a single range, which is not a tuple in Python, PyTorch calls its `slice` operator directly. On a scalar,
        // the operator reports a different error than brackets with a tuple.
        check_step(0, step)?;
        let operator = "slice";
        return Err(AtenError::Scalar { operator }.into());
    }
    let entries = MaskedSlice::of_spec(spec);
    entries.resolve_checked(shape, |item| check_item(item, &entries.item(item)))
}

/// Resolves brackets with at most one list for an array with the shape `shape`. The list is applied after all other
/// items.
pub(super) fn resolve(spec: &DynSliceSpec, shape: &[usize]) -> Result<Selection, OperationError> {
    let mut lists = Vec::new();
    let items = spec.items().enumerate().map(|(i, item)| match item.role() {
        Some(_) => item,
        None => {
            lists.push((i, item));
            WHOLE
        }
    });
    let slice = DynSliceSpec::from_items(items.collect::<Vec<_>>())?;
    let [(list_item, list)] = &lists[..] else {
        let (system, lists) = ("PyTorch", lists.len());
        return match lists {
            0 => resolve_without_lists(&slice, shape),
            _ => Err(OperationError::Brackets { system, lists }),
        };
    };
    if joins_axes(list) {
        let (axis, axes, rank) = (0, list.input_axes().unwrap_or(1), 1);
        return Err(SliceError::JoinedAxes { axis, axes, rank }.into());
    }
    // This call must come before `resolve_without_lists`, which would mistake the `:` that replaces a single list for a
    // range without a tuple.
    let axes = item_axes(slice.items().map(role_on_axis), shape.len())?;
    // `resolve_without_lists` is called only to check the other items, because PyTorch checks them before the list.
    let _ = resolve_without_lists(&slice, shape)?;
    let kept = axes.take(*list_item).map(|(_, role, axes)| match role {
        ItemRole::Index => 0,
        ItemRole::Range | ItemRole::NewAxis => 1,
        ItemRole::Ellipsis => axes.len(),
    });
    let axis_in_result = kept.sum();
    let mut selection = spec.resolve(shape);
    // Errors name the axis of the list in the result of the other items.
    if let Err(
        SliceError::ListIndexOutOfBounds { axis, .. } | SliceError::MaskLength { axis, .. },
    ) = &mut selection
    {
        *axis = axis_in_result;
    }
    Ok(selection?)
}

/// Returns an error if the brackets have an item that PyTorch rejects for every array.
pub(super) fn check(spec: &DynSliceSpec) -> Result<(), OperationError> {
    let mut items = spec.items().enumerate();
    items.try_for_each(|(i, item)| check_item(i, &item))
}

fn check_item(i: usize, item: &Item) -> Result<(), OperationError> {
    match *item {
        Item::Range { step, .. } => check_step(i as i64, step),
        _ => Ok(()),
    }
}
