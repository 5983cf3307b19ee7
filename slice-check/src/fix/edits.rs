//! Writes a model with changed slices: omits nodes, adds constants, and copies everything else.

use std::sync::Arc;

use slice_systems::onnx;

use crate::model::onnx as onnx_model;
use crate::model::steps::{HashMap, HashSet};
use crate::model::wire::{Message, Writer};
use crate::model::{Graph, ModelError, ValueId};

/// The first opset in which the bounds of `Slice` are inputs rather than attributes.
const MIN_OPSET_WITH_INPUTS: u32 = 10;
/// The first IR version in which an initializer need not be an input of the graph, which the caller could replace.
const MIN_VERSION_WITH_INITIALIZERS: i64 = 4;

/// The changes to a model.
pub(super) struct Edits<'a> {
    graph: &'a Graph,
    replaced: &'a HashMap<ValueId, ValueId>,
    /// The omitted nodes.
    pub(super) omitted_nodes: HashSet<usize>,
    /// The nodes of changed slices, each with the sliced value and the new slice, or `None` if the node becomes an `Identity`.
    pub(super) slices: HashMap<usize, (ValueId, Option<onnx::Slice>)>,
    /// The values that the written model no longer contains.
    unused: HashSet<ValueId>,
}

impl<'a> Edits<'a> {
    pub(super) fn new(graph: &'a Graph, replaced: &'a HashMap<ValueId, ValueId>) -> Self {
        Edits {
            graph,
            replaced,
            omitted_nodes: HashSet::default(),
            slices: HashMap::default(),
            unused: HashSet::default(),
        }
    }

    /// Returns the inputs of a node after the changes, except new constants.
    fn inputs(&self, at: usize) -> Vec<ValueId> {
        if self.omitted_nodes.contains(&at) {
            return Vec::new();
        }
        let node = &self.graph.nodes[at];
        match self.slices.get(&at) {
            Some((input, _)) => vec![*input],
            None => node
                .inputs
                .iter()
                .flatten()
                .map(|input| self.replaced.get(input).copied().unwrap_or(*input))
                .collect(),
        }
    }

    /// Marks the constants that are no longer used, and the nodes that computed them, as omitted.
    pub(super) fn omit_unused_constants(&mut self) {
        let old_consumers = self.graph.consumers();
        let mut consumer_counts = vec![0_usize; self.graph.values.len()];
        for at in 0..self.graph.nodes.len() {
            for input in self.inputs(at) {
                consumer_counts[input] += 1;
            }
        }
        let became_unused = |consumer_counts: &[usize], value: ValueId| {
            let is_output = self.graph.values[value].is_output;
            consumer_counts[value] == 0 && !old_consumers[value].is_empty() && !is_output
        };
        for at in (0..self.graph.nodes.len()).rev() {
            let node = &self.graph.nodes[at];
            let outputs: Vec<ValueId> = node.outputs.iter().copied().flatten().collect();
            let only_constants = outputs.iter().all(|&value| {
                self.graph.values[value].constant.is_some()
                    && became_unused(&consumer_counts, value)
            });
            let is_omitted = self.omitted_nodes.contains(&at);
            if !is_omitted && only_constants && !outputs.is_empty() && node.scope.is_empty() {
                for input in self.inputs(at) {
                    consumer_counts[input] -= 1;
                }
                self.omitted_nodes.insert(at);
            }
            if self.omitted_nodes.contains(&at) {
                self.unused.extend(outputs);
            }
        }
        let constants = (0..consumer_counts.len()).filter(|&value| {
            self.graph.values[value].is_constant && became_unused(&consumer_counts, value)
        });
        self.unused.extend(constants);
    }

