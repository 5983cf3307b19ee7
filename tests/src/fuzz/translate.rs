//! Checks translations of slices to operations of TensorFlow, ONNX and other systems, and translations of operations to
//! slices.

use std::fmt::{Debug, Display};

use arbitrary::Arbitrary;
use slice_core::{DynSliceSpec, Item, OutputAxis, Selection, SliceError};
use slice_systems::lists::Operations;
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{
    Operation, OperationError, coreml, litert, mindspore, openvino, stablehlo, tensorflow,
    tensorstore, torch,
};

use super::input::{Items, Shape};
use crate::operation::replace_if_equivalent;

/// A slice, a shape, and a number that determines the ONNX opset.
#[derive(Debug, Arbitrary)]
pub struct Case {
    items: Items,
    shape: Shape,
    opset: u8,
}

/// Checks that each translation of a slice selects the same elements as the slice, and that the translation succeeds if
/// the system's operation can express the slice. Returns `true` if the slice is valid for the shape.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let Ok(spec) = DynSliceSpec::from_items(case.items.0.iter().cloned()) else {
        return false;
    };
    let (shape, opset) = (&case.shape.0[..], u32::from(case.opset % 20));
    check_spec(&spec, shape, opset);
    let Ok(selection) = &spec.resolve(shape) else {
        return false;
    };
    check_selection(&spec, selection, opset);
    true
}

/// Checks that an operation selects the same elements as the slice, or that both are invalid for the shape. If
/// `is_expressible` is `true`, the translation must succeed.
fn check_equivalence<Op: Debug>(
    translated: Result<Translated<Op>, TranslateError>,
    python: &Result<Selection, SliceError>,
    resolve: impl Fn(&Op) -> Result<Selection, OperationError>,
    is_expressible: bool,
) {
    match translated {
        Ok(translation) => match (python, resolve(&translation.op)) {
            (Err(_), Err(_)) => {}
            (python, ours) => {
                assert_eq!(
                    ours.ok().as_ref(),
                    python.as_ref().ok(),
                    "{:?}",
                    translation.op
                )
            }
        },
        Err(error) => assert!(!is_expressible, "unexpected error: {error}"),
    }
}

fn check_spec(spec: &DynSliceSpec, shape: &[usize], opset: u32) {
    let python = spec.resolve(shape);
    let items: Vec<Item> = spec.items().collect();
    let has_nonzero_steps = !items
        .iter()
        .any(|item| matches!(item, Item::Range { step: 0, .. }));
    let consuming = items
        .iter()
        .filter(|item| matches!(item, Item::Index(_) | Item::Range { .. }))
        .count();
    let has_same_meaning = has_nonzero_steps && items.iter().all(means_the_same);

    let op = tensorflow::StridedSlice::from_spec(spec);
    let fits = items.len() <= 31;
    check_equivalence(
        op,
        &python,
        |op| op.resolve(shape),
        has_nonzero_steps && fits,
    );

    let op = openvino::StridedSlice::from_spec(spec);
    check_equivalence(op, &python, |op| op.resolve(shape), has_same_meaning);

    let plan = OnnxPlan::from_spec(spec, shape.len(), opset);
    let has_steps = opset >= 10
        || opset > 0
            && items
                .iter()
                .all(|item| !matches!(item, Item::Range { step, .. } if *step != 1));
    // If the step is negative, ONNX Runtime treats an end of `i32::MAX` as omitted.
    let int_max = |item: &Item| {
        let end = i64::from(i32::MAX);
        matches!(*item, Item::Range { end: Some(e), step, .. } if step < 0 && e == end)
    };
    let is_expressible =
        has_same_meaning && has_steps && consuming <= shape.len() && !items.iter().any(int_max);
    check_equivalence(plan, &python, |plan| plan.resolve(shape), is_expressible);

    let program = torch::Slice::from_spec(spec);
    if let Ok(translation) = &program
        && let Ok(round_trip) = translation.op.to_spec_for_rank(shape.len())
    {
        assert_eq!(
            round_trip.resolve(shape).ok(),
            python.clone().ok(),
            "{round_trip}"
        );
    }
    check_equivalence(
        program,
        &python,
        |program| program.resolve(shape),
        has_nonzero_steps,
    );

    // In LiteRT, axis lengths are 32-bit integers, and an ellipsis that is followed by other entries must cover at
    // least one axis. A spec does not determine whether its ellipsis covers an axis, so only items equal to `:` may
    // follow the ellipsis.
    if shape.iter().all(|&size| i32::try_from(size).is_ok()) && shape.len() + items.len() <= 31 {
        let op = litert::StridedSlice::from_spec(spec);
        let after_ellipsis = items
            .iter()
            .skip_while(|item| **item != Item::Ellipsis)
            .skip(1);
        let only_whole_axes_follow = after_ellipsis.clone().all(|item| *item == WHOLE);
        check_equivalence(
            op,
            &python,
            |op| op.resolve(shape),
            has_nonzero_steps && only_whole_axes_follow,
        );
    }

    let op = mindspore::StridedSlice::from_spec(spec);
    let without_trailing_ellipsis = items
        .iter()
        .rev()
        .skip_while(|item| **item == Item::Ellipsis);
    let fits = without_trailing_ellipsis.clone().count() == consuming && consuming < 64;
    check_equivalence(
        op,
        &python,
        |op| op.resolve(shape),
        has_nonzero_steps && fits,
    );
}

