//! Determines how the output of a node is selected from its input.

use slice_core::resolve::index;
use slice_core::{DynOuterSpec, DynSliceSpec, Item, OuterItem};
use slice_ops::onnx::{Op, Squeeze, Unsqueeze};
use slice_ops::{AnyOperation, litert, stablehlo};

use super::arguments::{Finder, Stop, check_axes};
use super::parts::split;
use super::spec::items_at;
use super::strided::{along, along_text, entries_text, only_steps, slice, strided};
use super::window::window;
use super::{Operation, Taken};
use crate::model::fold::{constant, input};
use crate::model::kind::{Argument, Select};
use crate::model::number::{Dim, known};
use crate::model::{Graph, Node};

/// The item `::-1`, which reverses an axis.
const BACKWARDS: Item = Item::Range {
    begin: None,
    end: None,
    step: -1,
};

/// Determines how the output with the index `place` is selected from an input of this shape.
///
/// # Errors
///
/// Returns an error if the operation has a mistake, which the message describes.
pub fn taken(
    graph: &Graph,
    node: &Node,
    select: &Select,
    place: usize,
    shape: Option<&[Dim]>,
) -> Result<Taken, String> {
    let mut finder = Finder {
        graph,
        node,
        values: Vec::new(),
    };
    match found(&mut finder, select, place, shape) {
        Ok(taken) => Ok(taken),
        Err(Stop::AtRunTime(later)) => Ok(Taken::AtRunTime(later)),
        Err(Stop::Wrong(message)) => Err(message),
    }
}

fn found(
    finder: &mut Finder<'_>,
    select: &Select,
    place: usize,
    shape: Option<&[Dim]>,
) -> Result<Taken, Stop> {
    let rank = shape.map(<[Dim]>::len);
    match select {
        Select::Each { axis } => {
            let axis = finder.axis(axis, rank)?;
            let index = i64::try_from(place).unwrap_or(i64::MAX);
            Ok(python(items_at(&[axis], Item::Index(index), rank)?))
        }
        Select::Slice {
            opset,
            starts,
            ends,
            axes,
            steps,
        } => {
            let found = [starts, ends, axes, steps].map(|argument| finder.found(argument));
            match slice(*opset, &found)? {
                Some(slice) => Ok(Taken::Strided(slice.into())),
                None => {
                    let mut later = finder.at_run_time(entries_text(&found, rank));
                    later.steps = only_steps(&found);
                    Err(Stop::AtRunTime(later))
                }
            }
        }
        Select::Strided {
            system,
            begin,
            end,
            strides,
        } => {
            let begin = finder.required("begin", begin)?;
            let end = finder.required("end", end)?;
            let strides = finder.numbers(strides)?;
            Ok(Taken::Strided(strided(system, begin, end, strides)))
        }
        Select::Along {
            dim,
            start,
            end,
            step,
        } => {
            let found = [start, end, step].map(|argument| finder.found(argument));
            match along(*dim, &found) {
                Some(slice) => Ok(Taken::Strided(slice.into())),
                None => Err(later(finder, along_text(*dim, found, rank))),
            }
        }
        Select::Static([starts, limits, strides]) => Ok(Taken::Strided(
            stablehlo::Slice {
                start_indices: starts.clone(),
                limit_indices: limits.clone(),
                strides: strides.clone(),
            }
            .into(),
        )),
        Select::Window { sizes } => Ok(window(finder, sizes, shape)?),
        Select::Sizes { begin, size } => {
            let begin = finder.required("begin", begin)?;
            let size = finder.required("size", size)?;
            Ok(python(litert::Slice { begin, size }.to_spec()?))
        }
        Select::Reverse { axes } => {
            let axes = finder.required("axes", axes)?;
            check_axes(&axes, rank)?;
            Ok(python(items_at(&axes, BACKWARDS, rank)?))
        }
        Select::ReverseFirst { axis, lengths } => reverse_first(finder, *axis, lengths, shape),
        Select::Squeeze { axes } => {
            let axes = match (finder.numbers(axes)?, shape) {
                (Some(axes), _) => axes,
                (None, Some(shape)) if known(shape).is_some() => ones(shape),
                (None, _) => return Err(Stop::unknown()),
            };
            let op = Op::Squeeze(Squeeze { axes });
            Ok(Taken::Strided(Operation::Axes(op)))
        }
        Select::Unsqueeze { axes } => {
            let axes = finder.required("axes", axes)?;
            let op = Op::Unsqueeze(Unsqueeze { axes });
            Ok(Taken::Strided(Operation::Axes(op)))
        }
        Select::Gather { axis, indices } => gather(finder, axis, indices, rank),
        Select::Split { axis, lengths } => Ok(python(split(finder, axis, lengths, place, shape)?)),
    }
}

fn python(spec: DynSliceSpec) -> Taken {
    Taken::Strided(Operation::Any(AnyOperation::Python(spec)))
}

fn later(finder: &Finder<'_>, items: Option<String>) -> Stop {
    Stop::AtRunTime(finder.at_run_time(items))
}

/// Returns the axes of length 1.
fn ones(shape: &[Dim]) -> Vec<i64> {
    let ones = shape
        .iter()
        .enumerate()
        .filter(|(_, length)| length.known() == Some(1));
    ones.filter_map(|(axis, _)| i64::try_from(axis).ok())
        .collect()
}

/// Returns the slice that reverses an axis, if each of the lengths is equal to the length of the axis.
fn reverse_first(
    finder: &mut Finder<'_>,
    axis: i64,
    lengths: &Argument,
    shape: Option<&[Dim]>,
) -> Result<Taken, Stop> {
    let rank = shape.map(<[Dim]>::len);
    check_axes(&[axis], rank)?;
    let lengths = finder.required("lengths", lengths)?;
    let length = rank.and_then(|rank| index(axis, rank));
    let length = length.and_then(|axis| shape?.get(axis)?.known());
    let is_all = |&len: &i64| usize::try_from(len).ok() == length;
    match lengths.iter().all(is_all) && length.is_some() {
        true => Ok(python(items_at(&[axis], BACKWARDS, rank)?)),
        false => Err(Stop::unknown()),
    }
}

/// Returns an index if the indices are a scalar, and otherwise a list.
fn gather(
    finder: &mut Finder<'_>,
    axis: &Argument,
    indices: &Argument,
    rank: Option<usize>,
) -> Result<Taken, Stop> {
    let axis = finder.axis(axis, rank)?;
    let is_scalar = match indices {
        Argument::Given(given) => given.len() == 1,
        argument => {
            constant(finder.graph, input(finder.node, argument)).is_some_and(|list| list.rank == 0)
        }
    };
    let list = finder.required("indices", indices)?;
    match (is_scalar, &list[..]) {
        (true, &[index]) => Ok(python(items_at(&[axis], Item::Index(index), rank)?)),
        _ => Ok(lists(axis, list, rank)?),
    }
}

fn lists(axis: i64, list: Vec<i64>, rank: Option<usize>) -> Result<Taken, String> {
    let all = items_at(&[axis], Item::Index(0), rank).map_err(|error| error.to_string())?;
    let items = all.items().map(|item| match item {
        Item::Index(_) => OuterItem::from(list.clone()),
        item => OuterItem::from(item),
    });
    let spec = DynOuterSpec::from_items(items).map_err(|error| error.to_string())?;
    Ok(Taken::Lists(spec))
}
