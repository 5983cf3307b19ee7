//! Checks that `mindspore::StridedSlice` agrees with MindSpore. If MindSpore's kernel and its shape inference disagree,
//! the library must return the inferred shape.

use serde::Deserialize;
use slice_ops::mindspore::StridedSlice;
use slice_tests::operation::{Case, agree, report};
use slice_tests::read;

#[test]
fn every_golden_case() {
    agree("mindspore", StridedSlice::resolve);
}

/// MindSpore's inferred shape, if its kernel disagrees.
#[derive(Debug, Deserialize)]
struct Inferred {
    shape_only: Option<Vec<usize>>,
}

#[test]
fn excluded_cases_have_the_inferred_shape() {
    let (_, cases) = read::<Case<StridedSlice, Inferred>>("mindspore");
    let mut checked = 0;
    let mut failures = Vec::new();
    for case in cases {
        let Some(shape) = case.extra.shape_only else {
            continue;
        };
        checked += 1;
        let ours = case
            .op
            .resolve(&case.shape)
            .map(|ours| ours.output_shape().to_vec());
        if ours.as_ref() != Ok(&shape) {
            failures.push(format!(
                "{:?} of {:?}: {ours:?}, not {shape:?}",
                case.op, case.shape
            ));
        }
    }
    println!("mindspore: {checked} inferred shapes of excluded cases");
    assert!(checked >= 500, "only {checked}");
    report("mindspore", &failures);
}
