//! Evaluates a model with hashes in place of numbers, at enough positions to see every position of every axis. Moves of
//! elements and arithmetic are computed. The result of any other operation is a hash of its operands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::element::{Element, Mode, combine, hash};
use crate::model::arithmetic::Unary;
use crate::model::flow::{self, Flow, lengths, strides};
use crate::model::kind::Kind;
use crate::model::number::Number;
use crate::model::steps::HashMap;
use crate::model::{Graph, Node, ValueId, steps};

/// The maximum number of elements that are computed for a model, plus the number of their operands.
const MAX_ELEMENTS: usize = 20_000_000;
/// The number of elements and operands that may be computed for every model.
const FIXED_ELEMENTS: usize = 2_000_000;
/// The number of elements and operands that may be computed in addition for each byte of the model's file.
const ELEMENTS_PER_FILE_BYTE: usize = 32;
/// The maximum number of elements that are kept at the same time.
const MAX_KEPT_ELEMENTS: usize = 200_000;
/// The maximum number of elements of an array of which all are computed.
const MAX_SMALL_ARRAY: usize = 1024;
/// The maximum length of an axis of which all positions are computed.
const MAX_POSITIONS: usize = 512;

/// The maximum length of the label of an operation.
const MAX_LABEL: usize = 40;

/// The result of evaluating a model.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    /// A hash of each output.
    pub outputs: Vec<(ValueId, u64)>,
    /// The number of operations with each label, without those whose results are computed.
    pub operations: BTreeMap<String, usize>,
    /// The labels of the operations that no converter removes without adding another operation.
    pub irremovable: BTreeSet<String>,
    /// The number of operations that mix positions.
    pub mixed: usize,
    /// The joined slices that reach an output or an operation that mixes positions, in [`Mode::Sources`].
    pub joins: Vec<Join>,
    /// The number of values whose shapes are not known.
    pub unknown_shapes: usize,
    /// Whether all positions of every axis have been computed.
    pub is_thorough: bool,
}

/// A value that joins slices.
#[derive(Debug)]
pub(super) struct Join {
    pub value: ValueId,
    pub lengths: Vec<usize>,
    /// A hash of the elements, if all of them are known.
    pub elements: Option<u64>,
}

/// The properties of a value that follow from the operations before it.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    /// Whether the value depends on the model's inputs, and not only on their shapes.
    depends_on_inputs: bool,
    /// Whether the elements of a slice have been moved or combined element by element to give the value.
    contains_slice: bool,
    /// Whether the value contains a slice that has been joined with other values.
    contains_join: bool,
}

struct Evaluator<'a> {
    graph: &'a Graph,
    mode: Mode,
    /// Whether constants and arguments of operations are compared, whose form depends on the format.
    is_same_format: bool,
    /// The hashes of the model's inputs.
    keys: &'a HashMap<ValueId, u64>,
    producers: Vec<Option<(usize, usize)>>,
    origins: Vec<Origin>,
    /// The hashes of the results of operations that mix positions.
    results: HashMap<ValueId, u64>,
    wholes: HashMap<ValueId, u64>,
    computations: HashMap<ValueId, Rc<Computation>>,
    elements: HashMap<(ValueId, usize), Element>,
    /// The number of elements and operands that may still be computed.
    remaining_elements: usize,
    /// The memory for the elements from which an element is computed.
    needed: Vec<(ValueId, usize)>,
    operands: Vec<Element>,
    evaluation: Evaluation,
}

/// How the elements of a value are computed.
struct Computation {
    /// The origin of the elements, or `None` if each element may depend on all elements of all inputs.
    flow: Option<Flow>,
    lengths: Vec<usize>,
    label: String,
}

/// Evaluation has exceeded a limit.
struct TooLarge;

