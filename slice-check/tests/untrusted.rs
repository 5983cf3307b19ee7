//! Tests that untrusted models are read or rejected quickly, and with little memory.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "common/buffers.rs"]
mod buffers;

use std::fs;
use std::time::{Duration, Instant};

use slice_check::report_text;

use buffers::{Message, node, onnx};

/// Returns the paths and bytes of the models in `tests/models`.
fn models() -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir("tests/models").expect("the folder of models should be readable");
    let paths = files.map(|file| file.expect("the entry should be readable").path());
    let models = paths.filter(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let extensions = ["onnx", "pb", "tflite", "xml", "pt2", "mlir"];
        extension.is_some_and(|extension| extensions.contains(&extension))
    });
    let read = models.map(|path| {
        let bytes = fs::read(&path).expect("the model should be readable");
        (path.display().to_string(), bytes)
    });
    read.collect()
}

fn error(bytes: &[u8]) -> String {
    let start = Instant::now();
    let error = report_text(bytes).expect_err("the bytes are not a model");
    let elapsed = start.elapsed();
    assert!(
        elapsed < Duration::from_secs(60),
        "reading took {elapsed:?}: {error}"
    );
    error
}

/// Checks that the model in `bytes` is rejected because it needs too much memory.
fn is_too_large(bytes: &[u8]) {
    let limit = format!(
        "bytes of memory, which is the limit for a file of {} bytes",
        bytes.len()
    );
    let message = error(bytes);
    assert!(message.ends_with(&limit), "{message}");
}

/// Some formats have no end marker, so a truncated model may be valid.
#[test]
fn truncated_models_are_read_or_rejected() {
    let mut errors = 0;
    for (name, bytes) in models() {
        assert!(report_text(&bytes).is_ok(), "{name} cannot be read");
        for len in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
            errors += usize::from(report_text(&bytes[..len]).is_err());
        }
    }
    assert!(errors > 300, "only {errors} truncated models were rejected");
}

#[test]
fn changed_bytes_cause_no_panic() {
    for (_, mut bytes) in models() {
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
            let old = bytes[at];
            for new in [0xff, old.wrapping_add(1)] {
                bytes[at] = new;
                let _ = report_text(&bytes);
            }
            bytes[at] = old;
        }
    }
}

#[test]
fn tensors_with_incorrect_shapes_are_ignored_or_rejected() {
    // The tensor claims to have two billion elements, but contains none.
    let tensor = Message::default().int(1, 1 << 31).int(2, 7).put(8, b"ends");
    let slice = node("Slice", &["x", "ends", "ends"], "y");
    let report = report_text(&onnx(
        &Message::default().put(1, &slice.0).put(5, &tensor.0),
    ));
    assert!(
        report
            .expect("the model should be valid")
            .contains("known only at run time: ends")
    );
    // The tensor claims to have three elements, but contains two.
    let tensor = Message::default()
        .int(1, 3)
        .int(2, 7)
        .put(8, b"ends")
        .put(9, &[0; 16]);
    let message = error(&onnx(
        &Message::default().put(1, &slice.0).put(5, &tensor.0),
    ));
    assert_eq!(
        message,
        "the tensor \"ends\" of shape [3] does not have 3 elements"
    );
    let tensor = Message::default().int(1, -3).int(2, 7).put(8, b"ends");
    let message = error(&onnx(&Message::default().put(5, &tensor.0)));
    assert_eq!(message, "the tensor \"ends\" has the invalid shape [-3]");
}

#[test]
fn cycles_and_duplicate_values_are_rejected() {
    let graph = Message::default();
    let graph = graph.put(1, &node("Slice", &["a", "a", "a"], "b").0);
    let graph = graph.put(1, &node("Concat", &["b", "b"], "a").0);
    let message = error(&onnx(&graph));
    assert_eq!(
        message,
        "nodes form a cycle, and \"\" is one of them or depends on them"
    );
    let graph = Message::default();
    let graph = graph.put(1, &node("Slice", &["a"], "b").0);
    let message = error(&onnx(&graph.put(1, &node("Slice", &["a"], "b").0)));
    assert_eq!(message, "nodes \"\" and \"\" both produce the value \"b\"");
}

