//! Tests that little memory is used to read models that claim billions of elements, contain cycles or deeply nested
//! graphs, or are truncated.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "../common/buffers.rs"]
mod buffers;
mod nested;
mod truncated;

use allocation_counter::measure;
use slice_check::report_text;

use buffers::{
    Message, constant, graph_def, litert, node, onnx, tensor, tensorflow_node, value_info,
};

/// The maximum memory, in bytes, that may be used to read a model, in addition to 64 times the size of the model.
const MAX_MEMORY_BYTES: usize = 8 << 20;

/// Returns the report on a model, or the error, after checking the peak memory use.
fn report(name: &str, model: &[u8]) -> Result<String, String> {
    let mut report = Ok(String::new());
    let info = measure(|| report = report_text(model));
    let peak = usize::try_from(info.bytes_max).expect("the peak should fit in memory");
    assert!(
        peak < MAX_MEMORY_BYTES + 64 * model.len(),
        "{name}: reading the model took {peak} bytes of memory"
    );
    report
}

#[test]
fn claimed_elements_of_onnx_tensors_are_not_allocated() {
    for (dims, expected) in [
        (&[1 << 31][..], "known only at run time: ends"),
        (&[1 << 20, 1 << 11], "`starts` has 2 axes"),
    ] {
        let tensor = dims
            .iter()
            .fold(Message::default(), |tensor, &dim| tensor.int(1, dim));
        let tensor = tensor.int(2, 7).put(8, b"ends");
        let slice = node("Slice", &["x", "ends", "ends"], "y");
        let graph = Message::default().put(1, &slice.0).put(5, &tensor.0);
        let report = report("onnx", &onnx(&graph)).expect("the model should be valid");
        assert!(report.contains(expected), "{report}");
    }
}

#[test]
fn claimed_elements_of_tensorflow_constants_are_not_allocated() {
    // Each constant stores only one element, which is repeated.
    for dims in [
        &[1 << 31][..],
        &[1 << 20, 1 << 11],
        &[i64::MAX, i64::MAX],
        &[-1],
    ] {
        let nodes = [
            constant("x", &[4, 5], &[0]),
            constant("ends", dims, &[1]),
            constant("one", &[1], &[1]),
            tensorflow_node("y", "StridedSlice", &["x", "one", "ends", "one"]),
        ];
        let report = report("tensorflow", &graph_def(&nodes)).expect("the model should be valid");
        assert!(report.contains("1 slice"), "{report}");
    }
    // The last field claims to have more bytes than the rest of the file.
    let mut truncated = graph_def(&[constant("x", &[4], &[1])]);
    truncated.extend([0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]);
    let error = report("tensorflow", &truncated).expect_err("the last field is truncated");
    assert!(error.contains("byte"), "{error}");
}

#[test]
fn claimed_elements_of_litert_tensors_are_not_allocated() {
    // The tensor that is both `begin` and `size` claims to have two billion or more elements, or a negative length, but
    // its buffer contains four bytes.
    for (lengths, expected) in [
        (&[i32::MAX][..], "there are bounds for 2147483647 axes"),
        (&[i32::MAX, i32::MAX], "`begin` has 2 axes"),
        (&[-1], "known only at run time"),
    ] {
        let model = litert(lengths, 4, 2);
        let report = report("litert", &model).expect("the model should be valid");
        assert!(report.contains(expected), "{report}");
    }
    // The buffer claims to be longer than the file.
    let error = report("litert", &litert(&[1], u32::MAX, 2)).expect_err("the buffer is too long");
    assert!(error.contains("is missing or incomplete"), "{error}");
}

#[test]
fn cycles_in_onnx_graphs_are_rejected() {
    let graph = Message::default();
    let graph = graph.put(1, &node("Slice", &["a", "a", "a"], "b").0);
    let graph = graph.put(1, &node("Add", &["b", "b"], "a").0);
    let error = report("onnx", &onnx(&graph)).expect_err("the nodes form a cycle");
    assert!(error.contains("form a cycle"), "{error}");
}

/// Older TensorFlow graphs represent loops as cycles, so a cycle is valid.
#[test]
fn cycles_in_tensorflow_graphs_are_allowed() {
    let nodes = [
        constant("one", &[1], &[1]),
        tensorflow_node("a", "Add", &["b", "one"]),
        tensorflow_node("b", "StridedSlice", &["a", "one", "a", "one"]),
    ];
    let report = report("tensorflow", &graph_def(&nodes)).expect("the model should be valid");
    assert!(report.contains("known only at run time"), "{report}");
}

#[test]
fn a_litert_tensor_may_be_both_input_and_output_of_an_operator() {
    let report = report("litert", &litert(&[1], 4, 0));
    assert!(report.is_ok(), "{report:?}");
}

