//! Compares the library's selections for operations of TensorFlow, ONNX and other systems with the recorded results of
//! these systems.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use slice_core::Selection;
use slice_systems::{OperationError, mindspore, tensorflow};

use crate::{RecordedResult, kind, read};

/// One case of a vector file: an operation with the field names of its system, the shape of the input, and the recorded
/// result.
#[derive(Debug, Deserialize)]
pub struct Case<Op, Extra = NoExtra> {
    /// The shape of the input.
    pub shape: Vec<usize>,
    /// The operation.
    #[serde(flatten)]
    pub op: Op,
    /// The recorded result of the system.
    #[serde(flatten)]
    pub recorded: RecordedResult,
    /// The name of the rule that excludes the case, if any.
    pub excluded: Option<String>,
    /// The fields that occur only in the vectors of this system.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The type of [`Case::extra`] for vectors without extra fields.
#[derive(Debug, Deserialize)]
pub struct NoExtra {}

/// Compares the library's selection with the expected result.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn compare<E: Clone + Display + Into<OperationError>>(
    ours: &Result<Selection, E>,
    expected: &RecordedResult,
) -> Result<(), String> {
    let is_equal = match (ours, expected) {
        (Ok(ours), RecordedResult::Out(out)) => {
            ours.output_shape() == out.shape
                && ours
                    .indices()
                    .map(|i| i as i64)
                    .eq(out.elements.iter().copied())
        }
        (Err(ours), RecordedResult::Error(failure)) => kind(ours) == general_kind(&failure.kind),
        _ => false,
    };
    if is_equal {
        return Ok(());
    }
    let ours = match ours {
        Ok(ours) => format!(
            "{:?} {:?}",
            ours.output_shape(),
            ours.indices().collect::<Vec<_>>()
        ),
        Err(error) => format!("{}: {error}", kind(error)),
    };
    Err(format!("got {ours}, expected {expected:?}"))
}

/// Compares the output of the library, which has shape `shape` and the elements `ours`, with the expected result.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn compare_elements(
    shape: &[usize],
    ours: &Result<Vec<i64>, OperationError>,
    expected: &RecordedResult,
) -> Result<(), String> {
    let is_equal = match (ours, expected) {
        (Ok(ours), RecordedResult::Out(out)) => shape == out.shape && *ours == out.elements,
        (Err(ours), RecordedResult::Error(failure)) => kind(ours) == failure.kind,
        _ => false,
    };
    match is_equal {
        true => Ok(()),
        false => Err(format!("got {ours:?}, expected {expected:?}")),
    }
}

/// Converts the name of an error in the vector files to the name that [`kind`] returns. For some kinds of errors, the
/// vector files of OpenVINO and LiteRT use several names.
fn general_kind(kind: &str) -> &str {
    match kind {
        "dim_out_of_range" | "plan_too_many" => "too_many_indices",
        "stride_length" | "too_many_items" => "length_mismatch",
        "mask_shape" => "mask_length",
        _ => kind,
    }
}

/// Checks all cases of a vector file, except the excluded cases. Prints the number of excluded cases for each rule.
///
/// # Panics
///
/// Panics if the library and the system disagree on a case, if a rule has no reason, or if fewer than 3,000 cases are
/// checked.
pub fn agree<Op: DeserializeOwned + std::fmt::Debug>(
    name: &str,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    agree_on_at_least(name, 3000, resolve);
}

/// Checks all cases of a vector file, except the excluded cases. At least `min_cases` cases must be checked.
///
/// # Panics
///
/// Panics under the same conditions as [`agree`], with `min_cases` in place of 3,000.
pub fn agree_on_at_least<Op: DeserializeOwned + std::fmt::Debug>(
    name: &str,
    min_cases: usize,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    let (header, cases) = read::<Case<Op>>(name);
    let mut excluded = BTreeMap::<&str, usize>::new();
    let mut failures = Vec::new();
    for case in &cases {
        if let Some(rule) = &case.excluded {
            *excluded.entry(rule).or_default() += 1;
        } else if let Err(difference) = compare(&resolve(&case.op, &case.shape), &case.recorded) {
            failures.push(format!("{:?} of {:?}: {difference}", case.op, case.shape));
        }
    }
    let checked = cases.len() - excluded.values().sum::<usize>();
    println!("{name}: {checked} cases checked");
    for (rule, count) in excluded {
        println!(
            "{name}: {count} cases excluded by {rule}: {}",
            header.exclusions[rule]
        );
    }
    report(name, &failures);
    assert!(
        checked >= min_cases,
        "{name}: too few cases were checked: {checked}"
    );
}

/// Checks that there are no failures.
///
/// # Panics
///
/// Panics with a list of the failures if there are any.
pub fn report(name: &str, failures: &[String]) {
    assert!(
        failures.is_empty(),
        "{name}: {} cases failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Returns a MindSpore operation with the fields of a TensorFlow operation, which have the same names.
pub fn as_mindspore(op: tensorflow::StridedSlice) -> mindspore::StridedSlice {
    mindspore::StridedSlice {
        begin: op.begin,
        end: op.end,
        strides: op.strides,
        begin_mask: op.begin_mask,
        end_mask: op.end_mask,
        ellipsis_mask: op.ellipsis_mask,
        new_axis_mask: op.new_axis_mask,
        shrink_axis_mask: op.shrink_axis_mask,
    }
}

/// Returns `selection` if `ours` selects the same positions and has the same output shape; otherwise, returns `ours`.
/// Equivalent selections can differ in the axes that they drop, because a reshape that drops one of several axes of
/// length 1 does not specify which one.
pub fn replace_if_equivalent(ours: Selection, selection: &Selection) -> Selection {
    match ours.axes().is_ok_and(|axes| selection.axes() == Ok(axes))
        && ours.output_shape() == selection.output_shape()
    {
        true => selection.clone(),
        false => ours,
    }
}
