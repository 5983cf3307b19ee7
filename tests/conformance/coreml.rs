//! Checks that `slice_systems::coreml` gives the same results as coremltools, and that it returns an error if type
//! inference and constant folding in coremltools disagree. The results of coremltools are recorded in the golden
//! vectors.

use serde::Deserialize;
use slice_systems::coreml::{Op, Program, SliceByIndex, SliceBySize};
use slice_systems::lists::Operations;
use slice_tests::operation::{Case, agree, agree_on_at_least, report};
use slice_tests::{Output, read};

#[test]
fn slices_by_index_and_by_size_agree_with_the_golden_vectors() {
    agree("coreml", SliceByIndex::resolve);
    agree_on_at_least("coreml_size", 200, SliceBySize::resolve);
}

/// The fields of `reverse`.
#[derive(Clone, Debug, Deserialize)]
struct Reverse {
    axes: Vec<i64>,
}

/// An axis that is named twice is reversed twice. The slice that the operation is translated to must select the same
/// elements.
#[test]
fn reverse_agrees_with_the_golden_vectors() {
    agree_on_at_least("coreml_reverse", 380, |op: &Reverse, shape| {
        let axes = op.axes.clone();
        let program = Program::from(vec![Op::Reverse { axes }]);
        let selection = program.resolve(shape);
        let spec = program.to_spec_for_rank(shape.len());
        assert_eq!(
            spec.ok().map(|spec| spec.resolve(shape)),
            selection.clone().ok().map(Ok),
            "{op:?} of {shape:?}"
        );
        selection
    });
}

/// The results of constant folding and type inference in coremltools, if they differ.
#[derive(Debug, Deserialize)]
struct FoldedAndInferred {
    folded: Option<Output>,
    inferred: Option<Vec<usize>>,
}

/// The library rejects an operation if its two shapes differ, because a model would declare one shape and compute
/// another.
#[test]
fn operations_with_different_inferred_and_folded_shapes_are_rejected() {
    let (_, cases) = read::<Case<SliceByIndex, FoldedAndInferred>>("coreml");
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
    println!("coreml: {checked} cases in which constant folding and type inference differ");
    report("coreml", &failures);
    assert!(checked >= 400, "only {checked} cases have different shapes");
}
