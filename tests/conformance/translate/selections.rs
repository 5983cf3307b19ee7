//! Checks that, for a known shape, every translation of a selection selects the same elements.

use slice_systems::Operation;
use slice_systems::lists::Operations;
use slice_systems::translate::Translated;
use slice_tests::operation::replace_if_equivalent;

use super::*;

/// Returns a random selection: that of one spec, or of two specs applied in sequence.
fn selection(rng: &mut Rng) -> Selection {
    let shape = generate::shape(rng);
    let selection = generate::spec(rng, &shape)
        .resolve(&shape)
        .expect("the slice should fit the shape");
    if rng.bool() {
        return selection;
    }
    let second = generate::spec(rng, selection.output_shape());
    let second = second
        .resolve(selection.output_shape())
        .expect("the slice should fit the shape");
    selection
        .compose(&second)
        .expect("the second selection should apply to the output of the first")
}

/// Checks that `ours`, the selection of an operation, is equal to `selection`. If the selection is empty and
/// `compare_empty` is `false`, compares only the output shapes.
fn check<E: std::fmt::Display>(
    selection: &Selection,
    op: &dyn std::fmt::Debug,
    ours: Result<Selection, E>,
    compare_empty: bool,
) {
    let ours = ours.unwrap_or_else(|error| panic!("{op:?} of {selection:?}: {error}"));
    if selection.is_empty() && !compare_empty {
        assert_eq!(ours.output_shape(), selection.output_shape(), "{op:?}");
    } else {
        assert_eq!(&ours, selection, "{op:?}");
    }
}

/// Checks the operation to which `selection` was translated, and returns it. Returns `None` if the translation failed.
fn check_operation<Op: std::fmt::Debug, E: std::fmt::Display>(
    count: &mut Count,
    system: &str,
    selection: &Selection,
    translated: Result<Translated<Op>, TranslateError>,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, E>,
    compare_empty: bool,
) -> Option<Op> {
    match translated {
        Ok(Translated { op, .. }) => {
            let ours = resolve(&op, selection.input_shape());
            check(selection, &op, ours, compare_empty);
            count.add(system);
            Some(op)
        }
        Err(error) => {
            count.add_error(system, &error);
            None
        }
    }
}

/// Checks a program (a sequence of operations) and, if the program can be translated back for the rank of the input,
/// the resulting spec.
fn check_program<Program: Operations + std::fmt::Debug + std::fmt::Display>(
    count: &mut Count,
    system: &str,
    selection: &Selection,
    translated: Result<Translated<Program>, TranslateError>,
) {
    let shape = selection.input_shape();
    let program = match translated {
        Ok(translation) => translation.op,
        Err(error) => return count.add_error(system, &error),
    };
    let ours = program
        .resolve(shape)
        .map(|ours| replace_if_equivalent(ours, selection));
    check(selection, &program, ours, true);
    count.add(system);
    match program.to_spec_for_rank(shape.len()) {
        Ok(spec) => {
            let ours = spec
                .resolve(shape)
                .map(|ours| replace_if_equivalent(ours, selection));
            check(selection, &spec, ours, true);
            count.add(format!("{system}, translated back"));
        }
        Err(error) => count.add_error(&format!("{system}, translated back"), &error),
    }
}

#[test]
fn translations_of_selections_select_the_same_elements() {
    let mut rng = Rng::with_seed(2);
    let mut count = Count::default();
    for _ in 0..10_000 {
        let selection = selection(&mut rng);
        check_operation(
            &mut count,
            "Python",
            &selection,
            DynSliceSpec::from_selection(&selection),
            DynSliceSpec::resolve,
            true,
        );
        check_operation(
            &mut count,
            "TensorFlow",
            &selection,
            tensorflow::StridedSlice::from_selection(&selection),
            tensorflow::StridedSlice::resolve,
            true,
        );
        check_operation(
            &mut count,
            "OpenVINO",
            &selection,
            openvino::StridedSlice::from_selection(&selection),
            openvino::StridedSlice::resolve,
            true,
        );
        check_operation(
            &mut count,
            "MindSpore",
            &selection,
            mindspore::StridedSlice::from_selection(&selection),
            mindspore::StridedSlice::resolve,
            false,
        );
        check_operation(
            &mut count,
            "ONNX",
            &selection,
            OnnxPlan::from_selection(&selection, 13),
            OnnxPlan::resolve,
            true,
        );
        let litert = check_operation(
            &mut count,
            "LiteRT",
            &selection,
            litert::StridedSlice::from_selection(&selection),
            litert::StridedSlice::resolve,
            true,
        );
        if let Some(op) = litert {
            let translated_back = op
                .to_spec()
                .expect("the operation should be equivalent to a slice");
            check(
                &selection,
                &translated_back,
                translated_back.resolve(selection.input_shape()),
                true,
            );
        }
        check_program(
            &mut count,
            "PyTorch",
            &selection,
            torch::Slice::from_selection(&selection),
        );
        check_program(
            &mut count,
            "StableHLO",
            &selection,
            stablehlo::Slice::from_selection(&selection),
        );
        check_program(
            &mut count,
            "Core ML",
            &selection,
            coreml::SliceByIndex::from_selection(&selection),
        );
    }
    count.report(&[
        ("Python", 9_000),
        ("LiteRT", 9_000),
        ("PyTorch", 9_000),
        ("PyTorch, translated back", 4_000),
        ("StableHLO", 9_000),
        ("StableHLO, translated back", 1_500),
        ("Core ML", 9_000),
        ("Core ML, translated back", 9_000),
        ("TensorFlow", 9_000),
        ("OpenVINO", 9_000),
        ("MindSpore", 5_000),
        ("ONNX", 9_000),
        ("Python, error EmptyNewAxis", 50),
    ]);
}

/// ONNX Runtime would treat an end of INT32_MAX as omitted, even on a longer axis.
#[test]
fn translations_to_onnx_do_not_end_at_int32_max() {
    const MAX: usize = i32::MAX as usize;
    for size in [MAX - 1, MAX, MAX + 1, MAX + 9, usize::MAX / 4] {
        if isize::try_from(size).is_err() {
            continue;
        }
        for spec in [
            s![:2147483647].to_dyn(),
            s![5:2147483647:3].to_dyn(),
            s![:2147483647:-1].to_dyn(),
            s![2147483640:2147483647:-1].to_dyn(),
            s![-2].to_dyn(),
        ] {
            let selection = spec
                .resolve(&[size])
                .expect("the slice should fit the shape");
            let translation = OnnxPlan::from_selection(&selection, 13)
                .expect("ONNX should be able to express the slice");
            assert_eq!(translation.defects, []);
            assert_eq!(translation.op.resolve(&[size]), Ok(selection));
            if let Some(slice) = translation.op.slice {
                let runtime = slice.resolve_onnxruntime(&[size]);
                assert_eq!(runtime, slice.resolve(&[size]), "{slice:?} of {size}");
            }
        }
    }
}
