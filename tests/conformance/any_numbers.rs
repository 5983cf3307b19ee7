//! Checks that slices, and the slice operations of TensorFlow, ONNX and other systems, are resolved and translated
//! without a panic, for arbitrary numbers, list lengths and shapes. Selected positions must be within bounds, and
//! resolving must allocate only a few machine words for each axis.

use std::fmt::Debug;

use allocation_counter::measure;
use fastrand::Rng;
use slice_core::{DynSliceSpec, Selection};
use slice_systems::explain::Explanation;
use slice_systems::lists::Operations;
use slice_systems::onnx::OnnxPlan;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{
    AnyOperation, Explain, Operation, OperationError, coreml, litert, mindspore, onnx, openvino,
    stablehlo, tensorflow, torch,
};
use slice_tests::operation::replace_if_equivalent;
use slice_tests::{explain, random_operations};

/// Calls `resolve`, which must not panic and may allocate only a few machine words for each axis. If `resolve` returns
/// a selection, checks the selection and returns `true`; otherwise, returns `false`.
fn check<E>(
    shape: &[usize],
    describe: impl Fn() -> String,
    resolve: impl Fn() -> Result<Selection, E>,
) -> bool {
    let mut result = None;
    let memory = measure(|| result = Some(resolve()));
    let result = result.expect("the closure should have been called");
    let output_rank = result.as_ref().map_or(0, |ours| ours.output_shape().len());
    // Each axis needs at most seven words, rounded up to eight here, and the capacity of a vector may be twice its
    // length. If `resolve` fails, the number of output axes before the error is unknown, so the limit allows for at
    // least 70 output axes.
    let words = 2 * 8 * (shape.len() + output_rank.max(70));
    assert!(
        memory.bytes_max <= 8 * words as u64,
        "{} bytes were allocated for {}",
        memory.bytes_max,
        describe()
    );
    let Ok(selection) = result else { return false };
    assert_eq!(selection.input_shape(), shape);
    assert_eq!(selection.axes().unwrap().len(), shape.len());
    for (range, &size) in selection.axes().unwrap().iter().zip(shape) {
        let mut positions = range.positions();
        for position in positions.next().into_iter().chain(positions.next_back()) {
            assert!(position < size, "{range:?} of {size}: {}", describe());
        }
    }
    assert_eq!(
        selection.len(),
        if selection.output_shape().contains(&0) {
            0
        } else {
            selection.output_shape().iter().product()
        }
    );
    true
}

/// Checks random operations, and the explanations of a few of them. At least a tenth of the operations must resolve.
fn check_random_operations<Op: Debug, E: Clone + Debug + Into<OperationError>>(
    seed: u64,
    operation: impl Fn(&mut Rng, &[usize]) -> Op,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, E>,
    explain: impl Fn(&Op, &[usize]) -> Explanation,
) {
    const CASES: usize = 20_000;
    let mut rng = Rng::with_seed(seed);
    let mut selections = 0;
    for _ in 0..CASES {
        let shape = random_operations::shape(&mut rng);
        let op = operation(&mut rng, &shape);
        let describe = || format!("{op:?} of {shape:?}");
        selections += usize::from(check(&shape, describe, || resolve(&op, &shape)));
        // Only a few operations are explained, and none with a long description.
        if rng.u8(..20) > 0 || describe().len() > 1000 {
            continue;
        }
        if let Err(difference) = explain::check(&explain(&op, &shape), &resolve(&op, &shape)) {
            panic!("{}: {difference}", describe());
        }
    }
    println!("{selections} of {CASES} operations resolve");
    assert!(
        selections >= CASES / 10,
        "only {selections} operations resolve"
    );
}

#[test]
fn resolving_any_tensorflow_operation_never_panics() {
    check_random_operations(
        1,
        random_operations::tensorflow,
        tensorflow::StridedSlice::resolve,
        tensorflow::StridedSlice::explain,
    );
}

#[test]
fn resolving_any_mindspore_operation_never_panics() {
    check_random_operations(
        2,
        random_operations::mindspore,
        mindspore::StridedSlice::resolve,
        mindspore::StridedSlice::explain,
    );
}

#[test]
fn resolving_any_openvino_operation_never_panics() {
    check_random_operations(
        3,
        random_operations::openvino,
        openvino::StridedSlice::resolve,
        openvino::StridedSlice::explain,
    );
}

#[test]
fn resolving_any_onnx_operation_never_panics() {
    check_random_operations(
        4,
        random_operations::onnx,
        onnx::Slice::resolve,
        onnx::Slice::explain,
    );
    check_random_operations(
        5,
        random_operations::onnx,
        onnx::Slice::resolve_onnxruntime,
        onnx::Slice::explain_onnxruntime,
    );
}

#[test]
fn resolving_any_litert_operation_never_panics() {
    check_random_operations(
        10,
        random_operations::litert,
        litert::StridedSlice::resolve,
        litert::StridedSlice::explain,
    );
}

