//! The shape of the selected elements, as far as it is known.

use slice_core::resolve::{index, index_at, item_axes, range_at};
use slice_core::{Item, ItemRole, OuterItem};
use slice_ops::onnx::{Op, Squeeze};
use slice_ops::translate::TranslateError;

use super::spec::WHOLE;
use super::{Operation, Taken};
use crate::model::number::{Dim, known};

/// Returns the shape of the selected elements for an input of this shape, as far as it is known.
///
/// # Errors
///
/// Returns an error if the operation does not fit the shape.
pub fn output(taken: &Taken, shape: &[Dim]) -> Result<Option<Vec<Dim>>, String> {
    let dims = |lengths: &[usize]| lengths.iter().map(|&length| Dim::Known(length)).collect();
    if let Taken::Strided(Operation::Axes(Op::Squeeze(Squeeze { axes }))) = taken {
        for &axis in axes {
            let length = index(axis, shape.len()).and_then(|axis| shape.get(axis)?.known());
            if let Some(length) = length.filter(|&length| length != 1) {
                return Err(format!(
                    "axis {axis} cannot be dropped: it has length {length}"
                ));
            }
        }
    }
    match (taken, known(shape)) {
        (Taken::AtRunTime(_), _) => Ok(None),
        (Taken::Strided(operation), Some(shape)) => {
            Ok(Some(dims(operation.resolve(&shape)?.output_shape())))
        }
        (Taken::Lists(spec), Some(shape)) => {
            let selection = spec.resolve(&shape).map_err(|error| error.to_string())?;
            Ok(Some(dims(selection.output_shape())))
        }
        (Taken::Strided(operation), None) => match operation.to_spec(Some(shape.len())) {
            Ok(spec) => of_some(&spec.items().map(Part::Item).collect::<Vec<_>>(), shape).map(Some),
            Err(error @ TranslateError::Operation(_)) => Err(error.to_string()),
            Err(_) => Ok(None),
        },
        (Taken::Lists(spec), None) => {
            let items = spec.items().iter().map(|item| match item {
                OuterItem::Item(item) => Part::Item(*item),
                OuterItem::Positions(list) => Part::List(list),
                _ => Part::Unknown,
            });
            of_some(&items.collect::<Vec<_>>(), shape).map(Some)
        }
    }
}

/// The part of an item that determines the shape of the output.
#[derive(Clone)]
enum Part<'a> {
    Item(Item),
    List(&'a [i64]),
    Unknown,
}

/// Computes the shape of the output item by item, if some lengths of the input are unknown.
fn of_some(parts: &[Part<'_>], shape: &[Dim]) -> Result<Vec<Dim>, String> {
    let role = |part: &Part<'_>| match part {
        Part::Item(item) => item.role(),
        Part::List(_) | Part::Unknown => ItemRole::Range,
    };
    let axes = item_axes(parts.iter().map(role), shape.len()).map_err(|error| error.to_string())?;
    let parts = parts.iter().chain([&Part::Item(Item::Ellipsis)]);
    let mut made = Vec::new();
    for (part, (at, _, taken)) in parts.zip(axes) {
        let axis = taken.start;
        match *part {
            Part::Item(Item::NewAxis) => made.push(Dim::Known(1)),
            Part::Item(Item::Ellipsis) => made.extend_from_slice(&shape[taken]),
            Part::Item(WHOLE) => made.push(shape[axis].clone()),
            Part::Item(Item::Index(index)) => {
                if let Dim::Known(size) = shape[axis] {
                    let position = index_at(at, axis, index, size);
                    position.map_err(|error| error.to_string())?;
                }
            }
            Part::Item(Item::Range { begin, end, step }) => made.push(match shape[axis] {
                Dim::Known(size) => {
                    let range = range_at(at, axis, begin, end, step, size);
                    Dim::Known(range.map_err(|error| error.to_string())?.len())
                }
                _ => Dim::Unknown,
            }),
            Part::List(list) => {
                if let Dim::Known(size) = shape[axis] {
                    for &index in list {
                        let position = index_at(at, axis, index, size);
                        position.map_err(|error| error.to_string())?;
                    }
                }
                made.push(Dim::Known(list.len()));
            }
            Part::Unknown => made.push(Dim::Unknown),
        }
    }
    Ok(made)
}
