//! Checks that `tensorflow::StridedSlice` agrees with TensorFlow, including on errors.

use slice_ops::tensorflow::StridedSlice;
use slice_tests::operation::agree;

#[test]
fn resolve_agrees_with_the_golden_vectors() {
    agree("tensorflow", StridedSlice::resolve);
}
