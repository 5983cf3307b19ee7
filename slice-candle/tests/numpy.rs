//! Compares slices of candle's tensors with the recorded results of NumPy.

use candle_core::{Device, Tensor};
use serde::Deserialize;
use slice_candle::{Error, TensorSliceExt};
use slice_systems::tensor::{Select, SelectError};
use slice_tests::lists::{RawOuterItem, outer_spec};
use slice_tests::{Output, RecordedResult, kind, read};

/// A case of any of the four files. `value_shape` and `op` are given for assignments.
#[derive(Debug, Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawOuterItem>,
    text: Option<String>,
    value_shape: Option<Vec<usize>>,
    op: Option<String>,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

/// Returns a tensor with the elements `first`, `first + 1`, and so on.
fn counting(shape: &[usize], first: i64) -> Tensor {
    let len: usize = shape.iter().product();
    let elements: Vec<i64> = (first..).take(len).collect();
    Tensor::from_vec(elements, shape, &Device::Cpu).expect("the elements should fit the shape")
}

fn output(tensor: &Tensor) -> Output {
    let elements = tensor.flatten_all().and_then(|flat| flat.to_vec1());
    Output {
        shape: tensor.dims().to_vec(),
        elements: elements.expect("the elements should be integers"),
    }
}

fn apply(case: &Case, tensor: &Tensor, spec: impl Select) -> Result<Tensor, Error> {
    match &case.value_shape {
        None => tensor.at(spec),
        Some(shape) => tensor.set(spec, &counting(shape, 1000)),
    }
}

/// Returns the difference from NumPy's result, if there is one.
fn check(case: &Case) -> Result<(), String> {
    let tensor = counting(&case.shape, 0);
    let spec = match outer_spec(&case.items) {
        Ok(spec) => apply(case, &tensor, spec),
        Err(error) => Err(error.into()),
    };
    compare(case, spec)?;
    // The text is not written with lists.
    match &case.text {
        Some(text) => compare(case, apply(case, &tensor, text)),
        None => Ok(()),
    }
}

fn compare(case: &Case, ours: Result<Tensor, Error>) -> Result<(), String> {
    match (&case.recorded, ours) {
        (RecordedResult::Out(numpy), Ok(ours)) if output(&ours) == *numpy => Ok(()),
        (RecordedResult::Error(numpy), Err(Error::Select(ours))) => {
            let is_parse_error = matches!(ours, SelectError::Parse(_));
            let same_kind = matches!(&ours, SelectError::Slice(error) if kind(error) == numpy.kind);
            // NumPy's message about a value depends on whether the slice has lists, which a selection does not know.
            let same_message = ours.to_string().starts_with(&numpy.message);
            match is_parse_error || same_kind && (same_message || numpy.kind == "broadcast") {
                true => Ok(()),
                false => Err(format!("the error is {ours}, but NumPy's is {numpy:?}")),
            }
        }
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

/// Checks all cases in a file that are not excluded, and returns their number.
fn check_all(name: &str) -> usize {
    let (_, mut cases) = read::<Case>(name);
    cases.retain(|case| {
        case.excluded.is_none() && !matches!(case.op.as_deref(), Some(op) if op != "set")
    });
    let differences: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            Some(format!(
                "{:?}{:?}: {}",
                case.shape,
                case.items,
                check(case).err()?
            ))
        })
        .collect();
    let shown = differences
        .iter()
        .take(5)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        differences.is_empty(),
        "{} of {} cases differ:\n{shown}",
        differences.len(),
        cases.len()
    );
    cases.len()
}

#[test]
fn slices_agree_with_numpy() {
    assert_eq!(check_all("numpy"), 4_910);
}

#[test]
fn slices_with_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_all("numpy_lists"), 3_656);
}

#[test]
fn assignments_agree_with_numpy() {
    assert_eq!(check_all("numpy_assign"), 1_727);
}

#[test]
fn assignments_to_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_all("numpy_lists_assign"), 728);
}
