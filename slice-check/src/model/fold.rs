//! Propagates constants and shapes from node to node.

use std::sync::Arc;

use super::kind::{Argument, Kind, Select};
use super::number::{Constant, Dim, MAX_AXES, Number};
use super::{Graph, ModelError, Node, ValueId};
use crate::model::select::{self, Selected};

/// Returns the elements and the rank of a value, if the value is a small constant.
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
        Argument::Input(at) => node.inputs.get(*at).copied().flatten(),
        _ => None,
    }
}

/// Sorts the nodes, and infers constants and shapes of values from other constants and shapes.
///
/// # Errors
///
/// Returns an error if two nodes produce the same value.
pub fn fold(graph: &mut Graph) -> Result<(), ModelError> {
    graph.sort()?;
    for at in 0..graph.nodes.len() - graph.nodes_in_cycles {
        let outputs = graph.nodes[at].outputs.clone();
        for (output_index, output) in outputs.into_iter().enumerate() {
            let Some(output) = output else { continue };
            let node = &graph.nodes[at];
            let mut inputs = node.inputs.iter().flatten().peekable();
            let is_constant =
                inputs.peek().is_some() && inputs.all(|&input| graph.values[input].is_constant);
            graph.values[output].is_constant |= is_constant;
            if graph.values[output].constant.is_none() {
                let constant = fold_constant(graph, node, output_index);
                graph.set_constant(output, constant)?;
            }
            let node = &graph.nodes[at];
            if graph.values[output].shape.is_none() {
                let mut shape = infer_shape(graph, node, output_index);
                if let (None, Some(constant)) = (&shape, &graph.values[output].constant) {
                    let length = constant.elements.len();
                    shape = Some(vec![Dim::Known(length); constant.rank].into());
                }
                graph.set_shape(output, shape)?;
            }
        }
    }
    Ok(())
}

/// Computes an output of a node from constants and shapes. Returns `None` if the output is not a small constant.
fn fold_constant(graph: &Graph, node: &Node, output_index: usize) -> Option<Constant> {
    let operand = |at: usize| constant(graph, node.inputs.get(at).copied().flatten());
    match &node.kind {
        Kind::Identity => operand(0).cloned(),
        Kind::Shape { start, end } => {
            let shape = shape(graph, node.inputs.first().copied().flatten())?;
            let rank = i64::try_from(shape.len()).ok()?;
            let clamp = |bound: i64| {
                let bound = if bound < 0 {
                    bound.saturating_add(rank)
                } else {
                    bound
                };
                usize::try_from(bound.clamp(0, rank)).unwrap_or(0)
            };
            let (start, end) = (clamp(*start), end.map_or(shape.len(), clamp));
            Constant::vector(shape.get(start..end)?.iter().map(Number::from).collect())
        }
        Kind::Size => {
            let shape = shape(graph, node.inputs.first().copied().flatten())?;
            let lengths = shape
                .iter()
                .map(|length| i64::try_from(length.known()?).ok());
            let product = lengths
                .into_iter()
                .try_fold(1_i64, |product, length| product.checked_mul(length?));
            Some(Constant::scalar(product.into()))
        }
        Kind::Concat { axis: 0 | -1 } => {
            let mut elements = Vec::new();
            for &input in &node.inputs {
                let part = constant(graph, input).filter(|part| part.rank == 1)?;
                elements.extend_from_slice(&part.elements);
                Constant::vector(Vec::new())
                    .filter(|_| elements.len() <= super::number::MAX_ELEMENTS)?;
            }
            Constant::vector(elements)
        }
        Kind::Pack { axis: 0 | -1 } => {
            let scalars = node
                .inputs
                .iter()
                .map(|&input| constant(graph, input).filter(|one| one.rank == 0));
            let elements: Option<Vec<Number>> =
                scalars.map(|one| one?.elements.first().cloned()).collect();
            Constant::vector(elements?)
        }
        Kind::Reshape => {
            let rank = operand(1)?.elements.len();
            let elements = operand(0)?.elements.clone();
            let fits = rank == 1 || (rank == 0 && elements.len() == 1);
            fits.then_some(Constant { elements, rank })
        }
        Kind::Reshaped | Kind::Broadcast => {
            let value = operand(0)?;
            let output = node.outputs.get(output_index).copied().flatten();
            let lengths = super::number::known(shape(graph, output)?)?;
            let len = lengths
                .iter()
                .try_fold(1_usize, |len, &length| len.checked_mul(length))?;
            // An array with several axes, of which at most one has a length other than 1, is treated as a vector.
            let longer_axes = lengths.iter().filter(|&&length| length != 1).count();
            let elements = match value.elements.len() {
                count if count == len => value.elements.clone(),
                1 if node.kind == Kind::Broadcast && len <= super::number::MAX_ELEMENTS => {
                    vec![value.elements.first()?.clone(); len].into()
                }
                _ => return None,
            };
            let rank = lengths.len().min(1);
            (longer_axes <= 1).then_some(Constant { elements, rank })
        }
        Kind::Expand => {
            let [len] = operand(1)?.known()?[..] else {
                return None;
            };
            let value = &operand(0)?.elements;
            let len = usize::try_from(len).ok()?.max(value.len());
            match value.len() == 1 && len <= super::number::MAX_ELEMENTS {
                true => Constant::vector(vec![value.first()?.clone(); len]),
                false => operand(0)
                    .filter(|value| value.elements.len() == len)
                    .map(|value| Constant {
                        elements: value.elements.clone(),
                        rank: 1,
                    }),
            }
        }
        Kind::Choose => {
            let (condition, one, other) = (operand(0)?, operand(1)?, operand(2)?);
            let len = one.elements.len().max(other.elements.len());
            let element_at = |value: &Constant, at: usize| {
                let at = if value.elements.len() == 1 { 0 } else { at };
                value.elements.get(at).cloned()
            };
            let choose = |element: usize| {
                Some(match element_at(condition, element)?.known() {
                    Some(0) => element_at(other, element)?,
                    Some(_) => element_at(one, element)?,
                    None => Number::Unknown,
                })
            };
            let elements = (0..len).map(choose).collect::<Option<_>>()?;
            let rank = one.rank.max(other.rank);
            Some(Constant { elements, rank })
        }
        Kind::Arithmetic(operation) => {
            let (one, other) = (operand(0)?, operand(1)?);
            let len = match (one.elements.len(), other.elements.len()) {
                (1, len) | (len, 1) => len,
                (len, other_len) if len == other_len => len,
                _ => return None,
            };
            let element = |value: &Constant, at: usize| {
                let at = if value.elements.len() == 1 { 0 } else { at };
                value.elements.get(at).and_then(Number::known)
            };
            let apply = |at: usize| operation.apply(element(one, at)?, element(other, at)?);
            let elements = (0..len).map(|at| Number::from(apply(at)));
            let rank = one.rank.max(other.rank);
            Some(Constant {
                elements: elements.collect(),
                rank,
            })
        }
        Kind::Select(select) => fold_selection(graph, node, select, output_index),
        _ => None,
    }
}

