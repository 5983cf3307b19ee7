//! Reads OpenVINO's XML element by element, without building a tree. A *net* is a model, or the body of a loop or a
//! branch. It consists of layers, and of edges that connect output ports of layers to input ports.

use std::sync::Arc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::number::{Dim, MAX_AXES, MAX_ELEMENTS};
use super::{Budget, ModelError, ModelErrorKind, Scope};
use crate::model::steps::HashMap;

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 256;
/// The maximum number of attributes read from an element; any others are ignored.
const MAX_ATTRIBUTES: usize = 64;
/// The maximum length of an attribute in bytes; longer attributes are ignored.
const MAX_ATTRIBUTE_BYTES: usize = 16 * MAX_ELEMENTS;

/// An input or output of a layer.
#[derive(Debug, Default)]
pub struct Port {
    pub id: String,
    pub names: String,
    pub dims: Vec<Dim>,
}

/// A layer: an operation of the model.
#[derive(Debug, Default)]
pub struct Layer {
    pub id: String,
    pub name: Arc<str>,
    pub kind: Arc<str>,
    pub line: usize,
    /// The attributes of the layer's `data` element.
    pub data: HashMap<String, String>,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

/// An edge, given by the IDs of the layer and port where it begins, and of the layer and port where it ends.
pub type Edge = [String; 4];

/// The layers and edges of a model, or of the body of a loop or a branch.
#[derive(Debug, Default)]
pub struct Net {
    /// The names of the enclosing layers and of the body's XML element; empty for the model itself.
    pub scope: Scope,
    pub layers: Vec<Layer>,
    pub edges: Vec<Edge>,
}

/// The contents of a file.
#[derive(Debug, Default)]
pub struct File {
    pub nets: Vec<Net>,
    /// The version of the format.
    pub version: String,
    /// The version of the OpenVINO runtime that wrote the file.
    pub runtime: String,
    /// The memory that may still be used.
    pub budget: Budget,
}

/// Returns whether the bytes look like the beginning of an OpenVINO XML file.
pub fn recognizes(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let start = start.trim_ascii_start();
    start.starts_with(b"<?xml") || start.starts_with(b"<net ")
}

fn error_at_line(line: usize, error: impl std::fmt::Display) -> ModelError {
    ModelError::invalid(format!(
        "cannot read the file as an OpenVINO model: line {line}: {error}"
    ))
}

/// Counts the lines up to an offset. The offsets of successive calls must not decrease.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn line(&mut self, at: usize) -> usize {
        let passed_bytes = self.bytes.get(self.at..at).unwrap_or_default();
        self.line += passed_bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.at = self.at.max(at);
        self.line
    }
}

/// Returns the first `MAX_ATTRIBUTES` attributes of an element, except those that are too long.
fn attributes(element: &BytesStart<'_>) -> Result<HashMap<String, String>, ModelError> {
    let mut all = HashMap::default();
    for attribute in element.attributes().with_checks(false).take(MAX_ATTRIBUTES) {
        let attribute = attribute.map_err(|error| ModelError::invalid(error.to_string()))?;
        if attribute.value.len() > MAX_ATTRIBUTE_BYTES {
            continue;
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| ModelError::invalid(error.to_string()))?;
        let key = String::from_utf8_lossy(attribute.key.as_ref());
        all.insert(key.into_owned(), value.into_owned());
    }
    Ok(all)
}

/// Reads all layers and edges. Returns an error if the bytes are not an OpenVINO model in valid XML, contain a document
/// type, or exceed a limit.
pub fn read(bytes: &[u8]) -> Result<File, ModelError> {
    let text = str::from_utf8(bytes).map_err(|error| error_at_line(1, error))?;
    let mut reader = Reader::from_str(text);
    let mut lines = Lines {
        bytes,
        at: 0,
        line: 1,
    };
    let mut state = State::default();
    state.file.budget = Budget::new(bytes.len());
    loop {
        let event = reader.read_event();
        let line = lines.line(usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX));
        let result = match event.map_err(|error| error_at_line(line, error))? {
            Event::Start(element) => state.begin(&element, line),
            Event::Empty(element) => {
                let started = state.begin(&element, line);
                started.and_then(|()| state.end())
            }
            Event::End(_) => state.end(),
            Event::Text(text) => state.text(&text),
            Event::DocType(_) => {
                Err(ModelErrorKind::Unsupported.error("document types are not supported"))
            }
            Event::Eof => break,
            _ => Ok(()),
        };
        result.map_err(|error| error_at_line(line, &error).of_kind(error.kind()))?;
    }
    if !state.path.is_empty() {
        return Err(error_at_line(lines.line, "the file ends within an element"));
    }
    if state.file.nets.is_empty() {
        return Err(error_at_line(lines.line, "the file has no layers"));
    }
    Ok(state.file)
}

