//! Checks that NumPy's own brackets, in which lists are paired, select the same elements as in NumPy.

use serde::Deserialize;
use slice_core::Brackets;
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::{RecordedResult, read};

use super::read::{compare_errors, counting_array};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawListItem>,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

fn check(case: &Case) -> Result<(), String> {
    let selection = list_spec(&case.items).and_then(|spec| {
        let text = spec.to_string();
        let brackets = Brackets::new(spec);
        assert_eq!(text.parse(), Ok(brackets.clone()));
        brackets.resolve(&case.shape)
    });
    match (&case.recorded, selection) {
        (RecordedResult::Error(numpy), Err(ours)) => compare_errors(numpy, &ours, true),
        (RecordedResult::Out(numpy), Ok(selection)) => {
            let elements = selection.gather(&counting_array(&case.shape));
            match (selection.output_shape() == numpy.shape, elements) {
                (true, Ok(elements)) if elements == numpy.elements => Ok(()),
                (_, elements) => Err(format!(
                    "the result has the shape {:?} and the elements {elements:?}, but NumPy's is {numpy:?}",
                    selection.output_shape()
                )),
            }
        }
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

#[test]
fn brackets_agree_with_numpy() {
    let (_, cases) = read::<Case>("numpy_brackets");
    let checked: Vec<&Case> = cases
        .iter()
        .filter(|case| case.excluded.is_none())
        .collect();
    assert!(checked.len() >= 4000, "too few cases: {}", checked.len());
    let failures: Vec<String> = checked
        .iter()
        .filter_map(|case| {
            let difference = check(case).err()?;
            Some(format!("{:?}{:?}: {difference}", case.shape, case.items))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        checked.len(),
        failures[..failures.len().min(20)].join("\n")
    );
}