/// Returns `true` if the item selects the same positions in Python as in OpenVINO and ONNX, on axes of many lengths.
/// Unlike Python, these systems clamp the `begin` of a reverse range to the first element if it lies before that
/// element.
fn means_the_same(item: &Item) -> bool {
    let &Item::Range { begin, end, step } = item else {
        return true;
    };
    let nearby_sizes = |bound: Option<i64>| {
        let size = bound
            .unwrap_or_default()
            .unsigned_abs()
            .min(1 << (usize::BITS - 2)) as usize;
        size.saturating_sub(2)..size + 3
    };
    let python =
        DynSliceSpec::from_items([item.clone()]).expect("a slice with one item should be valid");
    let system = openvino::StridedSlice {
        begin: vec![begin.unwrap_or(0)],
        end: vec![end.unwrap_or(0)],
        strides: Some(vec![step]),
        begin_mask: vec![begin.is_none().into()],
        end_mask: vec![end.is_none().into()],
        ..openvino::StridedSlice::default()
    };
    (0..16)
        .chain(nearby_sizes(begin))
        .chain(nearby_sizes(end))
        .all(|size| system.resolve(&[size]).ok() == python.resolve(&[size]).ok())
}

fn check_selection(spec: &DynSliceSpec, selection: &Selection, opset: u32) {
    let shape = selection.input_shape();
    let python = Ok(selection.clone());
    // A selection resolved from `n` items can be expressed with at most `n` entries, and masks have bits for 31
    // entries.
    let fits = spec.items().len() <= 31;
    let op = tensorflow::StridedSlice::from_selection(selection);
    check_equivalence(op, &python, |op| op.resolve(shape), fits);

    let op = openvino::StridedSlice::from_selection(selection);
    check_equivalence(op, &python, |op| op.resolve(shape), true);

    let round_trip = DynSliceSpec::from_selection(selection)
        .expect("the selection should be equivalent to one slice")
        .op;
    assert_eq!(round_trip.resolve(shape), python);
    let is_shorter = round_trip.items().len() <= spec.items().len();
    assert!(is_shorter, "{round_trip} is longer than {spec}");

    let has_steps = opset >= 10
        || opset > 0
            && selection
                .axes()
                .unwrap()
                .iter()
                .all(|range| range.step() == 1);
    let plan = OnnxPlan::from_selection(selection, opset);
    check_equivalence(plan, &python, |plan| plan.resolve(shape), has_steps);

    let rank = shape.len().max(selection.output_shape().len());
    match tensorstore::IndexTransform::from_selection(selection) {
        Ok(translation) => {
            let ours = translation.op.resolve(shape);
            assert_eq!(ours.as_ref(), Ok(selection), "{:?}", translation.op);
            let round_trip = translation
                .op
                .to_spec()
                .expect("the transform should be equivalent to one slice");
            assert_eq!(round_trip.resolve(shape), python);
        }
        Err(error) => assert!(
            rank > 32 || shape.iter().any(|&size| size as u64 >= (1 << 62) - 1),
            "unexpected error: {error}"
        ),
    }

    let fits_32_bits = shape.iter().all(|&size| i32::try_from(size).is_ok());
    let op = litert::StridedSlice::from_selection(selection);
    let axes = shape.len() + selection.output_shape().len();
    check_equivalence(
        op,
        &python,
        |op| op.resolve(shape),
        fits_32_bits && axes <= 31,
    );
    check_program(torch::Slice::from_selection(selection), selection, true);
    check_program(stablehlo::Slice::from_selection(selection), selection, true);
    check_program(
        coreml::SliceByIndex::from_selection(selection),
        selection,
        fits_32_bits,
    );

    let is_new = |origin: &&OutputAxis| matches!(origin, OutputAxis::New { .. });
    match mindspore::StridedSlice::from_selection(selection) {
        Ok(translation) => {
            // Empty selections with the same output shape may differ in their ranges.
            let ours = translation
                .op
                .resolve(shape)
                .expect("the slice should fit the shape");
            assert_eq!(ours.output_shape(), selection.output_shape());
            assert!(ours == *selection || selection.is_empty());
        }
        // MindSpore's operation cannot have more entries than the input has axes, and its masks have bits for 63
        // entries.
        Err(error) => assert!(
            selection.output_axes().iter().any(|origin| is_new(&origin))
                && round_trip.items().len() > shape.len()
                || round_trip.items().len() > 63,
            "unexpected error: {error}"
        ),
    }
}

