//! Checks translations that do not depend on a shape. For every shape, the operation must select the same elements as
//! the spec, or return an error if the spec does.

use super::*;
use slice_systems::Operation;
use slice_systems::lists::Operations;

/// Returns a random spec, which may contain huge numbers, and the shape for which the spec was generated.
fn spec_and_shape(rng: &mut Rng) -> (DynSliceSpec, Vec<usize>) {
    let shape = generate::shape(rng);
    let spec = generate::spec(rng, &shape);
    match rng.u8(..4) {
        0 => (generate::with_extremes(rng, &spec), shape),
        _ => (spec, shape),
    }
}

/// Returns `shape` and eight random shapes. If `same_rank` is `true`, all of these shapes have the same rank.
fn shapes(rng: &mut Rng, shape: &[usize], same_rank: bool) -> Vec<Vec<usize>> {
    let mut shapes = vec![shape.to_vec()];
    for _ in 0..8 {
        let mut random_shape: Vec<usize> = shape.iter().map(|_| rng.usize(0..=5)).collect();
        if !same_rank {
            match rng.u8(..4) {
                0 => random_shape.push(rng.usize(0..=5)),
                1 => drop(random_shape.pop()),
                _ => {}
            }
        }
        shapes.push(random_shape);
    }
    shapes
}

/// Checks that, for each shape, the spec and the operation select the same elements, or both return an error.
fn check<E: std::fmt::Debug>(
    spec: &DynSliceSpec,
    shapes: &[Vec<usize>],
    op: &dyn std::fmt::Debug,
    resolve: impl Fn(&[usize]) -> Result<Selection, E>,
) {
    for shape in shapes {
        match (spec.resolve(shape), resolve(shape)) {
            (Ok(python), Ok(ours)) => assert_eq!(ours, python, "{spec} of {shape:?}: {op:?}"),
            (Err(_), Err(_)) => {}
            (python, ours) => {
                panic!("{spec} of {shape:?}: {python:?} in Python, but {ours:?} for {op:?}")
            }
        }
    }
}

#[test]
fn translated_specs_select_the_same_elements_for_every_shape() {
    let mut rng = Rng::with_seed(1);
    let mut count = Count::default();
    for _ in 0..6_000 {
        let (spec, shape) = spec_and_shape(&mut rng);
        let test_shapes = shapes(&mut rng, &shape, false);
        match tensorflow::StridedSlice::from_spec(&spec) {
            Ok(translation) => {
                check(&spec, &test_shapes, &translation.op, |shape| {
                    translation.op.resolve(shape)
                });
                assert_eq!(
                    translation.op.to_spec(),
                    Ok(spec.clone()),
                    "the operation must be translated back to the same spec"
                );
                count.add("TensorFlow");
            }
            Err(error) => count.add_error("TensorFlow", &error),
        }
        match openvino::StridedSlice::from_spec(&spec) {
            Ok(translation) => {
                check(&spec, &test_shapes, &translation.op, |shape| {
                    translation.op.resolve(shape)
                });
                let translated_back = translation
                    .op
                    .to_spec()
                    .expect("the operation should be equivalent to a slice");
                check(&spec, &test_shapes, &translated_back, |shape| {
                    translated_back.resolve(shape)
                });
                count.add("OpenVINO");
            }
            Err(error) => count.add_error("OpenVINO", &error),
        }
        match mindspore::StridedSlice::from_spec(&spec) {
            Ok(translation) => {
                check(&spec, &test_shapes, &translation.op, |shape| {
                    translation.op.resolve(shape)
                });
                let translated_back = translation
                    .op
                    .to_spec()
                    .expect("the operation should be equivalent to a slice");
                check(&spec, &test_shapes, &translated_back, |shape| {
                    translated_back.resolve(shape)
                });
                count.add("MindSpore");
            }
            Err(error) => count.add_error("MindSpore", &error),
        }
        match litert::StridedSlice::from_spec(&spec) {
            Ok(translation) => {
                check(&spec, &test_shapes, &translation.op, |shape| {
                    translation.op.resolve(shape)
                });
                let translated_back = translation
                    .op
                    .to_spec()
                    .expect("the operation should be equivalent to a slice");
                check(&spec, &test_shapes, &translated_back, |shape| {
                    translated_back.resolve(shape)
                });
                count.add("LiteRT");
            }
            Err(error) => count.add_error("LiteRT", &error),
        }
        match torch::Slice::from_spec(&spec) {
            Ok(translation) => {
                let program = translation.op;
                check(&spec, &test_shapes, &program, |shape| {
                    program.resolve(shape)
                });
                let rank = shape.len();
                let same_rank = shapes(&mut rng, &shape, true);
                let translated_back = program
                    .to_spec_for_rank(rank)
                    .expect("the operation should be equivalent to a slice");
                check(&spec, &same_rank, &translated_back, |shape| {
                    translated_back.resolve(shape)
                });
                let operators = program
                    .without_brackets(rank)
                    .expect("the rank should be that of the program");
                check(&spec, &same_rank, &operators, |shape| {
                    operators.resolve(shape)
                });
                count.add("PyTorch");
            }
            Err(error) => count.add_error("PyTorch", &error),
        }
        let opset = *rng
            .choice(&[1, 10, 11, 13])
            .expect("the list should not be empty");
        let test_shapes = shapes(&mut rng, &shape, true);
        match OnnxPlan::from_spec(&spec, shape.len(), opset) {
            Ok(translation) => {
                let plan = &translation.op;
                check(&spec, &test_shapes, plan, |shape| plan.resolve(shape));
                for (shape, slice) in test_shapes.iter().zip(std::iter::repeat(&plan.slice)) {
                    let Some(slice) = slice else { continue };
                    let runtime = slice.resolve_onnxruntime(shape);
                    assert_eq!(runtime, slice.resolve(shape), "{slice:?} of {shape:?}");
                }
                count.add("ONNX");
            }
            Err(error) => count.add_error("ONNX", &error),
        }
    }
    count.report(&[
        ("TensorFlow", 6_000),
        ("OpenVINO", 4_000),
        ("MindSpore", 1_200),
        ("ONNX", 3_000),
        ("LiteRT", 4_000),
        ("LiteRT, error EmptyEllipsis", 500),
        ("PyTorch", 6_000),
        ("OpenVINO, error ReverseBegin", 300),
        ("MindSpore, error SpareEntry", 1_200),
        ("ONNX, error NoSteps", 300),
    ]);
}
