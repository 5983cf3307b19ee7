//! Translates a Python slice to operations of several systems, and explains it.
//!
//! `cargo run -p slice-systems --example translate`

use slice_core::DynSliceSpec;
use slice_systems::lists::Operations;
use slice_systems::{Explain, Operation, onnx, openvino, stablehlo, tensorflow, torch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (spec, shape): (DynSliceSpec, _) = ("1:, ..., -1".parse()?, [4, 5, 6]);
    println!("{}\n", spec.explain(&shape));

    let op = tensorflow::StridedSlice::from_spec(&spec)?.op;
    println!("TensorFlow: {op}");
    let op = openvino::StridedSlice::from_spec(&spec)?.op;
    println!("OpenVINO: {op}");

    // The operations of these systems depend on the shape of the array.
    let selection = spec.resolve(&shape)?;
    let op = onnx::Slice::from_selection(&selection)?.op;
    println!("ONNX: {op}");
    let program = torch::Slice::from_selection(&selection)?.op;
    println!("PyTorch: {program}");
    let program = stablehlo::Slice::from_selection(&selection)?.op;
    println!("StableHLO:\n{program}");
    assert_eq!(program.resolve(&shape)?, selection);
    Ok(())
}
