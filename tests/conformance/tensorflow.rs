//! Checks that `tensorflow::StridedSlice` gives TensorFlow's answers, including errors.

use slice_ops::tensorflow::StridedSlice;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("tensorflow", StridedSlice::resolve);
}
