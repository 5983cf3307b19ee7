//! Checks that `tensorstore::IndexTransform` gives the same results and errors as TensorStore. TensorStore's results
//! are recorded in the golden vectors. For a transform that is not a slice, the library must return an error that gives
//! the reason.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use slice_core::{DynSliceSpec, Selection, s};
use slice_systems::reasons::{Reason, TransformError};
use slice_systems::tensorstore::{IndexTransform, OutputIndexMap};
use slice_systems::translate::TranslateError;
use slice_systems::{Operation, OperationError, SystemError};
use slice_tests::operation::report;
use slice_tests::{RecordedResult, read};

#[derive(Debug, Deserialize)]
struct Case {
    shape: Vec<usize>,
    transform: Value,
    #[serde(flatten)]
    recorded: RecordedResult,
    excluded: Option<String>,
}

/// Checks the elements selected by a transform, and that serializing and translating the transform does not change
/// these elements. Returns the name under which the test counts the outcome.
fn check(case: &Case) -> Result<String, String> {
    let transform = serde_json::from_value::<IndexTransform>(case.transform.clone());
    let shape = &case.shape[..];
    let resolved = match &transform {
        Err(error) => Err(error.to_string()),
        Ok(transform) => transform.resolve(shape).map_err(|error| error.to_string()),
    };
    match (&case.recorded, &resolved) {
        (RecordedResult::Error(_), Err(_)) => Ok("rejected by both".into()),
        (RecordedResult::Out(_), Err(error)) if case.excluded.as_deref() == Some("not_a_slice") => {
            match error.contains("a slice") {
                true => Ok("not a slice".into()),
                false => Err(error.clone()),
            }
        }
        (RecordedResult::Out(out), Ok(selection))
            if selection.output_shape() == out.shape
                && selection
                    .indices()
                    .map(|i| i as i64)
                    .eq(out.elements.iter().copied()) =>
        {
            check_conversions(
                &transform.expect("the transform should have been deserialized"),
                selection,
            )
        }
        (expected, ours) => Err(format!("got {ours:?}, expected {expected:?}")),
    }
}

fn check_conversions(transform: &IndexTransform, selection: &Selection) -> Result<String, String> {
    let shape = selection.input_shape();
    let json = serde_json::to_string(transform).expect("serialization should succeed");
    let parsed: IndexTransform =
        serde_json::from_str(&json).expect("the JSON should be a transform");
    if parsed.resolve(shape).as_ref() != Ok(selection) {
        return Err(format!("serialized incorrectly as {json}"));
    }
    let bytes = postcard::to_allocvec(transform).expect("serialization should succeed");
    if postcard::from_bytes(&bytes).as_ref() != Ok(transform) {
        return Err("postcard returns a different transform".into());
    }
    let translation = IndexTransform::from_selection(selection)
        .expect("TensorStore should be able to express the slice")
        .op;
    if translation.resolve(shape).as_ref() != Ok(selection) {
        return Err(format!("translated incorrectly to {translation:?}"));
    }
    match transform.to_spec() {
        Ok(spec) if spec.resolve(shape).as_ref() == Ok(selection) => Ok("a slice".into()),
        Ok(spec) => Err(format!("translated incorrectly to the spec {spec}")),
        // These transforms have no equivalent spec: either an axis is both new and empty, or positions depend on the
        // unknown length of an axis.
        Err(TranslateError::Transform(SystemError(Reason::TensorStore(
            TransformError::Repeated { len: 0, .. },
        )))) => Ok("without a spec: empty".into()),
        Err(TranslateError::Transform(SystemError(Reason::TensorStore(
            TransformError::Implicit { .. },
        )))) => Ok("without a spec: implicit".into()),
        Err(error) => Err(format!("not translated to a spec: {error}")),
    }
}

#[test]
fn transforms_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case>("tensorstore");
    let mut counts = BTreeMap::<String, usize>::new();
    let mut failures = Vec::new();
    for case in cases
        .iter()
        .filter(|case| case.excluded.as_deref() != Some("overflow"))
    {
        match check(case) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(failure) => failures.push(format!("{case:?}: {failure}")),
        }
    }
    println!("tensorstore: {counts:?}");
    report("tensorstore", &failures);
    assert_eq!(
        counts["not a slice"],
        cases
            .iter()
            .filter(|case| case.excluded.as_deref() == Some("not_a_slice"))
            .count()
    );
    for (outcome, min_cases) in [
        ("a slice", 4_000),
        ("rejected by both", 500),
        ("not a slice", 50),
    ] {
        assert!(
            counts[outcome] >= min_cases,
            "{outcome}: only {} cases",
            counts[outcome]
        );
    }
}

