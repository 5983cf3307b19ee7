//! ONNX: a `ModelProto`, with the numbers of its fields as `onnx.proto` has them.

use std::collections::HashMap;

use super::kind::{Argument, Arithmetic, Kind, Select};
use super::number::{Constant, Dim, MOST_AXES, MOST_ELEMENTS, Number};
use super::wire::{Message, Value as Field, WireError};
use super::{Graph, ModelError, Node, ValueId};

/// The most graphs inside graphs.
const MOST_DEPTH: usize = 32;

const INT32: i64 = 6;
const INT64: i64 = 7;

impl From<WireError> for ModelError {
    fn from(error: WireError) -> Self {
        ModelError(format!("this is no ONNX model: it has {error}"))
    }
}

/// Reads a model.
///
/// # Errors
///
/// If it is not one, or has more than is kept.
pub fn read(bytes: &[u8]) -> Result<Graph, ModelError> {
    let mut graph = None;
    let (mut opset, mut version) = (None, 0);
    let (mut producer, mut producer_version) = ("", "");
    let mut functions = Vec::new();
    for field in (Message { bytes, at: 0 }).fields() {
        let field = field?;
        match field.number {
            1 => version = field.value.int(),
            2 => producer = field.value.text(),
            3 => producer_version = field.value.text(),
            7 if graph.is_some() => return Err("the model has two graphs".into()),
            7 => graph = Some(field.value.message()),
            8 => {
                let (domain, number) = opset_id(field.value.message())?;
                if ["", "ai.onnx"].contains(&domain) {
                    opset = Some(number);
                }
            }
            25 => functions.push(field.value.message()),
            _ => {}
        }
    }
    let message = graph.ok_or("this is no ONNX model: it has no graph")?;
    let opset = opset
        .and_then(|opset| u32::try_from(opset).ok())
        .unwrap_or(1);
    let by = match (producer, producer_version) {
        ("", _) => String::new(),
        (producer, "") => format!(", by {producer}"),
        (producer, version) => format!(", by {producer} {version}"),
    };
    let mut reader = Reader {
        graph: Graph {
            about: format!("ONNX, opset {opset}, IR version {version}{by}"),
            system: "onnx",
            ..Graph::default()
        },
        opset,
        names: Vec::new(),
        prefix: String::new(),
    };
    reader.graph(message, "")?;
    for function in functions {
        reader.function(function)?;
    }
    Ok(reader.graph)
}

fn opset_id(message: Message<'_>) -> Result<(&str, i64), WireError> {
    let (mut domain, mut number) = ("", 0);
    for field in message.fields() {
        let field = field?;
        match field.number {
            1 => domain = field.value.text(),
            2 => number = field.value.int(),
            _ => {}
        }
    }
    Ok((domain, number))
}

struct Reader {
    graph: Graph,
    opset: u32,
    /// The values that have a name, in each graph around.
    names: Vec<HashMap<String, ValueId>>,
    prefix: String,
}

/// The attributes of a node that are looked at.
#[derive(Default)]
struct Attributes<'a> {
    ints: HashMap<&'a str, Vec<i64>>,
    tensor: Option<Message<'a>>,
    graphs: Vec<(&'a str, Message<'a>)>,
}

impl Attributes<'_> {
    fn list(&self, name: &str) -> Option<Vec<i64>> {
        self.ints.get(name).cloned()
    }

    fn int(&self, name: &str) -> Option<i64> {
        self.ints.get(name)?.first().copied()
    }

    fn axis(&self, without: i64) -> Argument {
        Argument::Given(vec![self.int("axis").unwrap_or(without)])
    }
}

impl Reader {
    /// The value of a name, in this graph or one around; a new one of this graph if there is none.
    fn value(&mut self, name: &str) -> Result<Option<ValueId>, ModelError> {
        if name.is_empty() {
            return Ok(None);
        }
        let known = self.names.iter().rev().find_map(|names| names.get(name));
        if let Some(&known) = known {
            return Ok(Some(known));
        }
        self.own_value(name).map(Some)
    }

    /// The value of a name in this graph.
    fn own_value(&mut self, name: &str) -> Result<ValueId, ModelError> {
        if let Some(&known) = self.names.last().and_then(|names| names.get(name)) {
            return Ok(known);
        }
        let value = self.graph.add_value(name)?;
        if let Some(names) = self.names.last_mut() {
            names.insert(name.into(), value);
        }
        Ok(value)
    }