/// An attribute of a node may contain a graph.
#[test]
fn the_depth_of_nested_graphs_is_limited() {
    let mut graph = Message::default();
    for _ in 0..1000 {
        let attribute = Message::default().put(1, b"body").put(6, &graph.0);
        graph = Message::default().put(1, &node("Loop", &["x"], "y").put(5, &attribute.0).0);
    }
    assert_eq!(
        error(&onnx(&graph)),
        "the model has graphs nested more than 32 levels deep"
    );
}

/// The limit is needed because a node that is encoded in two bytes takes far more memory once it has been read.
#[test]
fn the_number_of_nodes_is_limited() {
    let graph = Message([0x0a, 0x00].repeat(600_000));
    is_too_large(&onnx(&graph));
    let inputs = Message([0x0a, 0x01, b'x'].repeat(2_100_000));
    is_too_large(&onnx(&Message::default().put(1, &inputs.0)));
    // Shapes with too many axes are discarded.
    let dims = Message([0x0a, 0x00].repeat(600_000));
    let shape = Message::default().put(2, &dims.0);
    let info = Message::default()
        .put(1, b"x")
        .put(2, &Message::default().put(1, &shape.0).0);
    let report = report_text(&onnx(&Message::default().put(11, &info.0)));
    assert!(
        report
            .expect("the model should be valid")
            .contains("0 nodes")
    );
}

/// Each slice is applied to the output of the previous slice.
#[test]
fn a_long_chain_of_slices_is_read_within_a_minute() {
    let mut graph = Message::default();
    let one = Message::default()
        .int(1, 1)
        .int(2, 7)
        .put(8, b"one")
        .put(9, &1_i64.to_le_bytes());
    graph = graph.put(5, &one.0);
    for at in 0..8000 {
        let (input, output) = (format!("v{at}"), format!("v{}", at + 1));
        graph = graph.put(1, &node("Slice", &[&input, "one", "one"], &output).0);
    }
    let start = Instant::now();
    assert!(report_text(&onnx(&graph)).is_ok());
    let elapsed = start.elapsed();
    assert!(
        elapsed < Duration::from_secs(60),
        "reading took {elapsed:?}"
    );
}

