//! `stablehlo` gives what StableHLO's verifier and its interpreter give.

use slice_ops::stablehlo::Program;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("stablehlo", Program::resolve);
}