    fn graph(&mut self, message: Message<'_>, scope: &str) -> Result<(), ModelError> {
        if self.names.len() >= MOST_DEPTH {
            return Err(
                format!("the model has graphs inside more than {MOST_DEPTH} graphs").into(),
            );
        }
        self.names.push(HashMap::new());
        // Initializers and what values are come after the nodes.
        for field in message.fields() {
            let field = field?;
            let inside = field.value.message();
            match field.number {
                5 => {
                    if let Some((name, constant, dims)) = tensor(inside)? {
                        let value = self.own_value(name)?;
                        let constant = constant.filter(|one| self.graph.keeps(one.elements.len()));
                        let dims = dims.filter(|dims| self.graph.keeps(dims.len()));
                        let value = &mut self.graph.values[value];
                        (value.constant, value.shape, value.is_constant) = (constant, dims, true);
                    }
                }
                11..=13 => self.value_info(inside, field.number)?,
                _ => {}
            }
        }
        for field in message.fields() {
            let field = field?;
            if field.number == 1 {
                self.node(field.value.message(), scope)?;
            }
        }
        self.names.pop();
        Ok(())
    }

    fn function(&mut self, message: Message<'_>) -> Result<(), ModelError> {
        let mut name = "";
        for field in message.fields() {
            let field = field?;
            if field.number == 1 {
                name = field.value.text();
            }
        }
        self.names.push(HashMap::new());
        for field in message.fields() {
            let field = field?;
            if field.number == 7 {
                self.node(field.value.message(), &format!("function {name}"))?;
            }
        }
        self.names.pop();
        Ok(())
    }

    /// An input (11), an output (12) or a value between (13): its name and shape.
    fn value_info(&mut self, message: Message<'_>, number: u32) -> Result<(), ModelError> {
        let (mut name, mut kind) = ("", Message::default());
        for field in message.fields() {
            let field = field?;
            match field.number {
                1 => name = field.value.text(),
                2 => kind = field.value.message(),
                _ => {}
            }
        }
        if name.is_empty() {
            return Ok(());
        }
        let shape = shape_of(kind)?.filter(|shape| self.graph.keeps(shape.len()));
        let value = self.own_value(name)?;
        let value = &mut self.graph.values[value];
        value.is_said |= shape.is_some() && value.shape.is_none();
        value.shape = value.shape.take().or(shape);
        value.is_output |= number == 12;
        Ok(())
    }

    fn node(&mut self, message: Message<'_>, scope: &str) -> Result<(), ModelError> {
        let (mut name, mut operation, mut domain) = ("", "", "");
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let mut attributes = Attributes::default();
        for field in message.fields() {
            let field = field?;
            match field.number {
                1 => inputs.push(field.value.text()),
                2 => outputs.push(field.value.text()),
                3 => name = field.value.text(),
                4 => operation = field.value.text(),
                5 => attribute(field.value.message(), &mut attributes)?,
                7 => domain = field.value.text(),
                _ => {}
            }
        }
        for &(attribute, graph) in &attributes.graphs {
            let of = if name.is_empty() { operation } else { name };
            let scope = match scope {
                "" => format!("{of}, {attribute}"),
                scope => format!("{scope}, {of}, {attribute}"),
            };
            self.graph(graph, &scope)?;
        }
        let inputs = inputs
            .into_iter()
            .map(|name| self.value(name))
            .collect::<Result<Vec<_>, _>>()?;
        let mut made = Vec::new();
        for name in outputs {
            made.push(if name.is_empty() {
                None
            } else {
                Some(self.own_value(name)?)
            });
        }
        let outputs = made;
        let is_own = ["", "ai.onnx"].contains(&domain);
        let kind = if is_own {
            self.kind(operation, &attributes)?
        } else {
            Kind::Other
        };
        if let (true, "Constant", Some(&Some(output))) = (is_own, operation, outputs.first()) {
            let (constant, shape) = constant_of(&attributes)?;
            let constant = constant.filter(|one| self.graph.keeps(one.elements.len()));
            let value = &mut self.graph.values[output];
            value.constant = constant;
            value.is_constant = true;
            value.shape = value.shape.take().or(shape);
        }
        self.graph.add_node(Node {
            name: name.into(),
            operation: operation.into(),
            at: message.at,
            scope: format!("{}{scope}", self.prefix),
            inputs,
            outputs,
            kind,
        })
    }

