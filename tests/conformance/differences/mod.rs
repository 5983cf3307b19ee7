//! Checks slices for which TensorFlow, OpenVINO, MindSpore and ONNX give different results. Each row of the first table
//! of differences in the documentation of `slice_systems` has one test in this file, and each row of the second table has
//! one test in `models`.

use slice_core::SliceError;
use slice_systems::{OperationError, onnx, openvino};

mod models;
mod strided_slice_case;

use strided_slice_case::{
    StridedSliceCase, onnx_results_on_length_4, onnx_slice, slice_on_length_4, some,
};

#[test]
fn openvino_and_onnx_clamp_a_reverse_range_that_begins_before_the_axis() {
    let bounds = [-10, -20, -1];
    assert_eq!(
        slice_on_length_4(&bounds).results(),
        [some(&[]), some(&[0]), some(&[])]
    );
    assert_eq!(onnx_results_on_length_4(bounds), [some(&[0]), some(&[0])]);
}

#[test]
fn openvino_and_onnx_select_element_0_between_equal_bounds_before_the_axis() {
    let bounds = [-5, -5, -1];
    assert_eq!(
        slice_on_length_4(&bounds).results(),
        [some(&[]), some(&[0]), some(&[])]
    );
    assert_eq!(onnx_results_on_length_4(bounds), [some(&[0]), some(&[0])]);
}

#[test]
fn only_onnx_runtime_treats_int_max_as_an_omitted_end_of_a_reverse_range() {
    for max in [i64::MAX, i32::MAX.into()] {
        let bounds = [3, max, -1];
        assert_eq!(
            slice_on_length_4(&bounds).results(),
            [some(&[]), some(&[]), some(&[])]
        );
        assert_eq!(
            onnx_results_on_length_4(bounds),
            [some(&[]), some(&[3, 2, 1, 0])]
        );
        let smaller_end = [3, max - 1, -1];
        assert_eq!(
            onnx_results_on_length_4(smaller_end),
            [some(&[]), some(&[])]
        );
    }
}

#[test]
fn only_openvino_ignores_a_negative_stride_of_an_index() {
    let case = StridedSliceCase {
        shrink_axis_mask: 1,
        ..slice_on_length_4(&[2, 3, -1])
    };
    assert_eq!(case.results(), [None, some(&[2]), None]);
}

#[test]
fn only_openvino_ignores_a_zero_stride_of_an_index() {
    let case = StridedSliceCase {
        shrink_axis_mask: 1,
        ..slice_on_length_4(&[2, 3, 0])
    };
    assert_eq!(case.results(), [None, some(&[2]), None]);
}

#[test]
fn only_mindspore_applies_begin_mask_to_an_index() {
    let case = StridedSliceCase {
        begin_mask: 1,
        shrink_axis_mask: 1,
        ..slice_on_length_4(&[2, 3, 1])
    };
    assert_eq!(case.results(), [some(&[2]), some(&[2]), some(&[0])]);
    let outside = StridedSliceCase {
        begin_mask: 1,
        shrink_axis_mask: 1,
        ..slice_on_length_4(&[9, 10, 1])
    };
    assert_eq!(outside.results(), [None, None, some(&[0])]);
}

#[test]
fn only_mindspore_rejects_zero_strides_of_new_axes_and_ellipses() {
    let new_axis = StridedSliceCase {
        new_axis_mask: 1,
        ..slice_on_length_4(&[0, 0, 0])
    };
    let ellipsis = StridedSliceCase {
        ellipsis_mask: 1,
        ..slice_on_length_4(&[0, 0, 0])
    };
    let whole = some(&[0, 1, 2, 3]);
    for case in [new_axis, ellipsis] {
        assert_eq!(case.results(), [whole.clone(), whole.clone(), None]);
    }
}

#[test]
fn only_mindspore_rejects_more_entries_than_axes() {
    let case = StridedSliceCase {
        shape: &[2],
        begin: &[0, 1],
        end: &[0, 2],
        strides: &[1, 1],
        new_axis_mask: 1,
        ..StridedSliceCase::default()
    };
    assert_eq!(case.results(), [some(&[1]), some(&[1]), None]);
}

