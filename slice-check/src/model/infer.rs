//! Infers shapes from shapes and constants.

use std::ops::Range;
use std::sync::Arc;

use slice_core::resolve::index;

use super::array::Constant;
use super::kind::{Argument, Kind, Select};
use super::number::{Dim, MAX_AXES, Number};
use super::select::{self, Undetermined};
use super::{Graph, Node, ValueId};

/// Infers the shape of an output of a node. Returns `None` if not even the rank can be inferred.
pub fn infer(graph: &Graph, node: &Node, output_index: usize) -> Option<Arc<[Dim]>> {
    match node.kind {
        Kind::Identity
        | Kind::Elementwise
        | Kind::Cast(_)
        | Kind::CastLike
        | Kind::Unary(_)
        | Kind::Clip
        | Kind::CumulativeSum { .. }
        | Kind::Scatter { .. }
        | Kind::Triangle { .. } => {
            let operand = node.input(0)?;
            let shape = &graph.values.get(operand)?.shape;
            shape.clone().filter(|_| output_index == 0)
        }
        _ => infer_new_shape(graph, node, output_index).map(Arc::from),
    }
}

/// Returns whether the shapes of a node's operands, or of the outputs of its branches, contradict each other or, for
/// branches, are unknown. ONNX Runtime runs some of these nodes if it cannot infer the shapes, and refuses them if it can.
pub fn is_contradictory(graph: &Graph, node: &Node) -> bool {
    let shapes: Option<Vec<&[Dim]>> = node
        .inputs
        .iter()
        .map(|&input| graph.shape(input))
        .collect();
    let differ = |one: &[Dim], other: &[Dim], axis: usize| {
        let lengths = one.iter().zip(other).enumerate();
        let mut others = lengths.filter(|(at, _)| *at != axis);
        one.len() != other.len() || others.any(|(_, (one, other))| !one.agrees(other))
    };
    match (&node.kind, shapes.as_deref()) {
        (Kind::Concat { axis }, Some([first, others @ ..]))
            if parts(node, axis).eq(node.inputs.iter().copied()) =>
        {
            let axis = concat_axis(graph, node, axis).and_then(|axis| index(axis, first.len()));
            axis.is_some_and(|axis| others.iter().any(|other| differ(first, other, axis)))
        }
        (Kind::Arithmetic(_) | Kind::Choose | Kind::Broadcasting, Some(_)) => {
            infer_new_shape(graph, node, 0).is_none()
        }
        // ONNX Runtime may infer a shape that is unknown here, such as that of the output of a loop.
        (
            Kind::Branches {
                outputs,
                are_merged,
            },
            _,
        ) => (0..node.outputs.len()).any(|at| {
            let shapes = outputs
                .iter()
                .map(|outputs| graph.shape(outputs.get(at).copied()));
            let shapes: Option<Vec<&[Dim]>> = shapes.collect();
            let is_extended = |one: &[Dim], other: &[Dim]| {
                let mut lengths = one.iter().zip(other);
                lengths.any(|(one, other)| one.known().is_some() != other.known().is_some())
            };
            shapes.is_none_or(|shapes| {
                let mut pairs = shapes.windows(2);
                pairs.any(|pair| {
                    let is_extended = *are_merged && is_extended(pair[0], pair[1]);
                    is_extended || differ(pair[0], pair[1], usize::MAX)
                })
            })
        }),
        (Kind::Expand, Some([operand, _])) => {
            let lengths = graph.constant(node.inputs[1]).and_then(requested_lengths);
            lengths.is_some_and(|lengths| broadcast(operand, &lengths).is_none())
        }
        (Kind::Reshape { copies_lengths }, Some([operand, _])) => {
            let requested = graph.constant(node.inputs[1]).and_then(Constant::known);
            requested.is_some_and(|requested| !divides(operand, &requested, *copies_lengths))
        }
        (Kind::MatrixProduct { is_transposed }, Some([one, other, ..])) => {
            let one = transposed(one, is_transposed[0]);
            let other = transposed(other, is_transposed[1]);
            let is_inner = match (one.last(), &other[other.len().saturating_sub(2)..]) {
                (Some(one), [other, ..]) => one.agrees(other),
                _ => false,
            };
            !is_inner || matrix_product(&one, &other).is_none()
        }
        _ => false,
    }
}

