//! Checks that `tensorflow::StridedSlice` agrees with TensorFlow, including on errors.

use slice_ops::tensorflow::StridedSlice;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("tensorflow", StridedSlice::resolve);
}