#[test]
fn systems_differ_in_which_of_two_errors_they_report() {
    let case = StridedSliceCase {
        shape: &[2, 2],
        begin: &[9, 0],
        end: &[10, 1],
        strides: &[1, 0],
        shrink_axis_mask: 1,
        ..StridedSliceCase::default()
    };
    let [tensorflow, openvino, mindspore] = case.errors();
    assert!(matches!(
        tensorflow,
        Some(OperationError::Slice(SliceError::IndexOutOfBounds { .. }))
    ));
    assert_eq!(openvino, Some(OperationError::ZeroInStrides { item: 1 }));
    assert_eq!(mindspore, Some(OperationError::ZeroInStrides { item: 1 }));
}

#[test]
fn only_tensorflow_accepts_negative_masks() {
    let case = StridedSliceCase {
        shrink_axis_mask: -1,
        ..slice_on_length_4(&[2, 3, 1])
    };
    assert_eq!(case.tensorflow().resolve(&[4]).map(|s| s.len()), Ok(1));
    let mask = "shrink_axis_mask";
    assert_eq!(
        case.mindspore().resolve(&[4]),
        Err(OperationError::NegativeMask { mask, value: -1 })
    );
    let op = openvino::StridedSlice {
        shrink_axis_mask: vec![-1],
        ..case.openvino()
    };
    let (item, value) = (0, -1);
    assert_eq!(
        op.resolve(&[4]),
        Err(OperationError::MaskElement { mask, item, value })
    );
}

#[test]
fn only_tensorflow_rejects_masks_beyond_32_bits() {
    for value in [1 << 31, i64::from(i32::MIN) - 1, i64::MAX] {
        let mask = "begin_mask";
        let case = StridedSliceCase {
            begin_mask: value,
            ..slice_on_length_4(&[1, 3, 1])
        };
        assert_eq!(
            case.tensorflow().resolve(&[4]),
            Err(OperationError::MaskOverflow { mask, value })
        );
        assert_eq!(case.mindspore().resolve(&[4]).is_ok(), value >= 0);
    }
}

#[test]
fn mask_bits_beyond_the_last_entry_are_ignored() {
    let case = StridedSliceCase {
        begin_mask: 0b110,
        ellipsis_mask: 0b10,
        new_axis_mask: 0b1010,
        shrink_axis_mask: 0b110,
        ..slice_on_length_4(&[1, 3, 1])
    };
    assert_eq!(
        case.results(),
        [some(&[1, 2]), some(&[1, 2]), some(&[1, 2])]
    );
}

#[test]
fn a_second_ellipsis_bit_beyond_the_last_entry_is_rejected() {
    let case = StridedSliceCase {
        ellipsis_mask: 0b101,
        ..slice_on_length_4(&[1, 3, 1])
    };
    let (first, second) = (0, 2);
    let error = Some(SliceError::MultipleEllipses { first, second }.into());
    assert_eq!(case.errors(), [error.clone(), error.clone(), error]);
}

#[test]
fn openvino_masks_are_padded_or_truncated_to_the_number_of_entries() {
    let op = openvino::StridedSlice {
        begin: vec![1, 1, 1],
        end: vec![2, 2, 2],
        strides: None,
        begin_mask: vec![1],
        end_mask: vec![],
        new_axis_mask: vec![0, 1],
        shrink_axis_mask: vec![0, 0, 1, 1, 1],
        ellipsis_mask: vec![0; 9],
    };
    let selection = op.resolve(&[3, 4]).expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [2, 1]);
    assert_eq!(selection.indices().collect::<Vec<_>>(), [1, 5]);
}

