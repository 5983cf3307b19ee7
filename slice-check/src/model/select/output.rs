//! Computes the shape of an operation's output, as far as it is known.

use slice_core::resolve::{index, index_at, item_axes, range_at};
use slice_core::{DynSliceSpec, Item, ItemRole, SliceError};
use slice_systems::onnx::Op;
use slice_systems::translate::TranslateError;

use super::KnownOperation;
use super::spec::WHOLE;
use crate::model::number::{Dim, known, known_shape};
use crate::remark::Remark;

/// Returns the shape of the output for an input of shape `shape`, as far as it is known. Returns `None` if not even its
/// rank can be determined. Returns an error if the operation is invalid or does not fit the shape.
pub fn output(operation: &KnownOperation, shape: &[Dim]) -> Result<Option<Vec<Dim>>, Remark> {
    if let KnownOperation::Axes(Op::Squeeze { axes }) = operation {
        for &axis in axes {
            let length = index(axis, shape.len()).and_then(|axis| shape.get(axis)?.known());
            if let Some(length) = length.filter(|&length| length != 1) {
                return Err(Remark::invalid(format!(
                    "axis {axis} cannot be dropped: it has length {length}"
                )));
            }
        }
    }
    if let Some(lengths) = known(shape) {
        let selection = operation.resolve(&lengths);
        let selection = selection.map_err(Remark::invalid)?;
        return Ok(Some(known_shape(selection.output_shape())));
    }
    match operation.to_spec(Some(shape.len())) {
        Ok(spec) => {
            let output = partial_shape(&spec, shape);
            output.map(Some).map_err(Remark::invalid)
        }
        Err(error @ TranslateError::Operation(_)) => Err(Remark::invalid(error)),
        Err(_) => Ok(None),
    }
}

/// Computes the shape of the output item by item, for an input with unknown lengths.
fn partial_shape(spec: &DynSliceSpec, shape: &[Dim]) -> Result<Vec<Dim>, SliceError> {
    // Points are treated as a list on each of their axes, of which only the first is kept.
    let items = spec.items().flat_map(|item| match item {
        Item::Points(lists) => {
            let lists = lists.into_iter().enumerate();
            lists
                .map(|(at, list)| (Item::List(list), at == 0))
                .collect()
        }
        item => vec![(item, true)],
    });
    // A list has the role of a range, which also keeps its axis.
    let role = |(item, _): (Item, bool)| item.role().unwrap_or(ItemRole::Range);
    let axes = item_axes(items.clone().map(role), shape.len())?;
    let mut output = Vec::new();
    for ((item, is_kept), (at, _, axes)) in items.chain([(Item::Ellipsis, true)]).zip(axes) {
        let axis = axes.start;
        match item {
            Item::NewAxis => output.push(Dim::Known(1)),
            Item::Ellipsis => output.extend_from_slice(&shape[axes]),
            WHOLE => output.push(shape[axis].clone()),
            Item::Index(index) => {
                if let Dim::Known(size) = shape[axis] {
                    index_at(at, axis, index, size)?;
                }
            }
            Item::Range { begin, end, step } => output.push(match shape[axis] {
                Dim::Known(size) => Dim::Known(range_at(at, axis, begin, end, step, size)?.len()),
                _ => Dim::Unknown,
            }),
            Item::List(list) => {
                if let Dim::Known(size) = shape[axis] {
                    for &index in list.elements() {
                        index_at(at, axis, index, size)?;
                    }
                }
                let lengths = list.shape().iter().filter(|_| is_kept);
                output.extend(lengths.map(|&length| Dim::Known(length)));
            }
            _ => output.push(Dim::Unknown),
        }
    }
    Ok(output)
}