/// For each of these slices of a resizable array, TensorStore returns the transform beside it.
#[test]
fn transforms_of_a_resizable_array_are_slices() {
    for (slice, json) in [
        (
            s![1:].to_dyn(),
            r#"{"input_inclusive_min": [1, 0], "input_exclusive_max": [[3], [4]]}"#,
        ),
        (
            s![..., ::-1].to_dyn(),
            r#"{"input_inclusive_min": [0, [-3]], "input_exclusive_max": [[3], 1],
                "output": [{"input_dimension": 0}, {"input_dimension": 1, "stride": -1}]}"#,
        ),
        (
            s![newaxis, 1].to_dyn(),
            r#"{"input_inclusive_min": [[0], 0], "input_exclusive_max": [[1], [4]],
                "output": [{"offset": 1}, {"input_dimension": 1}]}"#,
        ),
    ] {
        let transform: IndexTransform =
            serde_json::from_str(json).expect("the JSON should be a transform");
        assert_eq!(
            transform.resolve(&[3, 4]),
            Ok(slice
                .resolve(&[3, 4])
                .expect("the slice should fit the shape"))
        );
        let spec = transform
            .to_spec()
            .expect("the transform should be equivalent to a slice");
        assert_eq!(spec.resolve(&[3, 4]), slice.resolve(&[3, 4]));
    }
}

#[test]
fn transforms_that_are_invalid_or_not_slices_are_rejected() {
    let error_message = |json: &str| match serde_json::from_str::<IndexTransform>(json) {
        Ok(transform) => transform.resolve(&[3, 3]).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    for (json, expected) in [
        (
            r#"{"input_shape": [3, 3], "output": [{"input_dimension": 1}, {"input_dimension": 0}]}"#,
            "dimension 1 is used for axis 0, which comes before the axis of an earlier dimension",
        ),
        (
            r#"{"input_shape": [3], "output": [{"input_dimension": 0}, {"input_dimension": 0}]}"#,
            "a diagonal is not a slice",
        ),
        (
            r#"{"input_shape": [3, 3, 2], "output": [{"input_dimension": 0}, {"input_dimension": 1}]}"#,
            "a slice does not repeat elements",
        ),
        (
            r#"{"input_shape": [2, 3], "output": [{"index_array": [[0], [3]]}, {"input_dimension": 1}]}"#,
            "position 3 is out of bounds for axis 0 with size 3",
        ),
        (
            r#"{"input_shape": [3, 3], "outputs": []}"#,
            "unknown field `outputs`",
        ),
        (
            r#"{"input_shape": [3, 3], "input_exclusive_max": [3, 3]}"#,
            "input_exclusive_max and input_shape both define the end of the domain",
        ),
    ] {
        let message = error_message(json);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn more_than_32_dimensions_are_rejected() {
    let spec = DynSliceSpec::default();
    let selection = spec
        .resolve(&[1; 33])
        .expect("the slice should fit the shape");
    assert!(IndexTransform::from_selection(&selection).is_err());
    let transform = IndexTransform {
        output: vec![OutputIndexMap::default(); 33],
        ..IndexTransform::default()
    };
    let rank = 33;
    assert_eq!(
        transform.resolve(&[1; 33]),
        Err(TransformError::TooManyDimensions { rank }.into())
    );
}

/// The messages begin with TensorStore 0.1.86's messages, except that their first letter is in lower case.
#[test]
fn repeated_labels_are_rejected() {
    let transform_with_labels = |labels: &[&str]| IndexTransform {
        input_inclusive_min: vec![0; labels.len()],
        input_exclusive_max: vec![2; labels.len()],
        input_labels: labels.iter().map(ToString::to_string).collect(),
        output: vec![OutputIndexMap::default()],
        ..IndexTransform::default()
    };
    for (labels, expected_start) in [
        (&["a", "a"][..], r#"Dimension label(s) "a" not unique"#),
        (&["x", "y", "x"], r#"Dimension label(s) "x" not unique"#),
        (
            &["x", "y", "y", "x"],
            r#"Dimension label(s) "x", "y" not unique"#,
        ),
        (
            &["b", "a", "a", "b"],
            r#"Dimension label(s) "a", "b" not unique"#,
        ),
        (
            &["", "a", "", "a", "a"],
            r#"Dimension label(s) "a" not unique"#,
        ),
    ] {
        let transform = transform_with_labels(labels);
        let error = transform.resolve(&[3]).unwrap_err();
        assert!(matches!(
            error,
            OperationError::System(SystemError(Reason::TensorStore(
                TransformError::RepeatedLabels { .. }
            )))
        ));
        let message = error.to_string();
        assert!(
            message.starts_with(&expected_start.replace('D', "d")),
            "{message}"
        );
        assert!(transform.to_spec().is_err());
    }
    for labels in [&["", ""][..], &["a", "A"], &["a", ""], &["a", "b"]] {
        let error = transform_with_labels(labels).resolve(&[3]).unwrap_err();
        let is_repeated = matches!(
            error,
            OperationError::System(SystemError(Reason::TensorStore(
                TransformError::Repeated { .. }
            )))
        );
        assert!(is_repeated, "{error}");
    }
}
