//! Tests that the memory and the work for a model are in proportion to the size of its file. Each generator creates files
//! that grow in one dimension: names, nodes, nesting, outputs, calls, attributes, entries of lists or shared parts.
//!
//! The files have about 60,000 bytes, or as many as the environment variable `SLICE_MODEL_BYTES` states.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "../common/buffers.rs"]
mod buffers;
mod messages;
mod texts;

use std::io;
use std::time::Instant;

use allocation_counter::measure;
use slice_check::{Model, compare, print};

/// The memory that every model may use, in bytes.
const FIXED_BYTES: usize = 64 << 20;
/// The memory that a model may use in addition for each byte of its file, in bytes.
const BYTES_PER_FILE_BYTE: usize = 40;
/// The number of steps that a model may take for `n log n`, where `n` is the size of its file plus a megabyte. A step is
/// an allocation, or 64 allocated bytes.
const STEPS: f64 = 1.5;

/// Creates a file of about the given size.
type Generator = fn(usize) -> Vec<u8>;

/// Reads a model, reports on it, compares it with itself and rewrites it.
fn use_model(bytes: &[u8]) -> Result<(), String> {
    let model = Model::from_bytes(bytes.to_vec()).map_err(|error| error.to_string())?;
    let comparison = compare::compare(&model, &model).map_err(|error| error.to_string())?;
    assert_eq!(comparison.difference, None);
    drop(comparison);
    let report = model.check(&[]).map_err(|error| error.to_string())?;
    if model.system() == "onnx" {
        let _ = model.fix(&report);
    }
    let printed = print::write_text(&mut io::sink(), "model", &report, true);
    let printed = printed.and_then(|()| print::write_json(&mut io::sink(), &report, &[&report]));
    printed.map_err(|error| error.to_string())
}

/// Checks the memory and the steps for the model of a generator.
fn check(name: &str, generator: Generator) {
    // A small model of each kind is accepted, so the limits do not simply reject everything.
    let small = use_model(&generator(2000));
    assert_eq!(small, Ok(()), "{name}: a small model is rejected");
    let size = std::env::var("SLICE_MODEL_BYTES").map_or(60_000, |size| {
        size.parse().expect("the size should be a number")
    });
    let bytes = generator(size);
    let len = bytes.len();
    assert!((size / 2..size * 2).contains(&len), "{name}: {len} bytes");
    let mut result = Ok(());
    let start = Instant::now();
    let info = measure(|| result = use_model(&bytes));
    let peak = usize::try_from(info.bytes_max).expect("the peak should fit in memory");
    let steps = info.count_total + info.bytes_total / 64;
    let n = (len + (1 << 20)) as f64;
    let relative_steps = steps as f64 / (n * n.log2());
    if std::env::var_os("SLICE_PRINT_GROWTH").is_some() {
        let mib = peak as f64 / f64::from(1 << 20);
        let outcome = result
            .as_ref()
            .map_or_else(|error| &error[..], |()| "accepted");
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:<55} {len:>9} bytes {mib:>7.1} MiB {relative_steps:>6.3} steps {seconds:>6.2} s  {outcome:.60}"
        );
    }
    assert!(
        peak <= FIXED_BYTES + BYTES_PER_FILE_BYTE * len,
        "{name}: {peak} bytes of memory for {len} bytes"
    );
    assert!(
        relative_steps <= STEPS,
        "{name}: {steps} steps for {len} bytes"
    );
    if let Err(error) = result {
        assert!(error.contains("which is the limit for"), "{name}: {error}");
    }
}

fn check_all(format: &str, generators: &[(&str, Generator)]) {
    for (name, generator) in generators {
        check(&format!("{format}: {name}"), *generator);
    }
}

#[test]
fn onnx() {
    check_all("ONNX", messages::ONNX);
}

#[test]
fn tensorflow() {
    check_all("TensorFlow", messages::TENSORFLOW);
}

#[test]
fn litert() {
    check_all("LiteRT", messages::LITERT);
}

#[test]
fn openvino() {
    check_all("OpenVINO", texts::OPENVINO);
}

#[test]
fn torch() {
    check_all("PyTorch", texts::TORCH);
}

#[test]
fn stablehlo() {
    check_all("StableHLO", texts::STABLEHLO);
}
