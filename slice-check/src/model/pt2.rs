//! Reads archives written by `torch.export.save`: a graph in JSON, and the bytes of constants.

mod call;
mod schema;

use std::io::{Read, Seek};
use std::sync::Arc;

use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder,
};
use serde::de::DeserializeOwned;

use super::array::Constant;
use super::element_type::ElementType;
use super::number::{Dim, MAX_AXES, MAX_CONSTANT_AXES, element_count, small_count};
use super::{Format, Graph, ModelError, ModelErrorKind, Node, Scope, ValueId, steps};
use crate::model::steps::HashMap;
use ModelErrorKind::{TooLarge, Unsupported};
use call::Call;
use schema::{Arg, Configs, Program, Size};

/// The maximum size of a JSON file in bytes.
const MAX_JSON_BYTES: u64 = 64 << 20;
/// The maximum number of files in an archive.
const MAX_FILES: usize = 100_000;
/// The maximum length of a file name in bytes; files with longer names are ignored.
const MAX_NAME_BYTES: usize = 1000;
/// The maximum depth of nested graphs.
const MAX_DEPTH: usize = 32;

/// The code of 32-bit integers in the schema's `ScalarType`.
const INT32: i64 = 4;
/// The code of 64-bit integers in the schema's `ScalarType`.
const INT64: i64 = 5;
/// The code of truth values in the schema's `ScalarType`.
const BOOL: i64 = 12;

/// Returns whether the bytes begin with the signature of a ZIP archive.
pub fn recognizes(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

fn archive_error(error: impl std::fmt::Display) -> ModelError {
    ModelError::invalid(format!(
        "cannot read the file as a torch.export archive: {error}"
    ))
}

/// The files of an archive. Only files that are stored without compression can be read.
struct Archive<R> {
    zip: ZipArchive<R>,
    files: HashMap<String, ZipFileHeader>,
}

/// The location of a file in the archive, and its size in bytes as stated by the archive. The size is `None` if the
/// file is compressed.
struct ZipFileHeader {
    at: ZipArchiveEntryWayfinder,
    size: Option<u64>,
}

impl<R: ReaderAt> Archive<R> {
    fn new(zip: ZipArchive<R>, buffer: &mut [u8]) -> Result<Self, ModelError> {
        let mut files = HashMap::default();
        let mut entries = zip.entries(buffer);
        while let Some(entry) = entries.next_entry().map_err(archive_error)? {
            if files.len() >= MAX_FILES {
                let message = format!("there are more than {MAX_FILES} files");
                return Err(archive_error(message).of_kind(TooLarge));
            }
            let is_stored = entry.compression_method() == CompressionMethod::STORE;
            let file = ZipFileHeader {
                at: entry.wayfinder(),
                size: is_stored.then(|| entry.uncompressed_size_hint()),
            };
            let name = entry.file_path();
            let name = str::from_utf8(name.as_ref()).ok();
            if let Some(name) = name.filter(|name| name.len() <= MAX_NAME_BYTES) {
                files.insert(name.to_owned(), file);
            }
        }
        Ok(Archive { zip, files })
    }

    /// Returns the bytes of a file. Returns an error if the file is missing, compressed or invalid, or has more than
    /// `max_len` bytes.
    fn bytes(&self, name: &str, max_len: u64) -> Result<Vec<u8>, ModelError> {
        let to_error = |error: &dyn std::fmt::Display| archive_error(format!("{name}: {error}"));
        let file = self.files.get(name);
        let file = file.ok_or_else(|| to_error(&"there is no such file"))?;
        let compressed = || to_error(&"compressed files are not supported").of_kind(Unsupported);
        let size = file.size.ok_or_else(compressed)?;
        if size > max_len {
            let message = format!("{size} bytes are more than the limit of {max_len}");
            return Err(to_error(&message).of_kind(TooLarge));
        }
        let entry = self.zip.get_entry(file.at);
        let entry = entry.map_err(|error| to_error(&error))?;
        let mut bytes = Vec::new();
        let read = entry.reader().take(max_len).read_to_end(&mut bytes);
        read.map_err(|error| to_error(&error))?;
        Ok(bytes)
    }

    /// Parses a JSON file. Also returns its length in bytes.
    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<(T, usize), ModelError> {
        let bytes = self.bytes(name, MAX_JSON_BYTES)?;
        let parsed = serde_json::from_slice(&bytes);
        let parsed = parsed.map_err(|error| archive_error(format!("{name}: {error}")))?;
        Ok((parsed, bytes.len()))
    }
}

/// Reads a model from an archive. If the archive contains several models, reads the one whose name sorts first. Returns an
/// error if the archive contains no model, or exceeds a limit.
pub fn read(archive: impl Read + Seek) -> Result<Graph, ModelError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let zip = ZipArchive::from_seekable(archive, &mut buffer).map_err(archive_error)?;
    read_archive(&Archive::new(zip, &mut buffer)?)
}