#[test]
fn resolving_any_torch_operation_never_panics() {
    check_random_operations(
        11,
        random_operations::torch,
        torch::Slice::resolve,
        torch::Slice::explain,
    );
}

#[test]
fn resolving_any_stablehlo_operation_never_panics() {
    check_random_operations(
        12,
        random_operations::stablehlo,
        stablehlo::Slice::resolve,
        stablehlo::Slice::explain,
    );
}

#[test]
fn resolving_any_coreml_operation_never_panics() {
    check_random_operations(
        13,
        random_operations::coreml,
        coreml::SliceByIndex::resolve,
        coreml::SliceByIndex::explain,
    );
}

/// Checks operations of LiteRT, PyTorch, StableHLO and Core ML, and PyTorch programs (sequences of operations).
#[test]
fn specs_translated_from_any_operation_select_the_same_elements() {
    fn check(op: impl Into<AnyOperation>, shape: &[usize], count: &mut usize) {
        let op: AnyOperation = op.into();
        if let (Ok(spec), Ok(selection)) = (op.to_spec(), op.resolve(shape)) {
            assert_eq!(
                spec.resolve(shape),
                Ok(selection),
                "{op:?} is translated to {spec}"
            );
            *count += 1;
        }
    }
    let mut rng = Rng::with_seed(14);
    let mut counts = [0; 5];
    for _ in 0..20_000 {
        let shape = random_operations::shape(&mut rng);
        let [litert, torch, stablehlo, coreml, programs] = &mut counts;
        check(random_operations::litert(&mut rng, &shape), &shape, litert);
        check(random_operations::torch(&mut rng, &shape), &shape, torch);
        check(
            random_operations::stablehlo(&mut rng, &shape),
            &shape,
            stablehlo,
        );
        check(random_operations::coreml(&mut rng, &shape), &shape, coreml);
        let program = random_operations::torch_program(&mut rng, &shape);
        if let (Ok(spec), Ok(selection)) = (
            program.to_spec_for_rank(shape.len()),
            program.resolve(&shape),
        ) {
            assert_eq!(
                spec.resolve(&shape),
                Ok(selection),
                "{program:?} is translated to {spec}"
            );
            *programs += 1;
        }
        let _ = program.to_spec_for_rank(rng.usize(..));
        let _ = program.without_brackets(rng.usize(..));
    }
    println!("translated to Python: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > 1_000),
        "too few translations to Python: {counts:?}"
    );
}

#[test]
fn resolving_any_tensorstore_transform_never_panics() {
    const CASES: usize = 20_000;
    let mut rng = Rng::with_seed(9);
    let (mut selections, mut explanations) = (0, 0);
    for _ in 0..CASES {
        let shape = random_operations::shape(&mut rng);
        let op = random_operations::tensorstore(&mut rng, &shape);
        let describe = || format!("{op:?} of {shape:?}");
        if !check(&shape, describe, || op.resolve(&shape)) {
            continue;
        }
        selections += 1;
        let selection = op.resolve(&shape).expect("the slice should fit the shape");
        if let Ok(translation) = IndexTransform::from_selection(&selection) {
            assert_eq!(
                translation.op.resolve(&shape).as_ref(),
                Ok(&selection),
                "{}",
                describe()
            );
        }
        let Ok(spec) = op.to_spec() else { continue };
        assert_eq!(
            spec.resolve(&shape).as_ref(),
            Ok(&selection),
            "{}",
            describe()
        );
        if rng.u8(..20) == 0 {
            explanations += 1;
            let explanation = op.explain(&shape);
            let selection: Result<_, OperationError> = Ok(selection);
            if let Err(difference) = explain::check(&explanation, &selection) {
                panic!("{}: {difference}", describe());
            }
        }
    }
    println!("{selections} of {CASES} transforms resolve");
    assert!(
        selections >= CASES / 10 && explanations > 50,
        "too few cases: {selections} transforms resolve, and {explanations} of them were explained"
    );
}

#[test]
fn resolving_any_python_slice_never_panics() {
    check_random_operations(
        6,
        random_operations::python,
        DynSliceSpec::resolve,
        DynSliceSpec::explain,
    );
}

