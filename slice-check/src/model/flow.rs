//! Determines which elements of its inputs an operation moves or combines to each element of its output.

use slice_core::{OutputAxis, ResolvedStep};

use super::kind::{Kind, Select};
use super::number::{MAX_ELEMENTS, known};
use super::{Graph, Node, ValueId, infer, select};

/// The origin of the elements of a value. Positions are indices into the elements in row-major order.
#[derive(Debug)]
pub enum Flow {
    /// The elements of another value, in the same order.
    Same(ValueId),
    /// Elements of another value, of which the first has the position `start`.
    Moved {
        input: ValueId,
        start: i64,
        /// For each axis of the output, the distance in the input for each of its positions.
        axes: Vec<Axis>,
    },
    /// The elements of several values, one after the other along an axis. Each value is followed by its first and its
    /// last position on this axis, and the latter is excluded.
    Joined {
        axis: usize,
        parts: Vec<(ValueId, [usize; 2])>,
    },
    /// Each element is computed from one element of each of these values, with broadcasting. Each value is followed by
    /// what the positions on the axes of the output add to the position in the value.
    Pointwise(Vec<(ValueId, Vec<Axis>)>),
}

/// The distance in the input for each position on an axis of the output.
#[derive(Debug)]
pub enum Axis {
    /// This number for each position after the first.
    Step(i64),
    /// The number with the index of the position.
    List(Vec<i64>),
}

impl Flow {
    /// Returns the number of operands, of their axes, and of listed positions.
    pub fn len(&self) -> usize {
        let listed = |axis: &Axis| match axis {
            Axis::Step(_) => 1,
            Axis::List(offsets) => offsets.len(),
        };
        match self {
            Flow::Same(_) => 1,
            Flow::Moved { axes, .. } => axes.iter().map(listed).sum(),
            Flow::Joined { parts, .. } => parts.len(),
            Flow::Pointwise(operands) => operands.iter().map(|(_, axes)| 1 + axes.len()).sum(),
        }
    }

    /// Appends to `sources` the elements from which the element at a position in the output of shape `output` is moved or
    /// computed. Each is given by the value that contains it, and its position there.
    pub fn add_sources(
        &self,
        position: usize,
        output: &[usize],
        sources: &mut Vec<(ValueId, usize)>,
    ) {
        match self {
            Flow::Same(input) => sources.push((*input, position)),
            Flow::Moved { input, start, axes } => {
                sources.push((*input, moved(position, output, *start, axes)));
            }
            Flow::Joined { axis, parts } => {
                let inner = output[axis + 1..].iter().product::<usize>();
                let outer = position / inner / output[*axis];
                let at = position / inner % output[*axis];
                let part = parts.partition_point(|(_, [_, end])| *end <= at);
                sources.extend(parts.get(part).map(|(part, [start, end])| {
                    let row = outer * (end - start) + at - start;
                    (*part, row * inner + position % inner)
                }));
            }
            Flow::Pointwise(operands) => {
                let operands = operands.iter();
                sources.extend(
                    operands.map(|(operand, axes)| (*operand, moved(position, output, 0, axes))),
                );
            }
        }
    }
}

impl Axis {
    fn offset(&self, position: usize) -> i64 {
        match self {
            Axis::Step(step) => i64::try_from(position).unwrap_or(0).wrapping_mul(*step),
            Axis::List(offsets) => offsets.get(position).copied().unwrap_or(0),
        }
    }
}

/// Returns the lengths of a value's axes, if they are known and the number of elements fits in an `i64`.
pub fn lengths(graph: &Graph, value: ValueId) -> Option<Vec<usize>> {
    let lengths = known(graph.shape(Some(value))?)?;
    let len = lengths.iter().try_fold(1_i64, |len, &length| {
        len.checked_mul(i64::try_from(length).ok()?)
    });
    len.map(|_| lengths)
}

