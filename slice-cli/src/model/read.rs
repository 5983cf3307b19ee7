//! Reads a model from a file, in whichever format it is.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Graph, ModelError, fold, litert, onnx, tensorflow};

/// The largest file that is read: a protocol buffer holds no more.
const MOST_BYTES: u64 = 2 << 30;

/// The bytes of a file.
///
/// # Errors
///
/// If it cannot be read, or is too large.
pub fn bytes(path: &Path) -> Result<Vec<u8>, ModelError> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    // A saved model is a folder.
    let inside = path.join("saved_model.pb");
    let path = if path.is_dir() && inside.exists() {
        &inside
    } else {
        path
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    let len = file.metadata().map_err(|error| failed(&error))?.len();
    let mut bytes = Vec::new();
    let reserve = usize::try_from(len.min(MOST_BYTES)).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(reserve)
        .map_err(|error| failed(&error))?;
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed(&"it has more than 2 GiB").into());
    }
    Ok(bytes)
}

/// Reads a model, and follows its constants and shapes.
///
/// # Errors
///
/// If it is no model of a known format.
pub fn graph(bytes: &[u8]) -> Result<Graph, ModelError> {
    let mut graph = match () {
        () if litert::is(bytes) => litert::read(bytes)?,
        () if tensorflow::is(bytes) => tensorflow::read(bytes)?,
        () => onnx::read(bytes)?,
    };
    fold::fold(&mut graph)?;
    if graph.in_circles > 0 && graph.system == "onnx" {
        let at = graph.nodes.len() - graph.in_circles;
        let name = &graph.nodes[at].name;
        return Err(
            format!("{name:?} and other nodes take values of each other in a circle").into(),
        );
    }
    Ok(graph)
}
