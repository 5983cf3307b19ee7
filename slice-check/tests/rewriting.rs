//! Rewrites recorded models, whose outputs before and after rewriting were compared in ONNX Runtime.

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

#[test]
fn recorded_models_are_rewritten_in_the_same_way() {
    let file = File::open("tests/rewriting/recorded.jsonl.gz").expect("the file should exist");
    let lines = BufReader::new(GzDecoder::new(file)).lines().skip(1);
    let mut rewritten = 0;
    for line in lines {
        let case: Value = serde_json::from_str(&line.expect("a line")).expect("valid JSON");
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
