//! Compares the listed converter bugs with the recorded results in `tests/converters`.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use serde_json::Value;
use slice_core::Item;
use slice_systems::onnx::Op;

use super::*;

/// The converters with listed bugs, and the names of their result files.
const RESULTS: [((&str, &str), &str); 10] = [
    (("onnx2tf", "1.29.24"), "onnx2tf"),
    (("onnx2tf", "2.6.9"), "onnx2tf-2"),
    (("IREE's ONNX importer", "3.13.0"), "iree-onnx"),
    (("tract", "0.23.9"), "tract"),
    (("rten", "0.27.0"), "rten"),
    (("TVM's ONNX frontend", "0.27.0.post1"), "tvm-onnx"),
    (("candle-onnx", "0.11.1"), "candle"),
    (("tf2onnx", "1.17.0"), "tf2onnx"),
    (("TensorFlow's LiteRT converter", "2.21.0"), "tflite"),
    (("coremltools", "9.0"), "coremltools-tf"),
];

const DEPENDS_ON_LENGTH: &str =
    "whether the result is incorrect depends on the length, which the model does not specify";
const DEPENDS_ON_VALUES: &str =
    "whether the result is incorrect depends on values that are known only at run time";
const EXCHANGED_BEFORE: &str = "the axes are exchanged by the previous operation";

/// Incorrect results that cannot be predicted from a single operation of the model. Each entry contains the name of the
/// result file, the name of the model, and the reason.
const NOT_PREDICTED: [(&str, &str, &str); 11] = [
    ("coremltools-tf", "tf-minus-one-12", DEPENDS_ON_LENGTH),
    ("coremltools-tf", "tf-run-time-29", DEPENDS_ON_VALUES),
    ("onnx2tf", "onnx-ellipsis-03", EXCHANGED_BEFORE),
    ("onnx2tf", "onnx-permutation-17", EXCHANGED_BEFORE),
    ("onnx2tf", "onnx-permutation-20", EXCHANGED_BEFORE),
    ("onnx2tf", "onnx-run-time-04", DEPENDS_ON_VALUES),
    ("onnx2tf", "onnx-run-time-06", DEPENDS_ON_VALUES),
    ("onnx2tf", "onnx-run-time-14", DEPENDS_ON_VALUES),
    ("onnx2tf", "onnx-stride-02", DEPENDS_ON_LENGTH),
    ("onnx2tf", "onnx-stride-04", DEPENDS_ON_LENGTH),
    ("onnx2tf-2", "onnx-run-time-04", DEPENDS_ON_VALUES),
];