/// Translates a spec to the operations of all systems except TensorStore. Translations without a shape must not panic,
/// and translations for `shape` must select the same elements as the spec. Returns `None` if the spec does not resolve;
/// otherwise, returns for each system whether there is a translation for `shape`.
fn translate(rng: &mut Rng, spec: &DynSliceSpec, shape: &[usize]) -> Option<[bool; 8]> {
    let rank = if rng.u8(..8) == 0 {
        rng.usize(..)
    } else {
        shape.len()
    };
    let _ = tensorflow::StridedSlice::from_spec(spec);
    let _ = openvino::StridedSlice::from_spec(spec);
    let _ = mindspore::StridedSlice::from_spec(spec);
    let _ = OnnxPlan::from_spec(spec, rank, 13);
    let _ = litert::StridedSlice::from_spec(spec);
    let _ = torch::Slice::from_spec(spec).map(|program| program.op.without_brackets(rank));
    let selection = spec.resolve(shape).ok()?;
    Some([
        check_translation(
            &selection,
            tensorflow::StridedSlice::from_selection(&selection),
            |op| op.resolve(shape),
        ),
        check_translation(
            &selection,
            openvino::StridedSlice::from_selection(&selection),
            |op| op.resolve(shape),
        ),
        check_translation(
            &selection,
            mindspore::StridedSlice::from_selection(&selection),
            |op| op.resolve(shape),
        ),
        check_translation(&selection, OnnxPlan::from_selection(&selection, 13), |op| {
            op.resolve(shape)
        }),
        check_translation(
            &selection,
            litert::StridedSlice::from_selection(&selection),
            |op| op.resolve(shape),
        ),
        check_translation(
            &selection,
            torch::Slice::from_selection(&selection),
            |program| program.resolve(shape),
        ),
        check_translation(
            &selection,
            stablehlo::Slice::from_selection(&selection),
            |program| Ok(replace_if_equivalent(program.resolve(shape)?, &selection)),
        ),
        check_translation(
            &selection,
            coreml::SliceByIndex::from_selection(&selection),
            |program| program.resolve(shape),
        ),
    ])
}

/// Checks that a translation has the same output shape and selects the same elements as `selection`. Returns `false` if
/// there is no translation.
fn check_translation<Op: Debug>(
    selection: &Selection,
    translated: Result<Translated<Op>, TranslateError>,
    resolve: impl Fn(&Op) -> Result<Selection, OperationError>,
) -> bool {
    let Ok(Translated { op, .. }) = translated else {
        return false;
    };
    let ours = resolve(&op).expect("the slice should fit the shape");
    assert_eq!(ours.output_shape(), selection.output_shape(), "{op:?}");
    assert!(selection.is_empty() || ours == *selection, "{op:?}");
    true
}

#[test]
fn translations_of_any_spec_select_the_same_elements() {
    let mut rng = Rng::with_seed(7);
    let (mut selections, mut translated) = (0, [0; 8]);
    for _ in 0..20_000 {
        let shape = random_operations::shape(&mut rng);
        let spec = match rng.u8(..6) {
            0 => random_operations::tensorflow(&mut rng, &shape)
                .to_spec()
                .ok(),
            1 => random_operations::openvino(&mut rng, &shape).to_spec().ok(),
            2 => random_operations::mindspore(&mut rng, &shape)
                .to_spec()
                .ok(),
            3 => random_operations::tensorstore(&mut rng, &shape)
                .to_spec()
                .ok(),
            4 => {
                let rank = rng.usize(..);
                random_operations::onnx(&mut rng, &shape)
                    .to_spec_for_rank(rank)
                    .ok()
            }
            _ => random_operations::onnx(&mut rng, &shape).to_spec().ok(),
        };
        let spec = spec.unwrap_or_else(|| random_operations::python(&mut rng, &shape));
        if let Some(successes) = translate(&mut rng, &spec, &shape) {
            selections += 1;
            for (count, success) in translated.iter_mut().zip(successes) {
                *count += usize::from(success);
            }
        }
    }
    println!("{selections} of 20000 specs resolve; translations to each system: {translated:?}");
    assert!(selections >= 2_000, "only {selections} specs resolve");
    // Some selections cannot be translated, because they need more entries than a system accepts, or because LiteRT
    // and Core ML require axis lengths that fit in 32 bits.
    for count in translated {
        assert!(
            count >= selections * 8 / 10,
            "only {translated:?} of {selections} selections were translated"
        );
    }
}

/// An [`OnnxPlan`] consists of `Slice`, `Squeeze` and `Unsqueeze` operators. Here, the axes of `Squeeze` and
/// `Unsqueeze` are random, and often invalid.
#[test]
fn resolving_onnx_plans_with_any_axes_never_panics() {
    let mut rng = Rng::with_seed(8);
    let mut selections = 0;
    for _ in 0..2_000 {
        let shape = random_operations::shape(&mut rng);
        let slice = random_operations::onnx(&mut rng, &shape);
        let mut axes = |limit: usize| (0..rng.usize(..limit)).map(|_| rng.i64(-9..9)).collect();
        let plan = OnnxPlan {
            slice: Some(slice).filter(|slice| slice.opset > 1),
            squeeze: axes(3),
            unsqueeze: axes(5),
        };
        selections += usize::from(plan.resolve(&shape).is_ok());
    }
    println!("{selections} of 2000 plans resolve");
    assert!(selections >= 200, "only {selections} plans resolve");
    let plan = OnnxPlan {
        slice: None,
        squeeze: vec![i64::MIN; 100_000],
        unsqueeze: (0..100_000).collect(),
    };
    assert!(plan.resolve(&[2]).is_err());
}
