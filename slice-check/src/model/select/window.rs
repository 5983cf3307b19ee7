//! Converts windows to slices. A *window* is a slice with a fixed size on each axis, whose starts may be known only at
//! run time.

use slice_systems::stablehlo;

use super::KnownOperation;
use super::arguments::{Finder, Undetermined};
use crate::model::fold::constant;
use crate::model::number::Dim;
use crate::remark::Remark;

/// Returns the window with the given sizes. Its starts are clamped to keep it within an array of shape `shape`.
pub(super) fn window(
    finder: &mut Finder<'_>,
    sizes: &[i64],
    shape: Option<&[Dim]>,
) -> Result<KnownOperation, Undetermined> {
    if let Some(shape) = shape
        && shape.len() != sizes.len()
    {
        let (sizes, axes) = (sizes.len(), shape.len());
        return Err(Remark::invalid(format!(
            "there are {sizes} sizes for an input with {axes} axes"
        ))
        .into());
    }
    let (mut starts, mut limits, mut items) = (Some(Vec::new()), Some(Vec::new()), Vec::new());
    for (axis, &size) in sizes.iter().enumerate() {
        let length = shape.and_then(|shape| shape.get(axis)?.known());
        let length = length.and_then(|length| i64::try_from(length).ok());
        if size < 0 || length.is_some_and(|length| length < size) {
            return Err(Remark::invalid(format!(
                "axis {axis} cannot contain a window of {size} elements"
            ))
            .into());
        }
        let value = finder.node.input(axis + 1);
        let number = constant(finder.graph, value).and_then(|one| one.elements.first()?.known());
        let start = match (number, length) {
            // A window as long as the axis can start only at 0.
            (_, Some(length)) if length == size => Some(0),
            (Some(number), Some(length)) => Some(number.clamp(0, length - size)),
            _ => None,
        };
        let end = start.and_then(|start| start.checked_add(size));
        items.push(match (start, end, value) {
            (Some(0), _, _) if length == Some(size) => ":".to_owned(),
            (Some(start), Some(end), _) => format!("{start}:{end}"),
            (_, _, Some(value)) if shape.is_some() => {
                let name = finder.graph.values[value].name.clone();
                let item = format!("{name}:{name}+{size}");
                finder.values.push(name);
                item
            }
            _ => "?:?".to_owned(),
        });
        starts = starts.zip(start).map(|(mut starts, start)| {
            starts.push(start);
            starts
        });
        limits = limits.zip(end).map(|(mut limits, end)| {
            limits.push(end);
            limits
        });
    }
    let strides = vec![1; sizes.len()];
    match starts.zip(limits) {
        Some((start_indices, limit_indices)) => Ok(stablehlo::Slice {
            start_indices,
            limit_indices,
            strides,
        }
        .into()),
        None => {
            let slice = finder.at_run_time(Some(items.join(", ")));
            Err(Undetermined::AtRunTime(slice))
        }
    }
}