/// Returns the elements that an operation selects from a constant, or `None` if the first input or the result is not a
/// small constant.
fn fold_selection(
    graph: &Graph,
    node: &Node,
    select: &Select,
    output_index: usize,
) -> Option<Constant> {
    let sliced = constant(graph, node.inputs.first().copied().flatten())?;
    let shape = vec![sliced.elements.len(); sliced.rank];
    let dims: Vec<Dim> = shape.iter().map(|&length| Dim::Known(length)).collect();
    let selected = select::selected(graph, node, select, output_index, Some(&dims)).ok()?;
    let (indices, rank): (Vec<usize>, usize) = match selected {
        Selected::Strided(operation) => {
            let selection = operation.resolve(&shape).ok()?;
            (
                selection.indices().collect(),
                selection.output_shape().len(),
            )
        }
        Selected::Lists(spec) => {
            let selection = spec.resolve(&shape).ok()?;
            (
                selection.indices().collect(),
                selection.output_shape().len(),
            )
        }
        Selected::AtRunTime(_) | Selected::NotExamined(_) => return None,
    };
    let elements: Option<Arc<[Number]>> = indices
        .into_iter()
        .map(|at| sliced.elements.get(at).cloned())
        .collect();
    (rank <= 1).then_some(Constant {
        elements: elements?,
        rank,
    })
}

/// Infers the shape of an output from the shapes and constants of the inputs.
fn infer_shape(graph: &Graph, node: &Node, output_index: usize) -> Option<Arc<[Dim]>> {
    let operand = node.inputs.first().copied().flatten();
    if let Kind::Identity | Kind::Elementwise = node.kind {
        return graph.values.get(operand?)?.shape.clone();
    }
    infer_new_shape(graph, node, output_index, shape(graph, operand)).map(Arc::from)
}