    fn kind(&self, operation: &str, attributes: &Attributes<'_>) -> Result<Kind, ModelError> {
        let opset = self.opset;
        // From opset 13 on these are inputs.
        let axes = || match opset {
            13.. => Argument::Input(1),
            _ => attributes.list("axes").into(),
        };
        let int = |name: &str, without: i64| attributes.int(name).unwrap_or(without);
        Ok(match operation {
            "Slice" if opset < 10 => Kind::select(Select::Slice {
                opset,
                starts: attributes.list("starts").into(),
                ends: attributes.list("ends").into(),
                axes: attributes.list("axes").into(),
                steps: Argument::Absent,
            }),
            "Slice" => Kind::select(Select::Slice {
                opset,
                starts: Argument::Input(1),
                ends: Argument::Input(2),
                axes: Argument::Input(3),
                steps: Argument::Input(4),
            }),
            "Gather" => Kind::select(Select::Gather {
                axis: attributes.axis(0),
                indices: Argument::Input(1),
            }),
            "Split" => Kind::select(Select::Split {
                axis: attributes.axis(0),
                lengths: match opset {
                    13.. => Argument::Input(1),
                    _ => attributes.list("split").into(),
                },
            }),
            "Squeeze" => Kind::select(Select::Squeeze { axes: axes() }),
            "Unsqueeze" => Kind::select(Select::Unsqueeze { axes: axes() }),
            "Shape" => Kind::Shape {
                start: int("start", 0),
                end: attributes.int("end"),
            },
            "Size" => Kind::Size,
            "Concat" => Kind::Concat {
                axis: int("axis", 0),
            },
            "Cast" if ![INT32, INT64].contains(&int("to", 0)) => Kind::Elementwise,
            "Cast" | "Identity" => Kind::Same,
            "Reshape" => Kind::Reshape,
            "Transpose" => Kind::Transpose(attributes.list("perm")),
            "Add" => Kind::Arithmetic(Arithmetic::Add),
            "Sub" => Kind::Arithmetic(Arithmetic::Subtract),
            "Mul" => Kind::Arithmetic(Arithmetic::Multiply),
            "Div" => Kind::Arithmetic(Arithmetic::Divide),
            "Min" => Kind::Arithmetic(Arithmetic::Least),
            "Max" => Kind::Arithmetic(Arithmetic::Most),
            "Relu" | "Sigmoid" | "Tanh" | "Neg" | "Abs" | "Exp" | "Log" | "Sqrt" | "Erf"
            | "Softmax" | "LeakyRelu" | "Elu" | "HardSwish" | "HardSigmoid" | "Sin" | "Cos"
            | "Clip" | "Dropout" | "Gelu" | "Floor" | "Ceil" | "Round" | "Not"
            | "BatchNormalization" | "LayerNormalization" => Kind::Elementwise,
            _ => Kind::Other,
        })
    }
}

fn attribute<'a>(message: Message<'a>, attributes: &mut Attributes<'a>) -> Result<(), ModelError> {
    let mut name = "";
    let mut ints = Vec::new();
    let mut add = |value: Field<'_>| -> Result<(), WireError> {
        match value {
            Field::Bytes(packed) => {
                for value in packed.packed() {
                    if ints.len() > MOST_ELEMENTS {
                        break;
                    }
                    ints.push(value?);
                }
            }
            value if ints.len() <= MOST_ELEMENTS => ints.push(value.int()),
            _ => {}
        }
        Ok(())
    };
    let (mut tensor, mut graph) = (None, None);
    for field in message.fields() {
        let field = field?;
        match field.number {
            1 => name = field.value.text(),
            3 | 8 => add(field.value)?,
            5 => tensor = Some(field.value.message()),
            6 => graph = Some(field.value.message()),
            _ => {}
        }
    }
    if tensor.is_some() && name == "value" {
        attributes.tensor = tensor;
    }
    if let Some(graph) = graph {
        attributes.graphs.push((name, graph));
    }
    if ints.len() <= MOST_ELEMENTS {
        attributes.ints.insert(name, ints);
    }
    Ok(())
}

type Known = (Option<Constant>, Option<Vec<Dim>>);

/// The value of a Constant.
fn constant_of(attributes: &Attributes<'_>) -> Result<Known, ModelError> {
    if let Some(message) = attributes.tensor {
        let tensor = tensor(message)?;
        return Ok(tensor.map_or((None, None), |(_, constant, dims)| (constant, dims)));
    }
    let numbers = |name: &str| {
        let list = attributes.list(name)?;
        Some(list.into_iter().map(Number::Known).collect::<Vec<_>>())
    };
    let constant = match (numbers("value_int"), numbers("value_ints")) {
        (Some(one), _) => one.into_iter().next().map(Constant::scalar),
        (None, Some(list)) => Constant::vector(list),
        (None, None) => None,
    };
    let shape = constant
        .as_ref()
        .map(|constant| vec![Dim::Known(constant.elements.len()); constant.rank]);
    Ok((constant, shape))
}

