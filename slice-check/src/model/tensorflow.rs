//! Reads TensorFlow models, which are `GraphDef` or `SavedModel` messages. The field numbers are those in `graph.proto`
//! and related files.

use std::sync::Arc;

use super::array::Constant;
use super::element_type::ElementType;
use super::kind::{Argument, Kind, MASKS, Select, Strided};
use super::number::{Dim, MAX_AXES, MAX_CONSTANT_AXES, MAX_ELEMENTS, small_count};
use super::wire::{Message, Value as Field, WireError};
use super::{Format, Graph, ModelError, Node, Scope, ValueId, operators};
use crate::model::steps::HashMap;

/// Returns whether the bytes look like a graph or a saved model of TensorFlow. A graph begins with a node, which is a
/// message in field 1. A saved model begins with a version, an integer in field 1, and then contains only graphs, in
/// field 2. An ONNX model also begins with a version, but contains other fields.
pub fn recognizes(bytes: &[u8]) -> bool {
    let mut fields = Message::file(bytes, MODEL).fields().map_while(Result::ok);
    match fields.next() {
        Some(field) if field.number == 1 && matches!(field.value, Field::Bytes(_)) => true,
        Some(field) if field.number == 1 => fields.all(|field| field.number == 2),
        _ => false,
    }
}

/// Reads a graph, or the first graph of a saved model. Returns an error if the bytes are not a model, or the model
/// exceeds a limit.
pub fn read(bytes: &[u8]) -> Result<Graph, ModelError> {
    let file = Message::file(bytes, MODEL);
    // A saved model begins with its version.
    let (about, graph) = match file.values(1).next().transpose()? {
        Some(Field::Varint(_)) => {
            let first = file.values(2).next().transpose()?;
            let first = first.map_or_else(Message::default, Field::message);
            ("TensorFlow, a saved model", first.last(2)?.message())
        }
        _ => ("TensorFlow, a graph", file),
    };
    let mut reader = Reader {
        graph: Graph::new(about, Format::TensorFlow, bytes.len()),
        values: HashMap::default(),
        scope: Scope::default(),
    };
    reader.nodes(graph, 1)?;
    for function in graph.last(2)?.message().values(1) {
        reader.function(function?.message())?;
    }
    Ok(reader.graph)
}

/// The expected contents of a file, for errors.
const MODEL: &str = "a TensorFlow model";

/// An output of a node: the address of the node's shared name, the possibly empty name of a list of outputs, and the
/// index in this list. The address is hashed instead of the name, because a node with a long name may have many outputs.
type OutputId<'a> = (*const str, &'a str, usize);

struct Reader<'a> {
    graph: Graph,
    /// The values of the current graph or function.
    values: HashMap<OutputId<'a>, ValueId>,
    scope: Scope,
}

/// A shape, if its rank is known and within the limit.
type Shape = Option<Arc<[Dim]>>;

/// The relevant attributes of a node.
#[derive(Default)]
struct Attributes<'a> {
    ints: HashMap<&'a str, Vec<i64>>,
    tensor: Option<Message<'a>>,
    shapes: Vec<Shape>,
}

impl<'a> Attributes<'a> {
    fn int(&self, name: &str) -> i64 {
        self.ints
            .get(name)
            .and_then(|ints| ints.first())
            .copied()
            .unwrap_or(0)
    }

    /// Reads an entry of the attribute map.
    fn read(&mut self, message: Message<'a>) -> Result<(), WireError> {
        let (name, value) = message.named()?;
        for field in value.fields() {
            let field = field?;
            match (field.number, name) {
                (1, "_output_shapes" | "squeeze_dims" | "axis") => {
                    self.list(name, field.value.message())?
                }
                (3 | 5 | 6, _) => {
                    self.ints.insert(name, vec![field.value.int()]);
                }
                (7, "shape") => self.shapes = vec![shape(field.value.message())?],
                (8, "value") => self.tensor = Some(field.value.message()),
                _ => {}
            }
        }
        Ok(())
    }

    fn list(&mut self, name: &'a str, message: Message<'a>) -> Result<(), WireError> {
        let mut ints = Vec::new();
        for field in message.fields() {
            let field = field?;
            match (field.number, field.value) {
                (3, Field::Bytes(packed)) => {
                    for number in packed.packed().take(MAX_AXES) {
                        ints.push(number?);
                    }
                }
                (3, value) if ints.len() < MAX_AXES => ints.push(value.int()),
                (7, value) if self.shapes.len() < MAX_ELEMENTS => {
                    self.shapes.push(shape(value.message())?);
                }
                _ => {}
            }
        }
        self.ints.insert(name, ints);
        Ok(())
    }
}