/// Returns the distance between neighboring elements on each axis.
pub fn strides(lengths: &[usize]) -> Vec<i64> {
    let mut strides = vec![1_i64; lengths.len()];
    for axis in (1..lengths.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(lengths[axis].try_into().unwrap_or(0));
    }
    strides
}

/// Returns the origin of the elements of an output of shape `output`. Returns `None` if each element may depend on all
/// elements of all inputs.
pub fn flow(graph: &Graph, node: &Node, output_index: usize, output: &[usize]) -> Option<Flow> {
    let first = node.input(0);
    let is_output = |shape: &Vec<usize>| shape == output;
    match &node.kind {
        Kind::Identity | Kind::Cast(_) | Kind::CastLike => lengths(graph, first?)
            .filter(is_output)
            .and(first.map(Flow::Same)),
        Kind::Reshape { .. } | Kind::Reshaped | Kind::Flatten { .. } => {
            let len = |lengths: &[usize]| lengths.iter().product::<usize>();
            let input = lengths(graph, first?)?;
            (len(&input) == len(output)).then_some(Flow::Same(first?))
        }
        Kind::Arithmetic(_) | Kind::Unary(_) | Kind::Clip | Kind::Broadcasting | Kind::Choose => {
            pointwise(graph, node.inputs.iter().flatten(), output)
        }
        Kind::Elementwise if !mixes_positions(&node.operation) => {
            let depends = |input: &&ValueId| !graph.values[**input].is_constant;
            pointwise(graph, node.inputs.iter().flatten().filter(depends), output)
        }
        Kind::Expand | Kind::Broadcast => Some(Flow::Moved {
            input: first?,
            start: 0,
            axes: broadcast(graph, first?, output)?,
        }),
        Kind::Transpose(order) => {
            let strides = strides(&lengths(graph, first?)?);
            let order = infer::axis_order(order.as_deref(), strides.len())?;
            let axes: Vec<Axis> = order
                .iter()
                .map(|&axis| Axis::Step(strides[axis]))
                .collect();
            (axes.len() == output.len()).then_some(Flow::Moved {
                input: first?,
                start: 0,
                axes,
            })
        }
        Kind::Select(select) => selected(graph, node, (select, output_index), first?, output),
        Kind::Concat { axis } => {
            let at = infer::concat_axis(graph, node, axis)?;
            let axis_index = slice_core::resolve::index(at, output.len())?;
            let mut end = 0;
            let part = |part: Option<ValueId>| {
                let mut lengths = lengths(graph, part?)?;
                let start = end;
                end += lengths.get(axis_index)?;
                lengths[axis_index] = output[axis_index];
                (lengths == output).then_some((part?, [start, end]))
            };
            let parts = infer::parts(node, axis)
                .map(part)
                .collect::<Option<Vec<_>>>()?;
            (end == output[axis_index]).then_some(Flow::Joined {
                axis: axis_index,
                parts,
            })
        }
        Kind::Pack { axis } => {
            let axis = slice_core::resolve::index(*axis, output.len())?;
            let mut part_lengths = output.to_vec();
            let count = part_lengths.remove(axis);
            let part = |(at, part): (usize, &Option<ValueId>)| {
                (lengths(graph, (*part)?)? == part_lengths).then_some(((*part)?, [at, at + 1]))
            };
            let parts = node.inputs.iter().enumerate().map(part);
            let parts = parts.collect::<Option<Vec<_>>>()?;
            (parts.len() == count).then_some(Flow::Joined { axis, parts })
        }
        _ => None,
    }
}

/// Parts of the names of operations that keep the shape of their input and combine elements at different positions, or compute
/// elements from their positions. Names are in lower case.
const MIXING: [&str; 12] = [
    "softmax",
    "hardmax",
    "layernorm",
    "groupnorm",
    "instancenorm",
    "lpnorm",
    "rmsnorm",
    "meanvariancenorm",
    "rotaryembedding",
    "tensorscatter",
    "eyelike",
    "random",
];

