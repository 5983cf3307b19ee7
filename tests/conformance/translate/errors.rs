//! Checks the errors for slices that cannot be translated. The messages of these errors name the item, give the reason
//! and suggest a correction.

use slice_systems::Operation;

use super::*;

fn message(error: TranslateError) -> String {
    error.to_string()
}

#[test]
fn a_reverse_range_with_a_negative_begin_is_rejected() {
    let spec = s![..., -3::-2].to_dyn();
    let expected = "`-3::-2` (item 2) has different meanings on axes shorter than 3: Python selects nothing, while OpenVINO \
                    starts at the first element; translate the slice for a known shape, or slice twice, first with `:-2` \
                    and then with `::-2`";
    let error = openvino::StridedSlice::from_spec(&spec).unwrap_err();
    assert_eq!(message(error), expected);
    let error = OnnxPlan::from_spec(&spec, 3, 13).unwrap_err();
    assert_eq!(message(error), expected.replace("OpenVINO", "ONNX"));
}

/// The message for [`TranslateError::ReverseBegin`] suggests slicing twice.
#[test]
fn the_suggested_slices_select_the_same_elements_on_every_axis() {
    for begin in -5..-1 {
        for step in -3..0 {
            let first = Item::Range {
                begin: None,
                end: Some(begin + 1),
                step: 1,
            };
            let second = Item::Range {
                begin: None,
                end: None,
                step,
            };
            let direct = Item::Range {
                begin: Some(begin),
                end: None,
                step,
            };
            let [first, second, direct] = [first, second, direct].map(|item| {
                DynSliceSpec::from_items([item]).expect("a slice with one item should be valid")
            });
            for size in 0..8 {
                let first = first
                    .resolve(&[size])
                    .expect("the slice should fit the shape");
                let second = second
                    .resolve(first.output_shape())
                    .expect("the slice should fit the shape");
                assert_eq!(first.compose(&second), direct.resolve(&[size]));
            }
        }
    }
}

#[test]
fn mindspore_rejects_more_entries_than_axes() {
    let error_for = |spec: DynSliceSpec| mindspore::StridedSlice::from_spec(&spec).unwrap_err();
    let expected = "MindSpore allows at most one entry for each axis, but for an input with 2 axes, this slice needs 3 entries, \
                    because item 2, for example, consumes no axis; write `:` for each axis of an ellipsis, and add new axes with \
                    expand_dims";
    assert_eq!(message(error_for(s![0, ..., 1].to_dyn())), expected);
    assert_eq!(message(error_for(s![0, newaxis, 1].to_dyn())), expected);
    // An ellipsis at the end needs no entry.
    assert!(mindspore::StridedSlice::from_spec(&s![0, 1, ...].to_dyn()).is_ok());
    // If the shape is known, an ellipsis stands for a known number of axes, and can be replaced by ranges. With a new
    // axis, there may still be more entries than axes.
    let selection = s![0, ..., 1]
        .resolve(&[2, 3, 4])
        .expect("the slice should fit the shape");
    assert!(mindspore::StridedSlice::from_selection(&selection).is_ok());
    let selection = s![newaxis, 0]
        .resolve(&[2])
        .expect("the slice should fit the shape");
    let error = mindspore::StridedSlice::from_selection(&selection).unwrap_err();
    let (item, entries, rank) = (1, 2, 1);
    assert_eq!(
        error,
        TranslateError::SpareEntry {
            item,
            entries,
            rank
        }
    );
}

#[test]
fn a_stride_of_zero_is_rejected() {
    // OpenVINO and ONNX also reject item 0, but strides are checked first.
    let spec = s![-3::-1, ::0i64.wrapping_mul(1)].to_dyn();
    let expected = TranslateError::Operation(OperationError::ZeroInStrides { item: 1 });
    assert_eq!(
        tensorflow::StridedSlice::from_spec(&spec),
        Err(expected.clone())
    );
    assert_eq!(
        openvino::StridedSlice::from_spec(&spec),
        Err(expected.clone())
    );
    assert_eq!(
        mindspore::StridedSlice::from_spec(&spec),
        Err(expected.clone())
    );
    assert_eq!(OnnxPlan::from_spec(&spec, 2, 13), Err(expected.clone()));
    assert_eq!(
        message(expected),
        "the slice is invalid: strides must be non-zero, but item 2 has stride 0; use 1 to take every element"
    );
}

