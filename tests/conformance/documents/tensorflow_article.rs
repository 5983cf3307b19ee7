//! Checks the two worked examples and some statements of an article about TensorFlow, "how TensorFlow's StridedSlice is
//! computed".

use super::*;
use tensorflow::StridedSlice;

fn op() -> StridedSlice {
    StridedSlice {
        begin: vec![0, 0, 2, 2],
        end: vec![3, 2, 4, 8],
        strides: vec![1, 1, 1, 1],
        new_axis_mask: 0b1001,
        shrink_axis_mask: 4,
        ..StridedSlice::default()
    }
}

#[test]
fn example_1_an_ellipsis_bit_takes_precedence_over_a_new_axis_bit() {
    let op = StridedSlice {
        ellipsis_mask: 8,
        ..op()
    };
    let selection = op
        .resolve(&[6, 3, 4, 10])
        .expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [1, 2, 4, 10]);
    assert_eq!(selection, python(s![newaxis, 0:2, 2, ...], &[6, 3, 4, 10]));
}

#[test]
fn example_2_an_ellipsis_bit_takes_precedence_over_a_shrink_axis_bit() {
    let op = StridedSlice {
        ellipsis_mask: 4,
        ..op()
    };
    let selection = op
        .resolve(&[6, 3, 4, 10])
        .expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [1, 2, 3, 4, 10, 1]);
    assert_eq!(
        selection,
        python(s![newaxis, 0:2, ..., newaxis], &[6, 3, 4, 10])
    );
}

#[test]
fn four_new_axis_bits_insert_four_axes() {
    let op = StridedSlice {
        new_axis_mask: 0b1111,
        shrink_axis_mask: 0,
        ..op()
    };
    let selection = op
        .resolve(&[6, 3, 4, 5])
        .expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [1, 1, 1, 1, 6, 3, 4, 5]);
}

#[test]
fn dimensions_without_entries_are_kept_in_full() {
    let op = StridedSlice {
        begin: vec![0, 1],
        end: vec![3, 5],
        strides: vec![1, 2],
        ..StridedSlice::default()
    };
    let selection = op
        .resolve(&[6, 3, 4, 5])
        .expect("the slice should fit the shape");
    assert_eq!(selection, python(s![0:3, 1:5:2], &[6, 3, 4, 5]));
}

/// In the article, the masked bounds of a reverse range on an axis of length `N` are `N` and 0. In TensorFlow, they are
/// `N - 1` and the position before 0.
#[test]
fn masked_bounds_of_a_reverse_range_select_every_element() {
    let op = StridedSlice {
        begin: vec![1],
        end: vec![1],
        strides: vec![-1],
        begin_mask: 1,
        end_mask: 1,
        ..StridedSlice::default()
    };
    assert_eq!(op.resolve(&[4]), Ok(python(s![3::-1], &[4])));
}

/// The article forbids more entries than dimensions. TensorFlow counts only entries that consume a dimension.
#[test]
fn there_may_be_more_entries_than_dimensions() {
    let selection = op()
        .resolve(&[3, 5])
        .expect("the slice should fit the shape");
    assert_eq!(selection, python(s![newaxis, 0:2, 2, newaxis], &[3, 5]));
}
