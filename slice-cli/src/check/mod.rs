//! Checks the slices of a model, and reports the results.

pub mod compare;
pub mod converters;
pub mod fix;
pub mod print;
pub mod report;
pub mod support;

use crate::model::openvino::Weights;
use crate::model::read;

/// Returns the report of `slice check` on the model in `bytes`, as text. Also rewrites an ONNX model as `--fix` does,
/// and checks that the slices of the rewritten model select the same elements. Tests and fuzz targets call this
/// function.
///
/// # Errors
///
/// Returns an error if the bytes are not a valid model.
///
/// # Panics
///
/// Panics if a comparison of the model with itself finds a difference. Also panics if a model without mistakes is
/// invalid after rewriting, or if its slices then select different elements.
pub fn report_text(bytes: &[u8]) -> Result<String, String> {
    let graph = read::graph(bytes, Weights::NotSearched).map_err(|error| error.to_string())?;
    let report = report::report(&graph, &[]).map_err(|error| error.to_string())?;
    let chains = compare::chains(&graph, &report);
    assert_eq!(
        compare::first_difference(&chains, &chains),
        None,
        "the model differs from itself"
    );
    // If a slice of the model has a mistake, the slices of the rewritten model may select different elements. In that
    // case, `--fix` writes nothing, so there is nothing to check.
    let is_sound = report.count_with_mistakes() == 0;
    if let (true, Ok((bytes, _))) = (is_sound, fix::rewrite(bytes, &graph, &report)) {
        let graph =
            read::graph(&bytes, Weights::NotSearched).expect("the rewritten model should be valid");
        let report = report::report(&graph, &[]).expect("the rewritten model should be valid");
        let fixed = compare::chains(&graph, &report);
        let is_same = compare::same_in_any_order(&chains, &fixed);
        assert!(
            is_same,
            "the rewritten model selects different elements:\n{chains:?}\n{fixed:?}"
        );
    }
    Ok(print::text("model", &report, true))
}
