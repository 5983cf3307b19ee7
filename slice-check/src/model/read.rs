//! Reads a model file in any of the supported formats.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::onnx::Declarations;
use super::openvino::{self, Weights};
use super::{
    Format, Graph, ModelError, ModelErrorKind, fold, litert, onnx, pt2, stablehlo, tensorflow,
};

/// The maximum size of a file in bytes. Protocol buffers cannot be larger.
const MAX_FILE_BYTES: u64 = 2 << 30;

/// Opens a file, and returns its length. Fails if the path leads to a pipe or a device, which may have no end.
fn open(path: &Path) -> io::Result<(File, u64)> {
    // Reading a directory fails too, with the operating system's own message.
    let check = |metadata: fs::Metadata| match metadata.is_file() || metadata.is_dir() {
        true => Ok(metadata.len()),
        false => Err(io::Error::other("it is a pipe, a socket or a device")),
    };
    // Opening a pipe waits for a writer.
    check(fs::metadata(path)?)?;
    let file = File::open(path)?;
    let len = check(file.metadata()?)?;
    Ok((file, len))
}

/// Reads the bytes of the file at `path`, or of the saved model in the directory at `path`.
fn bytes(path: &Path) -> Result<Vec<u8>, ModelError> {
    // A TensorFlow saved model is a directory that contains a file with this name.
    let saved_model = path.join("saved_model.pb");
    let path = if path.is_dir() && saved_model.exists() {
        &saved_model
    } else {
        path
    };
    let read = || -> io::Result<(Vec<u8>, u64)> {
        let (file, len) = open(path)?;
        let mut bytes = Vec::new();
        if len <= MAX_FILE_BYTES {
            bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX))?;
            file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        }
        let len = len.max(bytes.len() as u64);
        Ok((bytes, len))
    };
    match read() {
        Ok((bytes, ..=MAX_FILE_BYTES)) => Ok(bytes),
        Ok(_) => Err(ModelErrorKind::TooLarge.error("the file is larger than 2 GiB")),
        Err(error) => {
            Err(ModelErrorKind::Unreadable.error(format!("cannot read the file: {error}")))
        }
    }
}

/// Opens the `.bin` file beside a model. If the model is an OpenVINO model, this file contains its constants. A link to
/// a file outside the folder of the model is not followed, because the author of the model chooses which bytes of the
/// file the report shows.
fn weights(path: &Path) -> Weights {
    let folder = |path: &Path| Some(fs::canonicalize(path).ok()?.parent()?.to_owned());
    let model = path;
    let path = path.with_extension("bin");
    // The model may itself be a link, for example from a snapshot to a store of files, which then also contains the
    // constants.
    let is_beside_model = |path: &Path| {
        let named_folder = match model.parent() {
            Some(named) if named != Path::new("") => fs::canonicalize(named).ok(),
            _ => fs::canonicalize(".").ok(),
        };
        folder(path).is_some_and(|found| [named_folder, folder(model)].contains(&Some(found)))
    };
    let opened = open(&path).and_then(|(file, _)| match is_beside_model(&path) {
        true => Ok(file),
        false => Err(io::Error::other("it is a link to a file in another folder")),
    });
    match opened {
        Ok(file) => Weights::File(file),
        Err(error) => Weights::Missing(format!("cannot read {}: {error}", path.display())),
    }
}

/// Reads a model from a file, and propagates its constants and shapes. Also returns the bytes of the file. For a
/// PyTorch archive, the returned bytes are empty, because only some of its files are read. Returns an error if the
/// file, or the file with the model's constants, cannot be read, if the model is invalid or in an unsupported format,
/// or if it exceeds a limit.
pub fn model(path: &Path) -> Result<(Vec<u8>, Graph), ModelError> {
    let mut start = Vec::new();
    if let Ok((file, _)) = open(path)
        && file.take(4).read_to_end(&mut start).is_ok()
        && pt2::recognizes(&start)
        && let Ok((file, _)) = open(path)
    {
        return Ok((Vec::new(), with_inferred_values(pt2::read(file)?)?));
    }
    let bytes = bytes(path)?;
    let graph = graph(&bytes, weights(path))?;
    Ok((bytes, graph))
}

/// Reads a model from `bytes`, and propagates its constants and shapes. Returns an error if the model is invalid or in
/// an unsupported format, if it exceeds a limit, or if its constants cannot be read from `weights`.
pub fn graph(bytes: &[u8], mut weights: Weights) -> Result<Graph, ModelError> {
    let graph = match () {
        () if litert::recognizes(bytes) => litert::read(bytes)?,
        () if pt2::recognizes(bytes) => pt2::read(Cursor::new(bytes))?,
        () if stablehlo::recognizes(bytes) => stablehlo::read(bytes)?,
        () if openvino::recognizes(bytes) => openvino::read(bytes, &mut weights)?,
        () if tensorflow::recognizes(bytes) => tensorflow::read(bytes)?,
        () => onnx::read(bytes, Declarations::All)?,
    };
    with_inferred_values(graph)
}

/// Reads an ONNX model from `bytes`, and propagates only the shapes that ONNX Runtime checks. Returns an error if the
/// model is invalid or exceeds a limit.
pub fn checked_onnx(bytes: &[u8]) -> Result<Graph, ModelError> {
    with_inferred_values(onnx::read(bytes, Declarations::Checked)?)
}

/// Propagates constants and shapes. Returns an error if two nodes produce the same value, or if nodes of an ONNX model
/// form a cycle.
fn with_inferred_values(mut graph: Graph) -> Result<Graph, ModelError> {
    fold::fold(&mut graph)?;
    if graph.nodes_in_cycles > 0 && graph.format == Format::Onnx {
        let at = graph.nodes.len() - graph.nodes_in_cycles;
        let name = &graph.nodes[at].name;
        return Err(ModelError::invalid(format!(
            "nodes form a cycle, and {name:?} is one of them or depends on them"
        )));
    }
    Ok(graph)
}