/// The shape in a `TypeProto`, if it is that of a tensor and says one.
fn shape_of(kind: Message<'_>) -> Result<Option<Vec<Dim>>, WireError> {
    let mut shape = None;
    for tensor in kind.fields() {
        let tensor = tensor?;
        if tensor.number != 1 {
            continue;
        }
        for field in tensor.value.message().fields() {
            let field = field?;
            if field.number == 2 {
                shape = Some(field.value.message());
            }
        }
    }
    let Some(message) = shape else {
        return Ok(None);
    };
    let mut dims = Vec::new();
    for field in message.fields() {
        let field = field?;
        if field.number != 1 {
            continue;
        }
        if dims.len() == MOST_AXES {
            return Ok(None);
        }
        let mut dim = Dim::Unknown;
        for field in field.value.message().fields() {
            let field = field?;
            match field.number {
                // A length that is no number of elements is none.
                1 => dim = usize::try_from(field.value.int()).map_or(Dim::Unknown, Dim::Known),
                2 if !field.value.text().is_empty() => dim = Dim::Named(field.value.text().into()),
                _ => {}
            }
        }
        dims.push(dim);
    }
    Ok(Some(dims))
}

type Tensor<'a> = (&'a str, Option<Constant>, Option<Vec<Dim>>);

/// The name of a tensor, its elements if they are a few integers, and its shape; `None` if it has more axes than are kept.
fn tensor(message: Message<'_>) -> Result<Option<Tensor<'_>>, ModelError> {
    let (mut name, mut kind, mut is_elsewhere) = ("", 0, false);
    let mut dims: Vec<i64> = Vec::new();
    let mut raw = None;
    // Numbers are packed, or each is a field.
    let (mut packed, mut single) = (Vec::new(), Vec::new());
    for field in message.fields() {
        let field = field?;
        match (field.number, field.value) {
            (1, Field::Bytes(list)) => {
                for dim in list.packed().take(MOST_AXES + 1) {
                    dims.push(dim?);
                }
            }
            (1, value) => dims.push(value.int()),
            (2, value) => kind = value.int(),
            (5 | 7, Field::Bytes(list)) => packed.push(list),
            (5 | 7, value) if single.len() <= MOST_ELEMENTS => single.push(value.int()),
            (8, value) => name = value.text(),
            (9, value) => raw = Some(value.message().bytes),
            (14, value) => is_elsewhere = value.int() == 1,
            _ => {}
        }
        if dims.len() > MOST_AXES {
            return Ok(None);
        }
    }
    let lengths: Option<Vec<usize>> = dims.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let lengths = lengths.ok_or_else(|| format!("the tensor {name:?} has the lengths {dims:?}"))?;
    let len = lengths
        .iter()
        .try_fold(1_usize, |len, &length| len.checked_mul(length));
    let shape = Some(lengths.iter().copied().map(Dim::Known).collect());
    let few = len.filter(|&len| len <= MOST_ELEMENTS && lengths.len() <= 1);
    let is_integer = [INT32, INT64].contains(&kind);
    let Some(len) = few.filter(|_| is_integer && !is_elsewhere) else {
        return Ok(Some((name, None, shape)));
    };
    let elements = match raw {
        Some(raw) if kind == INT64 => {
            let (numbers, rest) = raw.as_chunks::<8>();
            rest.is_empty().then(|| {
                numbers
                    .iter()
                    .map(|bytes| i64::from_le_bytes(*bytes))
                    .collect()
            })
        }
        Some(raw) => {
            let (numbers, rest) = raw.as_chunks::<4>();
            rest.is_empty().then(|| {
                numbers
                    .iter()
                    .map(|bytes| i32::from_le_bytes(*bytes).into())
                    .collect()
            })
        }
        None => {
            let mut elements = single;
            for list in packed {
                for element in list.packed().take(MOST_ELEMENTS + 1) {
                    elements.push(element?);
                }
            }
            Some(elements)
        }
    };
    let elements = elements.filter(|elements: &Vec<i64>| elements.len() == len);
    let elements = elements.ok_or_else(|| {
        format!("the tensor {name:?} of shape {lengths:?} does not have {len} elements")
    })?;
    let constant = Constant {
        elements: elements.into_iter().map(Number::Known).collect(),
        rank: lengths.len(),
    };
    Ok(Some((name, Some(constant), shape)))
}
