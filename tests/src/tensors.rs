//! Compares slices of the tensors of other crates with the recorded results of NumPy.

use serde::Deserialize;
use slice_core::SelectError;

use crate::lists::RawListItem;
use crate::{Failure, RecordedResult, kind, read};

/// A case of a file of slices or assignments, with or without lists. `value_shape` and `op` are given for assignments.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// The shape of the array, whose elements are 0, 1, 2, ...
    pub shape: Vec<usize>,
    /// The items of the slice.
    pub items: Vec<RawListItem>,
    /// The slice as text, if it has no lists.
    pub text: Option<String>,
    /// The shape of the assigned array, whose elements are 1000, 1001, 1002, ...
    pub value_shape: Option<Vec<usize>>,
    op: Option<String>,
    /// NumPy's result.
    #[serde(flatten)]
    pub recorded: RecordedResult,
    excluded: Option<String>,
}

/// Reads the cases in a file, except for those that are excluded and those that add to elements.
#[must_use]
pub fn cases(name: &str) -> Vec<Case> {
    let (_, mut cases) = read::<Case>(name);
    let is_set = |case: &Case| matches!(case.op.as_deref(), None | Some("set"));
    cases.retain(|case| case.excluded.is_none() && is_set(case));
    cases
}

/// Compares the error for a slice, as a spec or as text, with NumPy's.
///
/// # Errors
///
/// Returns a description of the difference, if there is one.
pub fn compare_errors(ours: &SelectError, numpy: &Failure) -> Result<(), String> {
    let is_parse_error = matches!(ours, SelectError::ParseSlice(_));
    let same_kind = matches!(ours, SelectError::Slice(error) if kind(error) == numpy.kind);
    // NumPy's message about a value depends on whether the slice has lists, which a selection does not know.
    let same_message = ours.to_string().starts_with(&numpy.message);
    match is_parse_error || same_kind && (same_message || numpy.kind == "broadcast") {
        true => Ok(()),
        false => Err(format!("the error is {ours}, but NumPy's is {numpy:?}")),
    }
}

/// Checks all cases.
///
/// # Panics
///
/// Panics if `check` returns an error for any case. The message contains the first five errors.
pub fn check_all(cases: &[Case], check: impl Fn(&Case) -> Result<(), String>) {
    let difference = |case: &Case| {
        let difference = check(case).err()?;
        Some(format!("{:?}{:?}: {difference}", case.shape, case.items))
    };
    let differences: Vec<String> = cases.iter().filter_map(difference).collect();
    assert!(
        differences.is_empty(),
        "{} of {} cases differ:\n{}",
        differences.len(),
        cases.len(),
        differences[..differences.len().min(5)].join("\n")
    );
}
