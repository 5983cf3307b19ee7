//! Compares the table of operations in `strided_slices.md` with the operations printed by `slice translate`. `BLESS=1`
//! updates the table.

use slice_cli::systems::{Slice, Translation, translations};
use slice_core::DynSliceSpec;
use slice_tests::table;

/// The rank and the ONNX opset used in the table.
const TABLE_RANK: usize = 3;
const TABLE_OPSET: u32 = 13;

/// Formats an operation as a table cell. The beginning of the call, `prefix`, and the closing parenthesis are omitted,
/// because the table's header contains them.
fn cell((system, operation): Translation, prefix: &str) -> String {
    let operation = operation
        .unwrap_or_else(|error| panic!("{} cannot express the slice: {error}", system.name))
        .op
        .call;
    let cell = operation
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_suffix(if prefix.is_empty() { "" } else { ")" }))
        .expect("the operation should match the call in the table's header");
    format!("`{cell}`")
}

/// Formats the table row of a slice.
fn row(text: &str) -> String {
    let spec: DynSliceSpec = text.parse().expect("the text should be a slice");
    let mut translations = translations(Slice::EveryShape(&spec, Some(TABLE_RANK)), TABLE_OPSET);
    let mut cell_of = |folder, prefix| {
        let mut systems = translations.iter();
        let position = systems.position(|(system, _)| system.id == folder);
        cell(translations.swap_remove(position.expect(folder)), prefix)
    };
    format!(
        "| `x[{text}]` | `s![{text}]` | {} | {} | {} |",
        cell_of("tensorflow", "tf.strided_slice(x, "),
        cell_of("openvino", "opset1.strided_slice(x, "),
        cell_of("onnx", "")
    )
}

#[test]
fn the_table_of_operations_is_up_to_date() {
    table::check("../slice-systems/docs/strided_slices.md", |line| {
        let (text, _) = line.strip_prefix("| `x[")?.split_once("]` | `s![")?;
        Some(row(text))
    });
}
