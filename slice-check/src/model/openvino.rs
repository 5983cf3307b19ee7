//! Reads OpenVINO models: an XML file of layers and edges, and a separate file with the bytes of constants.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use super::arithmetic::Arithmetic;
use super::array::Constant;
use super::element_type::ElementType;
use super::kind::{Argument, Kind, MASKS, Select, Strided};
use super::layers::{self, Layer, Net};
use super::number::{MAX_AXES, small_count};
use super::{Format, Graph, ModelError, ModelErrorKind, Node, ValueId, operators};
use crate::model::steps::HashMap;

pub use super::layers::recognizes;

/// The file that contains the elements of a model's constants.
#[derive(Debug)]
pub enum Weights {
    /// No attempt has been made to find the file.
    NotSearched,
    /// The file cannot be opened, for this reason.
    Missing(String),
    /// The open file.
    File(File),
}

impl Weights {
    /// Returns `len` bytes at an offset, or `None` if no attempt has been made to find the file.
    fn bytes(&mut self, at: u64, len: usize) -> Result<Option<Vec<u8>>, ModelError> {
        match self {
            Weights::NotSearched => Ok(None),
            Weights::Missing(error) => {
                let message = format!("cannot load the model's constants: {error}");
                Err(ModelErrorKind::Unreadable.error(message))
            }
            Weights::File(file) => {
                let mut bytes = vec![0; len];
                let read = file
                    .seek(SeekFrom::Start(at))
                    .and_then(|_| file.read_exact(&mut bytes));
                read.map_err(|error| {
                    ModelErrorKind::Unreadable.error(format!(
                        "cannot read {len} bytes at offset {at} of the model's constants: {error}"
                    ))
                })?;
                Ok(Some(bytes))
            }
        }
    }
}

/// Reads a model. Returns an error if the bytes are not a model, the model exceeds a limit, or its constants are
/// missing or cannot be read.
pub fn read(bytes: &[u8], weights: &mut Weights) -> Result<Graph, ModelError> {
    let file = layers::read(bytes)?;
    let writer = match &file.runtime[..] {
        "" => String::new(),
        runtime => format!(
            ", written by OpenVINO {}",
            runtime.split('-').next().unwrap_or(runtime)
        ),
    };
    let about = format!("OpenVINO, format version {}{writer}", file.version);
    let mut graph = Graph::new(about, Format::OpenVino, bytes.len());
    graph.budget = file.budget;
    // The nets are added in reverse, so that the layers of the outermost net (the last one in the list) become the
    // first nodes.
    for net in file.nets.iter().rev() {
        add_net(&mut graph, net, weights)?;
    }
    Ok(graph)
}

/// Adds the layers of a net: of the model itself, or of the body of a loop or a branch.
fn add_net(graph: &mut Graph, net: &Net, weights: &mut Weights) -> Result<(), ModelError> {
    // The ID of a layer is compared once, and not for each port.
    let numbers: HashMap<&str, usize> = (0..)
        .zip(&net.layers)
        .map(|(number, layer)| (&layer.id[..], number))
        .collect();
    // The value of each output, by the number of its layer and the ID of its port.
    let mut values: HashMap<(usize, &str), ValueId> = HashMap::default();
    for layer in &net.layers {
        let (number, layer_name) = (numbers[&layer.id[..]], graph.name(&layer.name)?);
        for port in &layer.outputs {
            // A tensor may have several names, of which the first is used. A tensor without names gets the name of its
            // layer.
            let name = port.names.split(',').next().filter(|name| !name.is_empty());
            let name = match name {
                Some(name) => graph.name(name)?,
                None => layer_name.clone(),
            };
            let value = graph.add_value_with_shared_name(name)?;
            if values.insert((number, &port.id), value).is_some() {
                return Err(ModelError::invalid(format!(
                    "line {}: two output ports have the same layer and port IDs",
                    layer.line
                )));
            }
            if port.dims.len() <= MAX_AXES {
                graph.declare_shape(value, Some(&port.dims[..]))?;
            }
        }
    }
    let mut edges: HashMap<(usize, &str), ValueId> = HashMap::default();
    for [from_layer, from_port, to_layer, to_port] in &net.edges {
        let from_number = numbers.get(&from_layer[..]);
        let value = from_number.and_then(|&number| values.get(&(number, from_port.as_str())));
        let &value = value.ok_or_else(|| {
            ModelError::invalid(format!("an edge comes from port {from_port:?} of layer {from_layer:?}, but there is no such port"))
        })?;
        if let Some(&number) = numbers.get(&to_layer[..]) {
            edges.insert((number, to_port), value);
        }
    }
    for layer in &net.layers {
        let number = numbers[&layer.id[..]];
        let input = |port: &layers::Port| edges.get(&(number, &port.id[..])).copied();
        let inputs: Vec<Option<ValueId>> = layer.inputs.iter().map(input).collect();
        let output = |port: &layers::Port| values.get(&(number, &port.id[..])).copied();
        let outputs: Vec<Option<ValueId>> = layer.outputs.iter().map(output).collect();
        match (&layer.kind[..], outputs.first()) {
            ("Result", _) => {
                for &value in inputs.iter().flatten() {
                    if net.scope.is_empty() {
                        graph.add_output(value);
                    }
                }
                continue;
            }
            ("Const", Some(&Some(value))) => {
                graph.values[value].is_constant = true;
                let constant = constant(layer, weights)?;
                graph.set_constant(value, constant);
            }
            ("Parameter", Some(&Some(value))) => {
                let name = layer.data.get("element_type").map(|name| &name[..]);
                graph.values[value].element_type = name.map(ElementType::named);
            }
            _ => {}
        }
        let kind = kind(graph, layer, &inputs)?;
        graph.add_node(Node {
            name: layer.name.clone(),
            operation: layer.kind.clone(),
            at: layer.line,
            scope: net.scope.clone(),
            inputs,
            outputs,
            kind,
        })?;
    }
    Ok(())
}

