//! Checks the examples in OpenVINO's documentation of StridedSlice-1.

use super::*;
use openvino::StridedSlice;

fn op(begin: &[i64], end: &[i64], strides: &[i64]) -> StridedSlice {
    StridedSlice {
        begin: begin.to_vec(),
        end: end.to_vec(),
        strides: Some(strides.to_vec()),
        ..StridedSlice::default()
    }
}

fn select(op: &StridedSlice, shape: &[usize]) -> Selection {
    op.resolve(shape).expect("the slice should fit the shape")
}

/// According to the documentation, the fifth dimension of the output has length 4, as if `3:0:-1` included its end. In
/// OpenVINO, the length is 3.
#[test]
fn example_1_a_reverse_range_excludes_its_end() {
    let op = op(
        &[0, 1, 0, 1, 3, 3],
        &[4, 4, 4, 4, 0, 0],
        &[1, 1, 2, 2, -1, -2],
    );
    let selection = select(&op, &[4; 6]);
    assert_eq!(selection.output_shape(), [4, 3, 2, 2, 3, 2]);
    let spec = s![0:4, 1:4, 0:4:2, 1:4:2, 3:0:-1, 3:0:-2];
    assert_eq!(selection, python(spec, &[4; 6]));
    let positions: Vec<Vec<usize>> = selection
        .axes()
        .unwrap()
        .iter()
        .map(|axis| axis.positions().collect())
        .collect();
    assert_eq!(positions[0], [0, 1, 2, 3]);
    assert_eq!(positions[1], [1, 2, 3]);
    assert_eq!(positions[2], [0, 2]);
    assert_eq!(positions[3], [1, 3]);
    assert_eq!(positions[4], [3, 2, 1]);
    assert_eq!(positions[5], [3, 1]);
}

/// The documentation says that the clamped bounds select one element of each dimension. OpenVINO selects no element.
#[test]
fn example_2_clamped_bounds_select_no_element() {
    let op = op(&[1234, 2], &[1234, 4321], &[1, -1]);
    assert_eq!(select(&op, &[2, 2]).output_shape(), [0, 0]);
    assert_eq!(select(&op, &[3, 3]).output_shape(), [0, 0]);
}

#[test]
fn example_3_a_negative_end_counts_from_the_end() {
    let selection = select(&op(&[0, 0, 0], &[2, 2, -1], &[1, 1, 1]), &[2, 3, 4]);
    assert_eq!(selection.output_shape(), [2, 2, 3]);
    assert_eq!(selection, python(s![0:2, 0:2, 0:-1], &[2, 3, 4]));
}

/// The documentation excludes the first element of the third dimension. OpenVINO includes this element. The masks have
/// different lengths.
#[test]
fn example_4_a_masked_end_of_a_reverse_range_includes_element_0() {
    let op = StridedSlice {
        begin_mask: vec![0, 1, 1],
        end_mask: vec![1, 1, 1],
        new_axis_mask: vec![0, 0, 0, 0, 0],
        shrink_axis_mask: vec![0, 0],
        ellipsis_mask: vec![0],
        ..op(&[1, 1, 123], &[0, 0, 2], &[1, 1, -1])
    };
    let selection = select(&op, &[2, 3, 4]);
    assert_eq!(selection.output_shape(), [1, 3, 4]);
    assert_eq!(selection, python(s![1:, :, ::-1], &[2, 3, 4]));
}

#[test]
fn example_5_new_axis_bits_insert_axes() {
    let op = StridedSlice {
        new_axis_mask: vec![1, 0, 1, 0],
        ..op(&[1234, 0, -1, 0], &[1234, 2, 9876, 4], &[132, 1, 241, 1])
    };
    let selection = select(&op, &[2, 4]);
    assert_eq!(selection.output_shape(), [1, 2, 1, 4]);
    assert_eq!(selection, python(s![newaxis, 0:2, newaxis, 0:4], &[2, 4]));
}

#[test]
fn example_6_a_shrink_axis_bit_drops_an_axis() {
    let op = StridedSlice {
        shrink_axis_mask: vec![0, 1, 0, 0, 0],
        ..op(&[0; 5], &[1, 0, 384, 640, 8], &[1; 5])
    };
    let selection = select(&op, &[1, 2, 384, 640, 8]);
    assert_eq!(selection.output_shape(), [1, 384, 640, 8]);
    let spec = s![0:1, 0, 0:384, 0:640, 0:8];
    assert_eq!(selection, python(spec, &[1, 2, 384, 640, 8]));
}

