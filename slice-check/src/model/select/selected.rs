//! Converts the outputs of a node to slices of the node's input.

use slice_core::resolve::index;
use slice_core::{DynOuterSpec, DynSliceSpec, Item, OuterItem};
use slice_systems::onnx::{Op, Squeeze, Unsqueeze};
use slice_systems::{AnyOperation, litert, stablehlo};

use super::arguments::{Finder, Undetermined, check_axes};
use super::parts::split;
use super::spec::spec_with_items;
use super::strided::{
    onnx_slice, onnx_slice_text, steps_if_bounds_are_unknown, strided_slice, torch_slice,
    torch_slice_text,
};
use super::window::window;
use super::{KnownOperation, Selected};
use crate::model::fold::{constant, input};
use crate::model::kind::{Argument, Select};
use crate::model::number::{Dim, known};
use crate::model::{Graph, Node};

/// The item `::-1`, which reverses an axis.
const REVERSED: Item = Item::Range {
    begin: None,
    end: None,
    step: -1,
};

/// Converts the output with the index `output_index` to a slice of the input. `shape` is the shape of the input, if
/// known.
///
/// # Errors
///
/// Returns an error if the operation is invalid. The message says why.
pub fn selected(
    graph: &Graph,
    node: &Node,
    select: &Select,
    output_index: usize,
    shape: Option<&[Dim]>,
) -> Result<Selected, String> {
    let mut finder = Finder {
        graph,
        node,
        values: Vec::new(),
    };
    match find_selected(&mut finder, select, output_index, shape) {
        Ok(selected) => Ok(selected),
        Err(Undetermined::AtRunTime(slice)) => Ok(Selected::AtRunTime(slice)),
        Err(Undetermined::NotExamined(why)) => Ok(Selected::NotExamined(why)),
        Err(Undetermined::Mistake(message)) => Err(message),
    }
}

