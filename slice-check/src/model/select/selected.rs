//! Converts the outputs of a node to slices of the node's input.

use slice_core::Item;
use slice_core::resolve::index;
use slice_systems::lists::Operations;
use slice_systems::onnx::Op;
use slice_systems::{litert, stablehlo};

use super::KnownOperation;
use super::arguments::{Finder, Undetermined};
use super::gather::{compress, gather, gather_elements, gather_nd, reverse_first};
use super::operands;
use super::parts::split;
use super::spec::REVERSED;
use super::strided::{onnx_slice, strided_slice, torch_slice};
use super::window::window;
use crate::model::kind::{Argument, Select};
use crate::model::number::{Dim, known};
use crate::model::{Format, Graph, Node, steps};
use crate::remark::{Remark, RemarkKind};

/// Converts the output with the index `output_index` to a slice of the input. `shape` is the shape of the input, if
/// known.
pub fn selected(
    graph: &Graph,
    node: &Node,
    select: &Select,
    output_index: usize,
    shape: Option<&[Dim]>,
) -> Result<KnownOperation, Undetermined> {
    operands::check(graph, node)?;
    let finder = &mut Finder {
        graph,
        node,
        shape,
        values: Vec::new(),
    };
    let rank = finder.rank();
    match select {
        Select::Invalid(message) => Err(Remark::invalid(message).into()),
        Select::NotExamined(why) => Err(Undetermined::not_examined(*why)),
        Select::Unpack { axis } => unpack(finder, axis, output_index),
        Select::Slice { opset, bounds } => {
            check_count(finder, &bounds[0], |count, rank| count <= rank)?;
            finder.check_lens(bounds.each_ref())?;
            Ok(onnx_slice(finder, *opset, bounds)?.into())
        }
        Select::Strided { system, bounds } => {
            finder.check_lens(bounds.each_ref())?;
            let [begin, end, strides] = bounds;
            let begin = finder.required("begin", begin)?;
            let end = finder.required("end", end)?;
            let strides = finder.numbers(strides)?;
            Ok(strided_slice(system, begin, end, strides))
        }
        Select::OneAxis { dim, bounds } => Ok(torch_slice(finder, *dim, bounds)?.into()),
        Select::Static([starts, limits, strides]) => Ok(stablehlo::Slice {
            start_indices: starts.to_vec(),
            limit_indices: limits.to_vec(),
            strides: strides.to_vec(),
        }
        .into()),
        Select::Window { sizes } => window(finder, sizes),
        Select::Sizes { begin, size } => sized(finder, begin, size),
        Select::Reverse { axes } => reversed(finder, axes),
        Select::ReverseFirst {
            axis,
            batch_axis,
            lengths,
        } => Ok(reverse_first(finder, *axis, *batch_axis, lengths)?.into()),
        Select::Squeeze { axes } => squeezed(finder, axes),
        Select::Unsqueeze { axes } => {
            finder.check_lens([axes])?;
            let mut axes = finder.required("axes", axes)?;
            if finder.graph.format == Format::OpenVino {
                let output_rank = rank.map(|rank| rank + axes.len());
                axes = without_repetitions(axes, output_rank);
            }
            let op = Op::Unsqueeze { axes };
            Ok(KnownOperation::Axes(op))
        }
        Select::Gather {
            axis,
            indices,
            batch_axes,
        } => gather(finder, axis, indices, *batch_axes),
        Select::GatherNd {
            indices,
            batch_axes,
        } => gather_nd(finder, indices, *batch_axes),
        Select::GatherElements { axis, indices } => gather_elements(finder, axis, indices),
        Select::Compress { axis, condition } => compress(finder, axis, condition),
        Select::Split {
            axis,
            lengths,
            allows_rest,
            rounded_count,
        } => {
            let rest_or_count = (*allows_rest, *rounded_count);
            Ok(split(finder, (axis, lengths), rest_or_count, output_index)?.into())
        }
    }
}

/// Returns the position of an axis that one of several outputs contains.
fn unpack(
    finder: &mut Finder<'_>,
    axis: &Argument,
    output_index: usize,
) -> Result<KnownOperation, Undetermined> {
    let axis = finder.axis(axis)?;
    let length = finder.length(axis);
    let outputs = finder.node.outputs.len();
    if let Some(length) = length.filter(|&length| length != outputs) {
        let message = format!("axis {axis} has length {length}, but there are {outputs} outputs");
        return Err(Remark::invalid(message).into());
    }
    let item = Item::Index(i64::try_from(output_index).unwrap_or(i64::MAX));
    Ok(finder.spec(&[axis], item)?.into())
}

/// Returns a range on each axis, given by a `begin` and a size.
fn sized(
    finder: &mut Finder<'_>,
    begin: &Argument,
    size: &Argument,
) -> Result<KnownOperation, Undetermined> {
    check_count(finder, begin, |count, rank| count == rank)?;
    finder.check_lens([begin, size])?;
    let begin = finder.required("begin", begin)?;
    let size = finder.required("size", size)?;
    let axes = begin.len();
    let slice = litert::Slice { begin, size };
    if let Some(shape) = finder.shape {
        let resolved = slice.resolve(&lengths_for(&slice, shape));
        resolved.map(drop).map_err(Remark::invalid)?;
    }
    let program = litert::Program::from(vec![litert::Op::Slice(slice)]);
    Ok(program.to_spec_for_rank(axes)?.into())
}

