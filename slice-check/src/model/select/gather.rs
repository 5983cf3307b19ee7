//! Converts gathers to slices. A *gather* selects the positions in an array of indices.

use std::fmt::Display;

use slice_core::resolve::index;
use slice_core::{DynSliceSpec, Item, NdList};
use slice_systems::translate::TranslateError;

use super::KnownOperation;
use super::arguments::{Finder, Undetermined};
use super::spec::REVERSED;
use crate::model::Format;
use crate::model::array::Constant;
use crate::model::element_type::ElementType;
use crate::model::kind::{Argument, WITH_BATCH_AXES};
use crate::model::number::{Dim, Number};
use crate::remark::Remark;

/// Returns a slice with an index if the indices are a scalar, and with a list otherwise.
pub(super) fn gather(
    finder: &mut Finder<'_>,
    axis: &Argument,
    indices: &Argument,
    batch_axes: i64,
) -> Result<KnownOperation, Undetermined> {
    let axis = finder.axis(axis)?;
    let array = finder.graph.constant(finder.node.input_of(indices));
    if let Some(mask) = array.filter(|array| array.element_type == ElementType::Bool) {
        if mask.shape.len() != 1 {
            return Err(Undetermined::not_examined(
                "it has a mask with several axes",
            ));
        }
        return compress(finder, &Argument::Given([axis].into()), indices);
    }
    if batch_axes != 0 {
        check_batch_axes(finder, indices, batch_axes, axis)?;
    }
    let is_clamped = finder.graph.format == Format::StableHlo;
    if let Some(array) = array.filter(|_| !is_clamped) {
        // The positions in a list are checked when the list is resolved.
        let is_array = array.shape.len() > 1 || batch_axes != 0;
        let length = finder.length(axis).filter(|_| is_array);
        check_positions(finder, array, length, axis)?;
    }
    if batch_axes != 0 {
        return Err(Undetermined::not_examined(WITH_BATCH_AXES));
    }
    // In StableHLO, a list may be a column.
    let has_axes = |array: &&Constant| array.shape.len() > 1 && !is_clamped;
    if let Some(array) = array.filter(has_axes) {
        return Ok(finder.spec(&[axis], Item::List(list_of(array)?))?.into());
    }
    let is_scalar = match indices {
        Argument::Given(given) => given.len() == 1,
        _ => array.is_some_and(|list| list.shape.is_empty()),
    };
    let mut list = finder.positions("indices", indices)?;
    if is_clamped {
        // StableHLO moves a position outside of the array to the nearest one inside.
        let last = finder
            .length(axis)
            .and_then(|length| i64::try_from(length).ok());
        let last = last.map_or(i64::MAX, |length| (length - 1).max(0));
        list.iter_mut()
            .for_each(|position| *position = (*position).clamp(0, last));
    }
    let item = match (is_scalar, &list[..]) {
        (true, &[index]) => Item::Index(index),
        _ => Item::List(list.into()),
    };
    Ok(finder.spec(&[axis], item)?.into())
}

/// Returns an array of indices as a list.
fn list_of(array: &Constant) -> Result<NdList<i64>, Undetermined> {
    let elements = array.known().ok_or_else(at_run_time)?;
    let list = NdList::new(&array.shape[..], elements);
    Ok(list.map_err(TranslateError::from)?)
}

/// Checks that all known indices are positions on an axis, whose length may be unknown.
fn check_positions(
    finder: &Finder<'_>,
    indices: &Constant,
    length: Option<usize>,
    axis: impl Display,
) -> Result<(), Remark> {
    let format = finder.graph.format;
    let has_negative = ![Format::LiteRt, Format::TensorFlow].contains(&format);
    for number in indices.elements.iter().filter_map(Number::known) {
        if number < 0 && !has_negative {
            return Err(Remark::invalid(format!(
                "index {number} is negative, but the operation does not count from the end"
            )));
        }
        if let Some(length) = length.filter(|&length| index(number, length).is_none()) {
            return Err(Remark::invalid(format!(
                "index {number} is out of bounds for axis {axis}, which has length {length}"
            )));
        }
    }
    Ok(())
}

