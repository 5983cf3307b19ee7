//! The README shows what `translate` prints, and every example. `BLESS=1` corrects the translations.

use std::fs;

use slice_core::DynSliceSpec;
use slice_examples::systems::{self, Form};

/// The number of axes and the version of ONNX's operators that the README speaks of.
const RANK: usize = 3;
const OPSET: u32 = 13;

fn readme() -> String {
    fs::read_to_string("../README.md").expect("the README")
}

/// The operation as a cell, without the words that the table's header says.
fn cell((system, operation): Form, said: &str) -> String {
    let operation = operation
        .unwrap_or_else(|refused| panic!("{system}: {refused}"))
        .op;
    let cell = operation
        .strip_prefix(said)
        .and_then(|rest| rest.strip_suffix(if said.is_empty() { "" } else { ")" }))
        .expect("what the header says");
    format!("`{cell}`")
}

/// The row of this expression.
fn row(text: &str) -> String {
    let spec: DynSliceSpec = text.parse().expect("a slice");
    let [tensorflow, openvino, _] = systems::for_every_shape(&spec);
    let onnx = systems::for_every_shape_of_rank(&spec, RANK, OPSET);
    format!(
        "| `x[{text}]` | `s![{text}]` | {} | {} | {} |",
        cell(tensorflow, "tf.strided_slice(x, "),
        cell(openvino, "opset1.strided_slice(x, "),
        cell(onnx, "")
    )
}

#[test]
fn the_table_of_notations() {
    let readme = readme();
    let mut rows = 0;
    let mut corrected = String::new();
    for line in readme.lines() {
        let text = line
            .strip_prefix("| `x[")
            .and_then(|row| row.split_once("]` | `s!["));
        if let Some((text, _)) = text {
            corrected += &row(text);
            rows += 1;
        } else {
            corrected += line;
        }
        corrected.push('\n');
    }
    assert!(rows > 0, "no expression in the README");
    if std::env::var_os("BLESS").is_some() {
        fs::write("../README.md", &corrected).expect("a README to write");
    } else {
        assert!(
            readme == corrected,
            "a translation has changed: run again with BLESS=1"
        );
    }
}

#[test]
fn every_example_is_listed() {
    let readme = readme();
    let manifest = fs::read_to_string("Cargo.toml").expect("the manifest");
    let names = manifest
        .split("[[example]]\nname = \"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    for name in names {
        let row = format!("| [`{name}`](examples/{name}.rs) |");
        assert!(readme.contains(&row), "the README does not list {name}");
    }
}
