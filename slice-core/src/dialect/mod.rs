//! The same slice as other systems write it: TensorFlow, OpenVINO, MindSpore and ONNX.
//!
//! Each module holds one system's operation with that system's own field names, and reads like its specification.
//! All of them resolve to the same [`Selection`](crate::Selection).

mod entries;
pub mod mindspore;
pub mod onnx;
pub mod openvino;
pub mod tensorflow;