/// A node whose inputs are still names, because they may be outputs of later nodes.
struct RawNode<'a> {
    name: &'a str,
    operation: &'a str,
    at: usize,
    inputs: Vec<&'a str>,
    attributes: Attributes<'a>,
}

impl<'a> Reader<'a> {
    fn function(&mut self, message: Message<'a>) -> Result<(), ModelError> {
        let signature = message.last(1)?.message();
        let mut shapes = HashMap::default();
        for entry in message.values(7) {
            let entry = entry?.message();
            let mut attributes = Attributes::default();
            for attribute in entry.last(2)?.message().values(1) {
                attributes.read(attribute?.message())?;
            }
            let shape = attributes.shapes.into_iter().next().flatten();
            shapes.insert(entry.last(1)?.int(), shape);
        }
        // Clearing a map takes as long as filling it, even if it is almost empty.
        self.values = HashMap::default();
        for (number, argument) in (0..).zip(signature.values(2)) {
            let argument = argument?.message();
            let shape = shapes.remove(&number).flatten();
            if shape.is_some() {
                let name = self.graph.name(argument.last(1)?.text())?;
                let value = self.value(&name, "", 0)?;
                self.graph.set_shape(value, shape)?;
            }
        }
        let name = format!("function {}", signature.last(1)?.text());
        self.scope = Scope::default().nested(self.graph.name(&name)?);
        self.nodes(message, 3)
    }

    /// Reads the nodes in the fields with a number. Their inputs may be outputs of later nodes.
    fn nodes(&mut self, message: Message<'a>, number: u32) -> Result<(), ModelError> {
        let mut nodes = Vec::new();
        let mut temporary_bytes = 0;
        for message in message.values(number) {
            let node = read_node(message?.message())?;
            temporary_bytes += node.bytes();
            self.graph.budget.take(node.bytes())?;
            nodes.push(node);
        }
        let kinds = nodes.iter().map(kind).collect::<Result<Vec<Kind>, _>>()?;
        let is_known: HashMap<&str, bool> = nodes
            .iter()
            .zip(&kinds)
            .map(|(node, kind)| (node.name, !matches!(kind, Kind::Other)))
            .collect();
        // For each node, one more than the greatest index of the outputs that other nodes use.
        let mut outputs: HashMap<&str, usize> = HashMap::default();
        for input in nodes.iter().flat_map(|node| &node.inputs) {
            let (name, _, at) = split_input(input);
            let count = outputs.entry(name).or_default();
            *count = (*count).max(at.saturating_add(1));
        }
        for (node, kind) in nodes.iter().zip(kinds) {
            let mut inputs = Vec::new();
            for input in &node.inputs {
                let (name, port, at) = split_input(input);
                // The outputs of a known operation form a single list, so the key omits the name of the list.
                let port = match is_known.get(name) {
                    Some(false) => port,
                    _ => "",
                };
                let name = self.graph.name(name)?;
                inputs.push(Some(self.value(&name, port, at)?));
            }
            let used_outputs = outputs.get(node.name).copied().unwrap_or(0).max(1);
            let output_count = match kind {
                Kind::Select(_) if used_outputs <= 1024 => used_outputs.max(node.output_count()),
                _ => 1,
            };
            let name = self.graph.name(node.name)?;
            let mut outputs = Vec::new();
            for at in 0..output_count {
                let value = self.value(&name, "", at)?;
                outputs.push(Some(value));
                let declared_shape = node.attributes.shapes.get(at).cloned().flatten();
                if node.operation == "Placeholder" {
                    let code = node.attributes.int("dtype");
                    self.graph.values[value].element_type = Some(element_type(code));
                }
                self.graph.declare_shape(value, declared_shape)?;
            }
            if let (Some(tensor), Some(&Some(value))) = (node.attributes.tensor, outputs.first()) {
                let (constant, shape) = tensor_of(tensor)?;
                self.graph.values[value].is_constant = true;
                self.graph.set_constant(value, constant);
                let shape = shape.filter(|_| self.graph.values[value].shape.is_none());
                self.graph.set_shape(value, shape)?;
            }
            // The first input of `Split` is the axis, and the second is the array. The first input of `Fill` is the shape.
            if ["Split", "Fill"].contains(&node.operation) && inputs.len() > 1 {
                inputs.swap(0, 1);
            }
            let operation = self.graph.name(node.operation)?;
            self.graph.add_node(Node {
                name,
                operation,
                at: node.at,
                scope: self.scope.clone(),
                inputs,
                outputs,
                kind,
            })?;
        }
        self.graph.budget.release(temporary_bytes);
        Ok(())
    }

