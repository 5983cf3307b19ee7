//! Checks that `stablehlo` gives the answers of StableHLO's verifier and interpreter.

use slice_ops::stablehlo::Program;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("stablehlo", Program::resolve);
}
