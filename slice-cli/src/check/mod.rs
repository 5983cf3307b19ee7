//! Findings about the slices of a model.

pub mod carried;
pub mod compare;
pub mod converters;
pub mod fix;
pub mod print;
pub mod report;

use crate::model::openvino::Weights;
use crate::model::read;

/// All that `slice check` says of a model in these bytes, written again too if it is one of ONNX. This is what tests and fuzz
/// targets call.
///
/// # Errors
///
/// If they are no model.
///
/// # Panics
///
/// If nothing is wrong in the model, and the one that is written slices otherwise.
pub fn said_of(bytes: &[u8]) -> Result<String, String> {
    let graph = read::graph(bytes, Weights::NotLookedFor).map_err(|error| error.to_string())?;
    let report = report::report(&graph, &[]).map_err(|error| error.to_string())?;
    let paths = compare::paths(&graph, &report);
    assert_eq!(
        compare::first_difference(&paths, &paths),
        None,
        "it is like itself"
    );
    // Where the model contradicts itself, `--fix` may find that it would slice otherwise, and writes nothing.
    let is_sound = report.wrong() == 0;
    if let (true, Ok((bytes, _))) = (is_sound, fix::fixed(bytes, &graph, &report)) {
        let graph = read::graph(&bytes, Weights::NotLookedFor).expect("what is written is a model");
        let report = report::report(&graph, &[]).expect("what is written is a model");
        let fixed = compare::paths(&graph, &report);
        let is_same = compare::same_in_any_order(&paths, &fixed);
        assert!(is_same, "{paths:?}\n{fixed:?}");
    }
    Ok(print::text("model", &report, true))
}
