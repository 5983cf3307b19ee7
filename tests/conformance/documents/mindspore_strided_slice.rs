//! Examples from MindSpore's documentation of strided_slice. In the documentation, the first digit of a mask is the bit
//! of dimension 0. In the masks here, it is the last digit.

use super::*;
use mindspore::StridedSlice;

fn op(begin: &[i64], end: &[i64], strides: &[i64]) -> StridedSlice {
    StridedSlice {
        begin: begin.to_vec(),
        end: end.to_vec(),
        strides: strides.to_vec(),
        ..StridedSlice::default()
    }
}

fn select(op: &StridedSlice, shape: &[usize]) -> Selection {
    op.resolve(shape).expect("slice fits the shape")
}

#[test]
fn text_three_ranges() {
    let selection = select(&op(&[1, 3, 2], &[3, 5, 6], &[1, 1, 2]), &[5, 6, 7]);
    assert_eq!(selection, python(s![1:3, 3:5, 2:6:2], &[5, 6, 7]));
}

#[test]
fn text_missing_dimensions_are_whole() {
    let selection = select(&op(&[1, 3], &[3, 5], &[1, 1]), &[5, 6, 7]);
    assert_eq!(selection, python(s![1:3, 3:5, 0:7], &[5, 6, 7]));
}

#[test]
fn text_begin_mask_and_end_mask() {
    let op = StridedSlice {
        begin_mask: 0b011,
        end_mask: 0b110,
        ..op(&[2, 3, 2], &[3, 4, 5], &[1, 1, 2])
    };
    assert_eq!(
        select(&op, &[5, 6, 7, 8]),
        python(s![0:3, 0:6, 2:7:2], &[5, 6, 7, 8])
    );
}

#[test]
fn text_ellipsis_mask() {
    let tail = StridedSlice {
        end_mask: 0b001,
        ellipsis_mask: 0b010,
        ..op(&[2, 0], &[0, 0], &[1, 1])
    };
    assert_eq!(
        select(&tail, &[5, 6, 7, 8]),
        python(s![2:5, :, :, :], &[5, 6, 7, 8])
    );
    let both = StridedSlice {
        begin_mask: 0b100,
        end_mask: 0b001,
        ellipsis_mask: 0b010,
        ..op(&[2, 0, 0], &[0, 0, 6], &[1, 1, 1])
    };
    assert_eq!(
        select(&both, &[5, 6, 7, 8]),
        python(s![2:5, :, :, 0:6], &[5, 6, 7, 8])
    );
}

#[test]
fn text_new_axis_mask() {
    let op = StridedSlice {
        new_axis_mask: 0b010,
        ..op(&[0, 0, 0], &[5, 6, 7], &[1, 1, 1])
    };
    assert_eq!(select(&op, &[5, 6, 7]).output_shape(), [5, 1, 6, 7]);
}

/// The documentation says that begin, end and strides are ignored. MindSpore selects the element at begin.
#[test]
fn text_shrink_axis_mask() {
    let op = StridedSlice {
        begin_mask: 0b101,
        end_mask: 0b101,
        shrink_axis_mask: 0b010,
        ..op(&[0, 5, 0], &[0, 0, 0], &[1, 1, 1])
    };
    let selection = select(&op, &[5, 6, 7]);
    assert_eq!(selection.output_shape(), [5, 7]);
    assert_eq!(selection, python(s![:, 5, :], &[5, 6, 7]));
}

/// The documentation forbids a negative begin and an end below 1. MindSpore reads them like Python.
#[test]
fn text_negative_bounds() {
    assert_eq!(select(&op(&[-3], &[-1], &[1]), &[5]), python(s![2:4], &[5]));
    assert_eq!(select(&op(&[0], &[0], &[1]), &[5]), python(s![0:0], &[5]));
}

/// The documentation says that a masked begin is 0. In MindSpore, it is the last element if the stride is negative.
#[test]
fn text_masked_begin_of_a_reverse_range() {
    let op = StridedSlice {
        begin_mask: 1,
        end_mask: 1,
        ..op(&[0], &[0], &[-1])
    };
    assert_eq!(select(&op, &[5]), python(s![::-1], &[5]));
}

const INPUT: [f32; 18] = [
    1., 1., 1., 2., 2., 2., 3., 3., 3., 4., 4., 4., 5., 5., 5., 6., 6., 6.,
];

#[test]
fn sample_1_step_by_step() {
    let selection = select(&op(&[1, 0, 2], &[3, 1, 3], &[1, 1, 1]), &[3, 2, 3]);
    assert_eq!(selection.output_shape(), [2, 1, 1]);
    assert_eq!(selection.gather(&INPUT), Ok(vec![3., 5.]));
}

#[test]
fn sample_2() {
    let selection = select(&op(&[1, 0, 0], &[2, 1, 3], &[1, 1, 1]), &[3, 2, 3]);
    assert_eq!(selection.output_shape(), [1, 1, 3]);
    assert_eq!(selection.gather(&INPUT), Ok(vec![3., 3., 3.]));
}