/// The message uses ONNX's name for the field, `steps`.
#[test]
fn a_step_of_zero_in_an_onnx_operator_is_rejected() {
    let operator = onnx::Slice {
        opset: 13,
        starts: vec![0, 0],
        ends: vec![1, 1],
        axes: None,
        steps: Some(vec![1, 0]),
    };
    let error = operator.to_spec().unwrap_err();
    let expected = OperationError::ZeroInSteps { item: 1 };
    assert_eq!(error, TranslateError::Operation(expected));
    assert_eq!(
        message(error),
        "the slice is invalid: steps must be non-zero, but entry 2 is 0; use 1 to take every element"
    );
}

/// The error states the number of items, except for ONNX, where it states a rank.
#[test]
fn more_than_64_items_are_rejected() {
    let limit = 64;
    for items in [65, 66, 70, 1000] {
        let expected = SliceError::TooManyItems { items, limit };
        let spec = DynSliceSpec::from_items(vec![Item::NewAxis; items]);
        assert_eq!(spec.unwrap_err(), expected);
        let numbers = || vec![0; items];
        let operator = openvino::StridedSlice {
            begin: numbers(),
            end: numbers(),
            strides: Some(vec![1; items]),
            ..openvino::StridedSlice::default()
        };
        assert_eq!(operator.to_spec().unwrap_err(), expected.clone().into());
        let operator = mindspore::StridedSlice {
            begin: numbers(),
            end: numbers(),
            strides: vec![1; items],
            ..mindspore::StridedSlice::default()
        };
        assert_eq!(operator.to_spec().unwrap_err(), expected.clone().into());
        // Each entry of an ONNX operator names its axis. The error occurs at the first axis beyond the limit, and
        // states the smallest rank at which this axis exists, 65.
        let expected = TranslateError::from(SliceError::TooManyItems { items: 65, limit });
        for axes in [None, Some((0..items as i64).map(|axis| !axis).collect())] {
            let operator = onnx::Slice {
                opset: 13,
                starts: numbers(),
                ends: numbers(),
                axes,
                steps: None,
            };
            assert_eq!(operator.to_spec().unwrap_err(), expected);
        }
    }
    // Only the first items of an infinite iterator are read.
    let spec = DynSliceSpec::from_items(std::iter::repeat(Item::NewAxis));
    assert!(matches!(spec, Err(SliceError::TooManyItems { .. })));
}

#[test]
fn tensorflow_rejects_more_than_31_items() {
    let spec = DynSliceSpec::from_items(vec![Item::NewAxis; 32])
        .expect("there should be at most 64 items");
    let error = tensorflow::StridedSlice::from_spec(&spec).unwrap_err();
    let (items, limit) = (32, 31);
    assert_eq!(
        error,
        TranslateError::from(SliceError::TooManyItems { items, limit })
    );
    assert!(openvino::StridedSlice::from_spec(&spec).is_ok());
}

#[test]
fn onnx_rejects_steps_before_opset_10() {
    for opset in [1, 9] {
        let error = OnnxPlan::from_spec(&s![0, ::2].to_dyn(), 2, opset).unwrap_err();
        let (item, step) = (1, 2);
        assert_eq!(error, TranslateError::NoSteps { item, step, opset });
    }
    assert!(OnnxPlan::from_spec(&s![0, 1:].to_dyn(), 2, 1).is_ok());
    assert!(OnnxPlan::from_spec(&s![0, ::2].to_dyn(), 2, 10).is_ok());
}