/// Offsets in a FlatBuffer may point outside the file, form cycles, or share a target.
#[test]
fn flatbuffers_with_invalid_or_shared_offsets_are_read_within_a_minute() {
    let bytes = fs::read("tests/models/focus.tflite").expect("the model should be readable");
    for at in (0..bytes.len() - 4).step_by(8) {
        for offset in [0, 4, 0x7fff_ffff, u32::MAX, bytes.len() as u32 - at as u32] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&offset.to_le_bytes());
            let _ = report_text(&bytes);
        }
    }
    // The next model has 500,000 graphs, which all share one table.
    let mut file = vec![0; 8];
    let word = |file: &mut Vec<u8>, word: u32| file.extend_from_slice(&word.to_le_bytes());
    file[..4].copy_from_slice(&36_u32.to_le_bytes());
    file[4..].copy_from_slice(b"TFL3");
    // The vtable of the model's table is at offset 8, and the table at offset 36.
    for half in [14_u16, 12, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    word(&mut file, 28);
    word(&mut file, 8);
    word(&mut file, 8);
    word(&mut file, 0);
    let graphs = 500_000_u32;
    word(&mut file, graphs);
    for graph in 0..graphs {
        // Each offset points back to the model's table, which has no tensors if it is read as a graph.
        let here = 56 + 4 * graph;
        word(&mut file, 36_u32.wrapping_sub(here));
    }
    let start = Instant::now();
    assert!(report_text(&file).is_err());
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// The XML is truncated or too deeply nested, has an incorrect root, declares entities, has an edge without a source,
/// or has too many edges. In contrast, surplus attributes and incorrect constant sizes are not errors.
#[test]
fn invalid_openvino_models_are_rejected() {
    let error_in = |text: &str| error(text.as_bytes());
    assert_eq!(
        error_in("<?xml version=\"1.0\"?><net><layers>"),
        "cannot read the file as an OpenVINO model: line 1: the file ends within an element"
    );
    assert_eq!(
        error_in("<?xml version=\"1.0\"?>\n<html></html>"),
        "cannot read the file as an OpenVINO model: line 2: the root element is <html> instead of <net>"
    );
    assert_eq!(
        error_in("<?xml version=\"1.0\"?><!DOCTYPE net [<!ENTITY a \"b\">]><net/>"),
        "cannot read the file as an OpenVINO model: line 1: document types are not supported"
    );
    let deep = format!("<net >{}", "<a>".repeat(1_000_000));
    let limit = "cannot read the file as an OpenVINO model: line 1: elements are nested more than 256 levels deep";
    assert_eq!(error_in(&deep), limit);
    let bodies = "<layers><layer id=\"0\"><body>".repeat(100);
    assert_eq!(error_in(&format!("<net >{bodies}")), limit);
    let edge = "<edge from-layer=\"7\" from-port=\"0\" to-layer=\"0\" to-port=\"0\"/>";
    let edges = |count| format!("<net ><layers/><edges>{}</edges></net>", edge.repeat(count));
    assert_eq!(
        error_in(&edges(1)),
        "an edge comes from port \"0\" of layer \"7\", but there is no such port"
    );
    let many_edges = "<edge/>".repeat(2_000_001);
    is_too_large(format!("<net ><layers/><edges>{many_edges}</edges></net>").as_bytes());
    // Only a limited number of attributes are read.
    let attributes = "a=\"0\" ".repeat(1_000_000);
    let report =
        report_text(format!("<net ><layers><layer {attributes}/></layers></net>").as_bytes());
    assert!(
        report
            .expect("the model should be valid")
            .contains("1 node,")
    );
    // The constant claims to have 16 GiB of data, which do not exist.
    let constant = "<net ><layers><layer id=\"0\" type=\"Const\"><data element_type=\"i64\" shape=\"2147483648\" offset=\"0\" \
                    size=\"17179869184\"/><output><port id=\"0\"/></output></layer></layers></net>";
    assert!(report_text(constant.as_bytes()).is_ok());
}

/// Functions may call themselves, or form a chain in which each function calls the next one twice.
#[test]
fn the_number_of_calls_is_limited() {
    let function = |name: &str, calls: &str| {
        format!(
            "func.func private @{name}(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n{calls}return %arg0 : tensor<4xf32>\n}}\n"
        )
    };
    let call =
        |name: &str| format!("%0 = call @{name}(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n");
    assert_eq!(
        error(function("a", &call("a")).as_bytes()),
        "the module has calls nested more than 32 levels deep"
    );
    // The number of operations doubles with each of these functions.
    let mut text = String::from("module {\n");
    for at in 0..30 {
        text += &function(&format!("f{at}"), &call(&format!("f{}", at + 1)).repeat(2));
    }
    let slice = "%0 = stablehlo.slice %arg0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>\n";
    text += &function("f30", slice);
    is_too_large(text.replacen("private @f0", "public @main", 1).as_bytes());
    // The limit applies even if the module contains no slice.
    let empty = text.replace(slice, "");
    is_too_large(empty.replacen("private @f0", "public @main", 1).as_bytes());
    let deep = format!(
        "func.func @main(%arg0: tensor<4xf32>) {{\n%0 = stablehlo.slice %arg0 {}",
        "[".repeat(1_000_000)
    );
    // An operation that cannot be parsed is not an error.
    assert!(report_text(deep.as_bytes()).is_ok());
    assert_eq!(
        error(b"module {\n}\n"),
        "not a StableHLO module: the file has no func.func"
    );
    assert!(error(b"ML\xefR\x0d").starts_with("not StableHLO text: bytecode is not supported"));
}

/// An archive may be truncated, contain no model, or contain a model in which the name of a field is misspelled.
#[test]
fn archives_without_a_valid_model_are_rejected() {
    assert!(error(b"PK\x03\x04").starts_with("cannot read the file as a torch.export archive: "));
    let bytes = fs::read("tests/models/everything.pt2").expect("the model should be readable");
    let replace = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let mut bytes = bytes.clone();
        let positions: Vec<usize> = bytes
            .windows(from.len())
            .enumerate()
            .filter(|(_, part)| *part == from.as_bytes())
            .map(|(at, _)| at)
            .collect();
        assert!(!positions.is_empty());
        for at in positions {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
        bytes
    };
    assert_eq!(
        error(&replace("models/model.json", "models/model.text")),
        "cannot read the file as a torch.export archive: there is no models/*.json, which PyTorch has written since version 2.8"
    );
    // A required field is missing, because its name is misspelled.
    let message = error(&replace("\"tensor_values\"", "\"tensor_v_lues\""));
    assert!(
        message.starts_with("cannot read the file as a torch.export archive: "),
        "{message}"
    );
}
