//! Compares operations of other systems with the recorded answers of those systems.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use slice_core::Selection;
use slice_ops::{OperationError, mindspore, tensorflow};

use crate::{Answer, kind, read};

/// One case of a vector file: an operation with its own field names, the shape of its input, and the answer.
#[derive(Debug, Deserialize)]
pub struct Case<Op, Extra = NoExtra> {
    /// The shape of the input.
    pub shape: Vec<usize>,
    /// The operation.
    #[serde(flatten)]
    pub op: Op,
    /// The answer of the system.
    #[serde(flatten)]
    pub answer: Answer,
    /// The rule that excludes the case, if any.
    pub excluded: Option<String>,
    /// Fields that only this system's vectors have.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The extra fields of vectors that have none.
#[derive(Debug, Deserialize)]
pub struct NoExtra {}

/// Compares the library's selection with the expected answer.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn compare<E: Clone + Display + Into<OperationError>>(
    ours: &Result<Selection, E>,
    expected: &Answer,
) -> Result<(), String> {
    let same = match (ours, expected) {
        (Ok(ours), Answer::Out(out)) => {
            ours.output_shape() == out.shape
                && ours
                    .indices()
                    .map(|i| i as i64)
                    .eq(out.elements.iter().copied())
        }
        (Err(ours), Answer::Error(failure)) => kind(ours) == general(&failure.kind),
        _ => false,
    };
    if same {
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
    Err(format!("ours {ours}, expected {expected:?}"))
}

/// Compares the elements that the library returns, in this shape, with the expected answer.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn compare_elements(
    shape: &[usize],
    ours: &Result<Vec<i64>, OperationError>,
    expected: &Answer,
) -> Result<(), String> {
    let same = match (ours, expected) {
        (Ok(ours), Answer::Out(out)) => shape == out.shape && *ours == out.elements,
        (Err(ours), Answer::Error(failure)) => kind(ours) == failure.kind,
        _ => false,
    };
    match same {
        true => Ok(()),
        false => Err(format!("ours {ours:?}, expected {expected:?}")),
    }
}

/// Returns the library's name for a kind of error. OpenVINO and LiteRT report some kinds under several names.
fn general(kind: &str) -> &str {
    match kind {
        "dim_out_of_range" | "plan_too_many" => "too_many_indices",
        // LiteRT distinguishes these two errors.
        "stride_length" | "too_many_items" => "length_mismatch",
        _ => kind,
    }
}

/// Checks all cases of a vector file that are not excluded. Prints the number of excluded cases for each rule.
///
/// # Panics
///
/// If a case differs, if a rule has no reason, or if there are fewer than 3,000 cases to check.
pub fn agree<Op: DeserializeOwned + std::fmt::Debug>(
    name: &str,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    agree_on(name, 3000, resolve);
}

/// Checks all cases of a vector file that are not excluded. There must be at least `at_least` such cases.
///
/// # Panics
///
/// See [`agree`].
pub fn agree_on<Op: DeserializeOwned + std::fmt::Debug>(
    name: &str,
    at_least: usize,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, OperationError>,
) {
    let (header, cases) = read::<Case<Op>>(name);
    let mut excluded = BTreeMap::<&str, usize>::new();
    let mut failures = Vec::new();
    for case in &cases {
        if let Some(rule) = &case.excluded {
            *excluded.entry(rule).or_default() += 1;
        } else if let Err(what) = compare(&resolve(&case.op, &case.shape), &case.answer) {
            failures.push(format!("{:?} of {:?}: {what}", case.op, case.shape));
        }
    }
    let checked = cases.len() - excluded.values().sum::<usize>();
    println!("{name}: {checked} cases checked");
    for (rule, count) in excluded {
        println!(
            "{name}: {count} cases excluded, {rule}: {}",
            header.exclusions[rule]
        );
    }
    report(name, &failures);
    assert!(checked >= at_least, "{name}: only {checked} cases to check");
}

/// Panics with a list of the failures if there are any.
///
/// # Panics
///
/// If `failures` is not empty.
pub fn report(name: &str, failures: &[String]) {
    assert!(
        failures.is_empty(),
        "{name}: {} differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Returns MindSpore's operation with the fields of TensorFlow's, which have the same names.
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

/// Returns `selection` if `ours` selects the same elements in the same shape, else `ours`. The two may name different
/// axes as dropped, because a reshape that drops one of several axes of length 1 does not say which.
pub fn alike(ours: Selection, selection: &Selection) -> Selection {
    match ours.axes() == selection.axes() && ours.output_shape() == selection.output_shape() {
        true => selection.clone(),
        false => ours,
    }
}
