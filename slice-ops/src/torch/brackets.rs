//! Brackets of PyTorch: Python's, without steps below 1.

use alloc::vec::Vec;

use slice_core::resolve::{element_count, index_at, item_axes, range_at};
use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, Selection};

use crate::Dims;
use crate::error::OperationError;
use crate::error::torch::AtenError;

/// Resolves brackets for an array of this shape. Errors are those of the items from left to right.
pub(super) fn resolve(spec: &DynSliceSpec, shape: &[usize]) -> Result<Selection, OperationError> {
    let items: Vec<Item> = spec.items().collect();
    if let ([Item::Range { stride, .. }], []) = (&items[..], shape) {
        // Without a tuple around it, a range goes to the operator at once.
        check_step(0, *stride)?;
        let operator = "slice";
        return Err(AtenError::Scalar { operator }.into());
    }
    let axes = item_axes(items.iter().map(|item| item.role()), shape.len())?;
    element_count(shape)?;
    let mut steps = Dims::new();
    for (at, _, axes) in axes {
        let axis = axes.start;
        match items.get(at) {
            Some(Item::NewAxis) => steps.push(ResolvedStep::Insert { len: 1 }),
            Some(&Item::Index(index)) => {
                steps.push(ResolvedStep::Drop(index_at(at, axis, index, shape[axis])?))
            }
            Some(&Item::Range { begin, end, stride }) => {
                check_step(at, stride)?;
                steps.push(ResolvedStep::Keep(range_at(
                    at,
                    axis,
                    begin,
                    end,
                    stride,
                    shape[axis],
                )?));
            }
            Some(Item::Ellipsis) | None => {
                for &size in &shape[axes] {
                    steps.push(ResolvedStep::Keep(AxisRange::whole(size)));
                }
            }
        }
    }
    Ok(Selection::from_steps(shape, steps)?)
}

/// Refuses what PyTorch refuses of every array.
pub(super) fn check(spec: &DynSliceSpec) -> Result<(), OperationError> {
    for (at, item) in spec.items().enumerate() {
        if let Item::Range { stride, .. } = item {
            check_step(at, stride)?;
        }
    }
    Ok(())
}

fn check_step(at: usize, step: i64) -> Result<(), OperationError> {
    let dim = at as i64;
    match step <= 0 {
        true => Err(AtenError::Step { dim, step }.into()),
        false => Ok(()),
    }
}
