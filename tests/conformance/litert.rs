//! Checks that `slice_systems::litert` gives the same results as LiteRT. LiteRT's results are recorded in the golden
//! vectors.

use slice_systems::Operation;
use slice_systems::litert::{ReverseV2, Slice, StridedSlice};
use slice_tests::operation::{agree, agree_on_at_least};

#[test]
fn strided_slice_agrees_with_the_golden_vectors() {
    agree("litert", StridedSlice::resolve);
}

#[test]
fn slice_and_reverse_v2_agree_with_the_golden_vectors() {
    agree_on_at_least("litert_slice", 600, Slice::resolve);
    agree_on_at_least("litert_reverse", 300, ReverseV2::resolve);
}

/// If `offset` is set, each end is a length, and an ellipsis must not cover an axis.
#[test]
fn an_ellipsis_must_not_cover_an_axis_if_offset_is_set() {
    let op = StridedSlice {
        begin: vec![1, 0],
        end: vec![2, 0],
        strides: vec![1, 1],
        ellipsis_mask: 2,
        offset: true,
        ..StridedSlice::default()
    };
    let spec = op
        .to_spec()
        .expect("the operation should be equivalent to a slice");
    assert_eq!(spec.to_string(), "1:3, ...");
    assert_eq!(
        op.resolve(&[4]),
        Ok(spec.resolve(&[4]).expect("the slice should fit the shape"))
    );
    assert!(op.resolve(&[4, 5]).is_err());
}
