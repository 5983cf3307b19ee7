//! Converts windows to slices. A *window* is a slice with a fixed size on each axis, whose starts may be known only at
//! run time.

use slice_systems::stablehlo;

use super::KnownOperation;
use super::arguments::{Finder, Undetermined};
use crate::remark::Remark;

/// Returns the window with the given sizes. Its starts are clamped to keep it within the array.
pub(super) fn window(
    finder: &mut Finder<'_>,
    sizes: &[i64],
) -> Result<KnownOperation, Undetermined> {
    let shape = finder.shape;
    if let Some(shape) = shape
        && shape.len() != sizes.len()
    {
        let (sizes, axes) = (sizes.len(), shape.len());
        return Err(Remark::invalid(format!(
            "there are {sizes} sizes for an input with {axes} axes"
        ))
        .into());
    }
    let (mut bounds, mut items) = (Vec::new(), Vec::new());
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
        let number = finder
            .graph
            .constant(value)
            .and_then(|one| one.elements.first()?.known());
        let start = match (number, length) {
            // A window as long as the axis can start only at 0.
            (_, Some(length)) if length == size => Some(0),
            (Some(number), Some(length)) => Some(number.clamp(0, length - size)),
            _ => None,
        };
        let range = start.and_then(|start| Some((start, start.checked_add(size)?)));
        items.push(match (range, value) {
            (Some((0, _)), _) if length == Some(size) => ":".to_owned(),
            (Some((start, end)), _) => format!("{start}:{end}"),
            (None, Some(value)) if shape.is_some() => {
                let name = finder.graph.values[value].name.clone();
                let item = format!("{name}:{name}+{size}");
                finder.values.push(name);
                item
            }
            _ => "?:?".to_owned(),
        });
        bounds.push(range);
    }
    let Some(bounds) = bounds.into_iter().collect::<Option<Vec<_>>>() else {
        let slice = finder.at_run_time(Some(items.join(", ")));
        return Err(Undetermined::AtRunTime(slice));
    };
    let (start_indices, limit_indices) = bounds.into_iter().unzip();
    Ok(stablehlo::Slice {
        start_indices,
        limit_indices,
        strides: vec![1; sizes.len()],
    }
    .into())
}