/// Evaluates a model. `keys` are the hashes of the model's inputs. Returns `None` if the model is too large.
pub(super) fn evaluate_model(
    graph: &Graph,
    mode: Mode,
    keys: &HashMap<ValueId, u64>,
    is_same_format: bool,
) -> Option<Evaluation> {
    let mut producers = vec![None; graph.values.len()];
    // The nodes in cycles have no order, so their results are treated like inputs.
    let sorted = graph.nodes.len() - graph.nodes_in_cycles;
    for (at, node) in graph.nodes[..sorted].iter().enumerate() {
        for (output_index, output) in node.outputs.iter().enumerate() {
            if let Some(output) = *output {
                producers[output] = Some((at, output_index));
            }
        }
    }
    let mut evaluator = Evaluator {
        graph,
        mode,
        is_same_format,
        keys,
        producers,
        origins: vec![Origin::default(); graph.values.len()],
        results: HashMap::default(),
        wholes: HashMap::default(),
        computations: HashMap::default(),
        elements: HashMap::default(),
        remaining_elements: FIXED_ELEMENTS
            .saturating_add(ELEMENTS_PER_FILE_BYTE.saturating_mul(graph.budget.file_bytes()))
            .min(MAX_ELEMENTS),
        needed: Vec::new(),
        operands: Vec::new(),
        evaluation: Evaluation {
            is_thorough: true,
            ..Evaluation::default()
        },
    };
    evaluator.run().ok()?;
    Some(evaluator.evaluation)
}

/// Returns the outputs of a model: the declared ones, or the unused values if none is declared.
pub(super) fn outputs(graph: &Graph) -> Vec<ValueId> {
    if !graph.outputs.is_empty() {
        return graph.outputs.clone();
    }
    let consumers = graph.consumers();
    let produced = graph
        .nodes
        .iter()
        .flat_map(|node| node.outputs.iter().flatten());
    produced
        .copied()
        .filter(|&value| consumers[value].is_empty())
        .collect()
}

/// Returns the name of an operation that most formats use.
pub(super) fn label(operation: &str) -> String {
    let name = operation
        .trim_start_matches("aten.")
        .trim_start_matches("stablehlo.")
        .trim_start_matches("_operator.");
    let name = name.split('.').next().unwrap_or_default();
    let letters = name
        .chars()
        .take(MAX_LABEL)
        .filter(|letter| letter.is_ascii_alphanumeric());
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let known_as = [
        ("logistic", "sigmoid"),
        ("batchmatmul", "matmul"),
        ("batchmatmulv2", "matmul"),
        ("bmm", "matmul"),
        ("mm", "matmul"),
        ("dotgeneral", "matmul"),
        ("fullyconnected", "matmul"),
        ("convolution", "conv"),
        ("conv2d", "conv"),
        ("exponential", "exp"),
        ("power", "pow"),
    ];
    let same = known_as.iter().find(|(other, _)| *other == name);
    same.map_or(name, |(_, label)| (*label).to_owned())
}

/// Returns `true` if an elementwise operation is identified by its label.
fn is_labelled(kind: &Kind) -> bool {
    match kind {
        Kind::Unary(unary) => *unary != Unary::Negate,
        Kind::Elementwise | Kind::Clip | Kind::Broadcasting => true,
        _ => false,
    }
}

/// Returns `true` if no converter removes an operation without adding another one.
fn is_irremovable(kind: &Kind, label: &str) -> bool {
    match kind {
        Kind::Unary(unary) => *unary != Unary::Negate,
        Kind::MatrixProduct { .. } => true,
        Kind::Elementwise => ["sigmoid", "tanh", "exp", "log", "erf", "softmax"].contains(&label),
        _ => false,
    }
}

/// Returns the origin of the elements of an output, or `None` if each may depend on all elements of all inputs.
fn flow_of(graph: &Graph, node: &Node, output_index: usize) -> Option<Flow> {
    let lengths = lengths(graph, node.output(output_index)?)?;
    flow::flow(graph, node, output_index, &lengths)
}

fn label_of(node: &Node) -> String {
    match node.kind {
        Kind::Unary(unary) => format!("{unary:?}"),
        Kind::Choose => "choose".to_owned(),
        _ => label(&node.operation),
    }
}

/// Describes the arguments of an operation that mixes positions, in a form that is equal if the arguments are.
fn arguments(graph: &Graph, node: &Node) -> String {
    match &node.kind {
        Kind::Reduce {
            axes, keeps_axes, ..
        } => {
            let operand = node.input(0);
            let rank = graph.shape(operand).map(<[_]>::len);
            let axes = graph.numbers(node, axes).flatten();
            let index = |axis: i64| rank.and_then(|rank| slice_core::resolve::index(axis, rank));
            let axes = axes.map(|axes| axes.into_iter().map(index).collect::<BTreeSet<_>>());
            format!("{axes:?} {keeps_axes}")
        }
        Kind::Other | Kind::Elementwise => String::new(),
        kind => format!("{kind:?}"),
    }
}