/// The state of the reader between two XML events.
#[derive(Default)]
struct State {
    file: File,
    /// The names of the open elements.
    path: Vec<String>,
    /// The open nets, outermost first, each with its open layer if there is one.
    open_nets: Vec<(Net, Option<Layer>)>,
}

impl State {
    fn begin(&mut self, element: &BytesStart<'_>, line: usize) -> Result<(), ModelError> {
        let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
        if self.path.len() >= MAX_DEPTH {
            let message = format!("elements are nested more than {MAX_DEPTH} levels deep");
            return Err(ModelErrorKind::TooLarge.error(message));
        }
        if self.path.is_empty() && name != "net" {
            return Err(ModelError::invalid(format!(
                "the root element is <{name}> instead of <net>"
            )));
        }
        let parent = self.path.last().map_or("", String::as_str);
        // Only the attributes of these elements are read.
        let is_of_interest = matches!(
            name.as_str(),
            "net" | "layer" | "data" | "port" | "edge" | "dim" | "Runtime_version"
        ) || name.ends_with("body");
        let mut all = match is_of_interest {
            true => attributes(element)?,
            false => HashMap::default(),
        };
        let budget = &mut self.file.budget;
        budget.take(all.values().map(String::len).sum())?;
        let mut take = |key: &str| all.remove(key).unwrap_or_default();
        match name.as_str() {
            "net" if self.path.is_empty() => {
                self.file.version = take("version");
                self.open_nets.push((Net::default(), None));
            }
            "Runtime_version" => self.file.runtime = take("value"),
            "edge" => {
                let edge = ["from-layer", "from-port", "to-layer", "to-port"].map(take);
                budget.take_elements::<[Edge; 2]>(1)?;
                if let Some((net, _)) = self.open_nets.last_mut() {
                    net.edges.push(edge);
                }
            }
            "layer" => {
                let layer = Layer {
                    id: take("id"),
                    name: take("name").into(),
                    kind: take("type").into(),
                    line,
                    ..Layer::default()
                };
                budget.take_elements::<[Layer; 2]>(1)?;
                if let Some((_, open_layer)) = self.open_nets.last_mut() {
                    if open_layer.is_some() {
                        return Err(ModelError::invalid("a layer is directly inside another"));
                    }
                    *open_layer = Some(layer);
                }
            }
            "data" if parent == "layer" => {
                budget.take_elements::<[[String; 2]; 2]>(all.len())?;
                if let Some((_, Some(layer))) = self.open_nets.last_mut() {
                    layer.data = all;
                }
            }
            "port" => {
                let port = Port {
                    id: take("id"),
                    names: take("names"),
                    dims: Vec::new(),
                };
                let is_input = parent == "input";
                budget.take_elements::<[Port; 2]>(1)?;
                if let Some((_, Some(layer))) = self.open_nets.last_mut() {
                    match is_input {
                        true => layer.inputs.push(port),
                        false => layer.outputs.push(port),
                    }
                }
            }
            name if name.ends_with("body") && parent == "layer" => {
                let scope = match self.open_nets.last() {
                    Some((net, Some(layer))) => net.scope.nested(layer.name.clone()).nested(name),
                    _ => Scope::default(),
                };
                budget.take_elements::<[Net; 2]>(1)?;
                let net = Net {
                    scope,
                    ..Net::default()
                };
                self.open_nets.push((net, None));
            }
            _ => {}
        }
        self.path.push(name);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ModelError> {
        let name = self.path.pop().unwrap_or_default();
        let parent = self.path.last().map_or("", String::as_str);
        match name.as_str() {
            "layer" => {
                if let Some((net, layer)) = self.open_nets.last_mut() {
                    net.layers.extend(layer.take());
                }
            }
            "net" if self.path.is_empty() => self.close(),
            name if name.ends_with("body") && parent == "layer" => self.close(),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self) {
        if let Some((net, _)) = self.open_nets.pop() {
            self.file.nets.push(net);
        }
    }

    /// Reads the length in a `dim` element of a port, and ignores all other text. A length of -1, or a range of
    /// lengths, means that the length is known only at run time.
    fn text(&mut self, text: &[u8]) -> Result<(), ModelError> {
        let mut path = self.path.iter().rev().map(String::as_str);
        let (element, _, port_kind) = (path.next(), path.next(), path.next());
        let Some((_, Some(layer))) = self.open_nets.last_mut() else {
            return Ok(());
        };
        let ports = match (element, port_kind) {
            (Some("dim"), Some("input")) => &mut layer.inputs,
            (Some("dim"), Some("output")) => &mut layer.outputs,
            _ => return Ok(()),
        };
        let length = str::from_utf8(text)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        if let Some(port) = ports.last_mut()
            && port.dims.len() <= MAX_AXES
        {
            port.dims.push(length.map_or(Dim::Unknown, Dim::Known));
        }
        self.file.budget.take_elements::<[Dim; 2]>(1)
    }
}
