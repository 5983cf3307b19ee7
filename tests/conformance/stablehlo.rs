//! Checks that `stablehlo` agrees with StableHLO's verifier and interpreter.

use slice_ops::stablehlo::Program;
use slice_tests::operation::agree;

#[test]
fn programs_agree_with_the_golden_vectors() {
    agree("stablehlo", Program::resolve);
}
