//! Checks that NumPy's own brackets, in which lists are paired, select the same elements as in NumPy.

use serde::Deserialize;
use slice_core::{Brackets, DynSliceSpec, Item, SliceError};
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

/// Returns `true` if the item that an error names is one to which the error can apply.
fn is_about_its_item(error: &SliceError, brackets: &Brackets) -> bool {
    let items = brackets.items();
    match *error {
        SliceError::IndexOutOfBounds { item, index, .. } => items[item] == Item::Index(index),
        SliceError::ListIndexOutOfBounds { item, index, .. } => match &items[item] {
            Item::List(list) => list.elements().iter().any(|&it| i128::from(it) == index),
            _ => false,
        },
        SliceError::ZeroStep { item, .. } => matches!(items[item], Item::Range { step: 0, .. }),
        SliceError::MaskLength { item, .. } => matches!(items[item], Item::Mask(_)),
        SliceError::BroadcastPoints { item, .. } => items[item].role().is_none(),
        _ => true,
    }
}

fn check(case: &Case) -> Result<(), String> {
    let selection = list_spec(&case.items).and_then(|spec| {
        let text = spec.to_string();
        let brackets = Brackets::new(spec);
        assert_eq!(text.parse(), Ok(brackets.clone()));
        let selection = brackets.resolve(&case.shape);
        if let Err(error) = &selection {
            assert!(is_about_its_item(error, &brackets), "{text}: {error}");
        }
        selection
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

#[test]
fn errors_name_the_item_and_the_axis_as_written() {
    // The parser refuses a step of zero, so `::7` stands for it.
    let range = |step| Item::Range {
        begin: None,
        end: None,
        step,
    };
    let error_of = |text: &str, shape: &[usize]| {
        let spec: DynSliceSpec = text.parse().unwrap();
        let items = spec.items().map(|item| match item == range(7) {
            true => range(0),
            false => item,
        });
        let brackets = Brackets::new(DynSliceSpec::from_items(items).unwrap());
        brackets.resolve(shape).unwrap_err()
    };
    let list = |item, place, axis, index, size| SliceError::ListIndexOutOfBounds {
        item,
        place,
        axis,
        index,
        size,
    };
    let zero_step = |item, axis| SliceError::ZeroStep {
        item,
        axis,
        begin: None,
        end: None,
    };
    // Lists that are next to each other, with an item before and after them.
    assert_eq!(error_of("[0, 1], [9, 0]", &[2, 3]), list(1, 0, 1, 9, 3));
    let text = ":, [0, 1], [0, 9]";
    assert_eq!(error_of(text, &[2, 3, 4]), list(2, 1, 2, 9, 4));
    let text = "[0, 1], [0, 1], ::7";
    assert_eq!(error_of(text, &[2, 2, 4]), zero_step(2, 2));
    let text = "::7, None, [0, 1], [0, 1]";
    assert_eq!(error_of(text, &[2, 2, 4]), zero_step(0, 0));
    // Lists that are separated, with an item between and after them.
    assert_eq!(error_of("0, :, [9]", &[2, 3, 4]), list(2, 0, 2, 9, 4));
    let text = "[[True, False], [True, True]], ::7, [0]";
    assert_eq!(error_of(text, &[2, 2, 3, 4]), zero_step(1, 2));
    assert_eq!(error_of("0, :, [0], ::7", &[2, 3, 4, 5]), zero_step(3, 3));
    // The first list is named if the lists cannot be broadcast.
    for (text, item) in [("0, [0, 1], [0, 1, 1]", 1), (":, [0, 1], :, [0, 1, 1]", 1)] {
        let error = error_of(text, &[2, 2, 2, 2]);
        let is_named = matches!(error, SliceError::BroadcastPoints { item: it, .. } if it == item);
        assert!(is_named, "{text}: {error}");
    }
}