fn json_lines(path: &str) -> Vec<Value> {
    let path = format!("{}/../tests/converters/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("the line should be JSON"))
        .collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("the value should be a string")
}

fn numbers(value: &Value) -> Option<Vec<i64>> {
    let list = value.as_array()?.iter();
    list.map(Value::as_i64).collect()
}

fn strided_slice(op: &Value) -> Option<tf::StridedSlice> {
    let mask = |name: &str| op[name].as_i64().unwrap_or(0);
    Some(tf::StridedSlice {
        begin: numbers(&op["begin"])?,
        end: numbers(&op["end"])?,
        strides: numbers(&op["strides"])?,
        begin_mask: mask("begin_mask"),
        end_mask: mask("end_mask"),
        ellipsis_mask: mask("ellipsis_mask"),
        new_axis_mask: mask("new_axis_mask"),
        shrink_axis_mask: mask("shrink_axis_mask"),
    })
}

/// Returns the operation, if its arguments are constants.
fn operation(model: &Value, op: &Value, rank: usize) -> Option<KnownOperation> {
    let axes = || numbers(&op["axes"]);
    let operation = match (text(&model["source"]), text(&op["op"])) {
        ("onnx", "Slice") => ops::Slice {
            opset: u32::try_from(model["opset"].as_u64()?).ok()?,
            starts: numbers(&op["starts"])?,
            ends: numbers(&op["ends"])?,
            axes: axes(),
            steps: numbers(&op["steps"]),
        }
        .into(),
        ("onnx", "Squeeze") => KnownOperation::Axes(Op::Squeeze { axes: axes()? }),
        ("onnx", "Unsqueeze") => KnownOperation::Axes(Op::Unsqueeze { axes: axes()? }),
        ("onnx", "Gather") => {
            let (index, axis) = (op["indices"].as_i64()?, op["axis"].as_i64()?);
            let axis = slice_core::resolve::index(axis, rank)?;
            let all = Item::Range {
                begin: None,
                end: None,
                step: 1,
            };
            let mut items = vec![all; rank];
            items[axis] = Item::Index(index);
            KnownOperation::Any(AnyOperation::Python(
                DynSliceSpec::from_items(items).expect("the items should form a slice"),
            ))
        }
        ("tf", "StridedSlice") => strided_slice(op)?.into(),
        _ => return None,
    };
    Some(operation)
}

/// Returns the steps, if the starts and ends of ONNX's `Slice` are inputs of the model.
fn steps_if_bounds_are_unknown(op: &Value) -> Option<Vec<i64>> {
    let is_input = |name: &str| op[name].is_string();
    (is_input("starts") && is_input("ends")).then(|| numbers(&op["steps"]))?
}

/// Returns the converter bugs that affect the operations of a model.
fn bugs_of_model(model: &Value) -> Vec<ConverterBug> {
    let format = match text(&model["source"]) {
        "tf" => Format::TensorFlow,
        _ => Format::Onnx,
    };
    let mut model_bugs = Vec::new();
    let shape = numbers(&model["shape"]).expect("the model should have a shape");
    let mut shape: Vec<usize> = shape
        .into_iter()
        .map(|length| usize::try_from(length).expect("the length should not be negative"))
        .collect();
    for op in model["ops"]
        .as_array()
        .expect("the model should have operations")
    {
        let input = Input {
            rank: Some(shape.len()),
            lengths: (model["unknown"] != true).then_some(&shape[..]),
        };
        if let Some(steps) = steps_if_bounds_are_unknown(op) {
            model_bugs.extend(bugs_with_unknown_bounds(&steps, input));
        }
        let next = match operation(model, op, shape.len()) {
            Some(operation) => {
                model_bugs.extend(bugs(format, &operation, input));
                let selection = operation
                    .resolve(&shape)
                    .expect("the model should be valid");
                selection.output_shape().to_vec()
            }
            None => match numbers(&op["perm"]) {
                Some(perm) => perm.iter().map(|&axis| shape[axis as usize]).collect(),
                None => break,
            },
        };
        shape = next;
    }
    model_bugs
}

/// Checks that no converter gives a correct result for a model to which one of its bugs applies, and that the recorded
/// result for the minimal model of each bug is incorrect. Also checks that every incorrect result is explained by a
/// listed bug, except the results in [`NOT_PREDICTED`].
#[test]
fn listed_bugs_match_the_recorded_results() {
    let models = json_lines("models.jsonl");
    let mut missing = BTreeSet::new();
    let (mut correct_despite_bug, mut shown_bugs) = (Vec::new(), Vec::new());
    for (converter, file) in RESULTS {
        let rows: HashMap<String, Value> = json_lines(&format!("results/{file}.jsonl"))
            .into_iter()
            .skip(1)
            .map(|row| (text(&row["model"]).to_owned(), row))
            .collect();
        for model in &models {
            let name = text(&model["model"]);
            let Some(row) = rows.get(name) else { continue };
            assert_eq!(row["version"], converter.1);
            let is_of_converter = |bug: &ConverterBug| (bug.converter, bug.version) == converter;
            let predicted_bugs: Vec<_> = bugs_of_model(model)
                .into_iter()
                .filter(is_of_converter)
                .collect();
            match text(&row["verdict"]) {
                "right" => {
                    correct_despite_bug.extend(predicted_bugs.into_iter().map(|bug| (name, bug)))
                }
                "wrong" if predicted_bugs.is_empty() => {
                    missing.insert((file, name));
                }
                "wrong" => {
                    shown_bugs.extend(predicted_bugs.into_iter().filter(|bug| bug.model == name))
                }
                _ => {}
            }
        }
    }
    assert!(
        correct_despite_bug.is_empty(),
        "results are correct despite listed bugs: {correct_despite_bug:#?}"
    );
    for (bug, _) in onnx::BUGS.iter().chain(&tensorflow::BUGS) {
        assert!(
            shown_bugs.contains(bug),
            "no recorded result shows the bug: {bug:?}"
        );
    }
    let not_predicted = NOT_PREDICTED.map(|(file, name, _)| (file, name));
    assert_eq!(missing, BTreeSet::from(not_predicted));
}