#[test]
fn deeply_nested_tensorflow_messages_are_allowed() {
    // Nested messages are parsed only if their contents are needed, so 5000 levels are allowed.
    let mut nested = Message::default();
    for _ in 0..5000 {
        nested = Message::default().put(1, &nested.0);
    }
    let function = Message::default().put(1, &nested.0);
    let library = Message::default().put(1, &function.0);
    let graph = Message(graph_def(&[constant("x", &[4], &[1])]));
    let report = report("tensorflow", &graph.put(2, &library.0).0);
    assert!(report.is_ok(), "{report:?}");
    let deep_node = tensorflow_node("x", "Const", &[]);
    let value = Message::default().put(1, b"value").put(2, &nested.0);
    let report = self::report("tensorflow", &graph_def(&[deep_node.put(5, &value.0)]));
    assert!(report.is_ok(), "{report:?}");
}

#[test]
fn deeply_nested_onnx_graphs_are_rejected() {
    let mut graph = Message::default();
    for _ in 0..200 {
        let attribute = Message::default().put(1, b"body").put(6, &graph.0);
        graph = Message::default().put(1, &node("Loop", &["x"], "y").put(5, &attribute.0).0);
    }
    let error = report("onnx", &onnx(&graph)).expect_err("the graphs are nested too deeply");
    assert!(
        error.contains("graphs nested more than 32 levels deep"),
        "{error}"
    );
}

/// Found by fuzzing: the model declares that the output of a slice has 5 or 6 rows, but the output has 64. The next
/// slice must not be resolved for the declared number of rows.
#[test]
fn declared_shapes_that_contradict_a_slice_are_reported() {
    let number = |name: &str, number| tensor(name, &[1], &[number]);
    let graph = Message::default()
        .put(1, &node("Slice", &["x", "one", "end", "axis"], "rows").0)
        .put(
            1,
            &node("Slice", &["rows", "none", "five", "axis"], "some").0,
        )
        .put(1, &node("Slice", &["some", "none", "five", "last"], "y").0);
    let constants = [
        ("none", 0),
        ("one", 1),
        ("five", 5),
        ("axis", 1),
        ("last", 2),
        ("end", i64::MAX),
    ];
    let graph = constants.iter().fold(graph, |graph, &(name, value)| {
        graph.put(5, &number(name, value).0)
    });
    for rows in [5, 6] {
        let graph = Message(graph.0.clone())
            .put(11, &value_info("x", &[1, 65, 8]).0)
            .put(13, &value_info("rows", &[1, rows, 8]).0)
            .put(12, &value_info("y", &[1, 5, 5]).0);
        let report = report("onnx", &onnx(&graph)).expect("the model should be valid");
        assert!(
            report.contains("the model declares the output shape"),
            "{report}"
        );
    }
}

/// Found by fuzzing: an unused slice is counted even if it selects everything.
#[test]
fn unused_slices_are_counted() {
    let number = |name: &str, number| tensor(name, &[1], &[number]);
    let graph = Message::default()
        .put(1, &node("Slice", &["x", "zero", "end", "zero"], "unused").0)
        .put(1, &node("Slice", &["x", "one", "end", "zero"], "y").0)
        .put(5, &number("zero", 0).0)
        .put(5, &number("one", 1).0)
        .put(5, &number("end", i64::MAX).0)
        .put(11, &value_info("x", &[4, 5]).0)
        .put(12, &value_info("y", &[3, 5]).0);
    let report = report("onnx", &onnx(&graph)).expect("the model should be valid");
    assert!(report.contains("2 slices"), "{report}");
}

/// Found by fuzzing: a constant is sliced with bounds that follow from the shape of an input, and the output is sliced
/// again.
#[test]
fn nested_slices_of_a_constant_can_be_merged() {
    let graph = Message::default()
        .put(1, &node("Shape", &["x"], "lengths").0)
        .put(1, &node("Slice", &["mask", "none", "lengths"], "rows").0)
        .put(1, &node("Slice", &["rows", "one", "end", "one"], "y").0)
        .put(5, &tensor("mask", &[4, 4], &[0; 16]).0)
        .put(5, &tensor("none", &[2], &[0, 0]).0)
        .put(5, &tensor("one", &[1], &[1]).0)
        .put(5, &tensor("end", &[1], &[i64::MAX]).0)
        .put(11, &value_info("x", &[2, 3]).0)
        .put(12, &value_info("y", &[2, 2]).0);
    let report = report("onnx", &onnx(&graph)).expect("the model should be valid");
    assert!(
        report.contains("can be merged into one slice: x[:2, 1:3]"),
        "{report}"
    );
}
