//! Checks that `mindspore::StridedSlice` gives the same results as MindSpore. MindSpore's results are recorded in the
//! golden vectors. If MindSpore's kernel and its shape inference disagree, the library must return the inferred
//! shape, because shape inference follows NumPy.

use serde::Deserialize;
use slice_systems::mindspore::StridedSlice;
use slice_tests::operation::{Case, agree, report};
use slice_tests::read;

#[test]
fn resolve_agrees_with_the_golden_vectors() {
    agree("mindspore", StridedSlice::resolve);
}

/// The shape inferred by MindSpore, if MindSpore's kernel disagrees with it.
#[derive(Debug, Deserialize)]
struct InferredShape {
    shape_only: Option<Vec<usize>>,
}

#[test]
fn the_inferred_shape_is_returned_if_the_kernel_disagrees() {
    let (_, cases) = read::<Case<StridedSlice, InferredShape>>("mindspore");
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
                "{:?} of {:?}: got {ours:?}, but the inferred shape is {shape:?}",
                case.op, case.shape
            ));
        }
    }
    println!("mindspore: {checked} inferred shapes of excluded cases");
    assert!(
        checked >= 500,
        "only {checked} excluded cases have an inferred shape"
    );
    report("mindspore", &failures);
}
