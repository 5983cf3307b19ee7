//! Checks the examples in MindSpore's documentation of strided_slice. In the documentation, the first digit of a mask
//! is the bit of dimension 0. In this file, masks are binary numbers, so the last digit is the bit of dimension 0.

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
    op.resolve(shape).expect("the slice should fit the shape")
}

#[test]
fn each_range_slices_one_dimension() {
    let selection = select(&op(&[1, 3, 2], &[3, 5, 6], &[1, 1, 2]), &[5, 6, 7]);
    assert_eq!(selection, python(s![1:3, 3:5, 2:6:2], &[5, 6, 7]));
}

#[test]
fn dimensions_without_entries_are_kept_in_full() {
    let selection = select(&op(&[1, 3], &[3, 5], &[1, 1]), &[5, 6, 7]);
    assert_eq!(selection, python(s![1:3, 3:5, 0:7], &[5, 6, 7]));
}

#[test]
fn masked_bounds_are_ignored() {
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
fn an_ellipsis_covers_all_other_dimensions() {
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
fn a_new_axis_bit_inserts_a_dimension() {
    let op = StridedSlice {
        new_axis_mask: 0b010,
        ..op(&[0, 0, 0], &[5, 6, 7], &[1, 1, 1])
    };
    assert_eq!(select(&op, &[5, 6, 7]).output_shape(), [5, 1, 6, 7]);
}

/// The documentation says that an index ignores `begin`, `end` and `strides`. MindSpore selects the element at the
/// `begin`.
#[test]
fn an_index_selects_the_element_at_its_begin() {
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

/// The documentation forbids a negative `begin` and an `end` below 1. MindSpore interprets these bounds as Python does.
#[test]
fn negative_bounds_count_from_the_end() {
    assert_eq!(select(&op(&[-3], &[-1], &[1]), &[5]), python(s![2:4], &[5]));
    assert_eq!(select(&op(&[0], &[0], &[1]), &[5]), python(s![0:0], &[5]));
}

/// The documentation says that a masked `begin` is 0. In MindSpore, it is the last position if the stride is negative.
#[test]
fn a_masked_begin_of_a_reverse_range_is_the_last_position() {
    let op = StridedSlice {
        begin_mask: 1,
        end_mask: 1,
        ..op(&[0], &[0], &[-1])
    };
    assert_eq!(select(&op, &[5]), python(s![::-1], &[5]));
}

/// The elements of the input in the samples, which has shape (3, 2, 3).
const INPUT: [f32; 18] = [
    1., 1., 1., 2., 2., 2., 3., 3., 3., 4., 4., 4., 5., 5., 5., 6., 6., 6.,
];

#[test]
fn sample_1_selects_one_element_of_each_of_two_rows() {
    let selection = select(&op(&[1, 0, 2], &[3, 1, 3], &[1, 1, 1]), &[3, 2, 3]);
    assert_eq!(selection.output_shape(), [2, 1, 1]);
    assert_eq!(selection.gather(&INPUT), Ok(vec![3., 5.]));
}

#[test]
fn sample_2_selects_one_row() {
    let selection = select(&op(&[1, 0, 0], &[2, 1, 3], &[1, 1, 1]), &[3, 2, 3]);
    assert_eq!(selection.output_shape(), [1, 1, 3]);
    assert_eq!(selection.gather(&INPUT), Ok(vec![3., 3., 3.]));
}