fn find_selected(
    finder: &mut Finder<'_>,
    select: &Select,
    output_index: usize,
    shape: Option<&[Dim]>,
) -> Result<Selected, Undetermined> {
    let rank = shape.map(<[Dim]>::len);
    match select {
        Select::Invalid(message) => Err(Undetermined::Mistake(message.clone())),
        Select::NotExamined(why) => Err(Undetermined::NotExamined((*why).to_owned())),
        Select::Unpack { axis } => {
            let axis = finder.axis(axis, rank)?;
            let index = i64::try_from(output_index).unwrap_or(i64::MAX);
            Ok(python_slice(spec_with_items(
                &[axis],
                Item::Index(index),
                rank,
            )?))
        }
        Select::Slice {
            opset,
            starts,
            ends,
            axes,
            steps,
        } => {
            let numbers = [starts, ends, axes, steps].map(|argument| finder.find(argument));
            match onnx_slice(*opset, &numbers)? {
                Some(slice) => Ok(Selected::Strided(slice.into())),
                None => {
                    let mut slice_at_run_time = finder.at_run_time(onnx_slice_text(&numbers, rank));
                    slice_at_run_time.steps = steps_if_bounds_are_unknown(&numbers);
                    Err(Undetermined::AtRunTime(slice_at_run_time))
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
            Ok(Selected::Strided(strided_slice(
                system, begin, end, strides,
            )))
        }
        Select::OneAxis {
            dim,
            start,
            end,
            step,
        } => {
            let numbers = [start, end, step].map(|argument| finder.find(argument));
            match torch_slice(*dim, &numbers) {
                Some(slice) => Ok(Selected::Strided(slice.into())),
                None => Err(at_run_time(finder, torch_slice_text(*dim, numbers, rank))),
            }
        }
        Select::Static([starts, limits, strides]) => Ok(Selected::Strided(
            stablehlo::Slice {
                start_indices: starts.to_vec(),
                limit_indices: limits.to_vec(),
                strides: strides.to_vec(),
            }
            .into(),
        )),
        Select::Window { sizes } => Ok(window(finder, sizes, shape)?),
        Select::Sizes { begin, size } => {
            let begin = finder.required("begin", begin)?;
            let size = finder.required("size", size)?;
            Ok(python_slice(litert::Slice { begin, size }.to_spec()?))
        }
        Select::Reverse { axes } => {
            let axes = finder.required("axes", axes)?;
            check_axes(&axes, rank)?;
            Ok(python_slice(spec_with_items(&axes, REVERSED, rank)?))
        }
        Select::ReverseFirst { axis, lengths } => reverse_first(finder, *axis, lengths, shape),
        Select::Squeeze { axes } => {
            let axes = match (finder.numbers(axes)?, shape) {
                (Some(axes), _) => axes,
                (None, Some(shape)) if known(shape).is_some() => axes_of_length_1(shape),
                (None, _) => return Err(Undetermined::unknown()),
            };
            let op = Op::Squeeze(Squeeze { axes });
            Ok(Selected::Strided(KnownOperation::Axes(op)))
        }
        Select::Unsqueeze { axes } => {
            let axes = finder.required("axes", axes)?;
            let op = Op::Unsqueeze(Unsqueeze { axes });
            Ok(Selected::Strided(KnownOperation::Axes(op)))
        }
        Select::Gather { axis, indices } => gather(finder, axis, indices, rank),
        Select::Split {
            axis,
            lengths,
            allows_rest,
            rounded_count,
        } => Ok(python_slice(split(
            finder,
            (axis, lengths),
            (*allows_rest, *rounded_count),
            output_index,
            shape,
        )?)),
    }
}

fn python_slice(spec: DynSliceSpec) -> Selected {
    Selected::Strided(KnownOperation::Any(AnyOperation::Python(spec)))
}

fn at_run_time(finder: &Finder<'_>, items: Option<String>) -> Undetermined {
    Undetermined::AtRunTime(finder.at_run_time(items))
}

fn axes_of_length_1(shape: &[Dim]) -> Vec<i64> {
    let ones = shape
        .iter()
        .enumerate()
        .filter(|(_, length)| length.known() == Some(1));
    ones.filter_map(|(axis, _)| i64::try_from(axis).ok())
        .collect()
}

/// Returns the slice that reverses an axis, if the operation always reverses the whole axis. `lengths` contains the
/// number of positions that the operation reverses at each position of the batch axis. If one of these numbers differs
/// from the length of the reversed axis, the operation is not a slice. In that case, and if a number is unknown,
/// returns [`Undetermined::NotExamined`].
fn reverse_first(
    finder: &mut Finder<'_>,
    axis: i64,
    lengths: &Argument,
    shape: Option<&[Dim]>,
) -> Result<Selected, Undetermined> {
    let rank = shape.map(<[Dim]>::len);
    check_axes(&[axis], rank)?;
    let lengths = finder.positions("lengths", lengths)?;
    let length = rank.and_then(|rank| index(axis, rank));
    let length = length.and_then(|axis| shape?.get(axis)?.known());
    let is_all = |&len: &i64| usize::try_from(len).ok() == length;
    match lengths.iter().all(is_all) && length.is_some() {
        true => Ok(python_slice(spec_with_items(&[axis], REVERSED, rank)?)),
        false => Err(Undetermined::NotExamined(format!(
            "it is not known to reverse all of axis {axis}"
        ))),
    }
}

/// Returns a slice with an index if the indices are a scalar, and with a list otherwise.
fn gather(
    finder: &mut Finder<'_>,
    axis: &Argument,
    indices: &Argument,
    rank: Option<usize>,
) -> Result<Selected, Undetermined> {
    let axis = finder.axis(axis, rank)?;
    let is_scalar = match indices {
        Argument::Given(given) => given.len() == 1,
        argument => constant(finder.graph, input(finder.node, argument))
            .is_some_and(|list| list.shape.is_empty()),
    };
    let list = finder.positions("indices", indices)?;
    match (is_scalar, &list[..]) {
        (true, &[index]) => Ok(python_slice(spec_with_items(
            &[axis],
            Item::Index(index),
            rank,
        )?)),
        _ => Ok(list_on_axis(axis, list, rank)?),
    }
}

fn list_on_axis(axis: i64, list: Vec<i64>, rank: Option<usize>) -> Result<Selected, String> {
    let all = spec_with_items(&[axis], Item::Index(0), rank).map_err(|error| error.to_string())?;
    let items = all.items().map(|item| match item {
        Item::Index(_) => OuterItem::from(list.clone()),
        item => OuterItem::from(item),
    });
    let spec = DynOuterSpec::from_items(items).map_err(|error| error.to_string())?;
    Ok(Selected::Lists(spec))
}