#[test]
fn onnx_rejects_a_reverse_range_that_ends_at_int_max() {
    let error = OnnxPlan::from_spec(&s![0, -9:2147483647:-1].to_dyn(), 2, 13).unwrap_err();
    assert_eq!(error, TranslateError::IntMaxEnd { item: 1 });
    // This range selects nothing for any shape, so it can be replaced by a different empty range.
    assert!(OnnxPlan::from_spec(&s![0, 9:2147483647:-1].to_dyn(), 2, 13).is_ok());
    // ONNX Runtime also treats an end of `i64::MAX` as omitted, so the translation uses `i64::MAX - 1` instead. No
    // position exceeds `i64::MAX - 1` either.
    let plan = OnnxPlan::from_spec(&s![-9:(i64::MAX):-1].to_dyn(), 1, 13)
        .expect("ONNX should be able to express the slice")
        .op;
    let slice = plan.slice.expect("the plan should contain a slice");
    assert_eq!(slice.ends, [i64::MAX - 1]);
    assert_eq!(
        slice
            .resolve_onnxruntime(&[5])
            .map(|selection| selection.len()),
        Ok(0)
    );
}

#[test]
fn onnx_rejects_more_items_than_axes() {
    let error = OnnxPlan::from_spec(&s![0, 1:, 2].to_dyn(), 2, 13).unwrap_err();
    let (rank, indexed) = (2, 3);
    let expected = SliceError::TooManyIndices { rank, indexed };
    assert_eq!(error, TranslateError::from(expected));
}

#[test]
fn an_empty_new_axis_is_rejected() {
    let first = s![newaxis]
        .resolve(&[2])
        .expect("the slice should fit the shape");
    let second = s![1:]
        .resolve(&[1, 2])
        .expect("the slice should fit the shape");
    let composed = first
        .compose(&second)
        .expect("the second selection should apply to the output of the first");
    let expected = TranslateError::EmptyNewAxis { axis: 0 };
    assert_eq!(
        DynSliceSpec::from_selection(&composed),
        Err(expected.clone())
    );
    assert_eq!(
        tensorflow::StridedSlice::from_selection(&composed),
        Err(expected.clone())
    );
    assert_eq!(
        OnnxPlan::from_selection(&composed, 13),
        Err(expected.clone())
    );
}

#[test]
fn onnx_axes_whose_order_depends_on_the_rank_are_rejected_without_a_rank() {
    let op = onnx::Slice {
        opset: 13,
        starts: vec![0, 1],
        ends: vec![1, 2],
        axes: Some(vec![1, -2]),
        steps: None,
    };
    let (front, back) = (1, -2);
    assert_eq!(
        op.to_spec(),
        Err(TranslateError::CrossingAxes { front, back })
    );
    assert_eq!(
        op.to_spec_for_rank(2).map(|spec| spec.to_string()),
        Ok("1:2, :1".into())
    );
    assert_eq!(
        op.to_spec_for_rank(4).map(|spec| spec.to_string()),
        Ok(":, :1, 1:2".into())
    );
}

/// Without a rank, an axis counted from the end has no other number.
#[test]
fn a_repeated_onnx_axis_is_named_as_written_without_a_rank() {
    let op = onnx::Slice {
        opset: 13,
        starts: vec![0, 0],
        ends: vec![1, 1],
        axes: Some(vec![-1, -1]),
        steps: None,
    };
    let duplicates = "the slice is invalid: axes has duplicates: entries 1 and 2 both name axis ";
    let error = op.to_spec().unwrap_err();
    assert_eq!(message(error), format!("{duplicates}-1"));
    let error = op.to_spec_for_rank(3).unwrap_err();
    assert_eq!(message(error), format!("{duplicates}2"));
}

#[test]
fn an_openvino_range_that_python_cannot_express_is_rejected() {
    let op = openvino::StridedSlice {
        begin: vec![0, -10],
        end: vec![1, -20],
        strides: Some(vec![1, -1]),
        ..openvino::StridedSlice::default()
    };
    let error = op.to_spec().unwrap_err();
    assert!(
        message(error)
            .starts_with("`-10:-20:-1` (item 2) has different meanings on axes shorter than 10")
    );
}

#[test]
fn tensorflow_rejects_an_index_with_a_negative_stride() {
    let op = tensorflow::StridedSlice {
        begin: vec![1],
        end: vec![2],
        strides: vec![-1],
        shrink_axis_mask: 1,
        ..tensorflow::StridedSlice::default()
    };
    let (item, axis, stride) = (0, None, -1);
    let expected = SliceError::IndexStride { item, axis, stride };
    assert_eq!(op.to_spec(), Err(TranslateError::from(expected)));
}