/// Returns `true` if an operation that keeps the shape of its input combines elements at different positions.
fn mixes_positions(operation: &str) -> bool {
    let operation = operation.to_ascii_lowercase();
    operation == "lrn" || MIXING.iter().any(|part| operation.contains(part))
}

fn pointwise<'a>(
    graph: &Graph,
    operands: impl Iterator<Item = &'a ValueId>,
    output: &[usize],
) -> Option<Flow> {
    let operand = |&operand: &ValueId| match broadcast(graph, operand, output) {
        Some(axes) => Some((operand, axes)),
        // The shape of a constant may be unknown, because its elements are not distinguished.
        None => graph.values[operand]
            .is_constant
            .then(|| (operand, Vec::new())),
    };
    operands
        .map(operand)
        .collect::<Option<_>>()
        .map(Flow::Pointwise)
}

/// Returns the distances in a value, broadcast to the shape `output`, for each position on the axes of this shape.
fn broadcast(graph: &Graph, input: ValueId, output: &[usize]) -> Option<Vec<Axis>> {
    let lengths = lengths(graph, input)?;
    let new_axes = output.len().checked_sub(lengths.len())?;
    let mut axes: Vec<Axis> = (0..new_axes).map(|_| Axis::Step(0)).collect();
    let strides = strides(&lengths);
    for ((&length, stride), &output) in lengths.iter().zip(strides).zip(&output[new_axes..]) {
        axes.push(match length {
            _ if length == output => Axis::Step(stride),
            1 => Axis::Step(0),
            _ => return None,
        });
    }
    Some(axes)
}

/// Returns the position of an element in an input. `position` is its position in the output of shape `output`.
fn moved(position: usize, output: &[usize], start: i64, axes: &[Axis]) -> usize {
    let mut rest = position;
    let mut at = start;
    for (axis, &length) in axes.iter().zip(output).rev() {
        at = at.wrapping_add(axis.offset(rest % length.max(1)));
        rest /= length.max(1);
    }
    usize::try_from(at).unwrap_or(0)
}

fn selected(
    graph: &Graph,
    node: &Node,
    (select, output_index): (&Select, usize),
    input: ValueId,
    output: &[usize],
) -> Option<Flow> {
    let lengths = lengths(graph, input)?;
    let shape = graph.shape(Some(input));
    let operation = select::selected(graph, node, select, output_index, shape).ok()?;
    let selection = operation.resolve(&lengths).ok()?;
    if selection.output_shape() != output {
        return None;
    }
    // The axes of points, and of a list with several axes, are not independent of each other.
    let is_independent = |step: ResolvedStep| match step {
        ResolvedStep::List(list) => (list.axes(), list.shape().len()) == (1, 1),
        _ => true,
    };
    selection
        .resolved_steps()
        .all(is_independent)
        .then_some(())?;
    let strides = strides(&lengths);
    let int = |number: usize| i64::try_from(number).unwrap_or(0);
    let mut start = 0;
    let mut offsets: Vec<Option<Axis>> = Vec::new();
    for (axis, &stride) in strides.iter().enumerate() {
        offsets.push(Some(match selection.range(axis) {
            Some(range) => {
                start += int(range.start()).wrapping_mul(stride);
                Axis::Step(i64::try_from(range.step()).ok()?.wrapping_mul(stride))
            }
            None => {
                let positions = selection.axis(axis);
                (positions.len() <= MAX_ELEMENTS).then_some(())?;
                let positions = positions.iter();
                Axis::List(positions.map(|at| int(at).wrapping_mul(stride)).collect())
            }
        }));
    }
    let axes = selection.output_axes().iter().map(|axis| match *axis {
        OutputAxis::Input(axis) => offsets.get_mut(axis)?.take(),
        OutputAxis::New { .. } => Some(Axis::Step(0)),
    });
    Some(Flow::Moved {
        input,
        start,
        axes: axes.collect::<Option<_>>()?,
    })
}
