//! `mindspore::StridedSlice` gives what MindSpore gives where its kernel does what its shape inference says.

use slice_core::dialect::mindspore::StridedSlice;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("mindspore", StridedSlice::resolve);
}