    /// Returns an output of the node with the shared name `node`, after adding it if necessary.
    fn value(&mut self, node: &Arc<str>, port: &'a str, at: usize) -> Result<ValueId, ModelError> {
        let output = (Arc::as_ptr(node), port, at);
        if let Some(&value) = self.values.get(&output) {
            return Ok(value);
        }
        let value = self.graph.add_value_with_shared_name(node.clone())?;
        self.values.insert(output, value);
        Ok(value)
    }
}

impl RawNode<'_> {
    /// Returns the size of the memory used while the node is read, in bytes.
    fn bytes(&self) -> usize {
        let Attributes { ints, shapes, .. } = &self.attributes;
        let dims = shapes
            .iter()
            .flatten()
            .map(|shape| shape.len())
            .sum::<usize>();
        // A map has up to twice as many places as entries. Two maps contain the names of all nodes and inputs.
        2 * size_of::<(Self, Kind)>()
            + self.inputs.len() * 2 * size_of::<(&str, OutputId<'_>)>()
            + ints.len() * 2 * size_of::<(&str, Vec<i64>, [i64; 4])>()
            + shapes.len() * 2 * size_of::<Shape>()
            + dims * size_of::<Dim>()
    }

    /// Returns the number of outputs of an operation that selects elements, according to the operation's attributes.
    fn output_count(&self) -> usize {
        let declared_count = match self.operation {
            "Split" | "SplitV" => self.attributes.int("num_split"),
            "Unpack" => self.attributes.int("num"),
            _ => 1,
        };
        usize::try_from(declared_count.clamp(1, 1024)).unwrap_or(1)
    }
}

/// Splits an input into the name of a node, the possibly empty name of an output, and the index within that output.
fn split_input(input: &str) -> (&str, &str, usize) {
    let mut parts = input.split(':');
    let name = parts.next().unwrap_or_default();
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
    match (parts.next(), parts.next()) {
        (Some(port), Some(at)) => (name, port, number(Some(at))),
        (at, _) => (name, "", number(at)),
    }
}

