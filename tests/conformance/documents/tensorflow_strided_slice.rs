//! Checks the examples in the documentation of StridedSlice in TensorFlow's Java API.

use super::*;
use tensorflow::StridedSlice;

fn select(op: &StridedSlice, shape: &[usize]) -> Selection {
    op.resolve(shape).expect("the slice should fit the shape")
}

#[test]
fn the_encoding_of_the_non_trivial_example_selects_the_same_elements_as_the_slice() {
    for ignored in [0, 7, -9] {
        let op = StridedSlice {
            begin: vec![1, 2, ignored, ignored, 0, ignored],
            end: vec![2, 4, ignored, ignored, -3, ignored],
            strides: vec![1, 1, ignored, ignored, -1, 1],
            begin_mask: 1 << 4 | 1 << 5,
            end_mask: 1 << 5,
            ellipsis_mask: 1 << 3,
            new_axis_mask: 1 << 2,
            shrink_axis_mask: 1 << 0,
        };
        let shape = [5, 6, 7, 8, 9];
        let spec = s![1, 2:4, None, ..., :-3:-1, :];
        assert_eq!(select(&op, &shape), python(spec, &shape));
        assert_eq!((op.begin_mask, op.end_mask), (48, 32));
    }
}

#[test]
fn an_ellipsis_selects_all_elements() {
    let op = StridedSlice {
        begin: vec![0],
        end: vec![0],
        strides: vec![1],
        ellipsis_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[3, 4]), python(s![...], &[3, 4]));
    assert_eq!(select(&op, &[3, 4]).output_shape(), [3, 4]);
}

/// The documentation says that `foo[:, ...]` inserts an axis, but only `foo[newaxis, ...]` does.
#[test]
fn a_leading_new_axis_is_inserted_by_newaxis() {
    let op = StridedSlice {
        begin: vec![0, 0],
        end: vec![0, 0],
        strides: vec![1, 1],
        ellipsis_mask: 2,
        new_axis_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[3, 4]).output_shape(), [1, 3, 4]);
    let whole = StridedSlice {
        begin_mask: 1,
        end_mask: 1,
        new_axis_mask: 0,
        ..op
    };
    assert_eq!(select(&whole, &[3, 4]).output_shape(), [3, 4]);
}

#[test]
fn omitted_bounds_select_all_elements_and_an_end_of_minus_1_all_but_the_last() {
    let whole = StridedSlice {
        begin: vec![0],
        end: vec![0],
        strides: vec![1],
        begin_mask: 1,
        end_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&whole, &[3]), python(s![0:3], &[3]));
    let all_but_the_last = StridedSlice {
        end: vec![-1],
        begin_mask: 0,
        end_mask: 0,
        ..whole
    };
    assert_eq!(select(&all_but_the_last, &[3]), python(s![0:2], &[3]));
}

/// The documentation says that `foo[-2::-1]` of [1, 2, 3, 4] is [4, 3]. TensorFlow returns [3, 2, 1].
#[test]
fn a_reverse_range_from_minus_2_ends_at_element_0() {
    let op = StridedSlice {
        begin: vec![-2],
        end: vec![0],
        strides: vec![-1],
        end_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[4]).gather(&[1, 2, 3, 4]), Ok(vec![3, 2, 1]));
}

/// According to the documentation, a range selects `end - begin` values. TensorFlow divides this number by the stride,
/// and rounds up.
#[test]
fn the_number_of_values_is_divided_by_the_stride() {
    let op = StridedSlice {
        begin: vec![0],
        end: vec![5],
        strides: vec![2],
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[5]).output_shape(), [3]);
}

#[test]
fn an_index_drops_its_axis() {
    let op = StridedSlice {
        begin: vec![2, 0],
        end: vec![3, 0],
        strides: vec![1, 1],
        begin_mask: 2,
        end_mask: 2,
        shrink_axis_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[5, 6]), python(s![2, :], &[5, 6]));
    assert_eq!(select(&op, &[5, 6]).output_shape(), [6]);
}

#[test]
fn a_negative_index_counts_from_the_end() {
    let op = StridedSlice {
        begin: vec![-1],
        end: vec![0],
        strides: vec![1],
        shrink_axis_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[3]).gather(&[1, 2, 3]), Ok(vec![3]));
}

/// The documentation says that, given m entries, bit m + 1 marks the implied ellipsis. In TensorFlow, bit m marks it,
/// directly after the bit of the last entry.
#[test]
fn an_implied_ellipsis_covers_the_remaining_axes() {
    let op = StridedSlice {
        begin: vec![3],
        end: vec![5],
        strides: vec![1],
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[6, 7, 8]), python(s![3:5, ...], &[6, 7, 8]));
}

#[test]
fn an_ellipsis_covers_the_axes_between_an_index_and_a_range() {
    let op = StridedSlice {
        begin: vec![2, 0, 5],
        end: vec![3, 0, 8],
        strides: vec![1, 1, 1],
        ellipsis_mask: 2,
        shrink_axis_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(
        select(&op, &[4, 5, 6, 9]),
        python(s![2, :, :, 5:8], &[4, 5, 6, 9])
    );
}

#[test]
fn a_new_axis_can_be_inserted_between_two_ranges() {
    let op = StridedSlice {
        begin: vec![0, 0, 0],
        end: vec![4, 0, 2],
        strides: vec![1, 1, 1],
        begin_mask: 5,
        new_axis_mask: 2,
        ..StridedSlice::default()
    };
    let selection = select(&op, &[5, 6]);
    assert_eq!(selection, python(s![:4, newaxis, :2], &[5, 6]));
    assert_eq!(selection.output_shape(), [4, 1, 2]);
}

/// According to the documentation, both bounds are clamped to `[0, dim)`. TensorFlow clamps them to `[0, dim]`.
#[test]
fn bounds_beyond_the_axis_are_clamped() {
    let op = StridedSlice {
        begin: vec![-9],
        end: vec![9],
        strides: vec![1],
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[3]), python(s![:], &[3]));
}

/// The documentation requires that `begin` and `end` select exactly one element. TensorFlow ignores the `end`.
#[test]
fn the_end_of_an_index_is_ignored() {
    for end in [0, 3, 99] {
        let op = StridedSlice {
            begin: vec![0, 3, 0],
            end: vec![0, end, 0],
            strides: vec![1, 1, 1],
            begin_mask: 5,
            end_mask: 5,
            shrink_axis_mask: 2,
            ..StridedSlice::default()
        };
        assert_eq!(select(&op, &[4, 5, 6]), python(s![:, 3, :], &[4, 5, 6]));
    }
}

/// The documentation forbids any stride of 0. TensorFlow ignores the strides of new axes and of the ellipsis.
#[test]
fn zero_strides_of_new_axes_and_ellipses_are_ignored() {
    let op = StridedSlice {
        begin: vec![0, 0],
        end: vec![0, 0],
        strides: vec![0, 0],
        ellipsis_mask: 1,
        new_axis_mask: 2,
        ..StridedSlice::default()
    };
    assert_eq!(select(&op, &[3]), python(s![..., newaxis], &[3]));
}
