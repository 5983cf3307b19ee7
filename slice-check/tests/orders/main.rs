//! Compares models that join the channels of an image in two orders, in all formats. The script `orders.py` writes the
//! models, and records what their systems compute.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "../common/buffers.rs"]
mod buffers;

use std::collections::BTreeMap;
use std::path::Path;

use buffers::{Message, constant, graph_def, node, onnx, tensor, tensorflow_node, value_info};
use serde_json::Value;
use slice_check::Model;
use slice_check::compare::compare;

const FOLDER: &str = "tests/orders";

/// Returns the elements that the systems compute, by the names of the models.
fn outputs() -> BTreeMap<String, Vec<Value>> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("outputs.json"))
        .expect("the outputs should be readable");
    let recorded: BTreeMap<String, Value> =
        serde_json::from_str(&text).expect("the outputs should be JSON");
    let outputs = recorded
        .into_iter()
        .filter_map(|(name, output)| Some((name, output.as_array()?.clone())));
    outputs.collect()
}

fn read(name: &str) -> Model {
    Model::read(&Path::new(FOLDER).join(name)).expect("the model should be valid")
}

#[test]
fn models_differ_if_and_only_if_they_join_channels_in_another_order() {
    let mut outputs = outputs();
    outputs.retain(|name, _| !name.contains("bounds"));
    let models: BTreeMap<&String, Model> = outputs.keys().map(|name| (name, read(name))).collect();
    let (mut equal, mut different, mut wrong) = (0, 0, Vec::new());
    for (name, output) in &outputs {
        for (other_name, other_output) in &outputs {
            let is_equal = output == other_output;
            *if is_equal { &mut equal } else { &mut different } += 1;
            let comparison =
                compare(&models[name], &models[other_name]).expect("the models should be small");
            if comparison.difference.is_none() != is_equal {
                wrong.push(format!("{name}, {other_name}: {:?}", comparison.difference));
            }
        }
    }
    // There are three kinds of models in each of six formats.
    assert_eq!((equal, different), (2 * 18 * 18, 2 * 18 * 18));
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

#[test]
fn bounds_from_joined_constants_are_known() {
    let outputs = outputs();
    for (name, operation) in [
        ("concatenated_bounds.pb", "ConcatV2"),
        ("packed_bounds.pb", "Pack"),
    ] {
        let bytes = std::fs::read(Path::new(FOLDER).join(name)).expect("the model should exist");
        assert!(
            bytes
                .windows(operation.len())
                .any(|at| at == operation.as_bytes())
        );
        let report = read(name).check(&[]).expect("the model should be valid");
        let [reported] = &report.slices[..] else {
            panic!("{name} should have one slice");
        };
        assert_eq!(reported.slice.as_deref(), Some("x[:, 4:7]"));
        assert!(reported.at_run_time.is_empty() && report.not_examined.is_empty());
        // The input has the elements 0 to 17 and the shape (2, 9).
        let selected: Vec<Value> = [0, 9]
            .iter()
            .flat_map(|row| (4..7).map(move |column| Value::from(row + column)))
            .collect();
        assert_eq!(outputs[name], selected);
    }
}

/// Builds an ONNX model that selects the given positions of an array, each with a slice.
fn model_with_slices(positions: impl Iterator<Item = i64>) -> Model {
    let mut graph = Message::default().put(11, &value_info("x", &[3000]).0);
    for at in positions {
        let [begin, end] = [at, at + 1].map(|bound| (format!("bound{at}_{bound}"), bound));
        for (name, bound) in [&begin, &end] {
            graph = graph.put(5, &tensor(name, &[1], &[*bound]).0);
        }
        let slice = node("Slice", &["x", &begin.0, &end.0], &format!("part{at}"));
        graph = graph.put(1, &slice.0);
    }
    Model::from_bytes(onnx(&graph)).expect("the model should be valid")
}

/// Builds an ONNX model that applies two operations, one of which is a slice of rows 1 to 3, to an array of shape (4, 3).
fn model_with_operations(operations: [&str; 2]) -> Model {
    let mut graph = Message::default()
        .put(11, &value_info("x", &[4, 3]).0)
        .put(5, &tensor("begin", &[1], &[1]).0)
        .put(5, &tensor("end", &[1], &[4]).0)
        .put(12, &value_info("z", &[3, 3]).0);
    for (operation, [input, output]) in operations.into_iter().zip([["x", "y"], ["y", "z"]]) {
        let inputs = [input, "begin", "end"];
        let inputs = if operation == "Slice" {
            &inputs[..]
        } else {
            &inputs[..1]
        };
        graph = graph.put(1, &node(operation, inputs, output).0);
    }
    Model::from_bytes(onnx(&graph)).expect("the model should be valid")
}

#[test]
fn slices_commute_only_with_operations_on_single_elements() {
    let commutes = |operation: &str| {
        let one = model_with_operations(["Slice", operation]);
        let other = model_with_operations([operation, "Slice"]);
        let comparison = compare(&one, &other).expect("the models should be small");
        comparison.difference.is_none()
    };
    for operation in ["Relu", "Exp", "Sigmoid", "Neg"] {
        assert!(commutes(operation), "{operation}");
    }
    for operation in [
        "Softmax",
        "Hardmax",
        "InstanceNormalization",
        "GroupNormalization",
        "LayerNormalization",
        "LpNormalization",
        "MeanVarianceNormalization",
        "RMSNormalization",
        "LRN",
        "RotaryEmbedding",
        "TensorScatter",
        "EyeLike",
        "RandomNormalLike",
        "RandomUniformLike",
    ] {
        assert!(!commutes(operation), "{operation}");
    }
}

#[test]
fn thousands_of_slices_are_compared_in_any_order() {
    let one = model_with_slices(0..2500);
    let reversed = compare(&one, &model_with_slices((0..2500).rev())).expect("2,500 are few");
    assert_eq!(
        (reversed.slices[0].len(), reversed.slices[1].len()),
        (2500, 2500)
    );
    assert!(!reversed.has_same_order);
    assert_eq!(reversed.difference, None);
    let other = compare(&one, &model_with_slices((1..2501).rev())).expect("2,500 are few");
    assert!(other.difference.is_some());
}

/// The number of slices in each of the following models. The array has one element more.
const SLICES: usize = 2200;

fn joined_slices_in_onnx(written: &[usize], joined: &[usize]) -> Model {
    let mut graph = Message::default().put(11, &value_info("x", &[SLICES as i64 + 1]).0);
    for &at in written {
        let [begin, end] = [at, at + 1].map(|bound| (format!("bound{at}_{bound}"), bound as i64));
        for (name, bound) in [&begin, &end] {
            graph = graph.put(5, &tensor(name, &[1], &[*bound]).0);
        }
        let slice = node("Slice", &["x", &begin.0, &end.0], &format!("part{at}"));
        graph = graph.put(1, &slice.0);
    }
    let parts: Vec<String> = joined.iter().map(|at| format!("part{at}")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let axis = Message::default().put(1, b"axis").int(3, 0).int(20, 2);
    graph = graph.put(1, &node("Concat", &parts, "y").put(5, &axis.0).0);
    graph = graph.put(12, &value_info("y", &[joined.len() as i64]).0);
    Model::from_bytes(onnx(&graph)).expect("the model should be valid")
}

fn joined_slices_in_tensorflow(written: &[usize], joined: &[usize]) -> Model {
    let length = Message::default().int(1, SLICES as i64 + 1);
    let shape = Message::default().put(7, &Message::default().put(2, &length.0).0);
    let attribute = Message::default().put(1, b"shape").put(2, &shape.0);
    let mut nodes = vec![
        tensorflow_node("x", "Placeholder", &[]).put(5, &attribute.0),
        constant("axis", &[], &[0]),
        constant("size", &[1], &[1]),
    ];
    for at in written {
        let begin = format!("begin{at}");
        nodes.push(constant(&begin, &[1], &[*at as i64]));
        nodes.push(tensorflow_node(
            &format!("part{at}"),
            "Slice",
            &["x", &begin, "size"],
        ));
    }
    let parts: Vec<String> = joined.iter().map(|at| format!("part{at}")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).chain(["axis"]).collect();
    nodes.push(tensorflow_node("y", "ConcatV2", &parts));
    Model::from_bytes(graph_def(&nodes)).expect("the model should be valid")
}

fn joined_slices_in_stablehlo(written: &[usize], joined: &[usize]) -> Model {
    let (array, count) = (format!("tensor<{}xf32>", SLICES + 1), joined.len());
    let mut text = format!(
        "module @slices {{\n  func.func public @main(%arg0: {array}) -> (tensor<{count}xf32>) {{\n"
    );
    for at in written {
        let end = at + 1;
        text += &format!(
            "    %p{at} = stablehlo.slice %arg0 [{at}:{end}] : ({array}) -> tensor<1xf32>\n"
        );
    }
    let parts: Vec<String> = joined.iter().map(|at| format!("%p{at}")).collect();
    text += &format!(
        "    %y = stablehlo.concatenate {}, dim = 0 : ({}) -> tensor<{count}xf32>\n    return %y : tensor<{count}xf32>\n  }}\n}}\n",
        parts.join(", "),
        vec!["tensor<1xf32>"; count].join(", ")
    );
    Model::from_bytes(text.into_bytes()).expect("the model should be valid")
}

/// Builds a model that contains slices in one order, and joins them in another.
type Format = fn(&[usize], &[usize]) -> Model;

/// The order in which a model contains its slices has no effect, but the order in which it joins them has.
#[test]
fn thousands_of_slices_are_compared_between_formats() {
    let in_order: Vec<usize> = (0..SLICES).collect();
    let reversed: Vec<usize> = (0..SLICES).rev().collect();
    let shifted: Vec<usize> = (1..=SLICES).collect();
    let formats: [Format; 3] = [
        joined_slices_in_onnx,
        joined_slices_in_tensorflow,
        joined_slices_in_stablehlo,
    ];
    let models = formats.map(|format| format(&in_order, &in_order));
    for (at, format) in formats.into_iter().enumerate() {
        let others = [
            (format(&reversed, &in_order), true),
            (format(&in_order, &reversed), false),
            (format(&shifted, &shifted), false),
        ];
        for (model, other) in models.iter().enumerate().filter(|(other, _)| *other != at) {
            for (case, (one, is_equal)) in others.iter().enumerate() {
                let comparison = compare(other, one).expect("2,200 slices are few");
                let counts = comparison.slices.each_ref().map(Vec::len);
                assert_eq!(counts, [SLICES; 2], "{model}, {at}, {case}");
                assert_eq!(
                    comparison.difference.is_none(),
                    *is_equal,
                    "{model}, {at}, {case}"
                );
                assert_eq!(comparison.not_compared, None, "{model}, {at}, {case}");
            }
        }
    }
}
