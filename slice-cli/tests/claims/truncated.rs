//! Tests a small model of each format, truncated at every byte.

use std::fs;
use std::time::{Duration, Instant};

use super::said;

/// An OpenVINO model without constants.
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

/// Reads every prefix of the model, and returns the number of prefixes that are refused.
fn refused(name: &str, model: &[u8]) -> usize {
    let begin = Instant::now();
    assert!(said(name, model).is_ok(), "{name}");
    let mut refused = 0;
    for len in 0..model.len() {
        // `said` also checks the memory.
        if let Err(error) = said(name, &model[..len]) {
            assert!(!error.is_empty(), "{name} of {len} bytes");
            refused += 1;
        }
    }
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(300), "{name}: {took:?}");
    refused
}

fn refused_of_file(name: &str) -> (usize, usize) {
    let model = fs::read(format!("tests/models/{name}")).expect("model is readable");
    (refused(name, &model), model.len())
}

#[test]
fn onnx() {
    let (refused, len) = refused_of_file("sentinels.onnx");
    // A prefix that ends between two fields is a model.
    assert!(refused + 20 > len, "{refused} of {len}");
}

#[test]
fn litert() {
    let (refused, len) = refused_of_file("focus.tflite");
    assert!(refused + 200 > len, "{refused} of {len}");
}

#[test]
fn tensorflow() {
    let (refused, len) = refused_of_file("masks.pb");
    assert!(refused + 60 > len, "{refused} of {len}");
}

#[test]
fn openvino() {
    let refused = refused("split.xml", SPLIT.as_bytes());
    // Without the last byte, a line break, the model is still complete.
    assert_eq!(refused, SPLIT.len() - 1);
}

/// The end of an archive lists its files, so every prefix is refused.
#[test]
fn torch() {
    let (refused, len) = refused_of_file("focus.pt2");
    assert_eq!(refused, len);
}

/// A StableHLO text may end after any line.
#[test]
fn stablehlo() {
    let (refused, len) = refused_of_file("focus.mlir");
    assert!(refused > 100, "{refused} of {len}");
}
