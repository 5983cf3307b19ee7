//! Checks that slices of arrays with several axes give the same results and error messages as NumPy.

use ndarray::{ArrayD, Axis, CowArray, IxDyn, ShapeBuilder};
use serde::Deserialize;
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt, StridedSliceMove};
use slice_tests::{RawItem, RecordedResult, kind, read, spec};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawItem>,
    text: String,
    #[serde(flatten)]
    recorded: RecordedResult,
}

/// Compares the library's result for a case with NumPy's. Returns an error that describes the difference.
fn check(case: &Case) -> Result<(), String> {
    let input_len: usize = case.shape.iter().product();
    let input: Vec<i64> = (0..input_len as i64).collect();
    let ours = spec(&case.items).and_then(|spec| {
        let selection = spec.resolve(&case.shape)?;
        Ok((spec, selection))
    });
    match (&case.recorded, ours) {
        (RecordedResult::Error(numpy), Err(ours)) => {
            if kind(&ours) != numpy.kind {
                return Err(format!(
                    "the error is of kind {}, but NumPy's is of kind {}",
                    kind(&ours),
                    numpy.kind
                ));
            }
            if !ours.to_string().starts_with(&numpy.message) {
                return Err(format!(
                    "the error is {ours:?}, but NumPy's message is {:?}",
                    numpy.message
                ));
            }
        }
        (RecordedResult::Out(numpy), Ok((spec, selection))) => {
            if selection.output_shape() != numpy.shape {
                return Err(format!(
                    "the output shape is {:?}, but NumPy's is {:?}",
                    selection.output_shape(),
                    numpy.shape
                ));
            }
            if selection
                .indices()
                .map(|i| i as i64)
                .ne(numpy.elements.iter().copied())
            {
                return Err("indices() returns different elements".to_owned());
            }
            if selection.gather(&input).as_ref() != Ok(&numpy.elements) {
                return Err("Selection::gather returns different elements".to_owned());
            }
            if selection.gather_cloned(&strings(&input)).as_ref() != Ok(&strings(&numpy.elements)) {
                return Err("Selection::gather_cloned returns different strings".to_owned());
            }
            let array = ArrayD::from_shape_vec(IxDyn(&case.shape), input)
                .expect("the length should match the shape");
            let view = array.at(&spec);
            if view.shape() != numpy.shape || view.iter().ne(numpy.elements.iter()) {
                return Err("the ndarray view differs".to_owned());
            }
            let gathered = array.gather(&spec);
            if gathered.shape() != numpy.shape || gathered.as_slice() != Some(&numpy.elements[..]) {
                return Err("the gathered ndarray array differs".to_owned());
            }
            if array.try_item(&spec).ok() != single_element(&numpy.elements) {
                return Err("the ndarray item differs".to_owned());
            }
            check_gather_into(&array, &spec, &numpy.shape, &gathered)?;
            check_at_move(array, &spec, &gathered)?;
        }
        (recorded, ours) => {
            return Err(format!(
                "the result is {:?}, but NumPy's is {recorded:?}",
                ours.map(|(_, selection)| selection)
            ));
        }
    }
    Ok(())
}

/// Returns the only element, or `None` if there is not exactly one.
fn single_element(elements: &[i64]) -> Option<i64> {
    match *elements {
        [element] => Some(element),
        _ => None,
    }
}

/// Checks that `gather_into` writes to output arrays in C order, in Fortran order and with reversed axes, and that it
/// rejects an output array of a different shape.
fn check_gather_into(
    array: &ArrayD<i64>,
    spec: &DynSliceSpec,
    shape: &[usize],
    expected: &ArrayD<i64>,
) -> Result<(), String> {
    let mut c = ArrayD::from_elem(shape, -1);
    let mut fortran = ArrayD::from_elem(shape.f(), -1);
    let mut reversed = ArrayD::from_elem(shape, -1);
    for axis in 0..shape.len() {
        reversed.invert_axis(Axis(axis));
    }
    for out in [&mut c, &mut fortran, &mut reversed] {
        array.gather_into(spec, out);
        if out != expected {
            return Err(format!(
                "gather_into differs for an array with strides {:?}",
                out.strides()
            ));
        }
    }
    let mut wrong_output = ArrayD::from_elem([&[1], shape].concat(), -1);
    match array.try_gather_into(spec, &mut wrong_output) {
        Err(SliceError::ShapeMismatch { .. }) if wrong_output.iter().all(|&x| x == -1) => Ok(()),
        other => Err(format!(
            "try_gather_into returns {other:?} for an output array with an additional axis"
        )),
    }
}

/// Checks `at_move` for every type of array and view.
fn check_at_move(
    array: ArrayD<i64>,
    spec: &DynSliceSpec,
    expected: &ArrayD<i64>,
) -> Result<(), String> {
    let cow = CowArray::from(array.view()).at_move(spec);
    if cow.is_owned() || cow != expected {
        return Err("CowArray::at_move differs".to_owned());
    }
    if array.view().at_move(spec) != expected || array.clone().view_mut().at_move(spec) != expected
    {
        return Err("at_move of a view differs".to_owned());
    }
    let shared = array.to_shared();
    if shared.clone().at_move(spec) != expected || shared != array {
        return Err("ArcArray::at_move differs".to_owned());
    }
    if array.at_move(spec) != expected {
        return Err("Array::at_move differs".to_owned());
    }
    Ok(())
}

/// Converts the numbers to strings, to test elements that are not `Copy`.
fn strings(numbers: &[i64]) -> Vec<String> {
    numbers.iter().map(i64::to_string).collect()
}

#[test]
fn slices_agree_with_numpy() {
    let (_, cases) = read::<Case>("numpy");
    assert!(cases.len() >= 3000, "too few cases: {}", cases.len());
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case)
                .err()
                .map(|difference| format!("{:?}[{}]: {difference}", case.shape, case.text))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}