impl<'a> Evaluator<'a> {
    fn run(&mut self) -> Result<(), TooLarge> {
        let graph = self.graph;
        let outputs = outputs(graph);
        let is_live = self.live_nodes(&outputs);
        for &input in self.keys.keys() {
            self.origins[input].depends_on_inputs = true;
        }
        let sorted = graph.nodes.len() - graph.nodes_in_cycles;
        for node in &graph.nodes[sorted..] {
            for &output in node.outputs.iter().flatten() {
                self.origins[output].depends_on_inputs = true;
            }
        }
        for (at, node) in graph.nodes[..sorted].iter().enumerate() {
            if is_live[at] {
                self.node(node)?;
            }
        }
        for output in outputs {
            let whole = hash(&(lengths(graph, output), self.whole(output)?));
            self.evaluation.outputs.push((output, whole));
            self.boundary(output)?;
        }
        Ok(())
    }

    /// Returns for each node whether an output of the model depends on it.
    fn live_nodes(&self, outputs: &[ValueId]) -> Vec<bool> {
        let mut is_live = vec![false; self.graph.nodes.len()];
        let mut pending: Vec<ValueId> = outputs.to_vec();
        while let Some(value) = pending.pop() {
            if let Some((at, _)) = self.producers[value]
                && !std::mem::replace(&mut is_live[at], true)
            {
                pending.extend(self.graph.nodes[at].inputs.iter().flatten());
            }
        }
        is_live
    }

    /// Determines the origin of the outputs of a node and, if the node mixes positions, their hashes.
    fn node(&mut self, node: &Node) -> Result<(), TooLarge> {
        let graph = self.graph;
        let only_shapes = matches!(
            node.kind,
            Kind::Shape { .. } | Kind::Size(_) | Kind::Rank(_)
        );
        let inputs: Vec<ValueId> = node.inputs.iter().flatten().copied().collect();
        let any = |property: fn(&Origin) -> bool| {
            inputs.iter().any(|&input| property(&self.origins[input]))
        };
        let depends_on_inputs = any(|origin| origin.depends_on_inputs) && !only_shapes;
        let contains_slice = any(|origin| origin.contains_slice);
        let contains_join = any(|origin| origin.contains_join);
        let select = node.kind.as_select();
        let is_slice = select.is_some_and(|select| !select.changes_only_axes());
        let mut mixes = false;
        for (output_index, output) in node.outputs.iter().enumerate() {
            let Some(output) = *output else { continue };
            if !depends_on_inputs || self.keys.contains_key(&output) {
                continue;
            }
            let flow = flow_of(graph, node, output_index);
            self.count(inputs.len() + flow.as_ref().map_or(1, Flow::len))?;
            let mut origin = Origin {
                depends_on_inputs,
                contains_slice: contains_slice || is_slice,
                contains_join,
            };
            match flow {
                None => {
                    mixes = true;
                    (origin.contains_slice, origin.contains_join) = (is_slice, false);
                }
                Some(Flow::Joined { parts, .. }) => {
                    origin.contains_join |= parts.len() > 1 && contains_slice
                }
                Some(Flow::Pointwise(operands)) => {
                    let operands = operands.iter().map(|&(operand, _)| &self.origins[operand]);
                    let count = operands.filter(|origin| origin.depends_on_inputs).count();
                    origin.contains_join |= count > 1 && contains_slice;
                }
                Some(Flow::Same(_) | Flow::Moved { .. }) => {}
            }
            self.origins[output] = origin;
        }
        let label = label_of(node);
        let is_computed = !mixes && !is_labelled(&node.kind);
        if depends_on_inputs && !is_computed {
            let evaluation = &mut self.evaluation;
            *evaluation.operations.entry(label.clone()).or_default() += 1;
            if is_irremovable(&node.kind, &label) {
                evaluation.irremovable.insert(label.clone());
            }
        }
        if mixes {
            self.evaluation.mixed += 1;
            let mut operands = Vec::new();
            for &input in &inputs {
                let constant = graph.values[input].constant.as_ref();
                match (self.origins[input].depends_on_inputs, constant) {
                    (true, _) => {
                        self.boundary(input)?;
                        operands.push(self.whole(input)?);
                    }
                    (false, Some(constant)) if is_slice && self.is_same_format => {
                        operands.push(hash(&format!("{:?}", constant.elements)));
                    }
                    _ => {}
                }
            }
            let arguments = match self.is_same_format {
                true => arguments(graph, node),
                false => String::new(),
            };
            for (output_index, output) in node.outputs.iter().enumerate() {
                if let Some(output) = *output
                    && !self.keys.contains_key(&output)
                {
                    let result = hash(&(&label, &arguments, &operands, output_index));
                    self.results.insert(output, result);
                }
            }
        }
        Ok(())
    }

