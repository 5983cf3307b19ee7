//! Checks that `stablehlo` agrees with StableHLO's verifier and interpreter.

use slice_ops::stablehlo::Program;
use slice_tests::operation::agree;

#[test]
fn every_golden_case() {
    agree("stablehlo", Program::resolve);
}
