//! A slice as every system writes it.

use std::fmt::Display;

use slice_core::{DynSliceSpec, Selection};
use slice_ops::onnx::OnnxPlan;
use slice_ops::translate::{TranslateError, Translated};
use slice_ops::{mindspore, openvino, tensorflow, tensorstore};

/// A system's name, and its operation or the reason why there is none.
pub type Form = (&'static str, Result<Translated<String>, TranslateError>);

fn form<Op: Display>(
    system: &'static str,
    translated: Result<Translated<Op>, TranslateError>,
) -> Form {
    let worded = translated.map(|Translated { op, defects }| Translated {
        op: op.to_string(),
        defects,
    });
    (system, worded)
}

/// The three systems that need no shape, and no number of axes, for what is right for every shape.
pub fn for_every_shape(spec: &DynSliceSpec) -> [Form; 3] {
    [
        form("TensorFlow", tensorflow::StridedSlice::from_spec(spec)),
        form("OpenVINO", openvino::StridedSlice::from_spec(spec)),
        form("MindSpore", mindspore::StridedSlice::from_spec(spec)),
    ]
}

/// The operators of ONNX that are right for every shape of this many axes.
pub fn for_every_shape_of_rank(spec: &DynSliceSpec, rank: usize, opset: u32) -> Form {
    form("ONNX", OnnxPlan::from_spec(spec, rank, opset))
}

/// All systems, for the shape of the selection.
pub fn for_one_shape(selection: &Selection, opset: u32) -> [Form; 5] {
    [
        form(
            "TensorFlow",
            tensorflow::StridedSlice::from_selection(selection),
        ),
        form(
            "OpenVINO",
            openvino::StridedSlice::from_selection(selection),
        ),
        form(
            "MindSpore",
            mindspore::StridedSlice::from_selection(selection),
        ),
        form("ONNX", OnnxPlan::from_selection(selection, opset)),
        form(
            "TensorStore",
            tensorstore::IndexTransform::from_selection(selection),
        ),
    ]
}