/// Checks the number of batch axes of a gather along `axis`, and their lengths.
fn check_batch_axes(
    finder: &Finder<'_>,
    indices: &Argument,
    batch_axes: i64,
    axis: i64,
) -> Result<(), Remark> {
    let indices_shape = finder.graph.shape(finder.node.input_of(indices));
    let (Some(data), Some(indices)) = (finder.shape, indices_shape) else {
        return Ok(());
    };
    let Some(axis) = index(axis, data.len()) else {
        return Ok(());
    };
    // A negative number is counted from the rank of the indices.
    let rank = i64::try_from(indices.len()).unwrap_or(i64::MAX);
    let count = if batch_axes < 0 {
        batch_axes + rank
    } else {
        batch_axes
    };
    let count = usize::try_from(count)
        .ok()
        .filter(|&count| count <= indices.len().min(axis));
    let Some(count) = count else {
        return Err(Remark::invalid(format!(
            "{batch_axes} is not a valid number of batch axes for indices with {rank} axes and the axis {axis}"
        )));
    };
    check_equal_lengths(data, indices, count)
}

/// Checks that the first `count` axes of the input and of the indices have the same lengths.
fn check_equal_lengths(data: &[Dim], indices: &[Dim], count: usize) -> Result<(), Remark> {
    let mut pairs = data.iter().zip(indices).take(count);
    match pairs.find(|(one, other)| !one.agrees(other)) {
        Some((one, other)) => Err(Remark::invalid(format!(
            "a batch axis has length {one} in the input, but {other} in the indices"
        ))),
        None => Ok(()),
    }
}

/// Returns the reason for not examining a gather whose indices are known only at run time.
fn at_run_time() -> Undetermined {
    Undetermined::not_examined("the indices are known only at run time")
}

/// Returns the elements that `GatherND` selects. The last axis of the indices contains a position on each of the first
/// axes after the batch axes.
pub(super) fn gather_nd(
    finder: &mut Finder<'_>,
    indices: &Argument,
    batch_axes: i64,
) -> Result<KnownOperation, Undetermined> {
    let data_shape = finder.shape;
    let value = finder.node.input_of(indices);
    let indices_shape = finder.graph.shape(value);
    let batch_axes = usize::try_from(batch_axes)
        .map_err(|_| Remark::invalid(format!("the number of batch axes is {batch_axes}")))?;
    if let (Some(data), Some(indices)) = (data_shape, indices_shape) {
        if data.len().min(indices.len()) <= batch_axes {
            let least = data.len().min(indices.len());
            let message = format!(
                "the input and the indices must have more than {batch_axes} axes, but one has {least} axes"
            );
            return Err(Remark::invalid(message).into());
        }
        let count = indices.last().and_then(Dim::known);
        if let Some(count) = count.filter(|&count| count > data.len() - batch_axes) {
            let rank = data.len();
            return Err(Remark::invalid(format!(
                "{count} indices are too many for an input with {rank} axes, of which {batch_axes} are batch axes"
            ))
            .into());
        }
        check_equal_lengths(data, indices, batch_axes)?;
    }
    let Some(array) = finder.graph.constant(value) else {
        finder.positions("indices", indices)?;
        return Err(at_run_time());
    };
    let count = array.shape.last().copied().unwrap_or(0);
    for at in 0..count {
        let axis = batch_axes + at;
        let length = data_shape.and_then(|shape| shape.get(axis)?.known());
        check_positions(finder, &column(array, at), length, axis)?;
    }
    if batch_axes > 0 || count == 0 {
        return Err(Undetermined::not_examined(WITH_BATCH_AXES));
    }
    let lists = (0..count).map(|at| list_of(&column(array, at)));
    let lists = lists.collect::<Result<Vec<_>, _>>()?;
    // A list without axes is an index.
    let items: Vec<Item> = match array.shape.len() {
        1 => lists.into_iter().map(Item::List).collect(),
        _ => vec![Item::Points(lists)],
    };
    let spec = DynSliceSpec::from_items(items).map_err(TranslateError::from)?;
    Ok(spec.into())
}

/// Returns the elements of an array at the position `at` of the last axis.
fn column(array: &Constant, at: usize) -> Constant {
    let (&count, outer) = array.shape.split_last().unwrap_or((&1, &[]));
    let elements = array.elements.iter().skip(at).step_by(count.max(1));
    Constant {
        element_type: array.element_type,
        shape: outer.into(),
        elements: elements.cloned().collect(),
    }
}

