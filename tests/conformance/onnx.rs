//! `onnx::Slice` gives what the operator's text says, and with `resolve_onnxruntime` what ONNX Runtime gives.

use serde::Deserialize;
use slice_ops::onnx::Slice;
use slice_tests::operation::{Case, agree, compare, report};
use slice_tests::{Answer, read};

/// The answer of the operator's text, if ONNX Runtime's differs.
#[derive(Debug, Deserialize)]
struct Text {
    /// The shape by ONNX's shape inference, where that finds one.
    text_shape: Option<Vec<usize>>,
    /// The result by the text, where it is another one than ONNX Runtime's.
    text: Option<Answer>,
}

#[test]
fn every_golden_case_as_onnx_runtime() {
    agree("onnx", Slice::resolve_onnxruntime);
}

#[test]
fn every_golden_case_by_the_text() {
    let (_, cases) = read::<Case<Slice, Text>>("onnx");
    let (mut inferred, mut apart) = (0, 0);
    let mut failures = Vec::new();
    for case in &cases {
        let ours = case.op.resolve(&case.shape);
        let expected = case.extra.text.as_ref().unwrap_or(&case.answer);
        apart += usize::from(case.extra.text.is_some());
        if let Err(what) = compare(&ours, expected) {
            failures.push(format!("{:?} of {:?}: {what}", case.op, case.shape));
        }
        if let (Some(shape), Ok(ours)) = (&case.extra.text_shape, &ours) {
            inferred += 1;
            if ours.output_shape() != shape {
                failures.push(format!(
                    "{:?} of {:?}: ours {:?}, shape inference {shape:?}",
                    case.op,
                    case.shape,
                    ours.output_shape()
                ));
            }
        }
    }
    println!(
        "onnx: {inferred} inferred shapes, {apart} cases in which ONNX Runtime leaves the text"
    );
    assert!(inferred >= 2000 && apart >= 50, "{inferred} and {apart}");
    report("onnx", &failures);
}