fn read_archive<R: ReaderAt>(archive: &Archive<R>) -> Result<Graph, ModelError> {
    let is_model = |name: &&String| {
        let path = name.split_once('/').map_or("", |(_, path)| path);
        path.starts_with("models/") && path.ends_with(".json")
    };
    let name = archive.files.keys().filter(is_model).min();
    let name = name.ok_or_else(|| {
        archive_error("there is no models/*.json, which PyTorch has written since version 2.8")
    })?;
    let (program, len): (Program, usize) = archive.json(name)?;
    let folder = name.split('/').next().unwrap_or_default();
    let torch_version = program.torch_version.split('+').next().unwrap_or_default();
    let (major, minor) = (program.schema_version.major, program.schema_version.minor);
    let about =
        format!("torch.export, format version {major}.{minor}, written by PyTorch {torch_version}");
    let mut reader = Reader {
        graph: Graph::new(about, Format::Torch, len),
        values: HashMap::default(),
        depth: 0,
    };
    reader.graph(&program.graph_module.graph, &Scope::default())?;
    let mut configs = HashMap::default();
    for kind in ["weights", "constants"] {
        let name = format!("{folder}/data/{kind}/model_{kind}_config.json");
        if archive.files.contains_key(&name) {
            let (read, len): (Configs, usize) = archive.json(&name)?;
            reader.graph.budget.add_file(len);
            let with_folder = |(name, config)| (name, (format!("{folder}/data/{kind}"), config));
            configs.extend(read.config.into_iter().map(with_folder));
        }
    }
    for (value, name) in program.graph_module.signature.constants() {
        // The signature refers to inputs by their names in the main graph, whose values are now in `reader.values`.
        let value = reader.values.get(value).copied();
        let (Some(value), Some((folder, config))) = (value, configs.get(name)) else {
            continue;
        };
        reader.graph.values[value].is_constant = true;
        let Some((element_type, shape, len)) = config.elements() else {
            continue;
        };
        let name = format!("{folder}/{}", config.path_name);
        let bytes = archive.bytes(&name, (len * element_type.size()) as u64)?;
        let elements = element_type.decode(&bytes);
        let constant = elements.and_then(|elements| Constant::new(element_type, shape, elements));
        let constant = constant
            .ok_or_else(|| archive_error(format!("{name} does not have {len} elements")))?;
        reader.graph.set_constant(value, Some(constant));
    }
    Ok(reader.graph)
}

