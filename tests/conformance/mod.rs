//! Slices, operations and texts against the recorded answers of the real systems.

mod adjoint;
mod any_numbers;
mod apart;
mod assign;
mod constant;
mod disjoint;
mod documents;
mod errors;
mod explain;
mod grad;
mod mindspore;
mod numpy;
mod one_axis;
mod onnx;
mod onnx_node;
mod openvino;
mod said_once;
mod serde;
mod systems;
mod tensorflow;
mod tensorstore;
mod text;
mod translate;
mod typed_rank;
mod update;