/// Infers the shape of an output that may differ from the shape of the first input, which is `operand`.
fn infer_new_shape(
    graph: &Graph,
    node: &Node,
    output_index: usize,
    operand: Option<&[Dim]>,
) -> Option<Vec<Dim>> {
    match &node.kind {
        Kind::Arithmetic(_) => {
            let other = shape(graph, node.inputs.get(1).copied().flatten())?;
            broadcast(operand?, other)
        }
        Kind::Expand => {
            let lengths = constant(graph, node.inputs.get(1).copied().flatten())?.known()?;
            let dims = lengths.into_iter().take(MAX_AXES);
            let dims = dims.map(|length| Some(Dim::Known(usize::try_from(length).ok()?)));
            broadcast(operand?, &dims.collect::<Option<Vec<Dim>>>()?)
        }
        Kind::MatrixProduct => {
            let other = shape(graph, node.inputs.get(1).copied().flatten())?;
            let operand = operand?;
            let (batch_axes, [height, _]) =
                operand.split_at_checked(operand.len().checked_sub(2)?)?
            else {
                return None;
            };
            let (other_batch_axes, [_, width]) =
                other.split_at_checked(other.len().checked_sub(2)?)?
            else {
                return None;
            };
            let mut output = broadcast(batch_axes, other_batch_axes)?;
            output.extend([height.clone(), width.clone()]);
            Some(output)
        }
        Kind::Transpose(order) => {
            let operand = operand?;
            match order {
                None => Some(operand.iter().rev().cloned().collect()),
                Some(order) => {
                    let axis = |&axis: &i64| operand.get(usize::try_from(axis).ok()?).cloned();
                    order.iter().take(MAX_AXES).map(axis).collect()
                }
            }
        }
        Kind::Concat { axis } => {
            let mut output = operand?.to_vec();
            let axis = slice_core::resolve::index(*axis, output.len())?;
            let mut length = Some(0_usize);
            for &input in &node.inputs {
                let part = shape(graph, input).filter(|part| part.len() == output.len());
                let part = part?.get(axis)?.known();
                length = length.and_then(|length| length.checked_add(part?));
            }
            output[axis] = length.map_or(Dim::Unknown, Dim::Known);
            Some(output)
        }
        Kind::Reshape => {
            let requested_shape = constant(graph, node.inputs.get(1).copied().flatten())?;
            let length = |number: &Number| match number {
                Number::Known(length @ 1..) => {
                    usize::try_from(*length).map_or(Dim::Unknown, Dim::Known)
                }
                Number::Length(name) => Dim::Named(name.clone()),
                _ => Dim::Unknown,
            };
            let is_small = requested_shape.rank == 1 && requested_shape.elements.len() <= MAX_AXES;
            let mut dims: Vec<Dim> =
                is_small.then(|| requested_shape.elements.iter().map(length).collect())?;
            // A length of -1 is inferred from the number of elements.
            let product = |dims: &[Dim]| {
                let mut known = dims.iter().filter_map(Dim::known);
                known.try_fold(1_usize, |product, length| product.checked_mul(length))
            };
            let element_count = operand.and_then(super::number::known);
            let element_count = element_count.and_then(|lengths| {
                lengths
                    .into_iter()
                    .try_fold(1_usize, |product, length| product.checked_mul(length))
            });
            if let (Some(element_count), Some(known_product @ 1..)) =
                (element_count, product(&dims))
                && requested_shape
                    .elements
                    .iter()
                    .filter(|one| **one == Number::Known(-1))
                    .count()
                    == 1
                && dims
                    .iter()
                    .filter(|length| length.known().is_none())
                    .count()
                    == 1
                && let Some(inferred_length) =
                    dims.iter_mut().find(|length| length.known().is_none())
            {
                *inferred_length = Dim::Known(element_count / known_product);
            }
            Some(dims)
        }
        Kind::Select(select) => {
            let selected = select::selected(graph, node, select, output_index, operand).ok()?;
            select::output(&selected, operand?).ok().flatten()
        }
        _ => None,
    }
}

/// Broadcasts two shapes against each other. Returns `None` if they are incompatible.
fn broadcast(one: &[Dim], other: &[Dim]) -> Option<Vec<Dim>> {
    let (long_shape, short_shape) = if one.len() < other.len() {
        (other, one)
    } else {
        (one, other)
    };
    let mut output = long_shape.to_vec();
    let first = long_shape.len() - short_shape.len();
    for (output, length) in output[first..].iter_mut().zip(short_shape) {
        *output = match (&*output, length) {
            (Dim::Known(1), length) | (length, Dim::Known(1)) => length.clone(),
            (one, other) if one == other => one.clone(),
            // The unknown length is either 1 or equal to the known length, so the result has the known length.
            (known @ Dim::Known(_), Dim::Named(_) | Dim::Unknown) => known.clone(),
            (Dim::Named(_) | Dim::Unknown, known @ Dim::Known(_)) => known.clone(),
            (Dim::Known(_), Dim::Known(_)) => return None,
            _ => Dim::Unknown,
        };
    }
    Some(output)
}
