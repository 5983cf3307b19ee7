//! The guides show what `slice translate` prints. `BLESS=1` corrects them.

use slice_cli::systems::{self, Form};
use slice_core::DynSliceSpec;
use slice_tests::table;

/// The number of axes and the version of ONNX's operators that the guide uses.
const RANK: usize = 3;
const OPSET: u32 = 13;

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
    let mut forms = systems::for_every_shape(&spec);
    let mut of = |system| {
        forms.swap_remove(
            forms
                .iter()
                .position(|form| form.0 == system)
                .expect(system),
        )
    };
    let (tensorflow, openvino) = (of("TensorFlow"), of("OpenVINO"));
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
    table::hold("../slice-ops/docs/five_systems.md", |line| {
        let (text, _) = line.strip_prefix("| `x[")?.split_once("]` | `s![")?;
        Some(row(text))
    });
}