    /// Returns the positions at which an array is computed: all positions of a small array, and otherwise some that
    /// together have every position on every axis.
    fn positions(&mut self, lengths: &[usize]) -> Vec<usize> {
        let len = lengths.iter().product::<usize>();
        if len <= MAX_SMALL_ARRAY {
            return (0..len).collect();
        }
        let strides = strides(lengths);
        let mut positions = Vec::new();
        for (axis, &length) in lengths.iter().enumerate() {
            self.evaluation.is_thorough &= length <= MAX_POSITIONS;
            let count = length.min(MAX_POSITIONS);
            for number in 0..count {
                // The positions include the first and the last one.
                let at = number as u128 * (length - 1) as u128 / (count - 1).max(1) as u128;
                let at = usize::try_from(at).unwrap_or(length - 1);
                let coordinate = |(other, &length): (usize, &usize)| match other == axis {
                    true => at,
                    false => (hash(&(axis, number, other)) % length as u64) as usize,
                };
                let coordinates = lengths.iter().enumerate().map(coordinate);
                positions.push(
                    coordinates
                        .zip(&strides)
                        .map(|(at, &stride)| at * usize::try_from(stride).unwrap_or(0))
                        .sum(),
                );
            }
        }
        positions
    }

    /// Returns a hash of all elements of a value.
    fn whole(&mut self, value: ValueId) -> Result<u64, TooLarge> {
        if let Some(&whole) = self.wholes.get(&value) {
            return Ok(whole);
        }
        let whole = match lengths(self.graph, value) {
            Some(lengths) => {
                let elements = self.sampled_elements(value, &lengths)?;
                // Converters differ in whether operands have axes of length 1.
                let lengths: Vec<&usize> = lengths.iter().filter(|&&length| length != 1).collect();
                hash(&(lengths, elements))
            }
            None => {
                self.evaluation.unknown_shapes += 1;
                let key = self.keys.get(&value).or(self.results.get(&value));
                key.copied().unwrap_or_else(|| hash(&"unknown"))
            }
        };
        self.wholes.insert(value, whole);
        Ok(whole)
    }

    fn sampled_elements(
        &mut self,
        value: ValueId,
        lengths: &[usize],
    ) -> Result<Vec<Element>, TooLarge> {
        let positions = self.positions(lengths);
        self.elements.clear();
        self.computations.clear();
        positions
            .into_iter()
            .map(|position| self.element(value, position))
            .collect()
    }

    /// Counts elements and operands. Returns an error if there are too many.
    fn count(&mut self, count: usize) -> Result<(), TooLarge> {
        steps::count(count);
        self.remaining_elements = self.remaining_elements.checked_sub(count).ok_or(TooLarge)?;
        Ok(())
    }

    /// Keeps the elements of a value that joins slices, before an operation mixes them.
    fn boundary(&mut self, value: ValueId) -> Result<(), TooLarge> {
        let mut value = value;
        // A format may need the result in another shape or order.
        while let Some((node, _)) = self.producers[value]
            && self.graph.nodes[node].kind.as_select().is_none()
            && let Some(Flow::Same(input) | Flow::Moved { input, .. }) =
                self.computation(value).flow
        {
            value = input;
            self.count(1)?;
        }
        let is_join = self.origins[value].contains_join;
        if let (Mode::Sources, true, Some(lengths)) =
            (self.mode, is_join, lengths(self.graph, value))
        {
            let elements = self.sampled_elements(value, &lengths)?;
            let is_known = !elements.contains(&Element::Unknown);
            let elements = is_known.then(|| hash(&elements));
            self.evaluation.joins.push(Join {
                value,
                lengths,
                elements,
            });
        }
        Ok(())
    }

