//! Reads ONNX models, which are `ModelProto` messages. The field numbers are those in `onnx.proto`.

mod attributes;
mod operators;
mod schema;
mod tensor;

use std::sync::Arc;

use super::kind::{Argument, Kind, Select};
use super::number::Dim;
use super::wire::{Message, WireError};
use super::{Format, Graph, ModelError, ModelErrorKind, Node, Scope, ValueId};
use crate::model::steps::{HashMap, HashSet};
use attributes::{Attributes, attribute, constant_of};
use tensor::{tensor, type_of};

/// The maximum depth of nested graphs.
const MAX_DEPTH: usize = 32;

/// The expected contents of a file, for errors.
pub const MODEL: &str = "an ONNX model";

/// The declared shapes that are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declarations {
    /// All shapes. If a shape can be inferred, the inferred lengths are believed instead of the declared lengths.
    All,
    /// Only the shapes of the model's inputs, which ONNX Runtime checks before it runs the model.
    Checked,
}

/// Reads a model. Returns an error if the bytes are not a model, or the model exceeds a limit.
pub fn read(bytes: &[u8], declarations: Declarations) -> Result<Graph, ModelError> {
    let mut graph = None;
    let (mut opset, mut version) = (None, 0);
    let (mut producer, mut producer_version) = ("", "");
    let mut functions = Vec::new();
    for field in Message::file(bytes, MODEL).fields() {
        let field = field?;
        match field.number {
            1 => version = field.value.int(),
            2 => producer = field.value.text(),
            3 => producer_version = field.value.text(),
            7 if graph.is_some() => return Err(ModelError::invalid("the model has two graphs")),
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
    let message =
        graph.ok_or_else(|| ModelError::invalid("not an ONNX model: the file has no graph"))?;
    let opset = opset
        .and_then(|opset| u32::try_from(opset).ok())
        .unwrap_or(1);
    let writer = match (producer, producer_version) {
        ("", _) => String::new(),
        (producer, "") => format!(", written by {producer}"),
        (producer, version) => format!(", written by {producer} {version}"),
    };
    let about = format!("ONNX, opset {opset}, IR version {version}{writer}");
    let mut reader = Reader {
        graph: Graph::new(about, Format::Onnx, bytes.len()),
        opset,
        version,
        declarations,
        names: Vec::new(),
    };
    reader.graph(message, &Scope::default())?;
    for function in functions {
        reader.function(function)?;
    }
    Ok(reader.graph)
}

fn opset_id(message: Message<'_>) -> Result<(&str, i64), WireError> {
    Ok((message.last(1)?.text(), message.last(2)?.int()))
}

struct Reader {
    graph: Graph,
    opset: u32,
    /// The version of the format.
    version: i64,
    declarations: Declarations,
    /// The values by name: one map for each enclosing graph, outermost first, and one for the current graph.
    names: Vec<HashMap<Arc<str>, ValueId>>,
}

impl Reader {
    /// Returns the value named `name` in the current graph or an enclosing graph, after adding it to the current graph
    /// if there is no such value. Returns `None` for an empty name, which represents an omitted value.
    fn value(&mut self, name: &str) -> Result<Option<ValueId>, ModelError> {
        if name.is_empty() {
            return Ok(None);
        }
        let value = self.names.iter().rev().find_map(|names| names.get(name));
        if let Some(&value) = value {
            return Ok(Some(value));
        }
        self.own_value(name).map(Some)
    }

    /// Returns the value named `name` in the current graph, after adding it if necessary.
    fn own_value(&mut self, name: &str) -> Result<ValueId, ModelError> {
        if let Some(&known_value) = self.names.last().and_then(|names| names.get(name)) {
            return Ok(known_value);
        }
        let value = self.graph.add_value(name)?;
        if let Some(names) = self.names.last_mut() {
            names.insert(self.graph.values[value].name.clone(), value);
        }
        Ok(value)
    }

    /// Reads a graph, and returns its outputs.
    fn graph(&mut self, message: Message<'_>, scope: &Scope) -> Result<Vec<ValueId>, ModelError> {
        if self.names.len() >= MAX_DEPTH {
            let message = format!("the model has graphs nested more than {MAX_DEPTH} levels deep");
            return Err(ModelErrorKind::TooLarge.error(message));
        }
        self.names.push(HashMap::default());
        let (mut inputs, mut outputs) = (HashSet::default(), Vec::new());
        for field in message.fields() {
            let field = field?;
            match field.number {
                11 => drop(inputs.insert(field.value.message().named()?.0)),
                12 => outputs.push(self.own_value(field.value.message().named()?.0)?),
                _ => {}
            }
        }
        // In the file, the nodes precede the initializers and the descriptions of values. The nodes are read last,
        // because they refer to these values.
        for field in message.fields() {
            let field = field?;
            let field_message = field.value.message();
            match field.number {
                5 => {
                    // The caller may replace an initializer that is also an input. ONNX Runtime allows this since version
                    // 4 of the format; before, each initializer had to be an input.
                    let is_constant = self.version < 4 && self.declarations == Declarations::All;
                    if let Some((name, constant, dims)) = tensor(field_message)?
                        && (is_constant || !inputs.contains(name))
                    {
                        let value = self.own_value(name)?;
                        self.graph.set_constant(value, constant);
                        self.graph.set_shape(value, dims)?;
                        self.graph.values[value].is_constant = true;
                    }
                }
                11..=13 => self.value_info(field_message, field.number)?,
                // A nested graph may use the outputs of later nodes of the graph that contains it.
                1 => self.declare_outputs(field_message)?,
                _ => {}
            }
        }
        for node in message.values(1) {
            self.node(node?.message(), scope)?;
        }
        self.names.pop();
        Ok(outputs)
    }

    fn function(&mut self, message: Message<'_>) -> Result<(), ModelError> {
        let model_opset = self.opset;
        // A function may have another opset than the model.
        for opset in message.values(9) {
            if let ("" | "ai.onnx", number) = opset_id(opset?.message())? {
                self.opset = u32::try_from(number).unwrap_or(self.opset);
            }
        }
        let name = message.last(1)?.text();
        let scope = Scope::default().nested(format!("function {name}"));
        self.names.push(HashMap::default());
        for node in message.values(7) {
            self.node(node?.message(), &scope)?;
        }
        self.names.pop();
        self.opset = model_opset;
        Ok(())
    }

    /// Reads the name and the shape of a value. `number` is the number of the field that declares the value: 11 for an
    /// input, 12 for an output and 13 for an intermediate value.
    fn value_info(&mut self, message: Message<'_>, number: u32) -> Result<(), ModelError> {
        let (name, kind) = message.named()?;
        if name.is_empty() {
            return Ok(());
        }
        let value = self.own_value(name)?;
        let (element_type, shape) = type_of(kind)?;
        let mut shape = shape.filter(|_| self.graph.values[value].shape.is_none());
        if number == 12 {
            self.graph.add_output(value);
        }
        let declared_type = self.graph.values[value].element_type.or(element_type);
        self.graph.values[value].element_type = declared_type;
        if self.declarations == Declarations::Checked {
            let is_input = number == 11 && self.names.len() == 1;
            // ONNX Runtime does not check whether lengths with equal names are equal.
            let with_unique_name = |(axis, length): (usize, &Dim)| match length {
                Dim::Named(_) => Dim::named(&format!("axis {axis} of {name}")),
                length => length.clone(),
            };
            let unique =
                |shape: Arc<[Dim]>| shape.iter().enumerate().map(with_unique_name).collect();
            shape = shape.filter(|_| is_input).map(unique);
        }
        self.graph.values[value].declared.clone_from(&shape);
        self.graph.set_shape(value, shape)
    }

    /// Adds the outputs of a node.
    fn declare_outputs(&mut self, message: Message<'_>) -> Result<(), ModelError> {
        for output in message.values(2) {
            let name = output?.name()?;
            if !name.is_empty() {
                self.own_value(name)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, message: Message<'_>, scope: &Scope) -> Result<(), ModelError> {
        let (mut name, mut operation, mut domain) = ("", "", "");
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let mut attributes = Attributes::default();
        for field in message.fields() {
            let field = field?;
            if let 1 | 2 = field.number {
                self.graph.budget.take_elements::<&str>(2)?;
            }
            match field.number {
                1 => inputs.push(field.value.name()?),
                2 => outputs.push(field.value.name()?),
                3 => name = field.value.text(),
                4 => operation = field.value.text(),
                5 => attribute(field.value.message(), &mut attributes)?,
                7 => domain = field.value.text(),
                _ => {}
            }
        }
        let mut branches = Vec::new();
        for &(attribute, graph) in &attributes.graphs {
            let node_name = if name.is_empty() { operation } else { name };
            let (node_name, attribute) = (self.graph.name(node_name)?, self.graph.name(attribute)?);
            branches.push(self.graph(graph, &scope.nested(node_name).nested(attribute))?);
        }
        let is_onnx_operator = ["", "ai.onnx"].contains(&domain);
        let schema_mistake = match is_onnx_operator {
            true => schema::mistake(operation, self.opset, &inputs, outputs.len(), &attributes),
            false => None,
        };
        let inputs = inputs
            .into_iter()
            .map(|name| self.value(name))
            .collect::<Result<Vec<_>, _>>()?;
        let mut output_values = Vec::new();
        for name in outputs {
            output_values.push(if name.is_empty() {
                None
            } else {
                Some(self.own_value(name)?)
            });
        }
        let outputs = output_values;
        let kind = match schema_mistake {
            Some(message) => Kind::select(Select::Invalid(message)),
            None if !is_onnx_operator => Kind::Other,
            None if operation == "If" => Kind::Branches {
                outputs: branches.into(),
                are_merged: self.opset < 11,
            },
            None => self.kind(operation, &attributes)?,
        };
        if let (true, "Constant", Some(&Some(output))) =
            (is_onnx_operator, operation, outputs.first())
        {
            let (constant, shape) = constant_of(&attributes)?;
            self.graph.set_constant(output, constant);
            self.graph.values[output].is_constant = true;
            self.graph.set_shape(output, shape)?;
        }
        let (name, operation) = (self.graph.name(name)?, self.graph.name(operation)?);
        self.graph.add_node(Node {
            name,
            operation,
            at: message.at,
            scope: scope.clone(),
            inputs,
            outputs,
            kind,
        })
    }

    fn kind(&self, operation: &str, attributes: &Attributes<'_>) -> Result<Kind, ModelError> {
        let opset = self.opset;
        let list = |name: &str| Argument::from(attributes.list(name));
        // Since opset 13, the axes of `Squeeze` and `Unsqueeze` are an input.
        let axes = || match opset {
            13.. => Argument::Input(1),
            _ => list("axes"),
        };
        Ok(match operation {
            "Slice" if opset < 10 => Kind::select(Select::Slice {
                opset,
                bounds: [list("starts"), list("ends"), list("axes"), Argument::Absent],
            }),
            "Slice" => Kind::select(Select::Slice {
                opset,
                bounds: [1, 2, 3, 4].map(Argument::Input),
            }),
            "Gather" => Kind::gather(attributes.axis(0), 0),
            "GatherND" => Kind::select(Select::GatherNd {
                indices: Argument::Input(1),
                batch_axes: attributes.int_or("batch_dims", 0),
            }),
            "GatherElements" => Kind::select(Select::GatherElements {
                axis: attributes.axis(0),
                indices: Argument::Input(1),
            }),
            "Compress" => Kind::select(Select::Compress {
                axis: list("axis"),
                condition: Argument::Input(1),
            }),
            "Split" => Kind::select(Select::Split {
                axis: attributes.axis(0),
                lengths: match opset {
                    13.. => Argument::Input(1),
                    _ => list("split"),
                },
                allows_rest: false,
                rounded_count: attributes.int("num_outputs").filter(|_| opset >= 18),
            }),
            "SplitToSequence" => Kind::not_examined("it returns a sequence"),
            "CenterCropPad" => Kind::not_examined("it crops or pads"),
            "Squeeze" => Kind::select(Select::Squeeze { axes: axes() }),
            "Unsqueeze" => Kind::select(Select::Unsqueeze { axes: axes() }),
            "ReverseSequence" => Kind::select(Select::ReverseFirst {
                axis: attributes.int_or("time_axis", 0).rem_euclid(2),
                batch_axis: attributes.int_or("batch_axis", 1).rem_euclid(2),
                lengths: Argument::Input(1),
            }),
            _ => operators::kind(operation, opset, attributes)?,
        })
    }
}
