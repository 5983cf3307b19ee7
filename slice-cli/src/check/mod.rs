//! Checks the slices of a model, and reports its findings.

pub mod carried;
pub mod compare;
pub mod converters;
pub mod fix;
pub mod print;
pub mod report;

use crate::model::openvino::Weights;
use crate::model::read;

/// Returns everything that `slice check` reports about the model in these bytes. An ONNX model is also rewritten as
/// with `--fix`, only to check that its slices select the same. Tests and fuzz targets call this function.
///
/// # Errors
///
/// Returns an error if the bytes are not a model.
///
/// # Panics
///
/// Panics if rewriting a model without mistakes changes what its slices select.
pub fn report_text(bytes: &[u8]) -> Result<String, String> {
    let graph = read::graph(bytes, Weights::NotLookedFor).map_err(|error| error.to_string())?;
    let report = report::report(&graph, &[]).map_err(|error| error.to_string())?;
    let paths = compare::paths(&graph, &report);
    assert_eq!(
        compare::first_difference(&paths, &paths),
        None,
        "a model does not differ from itself"
    );
    // If a slice of the model is wrong, the rewritten model may select other elements. `--fix` then writes nothing, so
    // there is nothing to check.
    let is_sound = report.wrong() == 0;
    if let (true, Ok((bytes, _))) = (is_sound, fix::fixed(bytes, &graph, &report)) {
        let graph = read::graph(&bytes, Weights::NotLookedFor).expect("written model is valid");
        let report = report::report(&graph, &[]).expect("written model is valid");
        let fixed = compare::paths(&graph, &report);
        let is_same = compare::same_in_any_order(&paths, &fixed);
        assert!(is_same, "{paths:?}\n{fixed:?}");
    }
    Ok(print::text("model", &report, true))
}
