//! Checks the worked examples and some statements in the documentation of TensorFlow, OpenVINO, MindSpore and ONNX.
//!
//! If the documentation and the running system differ, this library follows the system, and the comment on the test
//! describes the difference. A table in the documentation of `slice_systems` lists the tests for such differences.

use slice_core::{DynSliceSpec, Selection, s};
use slice_systems::{mindspore, onnx, openvino, tensorflow};

/// Returns the selection that results from applying a spec to `shape`.
fn python(spec: impl Into<DynSliceSpec>, shape: &[usize]) -> Selection {
    spec.into()
        .resolve(shape)
        .expect("the slice should fit the shape")
}

mod mindspore_strided_slice;
mod onnx_slice;
mod openvino_strided_slice_1;
mod tensorflow_article;
mod tensorflow_strided_slice;