/// Checks `GatherElements`, which selects a position on one axis for each element of the output.
pub(super) fn gather_elements(
    finder: &mut Finder<'_>,
    axis: &Argument,
    indices: &Argument,
) -> Result<KnownOperation, Undetermined> {
    let axis = finder.axis(axis)?;
    let value = finder.node.input_of(indices);
    if let (Some(data), Some(indices)) = (finder.shape, finder.graph.shape(value)) {
        if data.len() != indices.len() {
            let (data, indices) = (data.len(), indices.len());
            return Err(Remark::invalid(format!(
                "the indices have {indices} axes, but the input has {data}"
            ))
            .into());
        }
        let axis = index(axis, data.len());
        for (at, (length, count)) in data.iter().zip(indices).enumerate() {
            if let (Some(length), Some(count)) = (length.known(), count.known())
                && Some(at) != axis
                && (count > length || (count < length && finder.graph.format == Format::OpenVino))
            {
                return Err(Remark::invalid(format!(
                    "axis {at} of the indices has length {count}, but the input has length {length}"
                ))
                .into());
            }
        }
        let length = axis.and_then(|axis| data.get(axis)?.known());
        if let Some(array) = finder.graph.constant(value) {
            check_positions(finder, array, length, axis.unwrap_or_default())?;
        }
    }
    Err(Undetermined::not_examined(
        "it selects another position for each element",
    ))
}

/// Returns the positions that a mask selects on an axis, or of the flattened input if there is no axis.
pub(super) fn compress(
    finder: &mut Finder<'_>,
    axis: &Argument,
    condition: &Argument,
) -> Result<KnownOperation, Undetermined> {
    let rank = finder.rank();
    if rank == Some(0) {
        return Err(Remark::invalid("the input has no axis").into());
    }
    let axis = match axis {
        Argument::Absent if rank == Some(1) => 0,
        Argument::Absent => {
            return Err(Undetermined::not_examined(
                "it selects from the flattened input",
            ));
        }
        axis => finder.axis(axis)?,
    };
    let mask = finder.positions("elements of the mask", condition)?;
    // ONNX Runtime ignores the elements after the end of the axis.
    let length = finder.length(axis).unwrap_or(usize::MAX);
    let mask = mask.into_iter().take(length);
    let positions = (0..).zip(mask).filter(|(_, is_selected)| *is_selected != 0);
    let positions: Vec<i64> = positions.map(|(at, _)| at).collect();
    Ok(finder.spec(&[axis], Item::List(positions.into()))?.into())
}

/// Returns the slice that reverses an axis, if the operation always reverses the whole axis. `lengths` contains the
/// number of positions that the operation reverses at each position of the batch axis. If one of these numbers differs
/// from the length of the reversed axis, the operation is not a slice. In that case, and if a number is unknown,
/// returns [`Undetermined::NotExamined`].
pub(super) fn reverse_first(
    finder: &mut Finder<'_>,
    axis: i64,
    batch_axis: i64,
    lengths: &Argument,
) -> Result<DynSliceSpec, Undetermined> {
    match finder.graph.format {
        Format::OpenVino => {
            finder.check_axes(&[axis])?;
            finder.check_axes(&[batch_axis])?;
        }
        _ => finder.check_axes(&[axis, batch_axis])?,
    }
    let count = finder.graph.shape(finder.node.input_of(lengths));
    let count = count.and_then(|shape| shape.first()?.known());
    if let (Some(count), Some(length)) = (count, finder.length(batch_axis))
        && count != length
    {
        return Err(Remark::invalid(format!(
            "there are {count} lengths, but the batch axis {batch_axis} has length {length}"
        ))
        .into());
    }
    let lengths = finder.positions("lengths", lengths)?;
    let length = finder.length(axis);
    let is_lenient = finder.graph.format == Format::LiteRt;
    let is_possible = |&len: &i64| {
        // LiteRT reverses nothing if a length is negative.
        let len = usize::try_from(len).ok().or(is_lenient.then_some(0));
        len.is_some_and(|len| length.is_none_or(|length| len <= length))
    };
    if let Some(len) = lengths.iter().find(|len| !is_possible(len)) {
        return Err(Remark::invalid(format!(
            "axis {axis} has no {len} positions that can be reversed"
        ))
        .into());
    }
    let is_all = |&len: &i64| usize::try_from(len).ok() == length;
    match lengths.iter().all(is_all) && length.is_some() {
        true => Ok(finder.spec(&[axis], REVERSED)?),
        false => Err(Undetermined::not_examined(format!(
            "it is not known to reverse all of axis {axis}"
        ))),
    }
}
