//! Checks that each string in the golden vectors is parsed as in Python. A string must be rejected if Python rejects
//! it, or if NumPy rejects it for every array. Otherwise, the parsed spec must be displayed as the recorded canonical
//! string, which selects the same elements in NumPy.

use std::collections::BTreeMap;

use serde::Deserialize;
use slice_core::Brackets;
use slice_core::{DynSliceSpec, Item, ParseErrorKind};
use slice_tests::operation::{compare, report};
use slice_tests::{RawItem, RecordedResult, read, spec};

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    text: String,
    /// The items of the slice, as evaluated by Python, if the string is a slice.
    items: Option<Vec<RawItem>>,
    canonical: Option<String>,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

#[test]
fn every_string_is_parsed_as_in_python() {
    let (header, cases) = read::<Case>("text");
    let mut excluded = BTreeMap::<&str, usize>::new();
    let mut failures = Vec::new();
    let (mut rejections, mut lists) = (0, 0);
    for case in &cases {
        if let Some(rule) = &case.excluded {
            *excluded.entry(rule).or_default() += 1;
            // The parser must reject computed values, tuples and single booleans. In brackets, a list that it accepts
            // must have the meaning that NumPy gives it.
            if matches!(rule.as_str(), "computed" | "fancy_index" | "boolean_mask") {
                let Ok(brackets) = case.text.parse::<Brackets>() else {
                    rejections += 1;
                    continue;
                };
                lists += 1;
                if let Err(difference) = compare(&brackets.resolve(&case.shape), &case.recorded) {
                    failures.push(format!("{:?}: {difference}", case.text));
                }
            }
        } else if let Err(difference) = check(case) {
            failures.push(format!("{:?}: {difference}", case.text));
        }
    }
    let checked = cases.len() - excluded.values().sum::<usize>();
    println!("text: {checked} cases checked");
    for (rule, count) in excluded {
        println!(
            "text: {count} cases excluded by {rule}: {}",
            header.exclusions[rule]
        );
    }
    assert!(checked >= 1000, "only {checked} cases were checked");
    assert!(
        rejections >= 100,
        "only {rejections} strings with unsupported items were checked"
    );
    assert!(lists >= 25, "only {lists} strings with lists were checked");
    report("text", &failures);
}

fn check(case: &Case) -> Result<(), String> {
    let parsed = case.text.parse::<DynSliceSpec>();
    let (Some(items), Some(canonical)) = (&case.items, &case.canonical) else {
        return match (parsed, &case.recorded) {
            // NumPy rejects this list for the array.
            (Ok(spec), recorded) if spec.has_lists() => {
                compare(&Brackets::new(spec).resolve(&case.shape), recorded)
            }
            (Ok(spec), _) => Err(format!("parsed as {spec:?}, expected {:?}", case.recorded)),
            (Err(error), RecordedResult::Error(failure)) if failure.kind == "int_too_big" => {
                expect_equal(error.kind(), ParseErrorKind::IndexTooLarge)
            }
            (Err(_), RecordedResult::Error(_)) => Ok(()),
            (Err(error), recorded) => {
                Err(format!("rejected with `{error}`, expected {recorded:?}"))
            }
        };
    };
    if let Some(kind) = error_for_every_array(items) {
        let error = parsed.expect_err("the string should be invalid for every array");
        return expect_equal(error.kind(), kind);
    }
    let parsed = parsed.map_err(|error| error.to_string())?;
    expect_equal(&parsed, &spec(items).map_err(|error| error.to_string())?)?;
    expect_equal(parsed.to_string(), canonical.clone())?;
    expect_equal(canonical.parse().as_ref(), Ok(&parsed))?;
    compare(&parsed.resolve(&case.shape), &case.recorded)
}

/// Returns the kind of the first error that `items` cause for every array, if any. The parser must return an error of
/// this kind.
fn error_for_every_array(items: &[RawItem]) -> Option<ParseErrorKind> {
    let mut has_ellipsis = false;
    for (position, item) in items.iter().map(Item::from).enumerate() {
        match item {
            Item::Range { step: 0, .. } => return Some(ParseErrorKind::ZeroStep),
            Item::Ellipsis if has_ellipsis => return Some(ParseErrorKind::MultipleEllipses),
            _ if position == 64 => return Some(ParseErrorKind::TooManyItems),
            _ => has_ellipsis |= item == Item::Ellipsis,
        }
    }
    None
}

fn expect_equal<T: PartialEq + std::fmt::Debug>(ours: T, expected: T) -> Result<(), String> {
    if ours == expected {
        Ok(())
    } else {
        Err(format!("got {ours:?}, expected {expected:?}"))
    }
}
