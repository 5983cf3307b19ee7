//! Checks that a range is translated from Python to OpenVINO and ONNX, and from OpenVINO to Python, if and only if the
//! target system has a range that selects the same positions on axes of every length.

use slice_systems::Operation;
use std::collections::HashSet;

use super::*;

/// Returns the selections of a range on axes of length 0 to 14, and on axes of the five largest possible lengths.
fn selections<E: std::fmt::Debug>(
    resolve: impl Fn(&[usize]) -> Result<Selection, E>,
) -> Vec<Selection> {
    let longest = isize::MAX as usize;
    let sizes = (0..=14).chain(longest - 4..=longest);
    let selected = sizes.map(|size| resolve(&[size]).expect("the slice should fit the shape"));
    selected.collect()
}

/// Returns OpenVINO's operation with the bounds and the stride of a Python range, unchanged. ONNX interprets these
/// numbers as OpenVINO does.
fn operation_with_same_numbers(
    begin: Option<i64>,
    end: Option<i64>,
    stride: i64,
) -> openvino::StridedSlice {
    openvino::StridedSlice {
        begin: vec![begin.unwrap_or(0)],
        end: vec![end.unwrap_or(0)],
        strides: Some(vec![stride]),
        begin_mask: vec![i64::from(begin.is_none())],
        end_mask: vec![i64::from(end.is_none())],
        ..openvino::StridedSlice::default()
    }
}

/// Returns all ranges in which each number is small or near a limit of `i64`, and each bound may also be omitted. Small
/// bounds have absolute values up to `max_bound`, and small strides have absolute values up to `max_bound / 2 + 1`.
fn ranges(max_bound: i64) -> impl Iterator<Item = (Option<i64>, Option<i64>, i64)> {
    let max_stride = max_bound / 2 + 1;
    let extremes = (i64::MIN..i64::MIN + max_stride).chain([i64::MAX]);
    let bounds = (-max_bound..=max_bound)
        .chain(extremes.clone())
        .map(Some)
        .chain([None]);
    let strides = (-max_stride..=max_stride)
        .filter(|&stride| stride != 0)
        .chain(extremes);
    let ends = bounds.clone();
    bounds.flat_map(move |begin| {
        let strides = strides.clone();
        let ends = ends.clone();
        ends.flat_map(move |end| strides.clone().map(move |stride| (begin, end, stride)))
    })
}

#[test]
fn ranges_are_translated_if_and_only_if_an_equivalent_range_exists() {
    // These ranges cover a wider interval of bounds than the ranges translated below, so that every equivalent range is
    // included.
    let python: HashSet<Vec<Selection>> = ranges(7)
        .map(|(begin, end, step)| {
            let item = Item::Range { begin, end, step };
            let spec =
                DynSliceSpec::from_items([item]).expect("a slice with one item should be valid");
            selections(|shape| spec.resolve(shape))
        })
        .collect();
    let openvino: HashSet<Vec<Selection>> = ranges(7)
        .map(|(begin, end, step)| {
            let op = operation_with_same_numbers(begin, end, step);
            selections(|shape| op.resolve(shape))
        })
        .collect();
    let mut count = Count::default();
    for (begin, end, step) in ranges(4) {
        let item = Item::Range { begin, end, step };
        let spec = DynSliceSpec::from_items([item]).expect("a slice with one item should be valid");
        let expected = selections(|shape| spec.resolve(shape));
        let op = openvino::StridedSlice::from_spec(&spec);
        let plan = OnnxPlan::from_spec(&spec, 1, 13);
        assert_eq!(op.is_ok(), openvino.contains(&expected), "{spec}: {op:?}");
        assert_eq!(
            plan.is_ok(),
            openvino.contains(&expected),
            "{spec}: {plan:?}"
        );
        if let (Ok(op), Ok(plan)) = (&op, &plan) {
            assert_eq!(selections(|shape| op.op.resolve(shape)), expected, "{spec}");
            assert_eq!(
                selections(|shape| plan.op.resolve(shape)),
                expected,
                "{spec}"
            );
        }
        count.add(if op.is_ok() {
            "translated to OpenVINO and ONNX"
        } else {
            "not translated to OpenVINO and ONNX"
        });

        let op = operation_with_same_numbers(begin, end, step);
        let expected = selections(|shape| op.resolve(shape));
        let translated_back = op.to_spec();
        assert_eq!(
            translated_back.is_ok(),
            python.contains(&expected),
            "{op:?}: {translated_back:?}"
        );
        if let Ok(translated_back) = &translated_back {
            assert_eq!(
                selections(|shape| translated_back.resolve(shape)),
                expected,
                "{op:?}"
            );
        }
        count.add(if translated_back.is_ok() {
            "translated to Python"
        } else {
            "not translated to Python"
        });
    }
    count.report(&[
        ("not translated to OpenVINO and ONNX", 30),
        ("translated to OpenVINO and ONNX", 1_500),
        ("translated to Python", 1_500),
        ("not translated to Python", 30),
    ]);
}
