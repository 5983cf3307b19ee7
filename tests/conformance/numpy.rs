//! Every multi-axis slice gives what NumPy gives, errors and their words included.

use ndarray::{ArrayD, IxDyn};
use serde::Deserialize;
use slice_core::StridedSliceExt;
use slice_tests::{Answer, RawItem, kind, read, spec};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawItem>,
    text: String,
    #[serde(flatten)]
    answer: Answer,
}

/// A description of what differs, if anything does.
fn check(case: &Case) -> Result<(), String> {
    let input_len: usize = case.shape.iter().product();
    let input: Vec<i64> = (0..input_len as i64).collect();
    let ours = spec(&case.items).and_then(|spec| {
        let selection = spec.resolve(&case.shape)?;
        Ok((spec, selection))
    });
    match (&case.answer, ours) {
        (Answer::Error(numpy), Err(ours)) => {
            if kind(&ours) != numpy.kind {
                return Err(format!(
                    "kind of error: ours {}, NumPy {}",
                    kind(&ours),
                    numpy.kind
                ));
            }
            if !ours.to_string().starts_with(&numpy.message) {
                return Err(format!("words: ours {ours:?}, NumPy {:?}", numpy.message));
            }
        }
        (Answer::Out(numpy), Ok((spec, selection))) => {
            if selection.output_shape() != numpy.shape {
                return Err(format!(
                    "shape: ours {:?}, NumPy {:?}",
                    selection.output_shape(),
                    numpy.shape
                ));
            }
            if selection
                .indices()
                .map(|i| i as i64)
                .ne(numpy.elements.iter().copied())
            {
                return Err("elements of indices()".to_owned());
            }
            if selection.gather(&input).as_ref() != Ok(&numpy.elements) {
                return Err("elements of Selection::gather".to_owned());
            }
            if selection.gather_cloned(&words(&input)).as_ref() != Ok(&words(&numpy.elements)) {
                return Err("strings of Selection::gather_cloned".to_owned());
            }
            let array = ArrayD::from_shape_vec(IxDyn(&case.shape), input).expect("an array");
            let view = array.at(&spec);
            if view.shape() != numpy.shape || view.iter().ne(numpy.elements.iter()) {
                return Err("the ndarray view".to_owned());
            }
            let gathered = array.gather(&spec);
            if gathered.shape() != numpy.shape || gathered.as_slice() != Some(&numpy.elements[..]) {
                return Err("the ndarray gather".to_owned());
            }
        }
        (answer, ours) => {
            return Err(format!(
                "ours {:?}, NumPy {answer:?}",
                ours.map(|(_, selection)| selection)
            ));
        }
    }
    Ok(())
}

/// Elements that are not `Copy`.
fn words(numbers: &[i64]) -> Vec<String> {
    numbers.iter().map(i64::to_string).collect()
}

#[test]
fn every_golden_case() {
    let (_, cases) = read::<Case>("numpy");
    assert!(cases.len() >= 3000, "only {} cases", cases.len());
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case)
                .err()
                .map(|what| format!("{:?}[{}]: {what}", case.shape, case.text))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}