    /// Computes an element, and the elements on which it depends.
    fn element(&mut self, value: ValueId, position: usize) -> Result<Element, TooLarge> {
        let mut pending = vec![(value, position)];
        while let Some(&(value, position)) = pending.last() {
            if self.elements.contains_key(&(value, position)) {
                pending.pop();
                continue;
            }
            self.count(1)?;
            if self.elements.len() > MAX_KEPT_ELEMENTS {
                return Err(TooLarge);
            }
            let element = match self.given_element(value, position) {
                Some(element) => element,
                None => {
                    let computation = self.computation(value);
                    self.needed.clear();
                    if let Some(flow) = &computation.flow {
                        flow.add_sources(position, &computation.lengths, &mut self.needed);
                    }
                    self.count(self.needed.len())?;
                    let known = |key: &(ValueId, usize)| self.elements.get(key).copied();
                    self.operands.clear();
                    self.operands.extend(self.needed.iter().map_while(known));
                    if self.operands.len() < self.needed.len() {
                        pending.extend(&self.needed);
                        continue;
                    }
                    self.computed_element(value, &computation)
                }
            };
            self.elements.insert((value, position), element);
            pending.pop();
        }
        Ok(self.elements[&(value, position)])
    }

    /// Returns an element that is not computed from other elements.
    fn given_element(&mut self, value: ValueId, position: usize) -> Option<Element> {
        if !self.origins[value].depends_on_inputs {
            let constant = self.graph.values[value].constant.as_ref();
            let number = constant.and_then(|constant| match constant.elements.get(position)? {
                Number::Known(number) => Some(*number),
                _ => None,
            });
            return Some(match number {
                Some(number) => Element::constant(self.mode, number),
                None => Element::Constant,
            });
        }
        if self.mode == Mode::Sources && !self.origins[value].contains_slice {
            return Some(self.source_element(value, position));
        }
        if let Some(key) = self.keys.get(&value) {
            return Some(Element::new(self.mode, hash(&(key, position))));
        }
        let Some((node, _)) = self.producers[value] else {
            return Some(Element::new(self.mode, hash(&("cycle", position))));
        };
        if self.computation(value).flow.is_some() {
            return None;
        }
        Some(match self.mode {
            Mode::Exact => Element::new(self.mode, hash(&(self.results.get(&value), position))),
            Mode::Sources => {
                let inputs = self.graph.nodes[node].inputs.iter().flatten();
                let mut origins = inputs.map(|&input| self.origins[input]);
                match origins.any(|origin| origin.contains_slice) {
                    true => Element::Unknown,
                    false => self.source_element(value, position),
                }
            }
        })
    }

    /// Returns an element of a value that is not computed from slices, in [`Mode::Sources`]. Values with the same shape
    /// are not distinguished.
    fn source_element(&self, value: ValueId, position: usize) -> Element {
        Element::new(self.mode, hash(&(lengths(self.graph, value), position)))
    }

    fn computation(&mut self, value: ValueId) -> Rc<Computation> {
        if let Some(computation) = self.computations.get(&value) {
            return Rc::clone(computation);
        }
        let node = self.producers[value].map(|(node, at)| (&self.graph.nodes[node], at));
        let computation = Rc::new(Computation {
            flow: node.and_then(|(node, at)| flow_of(self.graph, node, at)),
            lengths: lengths(self.graph, value).unwrap_or_default(),
            label: node.map(|(node, _)| label_of(node)).unwrap_or_default(),
        });
        let count = computation.flow.as_ref().map_or(1, Flow::len);
        self.remaining_elements = self.remaining_elements.saturating_sub(count);
        self.computations.insert(value, Rc::clone(&computation));
        computation
    }

    /// Computes an element from `self.operands`.
    fn computed_element(&self, value: ValueId, computation: &Computation) -> Element {
        match (&computation.flow, self.producers[value], &self.operands[..]) {
            (Some(Flow::Pointwise(_)), Some((node, _)), operands) => {
                let kind = &self.graph.nodes[node].kind;
                combine(self.mode, kind, &computation.label, operands)
            }
            (_, _, [element]) => *element,
            _ => Element::Unknown,
        }
    }
}
