//! Compares the selections of gather operations with the recorded results of TensorFlow, ONNX and the other systems. A
//! gather operation selects a list of positions on one axis.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slice_core::Selection;
use slice_systems::lists::Operations;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::{
    OperationError, coreml, litert, mindspore, onnx, openvino, stablehlo, tensorflow, torch,
};
use slice_tests::operation::{Case, compare_elements, report};
use slice_tests::{RecordedResult, read};

/// Compares the library's selection with the system's result. Returns an error that describes the difference.
fn compare(
    ours: Result<Selection, OperationError>,
    expected: &RecordedResult,
) -> Result<(), String> {
    let shape = ours
        .as_ref()
        .map_or(Vec::new(), |ours| ours.output_shape().to_vec());
    let elements = ours.map(|ours| ours.indices().map(|index| index as i64).collect());
    compare_elements(&shape, &elements, expected)
}

fn agree<Op: DeserializeOwned + std::fmt::Debug>(
    system: &str,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    let name = format!("{system}_gather");
    let (header, cases) = read::<Case<Op>>(&name);
    let (mut checked, mut failures) = (0, Vec::new());
    let mut excluded = BTreeMap::<&str, usize>::new();
    for case in &cases {
        if let Some(rule) = &case.excluded {
            *excluded.entry(rule).or_default() += 1;
            // The library must reject excluded cases.
            if let Ok(ours) = resolve(&case.op, &case.shape) {
                failures.push(format!("{:?} of {:?}: {ours:?}", case.op, case.shape));
            }
            continue;
        }
        checked += 1;
        if let Err(difference) = compare(resolve(&case.op, &case.shape), &case.recorded) {
            failures.push(format!("{:?} of {:?}: {difference}", case.op, case.shape));
        }
    }
    println!("{name}: {checked} cases checked");
    for (rule, count) in excluded {
        println!(
            "{name}: {count} cases excluded by {rule}: {}",
            header.exclusions[rule]
        );
    }
    report(&name, &failures);
    assert!(checked >= 700, "{name}: only {checked} cases were checked");
}

/// Defines a test for each system. The system's vector file has the name of the test, followed by `_gather`.
macro_rules! systems {
    ($($test:ident: $Program:ty,)*) => {
        $(#[test]
        fn $test() {
            agree(stringify!($test), <$Program>::resolve);
        })*
    };
}

systems! {
    tensorflow: tensorflow::Program,
    openvino: openvino::Program,
    mindspore: mindspore::Program,
    onnx: onnx::Program,
    litert: litert::Program,
    torch: torch::Program,
    stablehlo: stablehlo::Program,
    coreml: coreml::Program,
}

/// The JSON form of a TensorStore transform. The transform may be invalid.
#[derive(Debug, Deserialize)]
struct Transform {
    transform: Value,
}

#[test]
fn tensorstore() {
    let (_, cases) = read::<Case<Transform>>("tensorstore_gather");
    let (mut checked, mut failures) = (0, Vec::new());
    let mut non_slices = 0;
    for case in &cases {
        let text = case.op.transform.to_string();
        let ours = serde_json::from_str::<IndexTransform>(&text).map_err(|error| error.to_string());
        let ours = ours.and_then(|transform| {
            transform
                .resolve(&case.shape)
                .map_err(|error| error.to_string())
        });
        match (&ours, &case.recorded) {
            (Err(_), _) if case.excluded.is_some() => {}
            (Ok(ours), RecordedResult::Out(out)) => {
                checked += 1;
                let elements = ours.indices().map(|index| index as i64);
                if ours.output_shape() != out.shape || !elements.eq(out.elements.iter().copied()) {
                    failures.push(format!("{text} of {:?}: {ours:?}", case.shape));
                }
            }
            (Err(_), RecordedResult::Error(_)) => checked += 1,
            // A transform is not a slice with lists if it transposes axes, repeats elements along a dimension, or uses
            // one dimension for several axes.
            (Err(error), RecordedResult::Out(_))
                if error.contains(": a slice does not") || error.contains("diagonal") =>
            {
                non_slices += 1
            }
            _ => failures.push(format!("{text} of {:?}: {ours:?}", case.shape)),
        }
    }
    println!(
        "tensorstore_gather: {checked} cases checked, {non_slices} transforms are not slices with lists"
    );
    report("tensorstore_gather", &failures);
    assert!(checked >= 700, "only {checked} cases were checked");
}
