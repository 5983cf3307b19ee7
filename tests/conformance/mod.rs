//! Checks the results of slices, and of the slice operations of TensorFlow, ONNX and other systems. Most tests compare
//! results with the *golden vectors*, which are recorded results of NumPy and of these systems.

mod adjoint;
mod any_numbers;
mod assign;
mod constant;
mod coreml;
mod differences;
mod disjoint;
mod documents;
mod error_sources;
mod errors;
mod explain;
mod gather;
mod grad;
mod lists;
mod litert;
mod mindspore;
mod numpy;
mod one_axis;
mod onnx;
mod onnx_node;
mod openvino;
mod serde;
mod stablehlo;
mod systems;
mod tensor;
mod tensorflow;
mod tensorstore;
mod text;
mod torch;
mod translate;
mod typed_rank;
mod update;
