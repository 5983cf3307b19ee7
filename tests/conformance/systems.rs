//! Checks that `AnyOperation::SYSTEMS`, the list of systems, contains the folder of every system in slice-systems, and
//! agrees with the operations of the systems.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use slice_core::{Selection, s};
use slice_systems::{AnyOperation, Explain, Operation, tensorstore};

/// Folders that do not belong to one system, but contain code shared by all systems.
const SHARED_FOLDERS: [&str; 3] = ["explain", "lists", "translate"];

#[test]
fn the_list_contains_the_folder_of_every_system() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slice-systems/src");
    let entries = fs::read_dir(source).expect("slice-systems/src should be readable");
    let folders: BTreeSet<String> = entries
        .map(|entry| entry.expect("the entry should be readable"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            entry
                .file_name()
                .into_string()
                .expect("the path should be UTF-8")
        })
        .filter(|name| !SHARED_FOLDERS.contains(&name.as_str()))
        .collect();
    let listed_folders: BTreeSet<String> = AnyOperation::SYSTEMS
        .iter()
        .map(|system| system.id.to_owned())
        .collect();
    assert_eq!(folders, listed_folders);
    assert_eq!(
        listed_folders.len(),
        AnyOperation::SYSTEMS.len(),
        "a system is listed twice"
    );
}

#[test]
fn every_defect_names_its_own_system() {
    for system in AnyOperation::SYSTEMS {
        for defect in system.defects {
            assert!(defect.system.starts_with(system.name), "{defect}");
        }
    }
}

macro_rules! selections {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// Returns the folder of each system, and the displayed translation of a selection to the system's operation.
        fn translations(selection: &Selection) -> Vec<(&'static str, String)> {
            vec![$({
                let translation = <$Operation as Operation>::from_selection(selection);
                ($id, translation.expect("the system should be able to express the slice").op.to_string())
            },)*]
        }
    };
}

slice_systems::for_each_system!(selections);

#[test]
fn every_system_can_express_a_selection() {
    let selection = s![1:, ::2]
        .resolve(&[4, 5])
        .expect("the slice should fit the shape");
    let translations = translations(&selection);
    assert_eq!(translations.len(), AnyOperation::SYSTEMS.len());
    assert_eq!(translations[0], ("python", "1:, ::2".to_owned()));
}

/// An operation of any system is serialized as a map with one key, the name of the system's folder. The value of
/// `python` is the slice in Python notation.
#[test]
fn operations_of_any_system_can_be_serialized_and_deserialized() {
    let shape = [4, 5];
    let expected = s![1:, ::2]
        .resolve(&shape)
        .expect("the slice should fit the shape");
    let operations = [
        r#"{"python": "1:, ::2"}"#,
        r#"{"tensorflow": {"begin": [1, 0], "end": [4, 5], "strides": [1, 2]}}"#,
        r#"{"openvino": {"begin": [1, 0], "end": [4, 5], "strides": [1, 2]}}"#,
        r#"{"mindspore": {"begin": [1, 0], "end": [4, 5], "strides": [1, 2]}}"#,
        r#"{"onnx": {"starts": [1, 0], "ends": [4, 5], "steps": [1, 2]}}"#,
        r#"{"tensorstore": {"input_inclusive_min": [1, 0], "input_exclusive_max": [4, 3],
            "output": [{"input_dimension": 0}, {"input_dimension": 1, "stride": 2}]}}"#,
        r#"{"litert": {"begin": [1, 0], "end": [4, 5], "strides": [1, 2]}}"#,
        r#"{"torch": {"dim": 1, "start": 0, "step": 2}}"#,
        r#"{"stablehlo": {"start_indices": [1, 0], "limit_indices": [4, 5], "strides": [1, 2]}}"#,
        r#"{"coreml": {"begin": [1, 0], "end": [4, 5], "stride": [1, 2]}}"#,
    ]
    .map(|json| serde_json::from_str::<AnyOperation>(json).expect(json));
    assert_eq!(operations.len(), AnyOperation::SYSTEMS.len());
    for (op, system) in operations.iter().zip(AnyOperation::SYSTEMS) {
        assert_eq!(&op.system(), system);
        // PyTorch's operation slices only one axis, so it is checked with a different slice.
        let (shape, expected) = match system.id {
            "torch" => (
                [3, 5],
                s![:, ::2]
                    .resolve(&[3, 5])
                    .expect("the slice should fit the shape"),
            ),
            _ => (shape, expected.clone()),
        };
        assert_eq!(op.resolve(&shape).as_ref(), Ok(&expected), "{op}");
        let spec = op
            .to_spec()
            .expect("the operation should be equivalent to a slice");
        assert_eq!(spec.resolve(&shape).as_ref(), Ok(&expected), "{op}");
        assert_eq!(op.explain(&shape).output_shape, Ok(vec![3, 3]), "{op}");
        let json = serde_json::to_string(op).expect("serialization should succeed");
        assert!(json.starts_with(&format!("{{\"{}\":", system.id)), "{json}");
        assert_eq!(
            serde_json::from_str::<AnyOperation>(&json).as_ref().ok(),
            Some(op)
        );
    }
    assert_eq!("1:, ::2".parse().as_ref(), Ok(&operations[0]));
    let misspelled_json = r#"{"tensorflow": {"begin": [1], "ends": [4], "strides": [1]}}"#;
    let error = serde_json::from_str::<AnyOperation>(misspelled_json).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `ends`"),
        "{error}"
    );
}

/// Resolving must return the same error for the transform itself and for the transform as an [`AnyOperation`].
#[test]
fn a_transform_that_is_not_a_slice_is_rejected() {
    let map = tensorstore::OutputIndexMap {
        offset: -1,
        ..Default::default()
    };
    let transform = tensorstore::IndexTransform {
        output: vec![map],
        ..Default::default()
    };
    let error = transform.resolve(&[4]).unwrap_err();
    let operation = AnyOperation::from(transform);
    assert_eq!(
        operation.resolve(&[4]).unwrap_err().to_string(),
        error.to_string()
    );
    let explanation = operation.explain(&[4]).to_string();
    assert!(
        explanation.contains(&format!("error: {error}")),
        "{explanation}"
    );
    let message = operation.to_spec().unwrap_err().to_string();
    assert!(message.contains("position -1"), "{message}");
}
