//! `litert` gives what LiteRT gives, where LiteRT gives an answer.

use slice_ops::litert::{ReverseV2, Slice, StridedSlice};
use slice_tests::operation::{agree, agree_on};

#[test]
fn every_golden_case() {
    agree("litert", StridedSlice::resolve);
}

#[test]
fn every_golden_case_of_the_other_operators() {
    agree_on("litert_slice", 600, Slice::resolve);
    agree_on("litert_reverse", 300, ReverseV2::resolve);
}