/// Returns the axis along which a node concatenates its inputs, if it is known.
pub fn concat_axis(graph: &Graph, node: &Node, axis: &Argument) -> Option<i64> {
    graph.numbers(node, axis)??.first().copied()
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

/// Infers the shape of an output that may differ from the shape of the first input.
fn infer_new_shape(graph: &Graph, node: &Node, output_index: usize) -> Option<Vec<Dim>> {
    let value = |at: usize| node.input(at);
    let operand = |at: usize| graph.shape(value(at));
    if let Kind::Select(select) = &node.kind {
        let output = match select::selected(graph, node, select, output_index, operand(0)) {
            Ok(operation) => select::output(&operation, operand(0)?).ok()?,
            Err(Undetermined::Mistake(_)) => return None,
            Err(_) => None,
        };
        return output.or_else(|| with_unknown_axes(graph, node, select, operand(0)?));
    }
    if let Kind::Branches { outputs, .. } = &node.kind {
        return common_shape(graph, outputs, output_index);
    }
    if let Kind::Top { axis, .. } = &node.kind {
        let mut output = operand(0)?.to_vec();
        let count = graph.constant(value(1))?.elements.first()?.to_dim();
        let axis = index(*axis, output.len())?;
        output[axis] = count;
        return Some(output);
    }
    // Only the operations above have rules for other outputs than the first.
    if output_index > 0 {
        return None;
    }
    match &node.kind {
        Kind::Arithmetic(_) | Kind::Choose | Kind::Broadcasting => {
            let mut operands = (0..node.inputs.len()).map(operand);
            let first = operands.next()??.to_vec();
            operands.try_fold(first, |one, other| broadcast(&one, other?))
        }
        Kind::Shape { start, end, .. } => {
            let axes = axes_between(operand(0)?.len(), *start, *end)?;
            Some(vec![Dim::Known(axes.len())])
        }
        Kind::Size(_) | Kind::Rank(_) => Some(Vec::new()),
        Kind::Expand => broadcast(operand(0)?, &requested_lengths(graph.constant(value(1))?)?),
        Kind::Fill(_) => requested_lengths(graph.constant(value(0))?),
        Kind::Tile => tiled(operand(0)?, graph.constant(value(1))?),
        Kind::Range => {
            let element = |at: usize| graph.constant(value(at))?.elements.first();
            // The length of a range whose elements are known is inferred from the elements.
            let is_from_0 =
                element(0) == Some(&Number::Known(0)) && element(2) == Some(&Number::Known(1));
            let length = element(1)
                .filter(|_| is_from_0)
                .filter(|limit| limit.known().is_none());
            Some(vec![length.map_or(Dim::Unknown, Number::to_dim)])
        }
        Kind::NonZero => Some(vec![Dim::Known(operand(0)?.len().max(1)), Dim::Unknown]),
        Kind::Reduce {
            axes,
            keeps_axes,
            keeps_all_by_default,
            ..
        } => {
            let operand = operand(0)?;
            let axes = graph.numbers(node, axes)?;
            let is_reduced = reduced_axes(axes.as_deref(), operand.len(), *keeps_all_by_default)?;
            let lengths = operand
                .iter()
                .zip(is_reduced)
                .filter_map(|(length, is_reduced)| match is_reduced {
                    true => keeps_axes.then_some(Dim::Known(1)),
                    false => Some(length.clone()),
                });
            Some(lengths.collect())
        }
        Kind::Flatten { axis } => {
            let operand = operand(0)?;
            let axis = axes_between(operand.len(), *axis, None)?.start;
            let (before, after) = operand.split_at(axis);
            Some([before, after].map(product).to_vec())
        }
        Kind::MatrixProduct {
            is_transposed: [one, other],
        } => matrix_product(
            &transposed(operand(0)?, *one),
            &transposed(operand(1)?, *other),
        ),
        Kind::Transpose(order) => {
            let operand = operand(0)?;
            let order = axis_order(order.as_deref(), operand.len())?;
            Some(
                order
                    .into_iter()
                    .map(|axis| operand[axis].clone())
                    .collect(),
            )
        }
        Kind::Concat { axis } => concatenated(graph, node, axis),
        Kind::Pack { axis } => {
            let mut output = operand(0)?.to_vec();
            let axis = index(*axis, output.len() + 1)?;
            output.insert(axis, Dim::Known(node.inputs.len()));
            Some(output)
        }
        Kind::OneHot { axis, .. } => {
            let mut output = operand(0)?.to_vec();
            let length = graph.constant(value(1))?.elements.first()?.to_dim();
            output.insert(index(*axis, output.len() + 1)?, length);
            Some(output)
        }
        Kind::Reshape { copies_lengths } => {
            reshaped(operand(0), graph.constant(value(1))?, *copies_lengths)
        }
        _ => None,
    }
}

/// Returns the shape of an output of several nested graphs, with the lengths that are the same in all of them.
fn common_shape(graph: &Graph, outputs: &[Vec<ValueId>], output_index: usize) -> Option<Vec<Dim>> {
    let shapes = outputs
        .iter()
        .map(|outputs| graph.shape(outputs.get(output_index).copied()));
    let mut shapes = shapes.collect::<Option<Vec<_>>>()?.into_iter();
    let first = shapes.next()?.to_vec();
    shapes.try_fold(first, |one, other| {
        let length = |(one, other): (&Dim, &Dim)| match one == other {
            true => one.clone(),
            false => Dim::Unknown,
        };
        (one.len() == other.len()).then(|| one.iter().zip(other).map(length).collect())
    })
}

fn tiled(operand: &[Dim], repeats: &Constant) -> Option<Vec<Dim>> {
    let length = |(length, repeats): (&Dim, &Number)| match (length, repeats) {
        (length, Number::Known(1)) => length.clone(),
        (Dim::Known(length), Number::Known(repeats)) => {
            let repeats = usize::try_from(*repeats).ok();
            let product = repeats.and_then(|repeats| length.checked_mul(repeats));
            product.map_or(Dim::Unknown, Dim::Known)
        }
        _ => Dim::Unknown,
    };
    let lengths = operand.iter().zip(&repeats.elements[..]).map(length);
    (repeats.elements.len() == operand.len()).then(|| lengths.collect())
}

fn concatenated(graph: &Graph, node: &Node, axis: &Argument) -> Option<Vec<Dim>> {
    let parts: Vec<Option<ValueId>> = parts(node, axis).collect();
    let mut output = graph.shape(parts.first().copied()?)?.to_vec();
    let axis = index(concat_axis(graph, node, axis)?, output.len())?;
    let mut length = Some(0_usize);
    for &part in &parts {
        let part = graph
            .shape(part)
            .filter(|part| part.len() == output.len())?;
        for (length, other) in output.iter_mut().zip(part) {
            if length.known().is_none() && other.known().is_some() {
                *length = other.clone();
            }
        }
        length = length.and_then(|length| length.checked_add(part[axis].known()?));
    }
    if parts.len() > 1 {
        output[axis] = length.map_or(Dim::Unknown, Dim::Known);
    }
    Some(output)
}

/// Returns the shape of a slice or of a part of a split whose length is known only at run time.
fn with_unknown_axes(
    graph: &Graph,
    node: &Node,
    select: &Select,
    shape: &[Dim],
) -> Option<Vec<Dim>> {
    let axes = match select {
        Select::Slice { bounds, .. } => graph.numbers(node, &bounds[2]).flatten(),
        Select::Split { axis, .. } => Some(graph.numbers(node, axis)??),
        _ => return None,
    };
    let mut shape = shape.to_vec();
    let all_axes = || (0..).take(shape.len()).collect();
    for axis in axes.unwrap_or_else(all_axes) {
        let axis = index(axis, shape.len())?;
        shape[axis] = Dim::Unknown;
    }
    Some(shape)
}

/// Returns the shape in a vector. Returns `None` if there are too many lengths, or if one is negative.
fn requested_lengths(lengths: &Constant) -> Option<Vec<Dim>> {
    let is_valid = |number: &Number| !matches!(number, Number::Known(..0));
    let is_shape = lengths.shape.len() == 1 && lengths.elements.len() <= MAX_AXES;
    let is_shape = is_shape && lengths.elements.iter().all(is_valid);
    is_shape.then(|| lengths.elements.iter().map(Number::to_dim).collect())
}

/// Returns the product of lengths.
fn product(lengths: &[Dim]) -> Dim {
    if lengths.iter().any(|length| length.known() == Some(0)) {
        return Dim::Known(0);
    }
    let mut longer = lengths.iter().filter(|length| length.known() != Some(1));
    match (longer.next(), longer.next()) {
        (None, _) => Dim::Known(1),
        (Some(length), None) => length.clone(),
        _ => {
            let known = super::number::known(lengths);
            let count = known.and_then(|lengths| super::number::element_count(&lengths));
            count.map_or(Dim::Unknown, Dim::Known)
        }
    }
}

/// Returns the shape that a reshape requests for an array of shape `operand`.
fn reshaped(
    operand: Option<&[Dim]>,
    requested: &Constant,
    copies_lengths: bool,
) -> Option<Vec<Dim>> {
    let is_shape = requested.shape.len() == 1 && requested.elements.len() <= MAX_AXES;
    is_shape.then_some(())?;
    let length = |(axis, number): (usize, &Number)| match number {
        Number::Known(0) if copies_lengths => operand
            .and_then(|operand| operand.get(axis))
            .cloned()
            .unwrap_or(Dim::Unknown),
        number => number.to_dim(),
    };
    let mut output: Vec<Dim> = requested.elements.iter().enumerate().map(length).collect();
    let is_inferred = |number: &Number| *number == Number::Known(-1);
    let inferred = requested.elements.iter().position(is_inferred);
    if let (Some(inferred), Some(operand)) = (inferred, operand) {
        // The inferred length is the quotient of the numbers of elements, in which copied and equal lengths cancel out.
        let is_copied =
            |axis: usize| copies_lengths && requested.elements.get(axis) == Some(&Number::Known(0));
        let axes = operand.iter().enumerate();
        let mut lengths: Vec<Dim> = axes
            .filter(|(axis, _)| !is_copied(*axis))
            .map(|(_, length)| length.clone())
            .collect();
        let mut divisors = Vec::new();
        for (axis, length) in output.iter().enumerate() {
            let named = lengths
                .iter()
                .position(|other| matches!(length, Dim::Named(_)) && other == length);
            match named {
                _ if axis == inferred || is_copied(axis) => {}
                Some(at) => drop(lengths.swap_remove(at)),
                None => divisors.push(length.clone()),
            }
        }
        let quotient = match (product(&lengths), product(&divisors)) {
            (length, Dim::Known(1)) => length,
            (Dim::Known(length), Dim::Known(divisor @ 2..)) if length % divisor == 0 => {
                Dim::Known(length / divisor)
            }
            _ => Dim::Unknown,
        };
        output[inferred] = quotient;
    }
    Some(output)
}

/// Returns whether a length of -1 in a requested shape can be inferred. Lengths that are copied and unknown cancel out.
fn divides(operand: &[Dim], requested: &[i64], copies_lengths: bool) -> bool {
    let (mut lengths, mut divisor) = (operand.to_vec(), Some(1_usize));
    for (axis, &length) in requested.iter().enumerate() {
        let is_copied = copies_lengths && length == 0;
        divisor = match (operand.get(axis), usize::try_from(length)) {
            (None, _) if is_copied => return false,
            (Some(Dim::Known(length)), _) if is_copied => {
                divisor.and_then(|divisor| divisor.checked_mul(*length))
            }
            (Some(_), _) if is_copied => {
                lengths[axis] = Dim::Known(1);
                divisor
            }
            (_, Ok(length)) => divisor.and_then(|divisor| divisor.checked_mul(length)),
            (_, Err(_)) => divisor,
        };
    }
    let divides = match (divisor, product(&lengths)) {
        (Some(0), _) => false,
        (Some(divisor), Dim::Known(count)) => count % divisor == 0,
        _ => true,
    };
    divides || !requested.contains(&-1)
}

/// Returns the shape with its last two lengths swapped, if `is_transposed` is true.
fn transposed(shape: &[Dim], is_transposed: bool) -> Vec<Dim> {
    let mut shape = shape.to_vec();
    if let (true, [.., height, width]) = (is_transposed, &mut shape[..]) {
        std::mem::swap(height, width);
    }
    shape
}

fn matrix_product(one: &[Dim], other: &[Dim]) -> Option<Vec<Dim>> {
    // A vector is multiplied as a row or a column, and its axis is dropped from the product.
    let (one_batch, height) = match one {
        [] => return None,
        [_] => (&one[..0], None),
        [batch @ .., height, _] => (batch, Some(height)),
    };
    let (other_batch, width) = match other {
        [] => return None,
        [_] => (&other[..0], None),
        [batch @ .., _, width] => (batch, Some(width)),
    };
    let mut output = broadcast(one_batch, other_batch)?;
    output.extend(height.into_iter().chain(width).cloned());
    Some(output)
}

/// Broadcasts two shapes against each other. Returns `None` if they are incompatible.
pub fn broadcast(one: &[Dim], other: &[Dim]) -> Option<Vec<Dim>> {
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
