//! Checks that lists and masks select the same elements in this library as in NumPy.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Number;
use slice_core::{DynSliceSpec, Selection, SliceError, s};
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::{RecordedResult, kind, read};

#[derive(Deserialize)]
pub struct Case {
    pub shape: Vec<usize>,
    pub items: Vec<RawListItem>,
    #[serde(flatten)]
    pub recorded: RecordedResult,
    pub excluded: Option<String>,
}

/// Converts the numbers to strings, to test elements that are not `Copy`.
fn strings(numbers: &[i64]) -> Vec<String> {
    numbers.iter().map(i64::to_string).collect()
}

/// Returns the elements 0, 1, 2, ... of an array of shape `shape`, in C order.
pub fn counting_array(shape: &[usize]) -> Vec<i64> {
    let len: usize = shape.iter().product();
    (0..len as i64).collect()
}

pub fn compare_errors(
    numpy: &slice_tests::Failure,
    ours: &SliceError,
    with_message: bool,
) -> Result<(), String> {
    if kind(ours) != numpy.kind {
        return Err(format!(
            "the error is of kind {}, but NumPy's is of kind {}",
            kind(ours),
            numpy.kind
        ));
    }
    if with_message && !ours.to_string().starts_with(&numpy.message) {
        return Err(format!(
            "the error is `{ours}`, but NumPy's is `{}`",
            numpy.message
        ));
    }
    Ok(())
}

