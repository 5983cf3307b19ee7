//! Checks that `openvino::StridedSlice` returns the results, including errors, on which OpenVINO's implementations
//! agree. Although OpenVINO rejects masks of different lengths, the library must accept them, with the meaning given in
//! OpenVINO's documentation.

use serde::Deserialize;
use slice_systems::openvino::StridedSlice;
use slice_tests::operation::{Case, agree, compare, report};
use slice_tests::{Failure, Output, RecordedResult, read};

#[test]
fn resolve_agrees_with_the_golden_vectors() {
    agree("openvino", StridedSlice::resolve);
}

/// OpenVINO's result for the same operation with all masks padded with zeros to the length of the longest mask.
#[derive(Debug, Deserialize)]
struct EquivalentResult {
    equivalent_out: Option<Output>,
    equivalent_error: Option<Failure>,
}

#[test]
fn masks_of_different_lengths_are_extended_as_documented() {
    let (_, cases) = read::<Case<StridedSlice, EquivalentResult>>("openvino");
    let mut checked = 0;
    let mut failures = Vec::new();
    for case in cases {
        let expected = match (case.extra.equivalent_out, case.extra.equivalent_error) {
            (Some(out), _) => RecordedResult::Out(out),
            (None, Some(error)) if error.kind != "undefined" => RecordedResult::Error(error),
            _ => continue,
        };
        checked += 1;
        if let Err(difference) = compare(&case.op.resolve(&case.shape), &expected) {
            failures.push(format!("{:?} of {:?}: {difference}", case.op, case.shape));
        }
    }
    println!("openvino: {checked} cases with masks of different lengths");
    assert!(
        checked >= 200,
        "only {checked} cases have masks of different lengths"
    );
    report("openvino", &failures);
}
