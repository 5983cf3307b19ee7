//! Checks that assignments to slices give the same results and error messages as NumPy, for several memory layouts of
//! the array and of the assigned value.

mod large;
mod memory;
mod values;

use std::collections::BTreeMap;
use std::fmt::{Arguments, Debug};

use memory::{LaidOutArray, MemoryLayout};
use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, IxDyn};
use serde::Deserialize;
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt};
use slice_tests::{Failure, RawItem, RecordedResult, kind, read, spec};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawItem>,
    text: String,
    value_shape: Vec<usize>,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

/// Returns an array of shape `shape` with the elements `first`, `first + 1`, `first + 2`, ...
fn counting_array<T: From<i64>>(shape: &[usize], first: i64) -> ArrayD<T> {
    let len: usize = shape.iter().product();
    let elements = (first..).take(len).map(T::from).collect();
    ArrayD::from_shape_vec(IxDyn(shape), elements).expect("the length should match the shape")
}

/// A number stored as a string, so that the type is not `Copy`.
#[derive(Clone, Debug, PartialEq, Default)]
struct Word(String);

impl From<i64> for Word {
    fn from(number: i64) -> Self {
        Word(number.to_string())
    }
}

/// Compares an error with NumPy's error.
fn compare_errors(numpy: &Failure, ours: &SliceError) -> Result<(), String> {
    if kind(ours) != numpy.kind {
        return Err(format!(
            "the error is of kind {}, but NumPy's is of kind {}",
            kind(ours),
            numpy.kind
        ));
    }
    if !ours.to_string().starts_with(&numpy.message) {
        return Err(format!(
            "the error is `{ours}`, but NumPy's is `{}`",
            numpy.message
        ));
    }
    Ok(())
}

/// An assignment with elements of type `T`.
struct Assignment<'a, T> {
    case: &'a Case,
    before: ArrayD<T>,
    value: ArrayD<T>,
    /// NumPy's array after the assignment, or `None` if NumPy rejects the assignment.
    after: Option<ArrayD<T>>,
}

impl<'a, T: From<i64> + PartialEq + Debug + Clone> Assignment<'a, T> {
    fn new(case: &'a Case) -> Self {
        let after = match &case.recorded {
            RecordedResult::Out(numpy) => {
                let elements = numpy.elements.iter().map(|&x| T::from(x)).collect();
                let array = ArrayD::from_shape_vec(IxDyn(&numpy.shape), elements);
                Some(array.expect("the length should match the shape"))
            }
            _ => None,
        };
        Self {
            case,
            before: counting_array(&case.shape, 0),
            value: counting_array(&case.value_shape, 1000),
            after,
        }
    }

    /// Compares the array after an assignment, and the value returned by the call, with NumPy's array or error.
    fn compare(
        &self,
        after: &ArrayViewD<'_, T>,
        ours: &Result<(), SliceError>,
    ) -> Result<(), String> {
        match (&self.case.recorded, &self.after, ours) {
            (RecordedResult::Error(numpy), _, Err(ours)) => {
                compare_errors(numpy, ours)?;
                if after != self.before {
                    return Err("the array changed, although the assignment failed".to_owned());
                }
            }
            (_, Some(expected), Ok(())) => {
                if after != expected {
                    return Err(format!(
                        "the elements are {after:?}, but NumPy's are {expected:?}"
                    ));
                }
            }
            (recorded, ..) => {
                return Err(format!(
                    "the result is {ours:?}, but NumPy's is {recorded:?}"
                ));
            }
        }
        Ok(())
    }

