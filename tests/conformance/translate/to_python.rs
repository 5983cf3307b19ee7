//! Checks that the operations in the golden vectors (the recorded results of TensorFlow, ONNX and other systems) are
//! translated to Python specs that select the same elements.

use serde::de::DeserializeOwned;
use slice_systems::Operation;
use slice_systems::lists::Operations;
use slice_tests::operation::Case;
use slice_tests::read;

use super::*;

/// Checks that the spec translated from an operation selects the same elements as the operation, and that no valid
/// operation is rejected as invalid. `min_translated` is the minimum number of translated cases.
fn check<Op: DeserializeOwned + std::fmt::Debug>(
    system: &str,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
    to_spec: impl Fn(&Op, &[usize]) -> Result<DynSliceSpec, TranslateError>,
    min_translated: usize,
) {
    let (_, cases) = read::<Case<Op>>(system);
    let mut count = Count::default();
    for case in cases {
        let (op, shape) = (&case.op, &case.shape[..]);
        match (to_spec(op, shape), resolve(op, shape)) {
            (Ok(spec), Ok(selection)) => {
                assert_eq!(
                    spec.resolve(shape),
                    Ok(selection),
                    "{op:?} is translated to {spec}, for shape {shape:?}"
                );
                assert_eq!(spec.to_string().parse(), Ok(spec));
                count.add("translated");
            }
            (Ok(_), Err(_)) => count.add("translated, but invalid for this shape"),
            (Err(error @ TranslateError::Operation(_)), Ok(selection)) => {
                panic!(
                    "{op:?} of {shape:?} is valid and selects {selection:?}, but the translation failed: {error}"
                )
            }
            (Err(error), _) => count.add_error(system, &error),
        }
    }
    println!("{system}:");
    count.report(&[("translated", min_translated)]);
}

#[test]
fn specs_of_tensorflow_operations_select_the_same_elements() {
    use tensorflow::StridedSlice;
    check(
        "tensorflow",
        StridedSlice::resolve,
        |op, _| op.to_spec(),
        3_000,
    );
}

#[test]
fn specs_of_openvino_operations_select_the_same_elements() {
    use openvino::StridedSlice;
    check(
        "openvino",
        StridedSlice::resolve,
        |op, _| op.to_spec(),
        3_000,
    );
}

#[test]
fn specs_of_mindspore_operations_select_the_same_elements() {
    use mindspore::StridedSlice;
    check(
        "mindspore",
        StridedSlice::resolve,
        |op, _| op.to_spec(),
        2_500,
    );
}

#[test]
fn specs_of_onnx_operators_select_the_same_elements() {
    use onnx::Slice;
    check("onnx", Slice::resolve, |op, _| op.to_spec(), 2_500);
    let for_rank = |op: &Slice, shape: &[usize]| op.to_spec_for_rank(shape.len());
    check("onnx", Slice::resolve, for_rank, 3_000);
}

#[test]
fn specs_of_litert_operators_select_the_same_elements() {
    use litert::{Op, Program, Slice, StridedSlice};
    check("litert", StridedSlice::resolve, |op, _| op.to_spec(), 3_000);
    let program = |op: &Slice| Program::from(vec![Op::Slice(op.clone())]);
    check(
        "litert_slice",
        Slice::resolve,
        |op, _| program(op).to_spec_for_rank(op.begin.len()),
        300,
    );
}

#[test]
fn specs_of_pytorch_programs_select_the_same_elements() {
    use torch::{Op, Program};
    let for_rank = |program: &Program, shape: &[usize]| program.to_spec_for_rank(shape.len());
    check("torch", Program::resolve, for_rank, 2_500);
    // A single slice can be translated without the rank.
    let (_, cases) = read::<Case<Program>>("torch");
    let mut compared = 0;
    for case in &cases {
        let [Op::Slice(op)] = case.op.ops[..] else {
            continue;
        };
        match (op.to_spec(), op.resolve(&case.shape)) {
            (Ok(spec), Ok(selection)) => {
                assert_eq!(
                    spec.resolve(&case.shape),
                    Ok(selection),
                    "{op:?} is translated to {spec}"
                );
                compared += 1;
            }
            (Err(error), Ok(_)) => panic!("{op:?}: {error}"),
            (_, Err(_)) => {}
        }
    }
    assert!(compared >= 1_000, "only {compared} slices were compared");
}

#[test]
fn specs_of_stablehlo_programs_select_the_same_elements() {
    use stablehlo::Program;
    let for_rank = |program: &Program, shape: &[usize]| program.to_spec_for_rank(shape.len());
    check("stablehlo", Program::resolve, for_rank, 1_500);
}

#[test]
fn specs_of_core_ml_operations_select_the_same_elements() {
    use coreml::{Op, Program, SliceByIndex, SliceBySize};
    check("coreml", SliceByIndex::resolve, |op, _| op.to_spec(), 2_000);
    let program = |op: &SliceBySize| Program::from(vec![Op::SliceBySize(op.clone())]);
    check(
        "coreml_size",
        SliceBySize::resolve,
        |op, _| program(op).to_spec_for_rank(op.begin.len()),
        150,
    );
}

#[test]
fn the_example_in_tensorflows_documentation_is_translated_to_its_slice() {
    let op = tensorflow::StridedSlice {
        begin: vec![1, 2, 9, -9, 0, 7],
        end: vec![2, 4, 9, -9, -3, 7],
        strides: vec![1, 1, 9, -9, -1, 1],
        begin_mask: 48,
        end_mask: 32,
        ellipsis_mask: 8,
        new_axis_mask: 4,
        shrink_axis_mask: 1,
    };
    let spec = op
        .to_spec()
        .expect("the operation should be equivalent to a slice");
    assert_eq!(spec.to_string(), "1, 2:4, None, ..., :-3:-1, :");
    assert_eq!(spec, s![1, 2:4, None, ..., :-3:-1, :].to_dyn());
}
