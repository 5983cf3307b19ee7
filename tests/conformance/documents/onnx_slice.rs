//! Checks the examples in ONNX's documentation of Slice, for opsets 1 to 13.

use super::*;
use onnx::Slice;

/// The elements of the input in the examples, which has shape (2, 4).
const DATA: [i32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

#[test]
fn example_1_a_step_of_2_skips_elements() {
    for opset in [10, 11, 13] {
        let op = Slice {
            opset,
            starts: vec![1, 0],
            ends: vec![2, 3],
            axes: Some(vec![0, 1]),
            steps: Some(vec![1, 2]),
        };
        let selection = op.resolve(&[2, 4]).expect("the slice should fit the shape");
        assert_eq!(selection.output_shape(), [1, 2]);
        assert_eq!(selection.gather(&DATA), Ok(vec![5, 7]));
    }
}

#[test]
fn example_1_of_opset_1_selects_all_elements_of_the_range() {
    let op = Slice {
        opset: 1,
        starts: vec![1, 0],
        ends: vec![2, 3],
        axes: Some(vec![0, 1]),
        steps: None,
    };
    let selection = op.resolve(&[2, 4]).expect("the slice should fit the shape");
    assert_eq!(selection.gather(&DATA), Ok(vec![5, 6, 7]));
}

#[test]
fn example_2_negative_ends_count_from_the_end_and_large_ends_are_clamped() {
    for opset in [1, 10, 11, 13] {
        let op = Slice {
            opset,
            starts: vec![0, 1],
            ends: vec![-1, 1000],
            axes: None,
            steps: None,
        };
        let selection = op.resolve(&[2, 4]).expect("the slice should fit the shape");
        assert_eq!(selection.output_shape(), [1, 3]);
        assert_eq!(selection.gather(&DATA), Ok(vec![2, 3, 4]));
    }
}

/// The documentation recommends "INT_MAX when slicing forward and INT_MIN when slicing backward". Both numbers may have
/// 32 or 64 bits.
#[test]
fn int_max_and_int_min_act_as_omitted_ends() {
    for (max, min) in [(i64::MAX, i64::MIN), (i32::MAX.into(), i32::MIN.into())] {
        let op = Slice {
            opset: 13,
            starts: vec![1, -2],
            ends: vec![max, min],
            axes: None,
            steps: Some(vec![1, -1]),
        };
        for selection in [op.resolve(&[2, 4]), op.resolve_onnxruntime(&[2, 4])] {
            assert_eq!(selection, Ok(python(s![1:, -2::-1], &[2, 4])));
        }
    }
}

#[test]
fn negative_axes_count_from_the_end() {
    let op = Slice {
        opset: 11,
        starts: vec![1],
        ends: vec![3],
        axes: Some(vec![-1]),
        steps: None,
    };
    assert_eq!(op.resolve(&[2, 4]), Ok(python(s![:, 1:3], &[2, 4])));
}
