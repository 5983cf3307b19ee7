//! Checks that every prefix of a small model in each format is read or rejected quickly and in little memory.

use std::fs;
use std::time::{Duration, Instant};

use super::report;

/// An OpenVINO model without its file of constants.
const SPLIT: &str = r#"<?xml version="1.0"?>
<net name="split" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="4" element_type="f32"/>
<output><port id="0" precision="FP32" names="x"><dim>4</dim></port></output></layer>
<layer id="1" name="axis" type="Const" version="opset1"><data element_type="i64" shape="" offset="0" size="8"/>
<output><port id="0" precision="I64"/></output></layer>
<layer id="2" name="halves" type="Split" version="opset1"><data num_splits="2"/>
<input><port id="0"><dim>4</dim></port><port id="1"/></input>
<output><port id="2"><dim>2</dim></port><port id="3"><dim>2</dim></port></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/></edges></net>
"#;

/// Reads every prefix of the model, and returns the number of rejected prefixes.
fn rejected_prefixes(name: &str, model: &[u8]) -> usize {
    let start = Instant::now();
    assert!(report(name, model).is_ok(), "{name}");
    let mut rejected = 0;
    for len in 0..model.len() {
        // `report` also checks the memory use.
        if let Err(error) = report(name, &model[..len]) {
            assert!(
                !error.is_empty(),
                "{name}: the error for a prefix of {len} bytes is empty"
            );
            rejected += 1;
        }
    }
    let elapsed = start.elapsed();
    assert!(
        elapsed < Duration::from_secs(300),
        "{name}: reading all prefixes took {elapsed:?}"
    );
    rejected
}

fn rejected_prefixes_of_file(name: &str) -> (usize, usize) {
    let model = fs::read(format!("tests/models/{name}")).expect("the model should be readable");
    (rejected_prefixes(name, &model), model.len())
}

#[test]
fn most_prefixes_of_an_onnx_model_are_rejected() {
    let (rejected, len) = rejected_prefixes_of_file("sentinels.onnx");
    // A prefix that ends between two fields is a valid model.
    assert!(
        rejected + 20 > len,
        "only {rejected} of {len} prefixes were rejected"
    );
}

#[test]
fn most_prefixes_of_a_litert_model_are_rejected() {
    let (rejected, len) = rejected_prefixes_of_file("focus.tflite");
    assert!(
        rejected + 200 > len,
        "only {rejected} of {len} prefixes were rejected"
    );
}

#[test]
fn most_prefixes_of_a_tensorflow_graph_are_rejected() {
    let (rejected, len) = rejected_prefixes_of_file("masks.pb");
    assert!(
        rejected + 60 > len,
        "only {rejected} of {len} prefixes were rejected"
    );
}

#[test]
fn incomplete_openvino_models_are_rejected() {
    let rejected = rejected_prefixes("split.xml", SPLIT.as_bytes());
    // Without the last byte, a line break, the model is still complete.
    assert_eq!(rejected, SPLIT.len() - 1);
}

/// The list of files is at the end of an archive, so every prefix is rejected.
#[test]
fn every_prefix_of_a_torch_archive_is_rejected() {
    let (rejected, len) = rejected_prefixes_of_file("focus.pt2");
    assert_eq!(rejected, len);
}

/// Only prefixes without a function are rejected, because StableHLO text is read line by line.
#[test]
fn prefixes_of_stablehlo_text_without_a_function_are_rejected() {
    let (rejected, len) = rejected_prefixes_of_file("focus.mlir");
    assert!(
        rejected > 100,
        "only {rejected} of {len} prefixes were rejected"
    );
}
