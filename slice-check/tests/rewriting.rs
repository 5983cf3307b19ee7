//! Rewrites recorded models, whose outputs before and after rewriting were compared in ONNX Runtime.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "common/buffers.rs"]
mod buffers;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use serde_json::Value;
use slice_check::Model;

use buffers::{Message, node, onnx, tensor, value_info};

fn bytes(digits: &Value) -> Vec<u8> {
    let digits = digits.as_str().expect("the bytes should be text");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Returns the recorded models in a file of `tests/rewriting`.
fn cases(name: &str) -> impl Iterator<Item = Value> {
    let file = File::open(format!("tests/rewriting/{name}")).expect("the file should exist");
    let lines = BufReader::new(GzDecoder::new(file)).lines().skip(1);
    lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("valid JSON"))
}

#[test]
fn recorded_models_are_rewritten_in_the_same_way() {
    let mut rewritten = 0;
    for case in cases("recorded.jsonl.gz") {
        let model = Model::from_bytes(bytes(&case["model"])).expect("the model should be valid");
        let report = model.check(&[]).expect("the report should be short");
        let verdict = &case["verdict"];
        if case["fixed"].is_null() {
            let is_refused = report.count_with_mistakes() > 0 || model.fix(&report).is_err();
            assert!(is_refused, "{verdict}");
            continue;
        }
        assert_eq!(report.count_with_mistakes(), 0, "{verdict}");
        let (fixed, changes) = model.fix(&report).expect("the model should be rewritten");
        assert_eq!(Some(changes.len().to_string().as_str()), verdict.as_str());
        assert_eq!(fixed, bytes(&case["fixed"]), "{changes:?}");
        rewritten += 1;
    }
    assert!(rewritten > 80, "only {rewritten} models were rewritten");
}

/// Each model contains one kind of mistake that a rewriter could make. The recorded outcome is the one that the script
/// states and that ONNX Runtime confirmed.
#[test]
fn chosen_models_are_rewritten_or_refused() {
    let mut counts = HashMap::new();
    for case in cases("chosen.jsonl.gz") {
        let (name, expected) = (&case["name"], &case["expected"]);
        let result = Model::from_bytes(bytes(&case["model"])).and_then(|model| {
            let report = model.check(&[])?;
            assert_eq!(report.count_with_mistakes(), 0, "{name}");
            model.fix(&report)
        });
        let outcome = match &result {
            Err(_) => "refused",
            Ok((_, changes)) if changes.is_empty() => "unchanged",
            Ok(_) => "rewritten",
        };
        assert_eq!(expected, outcome, "{name}: {result:?}");
        match result {
            Ok((fixed, changes)) => assert_eq!(fixed, bytes(&case["fixed"]), "{name}: {changes:?}"),
            Err(error) => {
                let reason = case["reason"].as_str().expect("a reason");
                assert!(error.to_string().contains(reason), "{name}: {error}");
            }
        }
        *counts.entry(outcome).or_insert(0) += 1;
    }
    assert_eq!(
        counts,
        HashMap::from([("rewritten", 18), ("unchanged", 4), ("refused", 3)])
    );
}

#[test]
fn symbolic_lengths_keep_their_names() {
    let case = cases("chosen.jsonl.gz").find(|case| case["name"] == "(batch, 1, 768)");
    let model = bytes(&case.expect("the model should be recorded")["model"]);
    let report = slice_check::report_text(&model).expect("the model should be valid");
    assert!(
        report.contains("(batch, 1, 768) -> (batch, 1, 2)"),
        "{report}"
    );
}

