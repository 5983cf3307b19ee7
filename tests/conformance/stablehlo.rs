//! Checks that `slice_systems::stablehlo` gives the same results as StableHLO's verifier and interpreter. Their results are
//! recorded in the golden vectors.

use slice_systems::lists::Operations;
use slice_systems::stablehlo::Program;
use slice_tests::operation::agree;

#[test]
fn programs_agree_with_the_golden_vectors() {
    agree("stablehlo", Program::resolve);
}