#[test]
fn only_tensorflow_rejects_more_than_31_entries() {
    let shape = [1; 32];
    let case = StridedSliceCase {
        shape: &shape,
        begin: &[0; 32],
        end: &[1; 32],
        strides: &[1; 32],
        ..StridedSliceCase::default()
    };
    let (items, limit) = (32, 31);
    let error = Some(SliceError::TooManyItems { items, limit }.into());
    assert_eq!(case.errors(), [error, None, None]);
}

#[test]
fn omitted_strides_are_1() {
    let op = openvino::StridedSlice {
        strides: None,
        ..slice_on_length_4(&[1, 3, 7]).openvino()
    };
    assert_eq!(op.resolve(&[4]).map(|selection| selection.len()), Ok(2));
    let op = onnx::Slice {
        steps: None,
        ..onnx_slice([1, 3, 7])
    };
    assert_eq!(op.resolve(&[4]).map(|selection| selection.len()), Ok(2));
}

#[test]
fn onnx_rejects_scalars_and_mindspore_rejects_scalars_with_masks() {
    let scalar = StridedSliceCase::default();
    assert_eq!(scalar.results(), [some(&[0]), some(&[0]), some(&[0])]);
    let ellipsis = StridedSliceCase {
        begin: &[0],
        end: &[0],
        strides: &[1],
        ellipsis_mask: 1,
        ..StridedSliceCase::default()
    };
    assert_eq!(ellipsis.results(), [some(&[0]), some(&[0]), None]);
    assert_eq!(ellipsis.errors()[2], Some(OperationError::ScalarInput));
    let op = onnx::Slice {
        opset: 13,
        ..onnx::Slice::default()
    };
    assert_eq!(op.resolve(&[]), Err(OperationError::ScalarInput));
}

#[test]
fn onnx_rejects_repeated_axes() {
    for axes in [vec![1, 1], vec![1, -1], vec![-1, 1]] {
        let op = onnx::Slice {
            opset: 13,
            starts: vec![0, 0],
            ends: vec![1, 1],
            axes: Some(axes),
            steps: None,
        };
        let (first, second, axis) = (0, 1, 1);
        let error = OperationError::RepeatedAxis {
            first,
            second,
            axis,
        };
        assert_eq!(op.resolve(&[2, 2]), Err(error));
    }
}

#[test]
fn negative_axes_are_valid_in_every_opset() {
    for opset in [1, 10, 11, 13] {
        let op = onnx::Slice {
            opset,
            starts: vec![1],
            ends: vec![2],
            axes: Some(vec![-2]),
            steps: None,
        };
        let offsets = op
            .resolve(&[2, 3])
            .map(|selection| selection.indices().collect());
        assert_eq!(offsets, Ok(vec![3, 4, 5]));
    }
}

#[test]
fn steps_are_rejected_in_opset_1() {
    let (opset, attribute) = (1, Some("steps"));
    let op = onnx::Slice {
        opset,
        ..onnx_slice([0, 4, 1])
    };
    assert_eq!(
        op.resolve(&[4]),
        Err(OperationError::Opset { opset, attribute })
    );
}

/// Each test named in a table in the documentation of `slice_systems` must exist in this folder or in `documents`.
#[test]
fn every_test_named_in_the_tables_exists() {
    let tests = [
        include_str!("mod.rs"),
        include_str!("models.rs"),
        include_str!("../documents/mindspore_strided_slice.rs"),
        include_str!("../documents/openvino_strided_slice_1.rs"),
        include_str!("../documents/tensorflow_article.rs"),
        include_str!("../documents/tensorflow_strided_slice.rs"),
    ]
    .concat();
    let tables = include_str!("../../../slice-systems/src/lib.rs");
    let rows = tables.lines().filter_map(|line| line.strip_prefix("//! |"));
    let names: Vec<_> = rows
        .filter_map(|row| row.strip_suffix("` |")?.rsplit_once('`'))
        .map(|(_, name)| name)
        .collect();
    assert_eq!(names.len(), 52);
    for name in names {
        assert!(
            tests.contains(&format!("fn {name}()")),
            "the test {name} does not exist"
        );
    }
}