impl schema::Config {
    /// Returns the type, the shape and the number of elements. Returns `None` if the constant is pickled, if it has too
    /// many axes or elements, if its elements are neither truth values nor 32-bit or 64-bit integers, or if they do not
    /// begin at the start of the file.
    fn elements(&self) -> Option<(ElementType, Vec<usize>, usize)> {
        let meta = self.tensor_meta.as_ref().filter(|_| !self.use_pickle)?;
        let element_type = match meta.dtype {
            INT64 => ElementType::I64,
            INT32 => ElementType::I32,
            BOOL => ElementType::Bool,
            _ => return None,
        };
        // Many constants may share this description.
        if meta.sizes.len() > MAX_CONSTANT_AXES {
            return None;
        }
        let start = meta.storage_offset.as_ref().map_or(Some(0), Size::known)?;
        steps::count(meta.sizes.len());
        let lengths: Vec<usize> = meta.sizes.iter().map(Size::length).collect::<Option<_>>()?;
        let len = small_count(&lengths)?;
        // The elements of an array with several axes must be in row-major order.
        let strides: Vec<usize> = meta
            .strides
            .iter()
            .take(MAX_CONSTANT_AXES + 1)
            .map(Size::length)
            .collect::<Option<_>>()?;
        let is_ordered = lengths.len() <= 1
            || strides.len() == lengths.len()
                && (0..lengths.len())
                    .all(|axis| Some(strides[axis]) == element_count(&lengths[axis + 1..]));
        (start == 0 && is_ordered).then_some((element_type, lengths, len))
    }
}

struct Reader {
    graph: Graph,
    /// The values of the current graph, by name.
    values: HashMap<Arc<str>, ValueId>,
    depth: usize,
}

impl Reader {
    fn value(&mut self, name: &str) -> Result<ValueId, ModelError> {
        if let Some(&value) = self.values.get(name) {
            return Ok(value);
        }
        let value = self.graph.add_value(name)?;
        self.values
            .insert(self.graph.values[value].name.clone(), value);
        Ok(value)
    }

    fn graph(&mut self, graph: &schema::Graph, scope: &Scope) -> Result<(), ModelError> {
        for (name, meta) in &graph.tensor_values {
            let value = self.value(name)?;
            if meta.sizes.len() <= MAX_AXES {
                let shape: Arc<[Dim]> = meta.sizes.iter().map(Size::dim).collect();
                self.graph.declare_shape(value, Some(shape))?;
            }
        }
        for (name, size) in &graph.sym_int_values {
            let value = self.value(name)?;
            let constant = Constant::scalar(ElementType::Python, size.0.clone());
            self.graph.set_constant(value, Some(constant));
        }
        for output in &graph.outputs {
            if let (Some(tensor), true) = (output.tensor(), scope.is_empty()) {
                let value = self.value(tensor)?;
                self.graph.add_output(value);
            }
        }
        for (at, node) in graph.nodes.iter().enumerate() {
            self.node(at, node, scope)?;
        }
        Ok(())
    }

    fn node(&mut self, at: usize, node: &schema::Node, scope: &Scope) -> Result<(), ModelError> {
        let mut outputs = Vec::new();
        for output in &node.outputs {
            for name in output.names() {
                outputs.push(Some(self.value(name)?));
            }
        }
        for input in &node.inputs {
            if let Arg::Graph(nested) = &input.arg {
                if self.depth >= MAX_DEPTH {
                    let message = format!("graphs are nested more than {MAX_DEPTH} levels deep");
                    return Err(archive_error(message).of_kind(TooLarge));
                }
                let outer_values = std::mem::take(&mut self.values);
                self.depth += 1;
                let name = self.graph.name(&nested.name)?;
                let result = self.graph(&nested.graph, &scope.nested(name));
                self.depth -= 1;
                self.values = outer_values;
                result?;
            }
        }
        let mut call = Call {
            node,
            inputs: Vec::new(),
            outputs: &outputs,
            reader: self,
        };
        let kind = call.kind()?;
        let inputs = call.inputs;
        let operation = node
            .target
            .strip_prefix("torch.ops.")
            .unwrap_or(&node.target);
        let name = self.graph.name(node.name.as_deref().unwrap_or_default())?;
        let operation = self.graph.name(operation)?;
        self.graph.add_node(Node {
            name,
            operation,
            at,
            scope: scope.clone(),
            inputs,
            outputs,
            kind,
        })
    }
}
