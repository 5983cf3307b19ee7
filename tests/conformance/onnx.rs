//! Checks that `onnx::Slice::resolve` follows the operator's specification, and that `resolve_onnxruntime` agrees with
//! ONNX Runtime.

use serde::Deserialize;
use slice_systems::onnx::Slice;
use slice_tests::operation::{Case, agree, compare, report};
use slice_tests::{RecordedResult, read};

/// The results that the operator's specification requires for a case.
#[derive(Debug, Deserialize)]
struct SpecifiedResult {
    /// The shape inferred by ONNX's shape inference, if any.
    text_shape: Option<Vec<usize>>,
    /// The result according to the specification, if ONNX Runtime's result differs.
    text: Option<RecordedResult>,
}

#[test]
fn resolve_onnxruntime_agrees_with_onnx_runtime() {
    agree("onnx", Slice::resolve_onnxruntime);
}

#[test]
fn resolve_agrees_with_the_specification() {
    let (_, cases) = read::<Case<Slice, SpecifiedResult>>("onnx");
    let (mut inferred, mut deviations) = (0, 0);
    let mut failures = Vec::new();
    for case in &cases {
        let ours = case.op.resolve(&case.shape);
        let expected = case.extra.text.as_ref().unwrap_or(&case.recorded);
        deviations += usize::from(case.extra.text.is_some());
        if let Err(difference) = compare(&ours, expected) {
            failures.push(format!("{:?} of {:?}: {difference}", case.op, case.shape));
        }
        if let (Some(shape), Ok(ours)) = (&case.extra.text_shape, &ours) {
            inferred += 1;
            if ours.output_shape() != shape {
                failures.push(format!(
                    "{:?} of {:?}: the output shape is {:?}, but the inferred shape is {shape:?}",
                    case.op,
                    case.shape,
                    ours.output_shape()
                ));
            }
        }
    }
    println!(
        "onnx: {inferred} inferred shapes, {deviations} cases in which ONNX Runtime deviates from the specification"
    );
    assert!(
        inferred >= 2000 && deviations >= 50,
        "too few cases: {inferred} inferred shapes and {deviations} deviations"
    );
    report("onnx", &failures);
}
