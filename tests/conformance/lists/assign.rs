//! Checks that assignments to elements selected by lists and masks give the same results as NumPy.

use ndarray::ArrayD;
use serde::Deserialize;
use slice_core::{SliceError, StridedSliceExt};
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::{RecordedResult, kind, read};

use super::read::{compare_errors, counting_array, live_cases};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawListItem>,
    op: String,
    value_shape: Vec<usize>,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

/// Returns the assigned value of the case, broadcast to `shape`, or an error if the value cannot be broadcast.
fn broadcast(case: &Case, shape: &[usize]) -> Result<Vec<i64>, SliceError> {
    let len: usize = case.value_shape.iter().product();
    let value: Vec<i64> = (1000..).take(len).collect();
    let whole = slice_core::s![...].resolve(shape)?;
    let mut out = vec![0; whole.len()];
    whole.assign(&case.value_shape, &value, &mut out)?;
    Ok(out)
}

fn check(case: &Case) -> Result<(), String> {
    let spec = list_spec(&case.items);
    let selection = spec.clone().and_then(|spec| spec.resolve(&case.shape));
    let mut data = counting_array(&case.shape);
    let before = data.clone();
    let ours = selection.and_then(|selection| match case.op.as_str() {
        "set" => {
            let len: usize = case.value_shape.iter().product();
            let value: Vec<i64> = (1000..).take(len).collect();
            let result = selection.assign(&case.value_shape, &value, &mut data);
            if let Err(error) = &result {
                // NumPy's message depends on whether the slice has lists, which a selection does not know.
                let array = ArrayD::from_shape_vec(&case.shape[..], before.clone());
                let value = ArrayD::from_shape_vec(&case.value_shape[..], value);
                let mut array = array.expect("the elements should fit the shape");
                let value = value.expect("the elements should fit the shape");
                let written = array.try_set(&spec?, value).map(drop);
                let written = written.expect_err("an array should reject the value, too");
                assert_eq!(kind(&written), kind(error));
                return Err(written);
            }
            let mut words: Vec<String> = before.iter().map(i64::to_string).collect();
            let value: Vec<String> = value.iter().map(i64::to_string).collect();
            let string_result = selection.assign(&case.value_shape, &value, &mut words);
            assert_eq!(result, string_result);
            assert!(
                words
                    .iter()
                    .map(|word| word.parse())
                    .eq(data.iter().map(|&x| Ok(x)))
            );
            if result.is_ok() {
                let value = broadcast(case, selection.output_shape())?;
                let mut scattered = before.clone();
                selection.scatter(&value, &mut scattered)?;
                assert_eq!(scattered, data, "`scatter` differs from `assign`");
                let mut bytes: Vec<u8> = before.iter().map(|&x| x as u8).collect();
                let value: Vec<u8> = value.iter().map(|&x| x as u8).collect();
                selection.scatter(&value, &mut bytes)?;
                assert!(
                    bytes.iter().copied().eq(data.iter().map(|&x| x as u8)),
                    "`scatter` differs for bytes"
                );
            }
            result
        }
        op => {
            // In NumPy, `+=` and `np.add.at` reject a value with more axes than the selection. This test uses the error
            // of `assign` for a value that cannot be broadcast, because NumPy's error is of the same kind.
            if case.value_shape.len() > selection.output_shape().len() {
                return Err(selection
                    .assign(&[usize::MAX], &[0], &mut data)
                    .unwrap_err());
            }
            let value = broadcast(case, selection.output_shape())?;
            if op == "add_at" {
                selection.scatter_add(&value, &mut data)
            } else {
                // Like `+=` in `py!`, gathers the elements, adds the value, and then scatters the sums.
                let mut sums = selection.gather(&data)?;
                sums.iter_mut().zip(value).for_each(|(sum, x)| *sum += x);
                selection.scatter(&sums, &mut data)
            }
        }
    });
    match (&case.recorded, ours) {
        (RecordedResult::Error(numpy), Err(ours)) => {
            if data != before {
                return Err("the array changed, although the assignment failed".to_owned());
            }
            compare_errors(numpy, &ours, case.op == "set" || numpy.kind != "broadcast")
        }
        (RecordedResult::Out(numpy), Ok(())) if data == numpy.elements => Ok(()),
        (recorded, ours) => Err(format!(
            "the result is {ours:?} with the array {data:?}, but NumPy's is {recorded:?}"
        )),
    }
}

#[test]
fn assignments_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case>("numpy_lists_assign");
    assert!(check_all(&cases) >= 1000);
}

#[test]
fn assignments_to_joined_axes_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case>("numpy_joined_assign");
    assert!(check_all(&cases) >= 2000);
}

#[test]
fn random_assignments_agree_with_numpy() {
    check_all(&live_cases());
}

/// Checks the cases that are not excluded, and returns their number.
fn check_all(cases: &[Case]) -> usize {
    let checked_cases: Vec<&Case> = cases
        .iter()
        .filter(|case| case.excluded.is_none())
        .collect();
    let failures: Vec<String> = checked_cases
        .iter()
        .filter_map(|case| {
            let difference = check(case).err()?;
            let Case {
                shape,
                items,
                op,
                value_shape,
                ..
            } = case;
            Some(format!(
                "{shape:?}{items:?} {op} {value_shape:?}: {difference}"
            ))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        checked_cases.len(),
        failures[..failures.len().min(10)].join("\n")
    );
    checked_cases.len()
}