/// Returns the slice that reverses the listed axes.
fn reversed(finder: &mut Finder<'_>, axes: &Argument) -> Result<KnownOperation, Undetermined> {
    let (format, rank) = (finder.graph.format, finder.rank());
    let count = finder.count(axes);
    if let (Some(count), Some(rank)) = (count, rank)
        && count > rank
        && format != Format::OpenVino
        && !(format == Format::TensorFlow && rank == 0)
    {
        let message = format!("{count} axes cannot be reversed: the input has {rank} axes");
        return Err(Remark::invalid(message).into());
    }
    finder.check_lens([axes])?;
    let mut axes = finder.required("axes", axes)?;
    match (format, rank) {
        // OpenVINO reverses a repeated axis once.
        (Format::OpenVino, rank) => axes = without_repetitions(axes, rank),
        // TensorFlow returns a scalar unchanged.
        (Format::TensorFlow, Some(0)) => axes.clear(),
        _ => {}
    }
    finder.check_axes(&axes)?;
    Ok(finder.spec(&axes, REVERSED)?.into())
}

/// Returns the operation that drops the listed axes, or all axes of length 1.
fn squeezed(finder: &mut Finder<'_>, axes: &Argument) -> Result<KnownOperation, Undetermined> {
    let (rank, shape) = (finder.rank(), finder.shape);
    finder.check_lens([axes])?;
    let is_openvino = finder.graph.format == Format::OpenVino;
    // For OpenVINO, an empty list is the same as no list.
    let axes = finder
        .numbers(axes)?
        .filter(|axes| !is_openvino || !axes.is_empty());
    let axes = match (axes, shape) {
        // OpenVINO keeps the listed axes whose length is not 1.
        (Some(axes), Some(shape)) if is_openvino => {
            let is_one = |axis: &i64| match index(*axis, shape.len()) {
                Some(axis) => shape[axis].known().is_none_or(|length| length == 1),
                None => !shape.is_empty(),
            };
            let axes = axes.into_iter().filter(is_one).collect();
            without_repetitions(axes, rank)
        }
        (Some(axes), _) => without_repetitions(axes, rank),
        (None, Some(shape)) if known(shape).is_some() => axes_of_length_1(shape),
        (None, _) => return Err(Undetermined::unknown()),
    };
    let op = Op::Squeeze { axes };
    Ok(KnownOperation::Axes(op))
}

/// Checks the number of bounds of a slice, if it and the rank of the input are known.
fn check_count(
    finder: &Finder<'_>,
    bounds: &Argument,
    is_valid: fn(usize, usize) -> bool,
) -> Result<(), Remark> {
    match (finder.count(bounds), finder.rank()) {
        (Some(count), Some(rank)) if !is_valid(count, rank) => Err(Remark::invalid(format!(
            "there are bounds for {count} axes, but the input has {rank} axes"
        ))),
        _ => Ok(()),
    }
}

/// Returns the lengths of the axes. An axis of unknown length is treated as one that is long enough for the slice.
fn lengths_for(slice: &litert::Slice, shape: &[Dim]) -> Vec<usize> {
    let length = |(at, dim): (usize, &Dim)| {
        let entry = |entries: &[i64]| entries.get(at).copied().unwrap_or(0).max(0);
        let end = entry(&slice.begin).saturating_add(entry(&slice.size));
        dim.known().or(usize::try_from(end).ok()).unwrap_or(0)
    };
    shape.iter().enumerate().map(length).collect()
}

/// Returns the reason why LiteRT does not reverse the given axes, or `None` if it does. The interpreter crashes if there
/// are none.
pub fn litert_reversal_mistake(
    graph: &Graph,
    node: &Node,
    shape: Option<&[Dim]>,
) -> Option<Remark> {
    let Some(Select::Reverse { axes }) = node.kind.as_select() else {
        return None;
    };
    let axis = graph.constant(node.input_of(axes))?.known()?;
    if axis.is_empty() {
        return Some(RemarkKind::Runtime.remark(
            "there are no axes to reverse: LiteRT 2.3.0 and the interpreter of TensorFlow 2.21.0 crash; omit the operator",
        ));
    }
    let shape = vec![1; shape?.len()];
    let error = litert::ReverseV2 { axis }.resolve(&shape).err()?;
    Some(RemarkKind::Runtime.remark(error.to_string()))
}

/// Omits each axis that was listed before. A system that accepts such a list drops the axis once.
fn without_repetitions(axes: Vec<i64>, rank: Option<usize>) -> Vec<i64> {
    let position = |axis: i64| rank.and_then(|rank| index(axis, rank));
    let is_same = |one: i64, other: i64| {
        one == other || position(one).is_some_and(|one| position(other) == Some(one))
    };
    let mut kept: Vec<i64> = Vec::new();
    for axis in axes {
        steps::count(1 + kept.len());
        if !kept.iter().any(|&other| is_same(axis, other)) {
            kept.push(axis);
        }
    }
    kept
}

fn axes_of_length_1(shape: &[Dim]) -> Vec<i64> {
    let ones = shape
        .iter()
        .enumerate()
        .filter(|(_, length)| length.known() == Some(1));
    ones.filter_map(|(axis, _)| i64::try_from(axis).ok())
        .collect()
}
