//! Checks that explanations agree with the selections that they explain, for every case in the golden vectors of NumPy,
//! TensorFlow, OpenVINO, MindSpore and ONNX, including excluded cases.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use slice_core::Selection;
use slice_systems::explain::Explanation;
use slice_systems::{Explain, OperationError, mindspore, onnx, openvino, tensorflow};
use slice_tests::explain::check;
use slice_tests::operation::{Case, report};
use slice_tests::{RawItem, read, spec};

fn agree<Op: DeserializeOwned + std::fmt::Debug>(
    name: &str,
    explain: impl Fn(&Op, &[usize]) -> Explanation,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    let (_, cases) = read::<Case<Op>>(name);
    let failures = cases.iter().filter_map(|case| {
        let explanation = explain(&case.op, &case.shape);
        check(&explanation, &resolve(&case.op, &case.shape))
            .err()
            .map(|difference| format!("{:?} of {:?}: {difference}", case.op, case.shape))
    });
    report(name, &failures.collect::<Vec<_>>());
}

#[test]
fn explanations_of_tensorflow_agree_with_resolve() {
    use tensorflow::StridedSlice;
    agree("tensorflow", StridedSlice::explain, StridedSlice::resolve);
}

#[test]
fn explanations_of_openvino_agree_with_resolve() {
    use openvino::StridedSlice;
    agree("openvino", StridedSlice::explain, StridedSlice::resolve);
}

#[test]
fn explanations_of_mindspore_agree_with_resolve() {
    use mindspore::StridedSlice;
    agree("mindspore", StridedSlice::explain, StridedSlice::resolve);
}

#[test]
fn explanations_of_onnx_agree_with_resolve() {
    use onnx::Slice;
    agree("onnx", Slice::explain, Slice::resolve);
    agree(
        "onnx",
        Slice::explain_onnxruntime,
        Slice::resolve_onnxruntime,
    );
}

#[derive(Debug, Deserialize)]
struct Items {
    items: Vec<RawItem>,
}

#[test]
fn explanations_of_python_agree_with_resolve() {
    let (_, cases) = read::<Case<Items>>("numpy");
    let mut checked = 0;
    let failures = cases.iter().filter_map(|case| {
        let spec = spec(&case.op.items).ok()?;
        checked += 1;
        check(&spec.explain(&case.shape), &spec.resolve(&case.shape))
            .err()
            .map(|difference| format!("{spec} of {:?}: {difference}", case.shape))
    });
    report("numpy", &failures.collect::<Vec<_>>());
    assert!(checked >= 3000, "only {checked} cases were checked");
}
