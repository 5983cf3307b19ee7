//! Propagates constants and shapes from node to node.

use std::ops::Range;
use std::sync::Arc;

use slice_core::resolve::index;

use super::evaluate::evaluate;
use super::infer::infer;
use super::kind::Argument;
use super::number::{Constant, Dim, known_shape};
use super::{Format, Graph, ModelError, Node, ValueId, steps};

/// Returns the elements and the shape of a value, if the value is a small constant.
pub fn constant(graph: &Graph, value: Option<ValueId>) -> Option<&Constant> {
    graph.values.get(value?)?.constant.as_ref()
}

/// Returns the shape of a value, if it is known.
pub fn shape(graph: &Graph, value: Option<ValueId>) -> Option<&[Dim]> {
    graph.values.get(value?)?.shape.as_deref()
}

/// Returns the input to which an argument refers, or `None` if the argument is not an input or is omitted.
pub fn input(node: &Node, argument: &Argument) -> Option<ValueId> {
    match argument {
        Argument::Input(at) => node.input(*at),
        _ => None,
    }
}

/// Returns the numbers of an argument: `None` if they are unknown, and `Some(None)` if the argument is omitted.
pub fn numbers(graph: &Graph, node: &Node, argument: &Argument) -> Option<Option<Vec<i64>>> {
    match argument {
        Argument::Absent => Some(None),
        Argument::Given(numbers) => Some(Some(numbers.to_vec())),
        Argument::Input(_) => match input(node, argument) {
            None => Some(None),
            value => Some(Some(constant(graph, value)?.known()?)),
        },
    }
}

/// Returns an inferred shape, with each unknown length replaced by the declared length.
fn with_declared_lengths(inferred: Arc<[Dim]>, declared: Option<&[Dim]>) -> Arc<[Dim]> {
    let is_unknown = |length: &Dim| *length == Dim::Unknown;
    match declared.filter(|declared| declared.len() == inferred.len()) {
        Some(declared) if inferred.iter().any(is_unknown) => {
            let lengths = inferred.iter().zip(declared);
            let lengths = lengths.map(|(one, other)| if is_unknown(one) { other } else { one });
            lengths.cloned().collect()
        }
        _ => inferred,
    }
}

/// Returns the axis along which a node concatenates its inputs, if it is known.
pub fn concat_axis(graph: &Graph, node: &Node, axis: &Argument) -> Option<i64> {
    numbers(graph, node, axis)??.first().copied()
}

/// Returns the order of axes that a transposition states, or the reverse order.
pub fn axis_order(order: Option<&[i64]>, rank: usize) -> Option<Vec<usize>> {
    let Some(order) = order else {
        return Some((0..rank).rev().collect());
    };
    let order: Vec<usize> = order
        .iter()
        .map(|&axis| index(axis, rank))
        .collect::<Option<_>>()?;
    let has_all = order.len() == rank && (0..rank).all(|axis| order.contains(&axis));
    has_all.then_some(order)
}

/// Returns the range of axes between `start` and `end`, which are clamped.
pub fn axes_between(rank: usize, start: i64, end: Option<i64>) -> Option<Range<usize>> {
    let signed_rank = i64::try_from(rank).ok()?;
    let clamp = |bound: i64| {
        let bound = if bound < 0 {
            bound.saturating_add(signed_rank)
        } else {
            bound
        };
        usize::try_from(bound.clamp(0, signed_rank)).ok()
    };
    let (start, end) = (clamp(start)?, end.map_or(Some(rank), clamp)?);
    Some(start..end.max(start))
}

/// Returns, for each axis, whether it is reduced.
pub fn reduced_axes(
    axes: Option<&[i64]>,
    rank: usize,
    keeps_all_by_default: bool,
) -> Option<Vec<bool>> {
    let axes = axes.filter(|axes| !axes.is_empty());
    let Some(axes) = axes else {
        return Some(vec![!keeps_all_by_default; rank]);
    };
    let mut is_reduced = vec![false; rank];
    for &axis in axes {
        is_reduced[index(axis, rank)?] = true;
    }
    Some(is_reduced)
}

/// Returns the inputs that a node concatenates: all inputs except the axis.
pub fn parts<'a>(
    node: &'a Node,
    axis: &Argument,
) -> impl Iterator<Item = Option<ValueId>> + use<'a> {
    let axis = match axis {
        Argument::Input(at) => Some(*at),
        _ => None,
    };
    let inputs = node.inputs.iter().copied().enumerate();
    inputs
        .filter(move |&(at, _)| Some(at) != axis)
        .map(|(_, input)| input)
}

/// The operations with nested graphs, which may use any values of the enclosing graph.
const WITH_NESTED_GRAPHS: [&str; 6] = [
    "If",
    "Loop",
    "Scan",
    "stablehlo.case",
    "stablehlo.if",
    "stablehlo.while",
];

/// Sorts the nodes, and infers constants and shapes of values from other constants and shapes. Returns an error if two
/// nodes produce the same value.
pub fn fold(graph: &mut Graph) -> Result<(), ModelError> {
    graph.sort()?;
    for at in 0..graph.nodes.len() - graph.nodes_in_cycles {
        let node = &graph.nodes[at];
        let mut inputs = node.inputs.iter().flatten().peekable();
        // A nested graph may use other values than the inputs of the node.
        let has_nested_graph = WITH_NESTED_GRAPHS.contains(&&node.operation[..]);
        let is_constant = !has_nested_graph
            && inputs.peek().is_some()
            && inputs.all(|&input| graph.values[input].is_constant);
        steps::count(node.inputs.len());
        let outputs = node.outputs.clone();
        for (output_index, output) in outputs.into_iter().enumerate() {
            let Some(output) = output else { continue };
            let node = &graph.nodes[at];
            graph.values[output].is_constant |= is_constant;
            if graph.values[output].constant.is_none() {
                let constant = evaluate(graph, node, output_index);
                graph.set_constant(output, constant);
            }
            let node = &graph.nodes[at];
            // In other formats, the program that wrote the model has inferred the declared shapes.
            if graph.values[output].shape.is_none() || graph.format == Format::Onnx {
                let constant = graph.values[output].constant.as_ref();
                let shape = constant.map(|constant| known_shape(&constant.shape));
                let shape = shape.or_else(|| infer(graph, node, output_index));
                let declared = graph.values[output].declared.as_deref();
                let shape = shape.map(|shape| with_declared_lengths(shape, declared));
                graph.set_shape(output, shape)?;
            }
        }
    }
    Ok(())
}