/// Checks the program translated from a selection, and the spec translated back from that program. Both must select the
/// same elements as the selection.
fn check_program<Program: Operations + Display>(
    translated: Result<Translated<Program>, TranslateError>,
    selection: &Selection,
    is_expressible: bool,
) {
    let shape = selection.input_shape();
    let program = match translated {
        Ok(translation) => translation.op,
        Err(error) => return assert!(!is_expressible, "unexpected error: {error}"),
    };
    let ours = program
        .resolve(shape)
        .expect("the slice should fit the shape");
    assert_eq!(
        &replace_if_equivalent(ours, selection),
        selection,
        "{program}"
    );
    if let Ok(spec) = program.to_spec_for_rank(shape.len()) {
        let ours = spec.resolve(shape).expect("the slice should fit the shape");
        assert_eq!(
            &replace_if_equivalent(ours, selection),
            selection,
            "{program} was translated to {spec}"
        );
    }
}

/// An item that selects a whole axis.
const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

/// Checks that the spec translated from an operation selects the same elements as the operation itself. `selected` is
/// the operation's own selection.
pub(super) fn check_to_spec(
    spec: Result<DynSliceSpec, TranslateError>,
    selected: &Result<Selection, OperationError>,
    shape: &[usize],
) {
    match (spec, selected) {
        (Ok(spec), Ok(selected)) => {
            assert_eq!(spec.resolve(shape).as_ref(), Ok(selected), "{spec}")
        }
        // OpenVINO and ONNX clamp the `begin` of a reverse range to the first element if it lies before that element. A
        // spec cannot express this.
        (Err(TranslateError::ReverseBegin { system, .. }), Ok(_)) => {
            assert!(matches!(system, "OpenVINO" | "ONNX"));
        }
        // A spec cannot express an operation whose slice depends on the length of an axis.
        (
            Err(TranslateError::LengthFrom { .. } | TranslateError::DependsOnLength { .. }),
            Ok(_),
        ) => {}
        (Err(error), Ok(_)) => panic!("unexpected error: {error}"),
        (_, Err(_)) => {}
    }
}
