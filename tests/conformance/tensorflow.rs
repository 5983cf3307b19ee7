//! Checks that `tensorflow::StridedSlice` gives the same results and errors as TensorFlow. TensorFlow's results are
//! recorded in the golden vectors.

use slice_systems::tensorflow::StridedSlice;
use slice_tests::operation::agree;

#[test]
fn resolve_agrees_with_the_golden_vectors() {
    agree("tensorflow", StridedSlice::resolve);
}