    /// Checks the assignment for every memory layout of the array, combined with each layout in `value_layouts` for the
    /// value.
    fn check_views(&self, spec: &DynSliceSpec, value_layouts: &[MemoryLayout]) -> Result<(), String>
    where
        T: Default,
    {
        let values = value_layouts
            .iter()
            .map(|&layout| (layout, LaidOutArray::new(&self.value, layout)));
        let values: Vec<_> = values.collect();
        for array_layout in MemoryLayout::ALL {
            let before = LaidOutArray::new(&self.before, array_layout);
            let check_call =
                |name: Arguments<'_>, write: &dyn Fn(&mut ArrayViewMutD<'_, T>) -> _| {
                    let mut array = before.clone();
                    let ours = write(&mut array.view_mut());
                    self.compare(&array.view(), &ours)
                        .and_then(|()| array.check_gaps())
                        .map_err(|difference| {
                            format!("value {name}, array layout {array_layout:?}: {difference}")
                        })
                };
            for (value_layout, value) in &values {
                check_call(format_args!("{value_layout:?}"), &|array| {
                    array.try_set(spec, &value.view())
                })?;
            }
            if self.value.ndim() == 1 {
                check_call(format_args!("Vec"), &|array| {
                    array.try_set(spec, self.value.iter().cloned().collect::<Vec<_>>())
                })?;
            }
            if self.value.ndim() == 0 {
                check_call(format_args!("fill"), &|array| {
                    array.try_fill_at(spec, T::from(1000))
                })?;
            }
        }
        Ok(())
    }

    /// Checks the assignment to a flat buffer with `Selection::assign`, and also with `fill` and `scatter_cloned` if
    /// these methods can perform the assignment.
    fn check_buffer(&self, spec: &DynSliceSpec) -> Result<(), String> {
        let (shape, value_shape) = (&self.case.shape, &self.case.value_shape);
        let value = self
            .value
            .as_slice()
            .expect("the array should be in C order");
        let check_call = |name: &str, write: &dyn Fn(&mut [T]) -> Result<(), SliceError>| {
            let mut after = self.before.clone();
            let ours = write(
                after
                    .as_slice_mut()
                    .expect("the array should be in C order"),
            );
            self.compare(&after.view(), &ours)
                .map_err(|difference| format!("{name}: {difference}"))
        };
        check_call("Selection::assign", &|data| {
            spec.resolve(shape)?.assign(value_shape, value, data)
        })?;
        if value_shape.is_empty() {
            check_call("Selection::fill", &|data| {
                spec.resolve(shape)?.fill(T::from(1000), data)
            })?;
        }
        let has_output_shape = spec
            .resolve(shape)
            .is_ok_and(|selection| selection.output_shape() == value_shape);
        if has_output_shape {
            check_call("Selection::scatter_cloned", &|data| {
                spec.resolve(shape)?.scatter_cloned(value, data)
            })?;
        }
        Ok(())
    }
}

fn check(case: &Case) -> Result<(), String> {
    let spec = match spec(&case.items) {
        Ok(spec) => spec,
        // If the items are not a valid spec, NumPy must reject them, too.
        Err(ours) => {
            return match &case.recorded {
                RecordedResult::Error(numpy) => compare_errors(numpy, &ours),
                numpy => Err(format!(
                    "the slice is rejected with `{ours}`, but NumPy's result is {numpy:?}"
                )),
            };
        }
    };
    let numbers = Assignment::<i64>::new(case);
    numbers.check_views(&spec, &MemoryLayout::ALL)?;
    numbers.check_buffer(&spec)?;
    let words = Assignment::<Word>::new(case);
    words.check_views(&spec, &[MemoryLayout::Fortran])?;
    words.check_buffer(&spec)
}

/// Checks the assignment of an array of rank 1 or more to a single element. NumPy rejects all such assignments. This
/// library accepts arrays with one element, and rejects all others with NumPy's message.
fn check_one_element(case: &Case) -> Result<(), String> {
    let RecordedResult::Error(numpy) = &case.recorded else {
        return Err("NumPy accepts the assignment".to_owned());
    };
    let spec = spec(&case.items).map_err(|error| error.to_string())?;
    let before = counting_array::<i64>(&case.shape, 0);
    let mut after = before.clone();
    let value = counting_array::<i64>(&case.value_shape, 1000);
    let ours = after.try_set(&spec, &value);
    let has_one_element = case.value_shape.iter().all(|&size| size == 1);
    match ours {
        Ok(()) if has_one_element && after != before => Ok(()),
        Err(error)
            if !has_one_element
                && after == before
                && error.to_string().ends_with(&numpy.message) =>
        {
            Ok(())
        }
        ours => Err(format!(
            "the result is {ours:?}, but NumPy's error is `{}`",
            numpy.message
        )),
    }
}

#[test]
fn assignments_agree_with_numpy() {
    let (header, cases) = read::<Case>("numpy_assign");
    let mut excluded = BTreeMap::<&str, usize>::new();
    let mut failures = Vec::new();
    for case in &cases {
        if let Some(rule) = &case.excluded {
            *excluded.entry(rule).or_default() += 1;
            if let Err(difference) = check_one_element(case) {
                failures.push(format!("{:?}[{}]: {difference}", case.shape, case.text));
            }
        } else if let Err(difference) = check(case) {
            failures.push(format!(
                "{:?}[{}] = {:?}: {difference}",
                case.shape, case.text, case.value_shape
            ));
        }
    }
    let checked = cases.len() - excluded.values().sum::<usize>();
    println!("numpy_assign: {checked} cases checked");
    for (rule, count) in excluded {
        println!(
            "numpy_assign: {count} cases excluded by {rule}: {}",
            header.exclusions[rule]
        );
    }
    assert!(checked >= 1500, "only {checked} cases were checked");
    assert!(
        failures.is_empty(),
        "{} cases differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
