//! Tests that the memory and the work for a model are in proportion to the size of its file. Each generator creates files
//! that grow in one dimension: names, nodes, nesting, outputs, calls, attributes, entries of lists or shared parts.
//!
//! The files have about 30,000 bytes, or as many as the environment variable `SLICE_MODEL_BYTES` states.

#[allow(dead_code, reason = "this test uses only some of the functions")]
#[path = "../common/buffers.rs"]
mod buffers;
mod messages;
mod products;
mod texts;

use std::io;
use std::time::Instant;

use allocation_counter::measure;
use slice_check::{Format, Model, compare, print};

/// The memory that every model may use, in bytes.
const FIXED_BYTES: usize = 64 << 20;
/// The memory that a model may use in addition for each byte of its file, in bytes.
const BYTES_PER_FILE_BYTE: usize = 40;
/// The number of steps that a model may take for `n log n`, where `n` is the size of its file plus a megabyte. A step is
/// an allocation, 64 allocated bytes, or one of the steps that slice-check counts in builds with debug assertions.
const STEPS: f64 = 2.0;

/// Creates a file of about the given size.
type Generator = fn(usize) -> Vec<u8>;

/// Reads a model, reports on it and rewrites it.
fn use_model(bytes: &[u8]) -> Result<(), String> {
    let model = Model::from_bytes(bytes.to_vec()).map_err(|error| error.to_string())?;
    let report = model.check(&[]).map_err(|error| error.to_string())?;
    if model.format() == Format::Onnx {
        let _ = model.fix(&report);
    }
    let printed = print::write_text(&mut io::sink(), "model", &report, true);
    let printed = printed.and_then(|()| print::write_json(&mut io::sink(), &report, &[&report]));
    printed.map_err(|error| error.to_string())
}

/// Compares two models.
fn use_models(one: &[u8], other: &[u8]) -> Result<(), String> {
    let read = |bytes: &[u8]| Model::from_bytes(bytes.to_vec()).map_err(|error| error.to_string());
    let comparison = compare::compare(&read(one)?, &read(other)?);
    let difference = comparison.map_err(|error| error.to_string())?.difference;
    assert!(
        one != other || difference.is_none(),
        "the model differs from itself"
    );
    Ok(())
}

/// Checks the memory and the steps for the model of a generator.
fn check(name: &str, generator: Generator) {
    // A small model of each kind is accepted, so the limits do not simply reject everything.
    let (small, smaller) = (generator(2000), generator(1000));
    let accepted = use_model(&small).and_then(|()| use_models(&small, &smaller));
    assert_eq!(accepted, Ok(()), "{name}: a small model is rejected");
    let size = std::env::var("SLICE_MODEL_BYTES").map_or(30_000, |size| {
        size.parse().expect("the size should be a number")
    });
    let (bytes, other) = (generator(size), generator(size / 2));
    let len = bytes.len();
    assert!((size / 2..size * 2).contains(&len), "{name}: {len} bytes");
    check_limits(name, [len, 0], || use_model(&bytes));
    for (other, with) in [(&bytes, "itself"), (&other, "another")] {
        let name = format!("{name}, compared with {with}");
        check_limits(&name, [len, other.len()], || use_models(&bytes, other));
    }
}

/// Checks the memory and the steps of a function that uses one or two files of `lens` bytes.
fn check_limits(name: &str, lens: [usize; 2], run: impl Fn() -> Result<(), String>) {
    let mut result = Ok(());
    let start = Instant::now();
    let other_steps = slice_check::steps();
    let info = measure(|| result = run());
    let other_steps = slice_check::steps() - other_steps;
    let peak = usize::try_from(info.bytes_max).expect("the peak should fit in memory");
    let steps = info.count_total + info.bytes_total / 64 + other_steps;
    let (mut step_limit, mut byte_limit) = (0.0, 0);
    for len in lens.into_iter().filter(|&len| len > 0) {
        let n = (len + (1 << 20)) as f64;
        step_limit += n * n.log2();
        byte_limit += FIXED_BYTES + BYTES_PER_FILE_BYTE * len;
    }
    let len: usize = lens.iter().sum();
    let relative_steps = steps as f64 / step_limit;
    let relative_peak = peak as f64 / byte_limit as f64;
    if std::env::var_os("SLICE_PRINT_GROWTH").is_some() {
        let outcome = result
            .as_ref()
            .map_or_else(|error| &error[..], |()| "accepted");
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:<90} {len:>8} bytes {relative_peak:>6.3} peak {relative_steps:>6.3} steps {seconds:>6.2} s  {outcome:.40}"
        );
    }
    assert!(
        relative_peak <= 1.0,
        "{name}: {peak} bytes of memory for {len} bytes"
    );
    assert!(
        relative_steps <= STEPS,
        "{name}: {steps} steps for {len} bytes"
    );
    if let Err(error) = result {
        let is_limit = error.contains("which is the limit for") || error.contains("too many");
        assert!(is_limit, "{name}: {error}");
    }
}

fn check_all(format: &str, generators: &[&[(&str, Generator)]]) {
    for (name, generator) in generators.iter().copied().flatten() {
        check(&format!("{format}: {name}"), *generator);
    }
}

#[test]
fn onnx_messages() {
    check_all("ONNX", &[messages::ONNX]);
}

#[test]
fn onnx_products() {
    check_all("ONNX", &[products::ONNX]);
}

#[test]
fn tensorflow() {
    check_all("TensorFlow", &[messages::TENSORFLOW, products::TENSORFLOW]);
}

#[test]
fn litert() {
    check_all("LiteRT", &[messages::LITERT, products::LITERT]);
}

#[test]
fn openvino() {
    check_all("OpenVINO", &[texts::OPENVINO, products::OPENVINO]);
}

#[test]
fn torch() {
    check_all("PyTorch", &[texts::TORCH, products::TORCH]);
}

#[test]
fn stablehlo() {
    check_all("StableHLO", &[texts::STABLEHLO, products::STABLEHLO]);
}