fn read_node(message: Message<'_>) -> Result<RawNode<'_>, WireError> {
    let mut node = RawNode {
        name: "",
        operation: "",
        at: message.at,
        inputs: Vec::new(),
        attributes: Attributes::default(),
    };
    for field in message.fields() {
        let field = field?;
        match field.number {
            1 => node.name = field.value.text(),
            2 => node.operation = field.value.text(),
            // `^` marks control inputs, which affect only the order of execution.
            3 if !field.value.text().starts_with('^') => node.inputs.push(field.value.text()),
            5 => node.attributes.read(field.value.message())?,
            _ => {}
        }
    }
    Ok(node)
}

/// Reads a shape, or returns `None` if the rank is unknown or exceeds the limit.
fn shape(message: Message<'_>) -> Result<Shape, WireError> {
    let mut dims = Vec::new();
    for field in message.fields() {
        let field = field?;
        match field.number {
            2 if dims.len() < MAX_AXES => {
                let size = field.value.message().last(1)?.int();
                dims.push(usize::try_from(size).map_or(Dim::Unknown, Dim::Known));
            }
            2 => return Ok(None),
            3 if field.value.int() != 0 => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(dims.into()))
}

type ConstantAndShape = (Option<Constant>, Shape);

/// Returns the type with a code in `DataType`. Returns `None` if elements of the type are not kept.
fn element_type(code: i64) -> Option<ElementType> {
    ElementType::with_code(Format::TensorFlow, code)
}

/// Reads the shape of a tensor, and its elements if they are few.
fn tensor_of(message: Message<'_>) -> Result<ConstantAndShape, WireError> {
    let (mut kind, mut dims, mut content) = (0, None, None);
    let mut typed_fields = Vec::new();
    for field in message.fields() {
        let field = field?;
        match (field.number, field.value) {
            (1, value) => kind = value.int(),
            (2, value) => dims = shape(value.message())?,
            (4, value) => content = Some(value.message().bytes),
            (5..=7 | 10 | 11 | 16 | 17, value) if typed_fields.len() <= MAX_ELEMENTS => {
                typed_fields.push(value)
            }
            _ => {}
        }
    }
    let lengths = dims.as_deref().and_then(super::number::known);
    let lengths = lengths.filter(|lengths| lengths.len() <= MAX_CONSTANT_AXES);
    let len = lengths.as_deref().and_then(small_count);
    let (Some(lengths), Some(len), Some(element_type)) = (lengths, len, element_type(kind)) else {
        return Ok((None, dims));
    };
    let elements = match content {
        Some(content) => Some(element_type.decode(content).unwrap_or_default()),
        None => element_type.decode_fields(&typed_fields)?,
    };
    let Some(mut elements) = elements else {
        return Ok((None, dims));
    };
    // Elements that are omitted at the end are equal to the last element in the file.
    let last = elements
        .last()
        .cloned()
        .unwrap_or_else(|| element_type.integer(0));
    elements.resize(len, last);
    Ok((Constant::new(element_type, lengths, elements), dims))
}

fn kind(node: &RawNode<'_>) -> Result<Kind, ModelError> {
    let attributes = &node.attributes;
    let mask = |name: &str| attributes.int(name);
    Ok(match node.operation {
        "StridedSlice" => Kind::strided(Strided::TensorFlow(MASKS.map(mask))),
        "GatherV2" => Kind::gather(Argument::Input(2), attributes.int("batch_dims")),
        "Gather" => Kind::gather(Argument::Absent, 0),
        "ResourceGather" | "ResourceGatherNd" | "DynamicPartition" => {
            Kind::not_examined("it is not a slice along one axis")
        }
        "Squeeze" => {
            let axes = attributes.ints.get("squeeze_dims");
            let axes = axes.filter(|axes| !axes.is_empty()).cloned();
            Kind::select(Select::Squeeze { axes: axes.into() })
        }
        "ConcatV2" => Kind::Concat {
            axis: Argument::Input(node.inputs.len().saturating_sub(1)),
        },
        "Concat" => Kind::Concat {
            axis: Argument::Input(0),
        },
        "BatchMatMulV2" => Kind::MatrixProduct {
            is_transposed: ["adj_x", "adj_y"].map(|name| mask(name) != 0),
        },
        name => {
            let output_type = if name == "Cast" { "DstT" } else { "out_type" };
            let output_type = element_type(attributes.int(output_type));
            return kind_of_name(name, output_type, |name| Ok(attributes.int(name)));
        }
    })
}

/// Returns the kind of the operation `name`, if TensorFlow and LiteRT define it alike. `attribute` returns an attribute, or
/// 0 if it is missing.
pub fn kind_of_name(
    name: &str,
    output_type: Option<ElementType>,
    attribute: impl Fn(&str) -> Result<i64, ModelError>,
) -> Result<Kind, ModelError> {
    let input = Argument::Input;
    let flag = |name: &str| Ok(attribute(name)? != 0);
    Ok(match name {
        "Slice" => Kind::select(Select::Sizes {
            begin: input(1),
            size: input(2),
        }),
        "GatherNd" => Kind::select(Select::GatherNd {
            indices: input(1),
            batch_axes: 0,
        }),
        "Split" => Kind::split(input(1), Argument::Absent, false),
        "SplitV" => Kind::split(input(2), input(1), true),
        "Unpack" => Kind::select(Select::Unpack {
            axis: Argument::Given([attribute("axis")?].into()),
        }),
        "ReverseV2" => Kind::select(Select::Reverse { axes: input(1) }),
        "ExpandDims" => Kind::select(Select::Unsqueeze { axes: input(1) }),
        "Shape" => Kind::Shape {
            start: 0,
            end: None,
            element_type: output_type.unwrap_or(ElementType::I32),
        },
        "Size" => Kind::Size(output_type.unwrap_or(ElementType::I32)),
        "Rank" => Kind::Rank(output_type.unwrap_or(ElementType::I32)),
        "Pack" => Kind::Pack {
            axis: attribute("axis")?,
        },
        "Cast" => Kind::Cast(output_type),
        "Reshape" => Kind::Reshape {
            copies_lengths: false,
        },
        "ReverseSequence" if attribute("seq_dim")? < 0 || attribute("batch_dim")? < 0 => {
            let message = "an axis is negative, but the operation does not count from the end";
            Kind::select(Select::Invalid(message.to_owned()))
        }
        "ReverseSequence" => Kind::select(Select::ReverseFirst {
            axis: attribute("seq_dim")?,
            batch_axis: attribute("batch_dim")?,
            lengths: input(1),
        }),
        "Cumsum" => Kind::CumulativeSum {
            is_exclusive: flag("exclusive")?,
            is_reversed: flag("reverse")?,
        },
        name => {
            let keeps_axes = || flag("keep_dims");
            return operators::computed_or_reduction(Format::TensorFlow, name, keeps_axes);
        }
    })
}