    /// Returns a copy of the model with the changes applied. In a `ModelProto`, field 1 contains the IR version, and 7 the
    /// main graph.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<Vec<u8>, ModelError> {
        let mut model = Writer::default();
        let file = Message::file(bytes, onnx_model::MODEL);
        let are_nodes = file.last(1)?.int() < MIN_VERSION_WITH_INITIALIZERS;
        for field in file.fields() {
            let field = field?;
            match field.number {
                7 => {
                    let graph = self.graph(bytes, field.value.message(), are_nodes)?;
                    model.put(7, &graph);
                }
                _ => model.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        Ok(model.bytes)
    }

    /// Returns a copy of the main graph with the changes applied. The new constants are initializers or, if `are_nodes` is
    /// true, nodes. In a `GraphProto`, field 1 contains a node, 5 an initializer, 11 an input, and 13 the type of an
    /// intermediate value.
    fn graph(
        &self,
        bytes: &[u8],
        message: Message<'_>,
        are_nodes: bool,
    ) -> Result<Vec<u8>, ModelError> {
        let nodes = self.graph.nodes.iter().enumerate();
        let nodes_by_offset: HashMap<usize, usize> =
            nodes.map(|(at, node)| (node.at, at)).collect();
        // These names are looked up only in the main graph, because nested graphs may use the same names for other
        // values.
        let values = &self.graph.values;
        let unused = self.unused.iter().map(|&value| &values[value].name[..]);
        let unused: HashSet<&str> = unused.collect();
        let mut names: HashSet<Arc<str>> = values.iter().map(|value| value.name.clone()).collect();
        let mut inputs = HashSet::default();
        for input in message.values(11) {
            inputs.insert(input?.message().last(1)?.text());
        }
        let mut graph = Writer::default();
        let mut constants = Constants {
            are_nodes,
            ..Constants::default()
        };
        for field in message.fields() {
            let field = field?;
            let field_message = field.value.message();
            let is_unused = |number| -> Result<bool, ModelError> {
                let name = field_message.last(number)?.text();
                Ok(unused.contains(name) && !inputs.contains(name))
            };
            match field.number {
                1 => {
                    let at = nodes_by_offset
                        .get(&field_message.at)
                        .copied()
                        .ok_or_else(|| {
                            ModelError::invalid("a node of the main graph was not read")
                        })?;
                    if !self.omitted_nodes.contains(&at) {
                        let node =
                            self.node(bytes, field_message, at, &mut names, &mut constants)?;
                        if are_nodes {
                            // A node must follow the nodes that produce its inputs.
                            graph.bytes.append(&mut constants.writer.bytes);
                        }
                        graph.put(1, &node);
                    }
                }
                5 if is_unused(8)? => {}
                13 if is_unused(1)? => {}
                _ => graph.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        graph.bytes.extend_from_slice(&constants.writer.bytes);
        Ok(graph.bytes)
    }

    /// Returns a copy of a node with the changes applied. In a `NodeProto`, field 1 contains an input, 4 the operator, and
    /// 5 an attribute.
    fn node(
        &self,
        bytes: &[u8],
        message: Message<'_>,
        at: usize,
        names: &mut HashSet<Arc<str>>,
        constants: &mut Constants,
    ) -> Result<Vec<u8>, ModelError> {
        let slice = self.slices.get(&at);
        let mut node = Writer::default();
        let name = |value: ValueId| self.graph.values[value].name.as_bytes();
        if let Some((input, slice)) = slice {
            node.put(1, name(*input));
            if let Some(slice) = slice {
                self.write_bounds(at, slice, names, &mut node, constants);
            }
        }
        let mut inputs = self.graph.nodes[at].inputs.iter();
        for field in message.fields() {
            let field = field?;
            match (field.number, slice) {
                (1, Some(_)) => {}
                (4, Some((_, None))) => node.put(4, b"Identity"),
                (1, None) => match inputs.next().copied().flatten() {
                    Some(input) => {
                        node.put(1, name(self.replaced.get(&input).copied().unwrap_or(input)))
                    }
                    None => node.put(1, &[]),
                },
                (5, Some(_))
                    if ["starts", "ends", "axes"]
                        .contains(&field.value.message().last(1)?.text()) => {}
                _ => node.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        Ok(node.bytes)
    }

    /// Writes the bounds of a slice: as constants that are inputs of the node, or as attributes in opsets below 10.
    fn write_bounds(
        &self,
        at: usize,
        slice: &onnx::Slice,
        names: &mut HashSet<Arc<str>>,
        node: &mut Writer,
        constants: &mut Constants,
    ) {
        let axes = slice.axes.as_deref().unwrap_or_default();
        let mut bounds = vec![
            ("starts", &slice.starts[..]),
            ("ends", &slice.ends),
            ("axes", axes),
        ];
        bounds.extend(slice.steps.as_deref().map(|steps| ("steps", steps)));
        let node_before = &self.graph.nodes[at];
        let base = match &node_before.name {
            name if name.is_empty() => node_before
                .output(0)
                .map_or("", |output| &self.graph.values[output].name),
            name => name,
        };
        for (input_name, numbers) in bounds {
            if slice.opset < MIN_OPSET_WITH_INPUTS {
                node.put(5, &ints_attribute(input_name, numbers));
                continue;
            }
            let name = constants.name_of(numbers, &format!("{base}_{input_name}"), names);
            node.put(1, name.as_bytes());
        }
    }
}

/// The added constants. Equal vectors share a constant.
#[derive(Default)]
struct Constants {
    /// Whether the constants are nodes, and not initializers.
    are_nodes: bool,
    names: HashMap<Vec<i64>, String>,
    /// For each prefix, the last number that was appended to it.
    suffixes: HashMap<String, usize>,
    writer: Writer,
}

impl Constants {
    /// Returns the name of the constant with the elements `numbers`, after adding the constant if necessary. A new
    /// constant gets an unused name that starts with `prefix`.
    fn name_of(&mut self, numbers: &[i64], prefix: &str, names: &mut HashSet<Arc<str>>) -> &str {
        self.names.entry(numbers.to_vec()).or_insert_with(|| {
            let mut name = prefix.to_owned();
            // Many nodes may have the same name.
            let suffix = self.suffixes.entry(name.clone()).or_default();
            while !names.insert(name.as_str().into()) {
                *suffix += 1;
                name = format!("{prefix}_{suffix}");
            }
            let tensor = tensor(&name, numbers);
            match self.are_nodes {
                true => self.writer.put(1, &constant_node(&name, &tensor)),
                false => self.writer.put(5, &tensor),
            }
            name
        })
    }
}

/// Encodes a vector of 64-bit integers as a `TensorProto`, where data type 7 is `INT64`.
fn tensor(name: &str, numbers: &[i64]) -> Vec<u8> {
    let mut tensor = Writer::default();
    tensor.int(1, i64::try_from(numbers.len()).unwrap_or(i64::MAX));
    tensor.int(2, 7);
    tensor.put(8, name.as_bytes());
    let raw: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    tensor.put(9, &raw);
    tensor.bytes
}

/// Encodes a `Constant` as a `NodeProto`. In its attribute, type 4 is `TENSOR`.
fn constant_node(name: &str, tensor: &[u8]) -> Vec<u8> {
    let mut attribute = Writer::default();
    attribute.put(1, b"value");
    attribute.put(5, tensor);
    attribute.int(20, 4);
    let mut node = Writer::default();
    node.put(2, name.as_bytes());
    node.put(4, b"Constant");
    node.put(5, &attribute.bytes);
    node.bytes
}

/// Encodes a list of integers as an `AttributeProto`, where type 7 is `INTS`.
fn ints_attribute(name: &str, numbers: &[i64]) -> Vec<u8> {
    let mut attribute = Writer::default();
    attribute.put(1, name.as_bytes());
    for &number in numbers {
        attribute.int(8, number);
    }
    attribute.int(20, 7);
    attribute.bytes
}