/// The documentation says that the input has 10 dimensions, but lists 12 sizes.
// The test needs 64 bits, because the input has at least 10^10 elements.
#[cfg(target_pointer_width = "64")]
#[test]
fn example_7_an_ellipsis_covers_all_other_axes() {
    let op = StridedSlice {
        ellipsis_mask: vec![0, 1, 0],
        ..op(&[0, 0, 0], &[4, 0, 5], &[1, -1, 1])
    };
    let selection = select(&op, &[10; 12]);
    assert_eq!(
        selection.output_shape(),
        [4, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5]
    );
    assert_eq!(selection, python(s![0:4, ..., 0:5], &[10; 12]));
    assert_eq!(
        select(&op, &[10; 10]).output_shape(),
        [4, 10, 10, 10, 10, 10, 10, 10, 10, 5]
    );
}

/// The documentation lists 12 sizes for the input, but shows the output of an input with 10 dimensions. The masks have
/// different lengths.
#[cfg(target_pointer_width = "64")]
#[test]
fn example_8_the_output_has_one_axis_more_than_the_input() {
    let op = StridedSlice {
        begin_mask: vec![0, 0, 1, 1],
        end_mask: vec![1, 1, 0, 0],
        new_axis_mask: vec![0, 0, 1],
        shrink_axis_mask: vec![0],
        ellipsis_mask: vec![0, 1],
        ..op(&[2, 1, 10, 10], &[123, 1, 10, 5], &[1, -1, 1, 1])
    };
    let selection = select(&op, &[10; 10]);
    assert_eq!(
        selection.output_shape(),
        [8, 10, 10, 10, 10, 10, 10, 10, 10, 1, 5]
    );
    assert_eq!(selection, python(s![2:, ..., newaxis, :5], &[10; 10]));
    let selection = select(&op, &[10; 12]);
    assert_eq!(
        selection.output_shape(),
        [8, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1, 5]
    );
}

#[test]
fn a_negative_begin_counts_from_the_end() {
    let selection = select(&op(&[-1], &[4], &[1]), &[4]);
    assert_eq!(selection.indices().collect::<Vec<_>>(), [3]);
    let selection = select(&op(&[-5], &[4], &[1]), &[4]);
    assert_eq!(selection.indices().collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// The documentation says that a range with equal bounds selects one element. OpenVINO selects no element.
#[test]
fn equal_bounds_select_no_element() {
    for stride in [1, -1] {
        for bound in 0..4 {
            assert_eq!(
                select(&op(&[bound], &[bound], &[stride]), &[4]).output_shape(),
                [0]
            );
        }
    }
}

/// In the documentation, the loop over a reverse range continues while the index is below the end, and subtracts the
/// stride. In OpenVINO, the loop continues while the index is above the end, and adds the stride, which is negative.
#[test]
fn a_reverse_range_continues_while_above_its_end() {
    let selection = select(&op(&[3], &[0], &[-2]), &[4]);
    assert_eq!(selection.indices().collect::<Vec<_>>(), [3, 1]);
}

/// The documentation requires that the `begin` equals the `end`. OpenVINO ignores the `end` and the stride.
#[test]
fn an_index_ignores_its_end_and_stride() {
    for (end, stride) in [(2, 1), (0, 1), (9, -3), (2, 0)] {
        let op = StridedSlice {
            shrink_axis_mask: vec![1],
            ..op(&[2], &[end], &[stride])
        };
        assert_eq!(select(&op, &[4]), python(s![2], &[4]));
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn an_ellipsis_covers_the_eight_inner_dimensions() {
    let op = StridedSlice {
        shrink_axis_mask: vec![1, 0, 1],
        ellipsis_mask: vec![0, 1, 0],
        ..op(&[0; 3], &[0; 3], &[1; 3])
    };
    assert_eq!(
        select(&op, &[10; 10]),
        python(s![0, :, :, :, :, :, :, :, :, 0], &[10; 10])
    );
}

#[test]
fn strides_default_to_one() {
    let op = StridedSlice {
        strides: None,
        ..op(&[1], &[3], &[])
    };
    assert_eq!(select(&op, &[4]), python(s![1:3], &[4]));
}

/// The documentation requires begin_mask and end_mask. OpenVINO accepts empty lists.
#[test]
fn masks_may_be_empty() {
    assert_eq!(select(&op(&[1], &[3], &[1]), &[4]), python(s![1:3], &[4]));
}
