//! Compares slices of candle's tensors with the recorded results of NumPy.

use candle_core::{Device, Tensor};
use slice_candle::{Error, TensorSliceExt};
use slice_core::{Select, SelectError};
use slice_tests::lists::list_spec;
use slice_tests::tensors::{Case, cases, check_all, compare_errors};
use slice_tests::{Output, RecordedResult};

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

fn apply(
    case: &Case,
    tensor: &Tensor,
    spec: impl Select<Error = SelectError>,
) -> Result<Tensor, Error> {
    match &case.value_shape {
        None => tensor.at(spec),
        Some(shape) => tensor.set(spec, &counting(shape, 1000)),
    }
}

/// Returns the difference from NumPy's result, if there is one.
fn check(case: &Case) -> Result<(), String> {
    let tensor = counting(&case.shape, 0);
    let spec = match list_spec(&case.items) {
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
        (RecordedResult::Error(numpy), Err(Error::Select(ours))) => compare_errors(&ours, numpy),
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

/// Checks the cases in a file, and returns their number.
fn check_file(name: &str) -> usize {
    let cases = cases(name);
    check_all(&cases, check);
    cases.len()
}

#[test]
fn slices_agree_with_numpy() {
    assert_eq!(check_file("numpy"), 4_910);
}

#[test]
fn slices_with_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_file("numpy_lists"), 3_656);
}

#[test]
fn assignments_agree_with_numpy() {
    assert_eq!(check_file("numpy_assign"), 1_727);
}

#[test]
fn assignments_to_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_file("numpy_lists_assign"), 728);
}
