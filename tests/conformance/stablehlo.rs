//! Checks that `slice_systems::stablehlo` gives the same results as StableHLO's verifier and interpreter. Their results are
//! recorded in the golden vectors.

use slice_core::NdList;
use slice_systems::lists::Operations;
use slice_systems::stablehlo::{Op, Program};
use slice_tests::operation::agree;

#[test]
fn programs_agree_with_the_golden_vectors() {
    agree("stablehlo", Program::resolve);
}

/// MLIR writes the type of a tensor without axes without an `x`.
#[test]
fn a_gather_of_one_index_without_axes_is_written_as_mlir() -> Result<(), Box<dyn std::error::Error>>
{
    let indices = NdList::new([], [1])?;
    let dimension = 0;
    let program = Program::from(vec![Op::Gather { dimension, indices }]);
    let gather = "#stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>";
    assert_eq!(
        program.mlir(&[3], "f32")?,
        format!(
            "\
func.func @main(%x: tensor<3xf32>) -> tensor<f32> {{
  %i0 = stablehlo.constant dense<1> : tensor<i64>
  %0 = \"stablehlo.gather\"(%x, %i0) <{{dimension_numbers = {gather}, slice_sizes = array<i64: 1>}}> : (tensor<3xf32>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}}
"
        )
    );
    Ok(())
}
