//! Checks that `slice_systems::torch` gives the same results as PyTorch, for single operators and for programs (sequences
//! of operators). PyTorch's results are recorded in the golden vectors.

use serde::Deserialize;
use slice_systems::lists::Operations;
use slice_systems::torch::{Op, Program, select_scatter, slice_scatter};
use slice_tests::operation::{Case, agree, compare_elements, report};
use slice_tests::read;

#[test]
fn programs_agree_with_the_golden_vectors() {
    agree("torch", Program::resolve);
}

/// An operator that selects the elements to overwrite.
#[derive(Debug, Deserialize)]
struct Scatter {
    op: Op,
}

#[derive(Debug, Deserialize)]
struct Source {
    src_shape: Vec<usize>,
}

#[test]
fn scatter_functions_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case<Scatter, Source>>("torch_scatter");
    let (mut checked, mut failures) = (0, Vec::new());
    for case in cases.iter().filter(|case| case.excluded.is_none()) {
        checked += 1;
        let x = Vec::from_iter(0..case.shape.iter().product::<usize>() as i64);
        let len = case.extra.src_shape.iter().product::<usize>() as i64;
        let src = Vec::from_iter(1000..1000 + len);
        let (input, src) = (
            (&case.shape[..], &x[..]),
            (&case.extra.src_shape[..], &src[..]),
        );
        let ours = match &case.op.op {
            Op::Slice(op) => slice_scatter(input, op, src),
            Op::Select(op) => select_scatter(input, op, src),
            op => panic!("the operator does not support assignment: {op:?}"),
        };
        if let Err(difference) = compare_elements(&case.shape, &ours, &case.recorded) {
            failures.push(format!("{:?} of {:?}: {difference}", case.op, case.shape));
        }
    }
    println!("torch_scatter: {checked} cases checked");
    report("torch_scatter", &failures);
    assert!(checked >= 800, "only {checked} cases were checked");
}