/// Parses numbers separated by commas. An empty string is an empty list. Returns `None` if a number is invalid.
fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(|part| part.parse().ok()).collect()
}

/// Returns the elements of a constant. Returns `None` if they have an unsupported type, if the constant has too many
/// elements, several axes or an invalid shape, or if no attempt has been made to find the file with the elements.
fn constant(layer: &Layer, weights: &mut Weights) -> Result<Option<Constant>, ModelError> {
    let data = |key: &str| layer.data.get(key).map_or("", String::as_str);
    let Some(element_type) = ElementType::named(data("element_type")) else {
        return Ok(None);
    };
    let shape: Option<Vec<usize>> = list(data("shape"));
    let len = shape.as_deref().and_then(small_count);
    let (Some(shape), Some(len)) = (shape, len) else {
        return Ok(None);
    };
    let offset = data("offset").parse().map_err(|_| {
        let offset = data("offset");
        ModelError::invalid(format!(
            "line {}: the constant has the invalid offset {offset:?}",
            layer.line
        ))
    })?;
    let Some(bytes) = weights.bytes(offset, len * element_type.size())? else {
        return Ok(None);
    };
    let elements = element_type.decode(&bytes);
    Ok(elements.and_then(|elements| Constant::new(element_type, shape, elements)))
}

fn kind(graph: &Graph, layer: &Layer, inputs: &[Option<ValueId>]) -> Result<Kind, ModelError> {
    let input = Argument::Input;
    let data = |key: &str| layer.data.get(key).map_or("", String::as_str);
    let int = |key: &str| data(key).parse::<i64>().unwrap_or(0);
    let mask = |key: &str| Arc::from(list::<i64>(data(key)).unwrap_or_default());
    let is_true = |key: &str| ["true", "1"].contains(&data(key));
    Ok(match &layer.kind[..] {
        "StridedSlice" => Kind::strided(Strided::OpenVino(MASKS.map(mask))),
        // OpenVINO's `Slice` is equivalent to the newest version of ONNX's `Slice`, that of opset 13, except that the
        // steps precede the axes.
        "Slice" => Kind::select(Select::Slice {
            opset: 13,
            bounds: [1, 2, 4, 3].map(input),
        }),
        "Gather" => Kind::gather(input(2), int("batch_dims")),
        "GatherND" => Kind::select(Select::GatherNd {
            indices: input(1),
            batch_axes: int("batch_dims"),
        }),
        "GatherElements" => Kind::select(Select::GatherElements {
            axis: Argument::Given([int("axis")].into()),
            indices: input(1),
        }),
        "GatherTree" | "Crop" => Kind::not_examined("it is not a slice along one axis"),
        "Split" => Kind::split(input(1), Argument::Absent, false),
        "VariadicSplit" => Kind::split(input(1), input(2), true),
        "Reverse" if data("mode") == "index" => Kind::select(Select::Reverse { axes: input(1) }),
        "Reverse" => Kind::not_examined("its axes are a mask"),
        "Squeeze" => Kind::select(Select::Squeeze { axes: input(1) }),
        "Unsqueeze" => Kind::select(Select::Unsqueeze { axes: input(1) }),
        "ShapeOf" => Kind::Shape {
            start: 0,
            end: None,
            element_type: ElementType::named(data("output_type")).unwrap_or(ElementType::I64),
        },
        "Concat" => Kind::Concat {
            axis: Argument::Given([int("axis")].into()),
        },
        "Convert" => Kind::Cast(ElementType::named(data("destination_type"))),
        "Reshape" => Kind::Reshape {
            copies_lengths: is_true("special_zero"),
        },
        "Transpose" => operators::transposition(graph, inputs),
        "Divide" if is_true("m_pythondiv") => Kind::Arithmetic(Arithmetic::FloorDivide),
        "Divide" => Kind::Arithmetic(Arithmetic::Divide),
        "ReverseSequence" => Kind::select(Select::ReverseFirst {
            axis: int("seq_axis"),
            batch_axis: int("batch_axis"),
            lengths: input(1),
        }),
        "CumSum" => Kind::CumulativeSum {
            is_exclusive: is_true("exclusive"),
            is_reversed: is_true("reverse"),
        },
        // Only `numpy` broadcasts as in NumPy.
        name if name != "Select" && data("auto_broadcast") == "pdpd" => Kind::Other,
        name => {
            let keeps_axes = || Ok(is_true("keep_dims"));
            return operators::computed_or_reduction(Format::OpenVino, name, keeps_axes);
        }
    })
}