/// Compares the library's result for a case with NumPy's. Returns an error that describes the difference.
fn check(case: &Case) -> Result<(), String> {
    let input = counting_array(&case.shape);
    let ours = list_spec(&case.items).and_then(|spec| {
        let selection = spec.resolve(&case.shape)?;
        Ok((spec, selection))
    });
    if let [RawListItem::List(_, numbers, dtype)] = &case.items[..] {
        let typed = resolve_with_type(numbers, dtype, &case.shape);
        if typed != ours.clone().map(|(_, selection)| selection) {
            return Err(format!(
                "different result for a list of type {dtype}: {typed:?}"
            ));
        }
    }
    match (&case.recorded, ours) {
        (RecordedResult::Error(numpy), Err(ours)) => compare_errors(numpy, &ours, true),
        (RecordedResult::Out(numpy), Ok((spec, selection))) => {
            if selection.output_shape() != numpy.shape {
                return Err(format!(
                    "the output shape differs: {:?}",
                    selection.output_shape()
                ));
            }
            check_elements(&selection, &input, &numpy.elements)?;
            check_round_trip(&spec)
        }
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

/// Resolves a slice that consists of one list, with the element type that the list had in NumPy.
fn resolve_with_type(
    numbers: &[Number],
    dtype: &str,
    shape: &[usize],
) -> Result<Selection, SliceError> {
    macro_rules! resolve_with_types {
        ($($name:literal $int:ty),*) => {
            match dtype {
                $( $name => {
                    let number = |x: &Number| {
                        let x = x.as_i128().expect("the value should be an integer");
                        <$int>::try_from(x).expect("the value should fit its type")
                    };
                    let list: Vec<$int> = numbers.iter().map(number).collect();
                    s![&list].resolve(shape)
                } )*
                other => panic!("unknown element type {other}"),
            }
        };
    }
    resolve_with_types!(
        "int8" i8, "int16" i16, "int32" i32, "int64" i64, "uint8" u8, "uint16" u16, "uint32" u32, "uint64" u64
    )
}

fn check_elements(selection: &Selection, input: &[i64], numpy: &[i64]) -> Result<(), String> {
    let ensure = |holds: bool, message: &str| {
        if holds {
            Ok(())
        } else {
            Err(message.to_owned())
        }
    };
    ensure(selection.len() == numpy.len(), "the length differs")?;
    ensure(selection.is_empty() == numpy.is_empty(), "is_empty differs")?;
    let indices = selection.indices();
    ensure(
        indices.len() == numpy.len(),
        "the length of indices() differs",
    )?;
    ensure(
        indices.map(|i| i as i64).eq(numpy.iter().copied()),
        "the elements of indices() differ",
    )?;
    ensure(
        selection.gather(input).as_deref() == Ok(numpy),
        "gather differs",
    )?;
    let mut out = vec![-1; numpy.len()];
    selection
        .gather_into(input, &mut out)
        .expect("the buffers should fit the selection");
    ensure(out == numpy, "gather_into differs")?;
    let cloned = selection.gather_cloned(&strings(input));
    ensure(
        cloned == Ok(strings(numpy)),
        "gather_cloned of strings differs",
    )?;
    ensure(
        selection.gather_cloned(input).as_deref() == Ok(numpy),
        "gather_cloned of numbers differs",
    )?;
    let bytes: Vec<u8> = input.iter().map(|&x| x as u8).collect();
    let expected: Vec<u8> = numpy.iter().map(|&x| x as u8).collect();
    ensure(
        selection.gather(&bytes) == Ok(expected),
        "gather of bytes differs",
    )?;
    let triples: Vec<[i64; 3]> = input.iter().map(|&x| [x, -x, 7]).collect();
    let expected: Vec<[i64; 3]> = numpy.iter().map(|&x| [x, -x, 7]).collect();
    ensure(
        selection.gather(&triples) == Ok(expected),
        "gather of triples differs",
    )?;
    ensure(
        selection
            .gather(&vec![(); input.len()])
            .map(|gathered| gathered.len())
            == Ok(numpy.len()),
        "gather of zero-sized elements differs",
    )?;
    if !input.is_empty() {
        let error = SliceError::BufferLength {
            expected: input.len(),
            actual: input.len() - 1,
        };
        ensure(
            selection.gather(&input[1..]) == Err(error),
            "the error for a short buffer differs",
        )?;
    }
    Ok(())
}

fn check_round_trip(spec: &DynSliceSpec) -> Result<(), String> {
    let text = spec.to_string();
    match text.parse::<DynSliceSpec>() {
        Ok(parsed) if parsed == *spec => {}
        other => return Err(format!("`{text}` is parsed as {other:?}")),
    }
    let json = serde_json::to_string(spec).expect("serialization should succeed");
    match serde_json::from_str::<DynSliceSpec>(&json) {
        Ok(parsed) if parsed == *spec => Ok(()),
        other => Err(format!("{json} is deserialized as {other:?}")),
    }
}

#[test]
fn reads_agree_with_the_golden_vectors() {
    check_file("numpy_lists", 3000);
}

#[test]
fn reads_of_joined_axes_agree_with_the_golden_vectors() {
    check_file("numpy_joined", 4000);
}

/// Checks the recorded cases, of which there must be at least `min_cases`.
fn check_file(name: &str, min_cases: usize) {
    let (header, cases) = read::<Case>(name);
    let checked_cases: Vec<&Case> = cases
        .iter()
        .filter(|case| case.excluded.is_none())
        .collect();
    assert!(
        checked_cases.len() >= min_cases,
        "too few cases: {}",
        checked_cases.len()
    );
    for rule in header.exclusions.keys() {
        let by_rule = |case: &&Case| case.excluded.as_ref() == Some(rule);
        println!("{rule}: {}", cases.iter().filter(by_rule).count());
    }
    let failures: Vec<String> = checked_cases
        .iter()
        .filter_map(|case| {
            let difference = check(case).err()?;
            Some(format!("{:?}[{:?}]: {difference}", case.shape, case.items))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        checked_cases.len(),
        failures[..failures.len().min(20)].join("\n")
    );
}

/// Returns the cases recorded by `tests/oracle/numpy_lists_live.py` if this script runs the test, and otherwise no
/// cases. The script sets the environment variable `NUMPY_LISTS_LIVE` to the path of the file with the cases.
pub fn live_cases<T: DeserializeOwned>() -> Vec<T> {
    let Some(path) = std::env::var_os("NUMPY_LISTS_LIVE") else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).expect("the file of cases should be readable");
    let cases = text.lines().map(serde_json::from_str);
    let cases: Vec<T> = cases
        .collect::<Result<_, _>>()
        .expect("each line should be a case");
    println!("{} cases", cases.len());
    cases
}

#[test]
fn random_lists_agree_with_numpy() {
    for case in live_cases::<Case>() {
        if case.excluded.is_none()
            && let Err(difference) = check(&case)
        {
            panic!("{:?}[{:?}]: {difference}", case.shape, case.items);
        }
    }
}

/// The kind of the error depends on the rule that excludes the case.
#[test]
fn excluded_cases_are_rejected() {
    let (_, cases) = read::<Case>("numpy_lists");
    let excluded: Vec<&Case> = cases
        .iter()
        .filter(|case| case.excluded.is_some())
        .collect();
    assert!(!excluded.is_empty());
    for case in excluded {
        let ours = list_spec(&case.items).and_then(|spec| spec.resolve(&case.shape));
        let expected = match case.excluded.as_deref() {
            Some("empty_mask") => "mask_length",
            Some("wrapped") => "index_oob",
            other => panic!("unknown rule {other:?}"),
        };
        match ours {
            Err(error) => assert_eq!(kind(&error), expected, "{:?}", case.items),
            Ok(_) => panic!("{:?}[{:?}] is not rejected", case.shape, case.items),
        }
    }
}
