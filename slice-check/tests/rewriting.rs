//! Rewrites recorded models, whose outputs before and after rewriting were compared in ONNX Runtime.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use serde_json::Value;
use slice_check::Model;

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
