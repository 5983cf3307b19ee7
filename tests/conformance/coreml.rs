//! Checks that `coreml` agrees with coremltools wherever coremltools' type inference and constant folding agree.

use serde::Deserialize;
use slice_ops::coreml::{SliceByIndex, SliceBySize};
use slice_tests::operation::{Case, agree, agree_on, report};
use slice_tests::{Output, read};

#[test]
fn every_golden_case() {
    agree("coreml", SliceByIndex::resolve);
    agree_on("coreml_size", 200, SliceBySize::resolve);
}

/// The two answers of coremltools, if constant folding and type inference differ.
#[derive(Debug, Deserialize)]
struct Folded {
    folded: Option<Output>,
    inferred: Option<Vec<usize>>,
}

/// If constant folding and type inference differ, the operation is an error: the model would declare one shape and
/// compute another.
#[test]
fn operations_with_two_answers_are_errors() {
    let (_, cases) = read::<Case<SliceByIndex, Folded>>("coreml");
    let (mut checked, mut failures) = (0, Vec::new());
    for case in cases {
        let (Some(folded), Some(inferred)) = (&case.extra.folded, &case.extra.inferred) else {
            continue;
        };
        checked += 1;
        assert_ne!(&folded.shape, inferred);
        if let Ok(ours) = case.op.resolve(&case.shape) {
            failures.push(format!("{:?} of {:?}: {ours:?}", case.op, case.shape));
        }
    }
    println!("coreml: {checked} cases with two answers");
    report("coreml", &failures);
    assert!(checked >= 400, "only {checked}");
}