/// Builds a model of two slices of the input, the second of which returns the output of the model. The bounds are the start,
/// the end and the step.
fn two_slices(lens: [i64; 2], slices: [[i64; 3]; 2]) -> Vec<u8> {
    let mut graph = Message::default().put(5, &tensor("axis", &[1], &[0]).0);
    for ([input, output], bounds) in [["x", "s"], ["s", "y"]].into_iter().zip(slices) {
        let names = ["start", "end", "step"].map(|name| format!("{name}_{output}"));
        let [start, end, step] = names.each_ref().map(String::as_str);
        let slice = node("Slice", &[input, start, end, "axis", step], output);
        graph = graph.put(1, &slice.0);
        for (name, bound) in names.iter().zip(bounds) {
            graph = graph.put(5, &tensor(name, &[1], &[bound]).0);
        }
    }
    let graph = graph.put(11, &value_info("x", &lens[..1]).0);
    onnx(&graph.put(12, &value_info("y", &lens[1..]).0))
}

/// Rewrites a model, and returns the bytes of the new model and the changed calls.
fn fixed(model: Vec<u8>) -> Result<(Vec<u8>, Vec<String>), slice_check::ModelError> {
    let model = Model::from_bytes(model)?;
    let (bytes, changes) = model.fix(&model.check(&[])?)?;
    let calls = changes.into_iter().filter_map(|one| one.call).collect();
    Ok((bytes, calls))
}

/// Rewrites a model of [`two_slices`], and returns the changed calls.
fn changes(lens: [i64; 2], slices: [[i64; 3]; 2]) -> Result<Vec<String>, slice_check::ModelError> {
    Ok(fixed(two_slices(lens, slices))?.1)
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|part| part == text)
}

/// The output of the model keeps its name and its value.
#[test]
fn slices_that_cancel_become_an_identity() -> Result<(), slice_check::ModelError> {
    let reversed = [-1, i64::MIN, -1];
    let (bytes, calls) = fixed(two_slices([8, 8], [reversed; 2]))?;
    assert_eq!(calls, [""; 0]);
    assert!(contains(&bytes, &node("Identity", &["x"], "y").0));
    assert!(!contains(&bytes, b"Slice"));
    assert!(Model::from_bytes(bytes)?.check(&[])?.slices.is_empty());
    Ok(())
}

/// Before IR version 4, each initializer must be an input of the graph, which the caller may replace.
#[test]
fn old_models_get_constants_that_are_nodes() -> Result<(), slice_check::ModelError> {
    let slices = [[1, i64::MAX, 1], [0, -1, 2]];
    for (version, has_nodes) in [(3, true), (4, false)] {
        let mut model = Message::default().int(1, version).0;
        model.extend(two_slices([8, 3], slices));
        let (bytes, calls) = fixed(model)?;
        let merged = "Slice-13(x, starts=[1], ends=[6], axes=[0], steps=[2])";
        assert_eq!(calls, [merged]);
        assert_eq!(contains(&bytes, b"Constant"), has_nodes);
        let report = Model::from_bytes(bytes)?.check(&[])?;
        assert_eq!(report.slices[0].slice.as_deref(), Some("x[1:6:2]"));
    }
    Ok(())
}

/// ONNX Runtime reads the end 2147483647 as the end of the axis, even if the axis is longer.
#[test]
fn the_end_2147483647_is_not_written_for_a_longer_axis() -> Result<(), slice_check::ModelError> {
    let (len, end) = (3_000_000_000, 2_147_483_647);
    let all = [0, i64::MAX, 1];
    let counted_from_back = changes([len, end], [[0, end - len, 1], all])?;
    assert_eq!(counted_from_back, [""; 0]);
    let merged = changes([len, end], [[0, end + 1, 1], [0, -1, 1]])?;
    let expected = "Slice-13(x, starts=[0], ends=[-852516353], axes=[0])";
    assert_eq!(merged, [expected]);
    let reversed = changes([len, len - 1 - end], [[-1, end - len, -1], all])?;
    let expected = "Slice-13(x, starts=[2999999999], ends=[-852516353], axes=[0], steps=[-1])";
    assert_eq!(reversed, [expected]);
    let of_that_length = changes([end, end - 1], [[1, i64::MAX, 1], all])?;
    let expected = "Slice-13(x, starts=[1], ends=[2147483647], axes=[0])";
    assert_eq!(of_that_length, [expected]);
    Ok(())
}
