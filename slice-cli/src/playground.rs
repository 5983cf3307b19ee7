//! Computes what the playground, a web page for trying slices, shows for a slice.

use crate::systems::{Slice, Translation, translations};
use serde_json::{Value, json};
use slice_core::DynSliceSpec;
use slice_systems::translate::{TranslateError, Translated};

use crate::input::{self, CommandError};
use crate::operation::{self, Operation, error_under_item};

/// The version of the ONNX operator set used in translations.
const DEFAULT_OPSET: u32 = 13;

/// Explains a slice and translates it to every system. `system` is `python`, `tensorflow` or the name of another module
/// of slice-systems, `text` is the slice in the notation of that system, and `shape` contains lengths separated by commas.
///
/// The result is a JSON object with the following fields. A field is absent if its value cannot be computed, for
/// example `svg` if the slice does not fit the shape.
///
/// - `python` and `rust`: the slice in the notations of Python and Rust.
/// - `shape`, `strides` and `offset`: the layout of the slice of an array in C order. A slice with lists has only a
///   `shape`, because it is not a view.
/// - `sentences`: an explanation of the slice and of each item.
/// - `picture` and `svg`: a picture of the selected elements, as text and as SVG.
/// - `translations`: for each system except Python, `operation` with the shapes that it is `valid_for` and the system's
///   `defects` that affect it, or `refused`, the reason why there is no operation.
/// - `error`: the error message, if `text` or `shape` contains a mistake. If the position of the mistake is known, the
///   message includes the line, with carets under the mistake.
#[must_use]
pub fn explain(system: &str, text: &str, shape: &str) -> String {
    let mut fields = json!({});
    if let Err(error) = compute_fields(system, text, shape, &mut fields) {
        fields["error"] = Value::String(error.to_string());
    }
    fields.to_string()
}

fn compute_fields(
    system: &str,
    text: &str,
    shape: &str,
    fields: &mut Value,
) -> Result<(), CommandError> {
    let operation = read(system, text)?;
    let shape = input::parse_shape(shape);
    let rank = shape.as_ref().ok().map(Vec::len);
    if let Ok(spec) = operation.to_spec(shape.as_deref().ok(), rank) {
        fields["python"] = format!("x[{spec}]").into();
        fields["rust"] = format!("x.at(s![{spec}])").into();
        fields["translations"] = translations_json(&spec, shape.as_deref().ok());
    }
    let shape = shape?;
    if let Some(spec) = operation.lists(&shape)? {
        return compute_fields_with_lists(&spec, &shape, fields);
    }
    let explanation = operation.explain(&shape)?;
    fields["sentences"] = json!(explanation.sentences());
    if let Err(error) = &explanation.output_shape {
        return Err(error_under_item(&explanation, error.clone()));
    }
    let selection = operation.resolve(&shape)?;
    let layout = selection.layout(&strides(&shape))?;
    fields["shape"] = json!(layout.shape());
    fields["strides"] = json!(layout.strides());
    fields["offset"] = json!(layout.offset());
    if let Some(picture) = explanation.picture() {
        fields["svg"] = picture.to_svg().into();
        fields["picture"] = picture.to_string().into();
    }
    Ok(())
}

/// Computes the fields for a slice with lists, which is a copy rather than a view. The translations are valid only for
/// `shape`.
fn compute_fields_with_lists(
    spec: &DynSliceSpec,
    shape: &[usize],
    fields: &mut Value,
) -> Result<(), CommandError> {
    fields["python"] = format!("x[{spec}]").into();
    fields["rust"] = format!("x.gather(s![{spec}])").into();
    fields["shape"] = json!(spec.resolve(shape)?.output_shape());
    let translations = translations(Slice::WithLists(spec, shape), DEFAULT_OPSET);
    fields["translations"] = translations[1..]
        .iter()
        .map(|translation| translation_json(translation, "this shape"))
        .collect();
    Ok(())
}

/// Returns the strides of an array in C order, in elements.
fn strides(shape: &[usize]) -> Vec<isize> {
    let reversed_strides = shape.iter().rev().scan(1_isize, |stride, &length| {
        let current_stride = *stride;
        *stride = stride.saturating_mul(isize::try_from(length).unwrap_or(isize::MAX));
        Some(current_stride)
    });
    let mut strides: Vec<isize> = reversed_strides.collect();
    strides.reverse();
    strides
}

macro_rules! read {
    ($Python:ident: $Spec:ty = $python:literal, $($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// Parses `text` as a system's operation, or as a Python slice.
        fn read(system: &str, text: &str) -> Result<Operation, CommandError> {
            if system == $python {
                return operation::read_python(text);
            }
            $(if system == $id {
                return operation::read::<$Operation>(text);
            })*
            Err(CommandError::failure(format!("unknown system {system:?}")))
        }
    };
}

slice_systems::for_each_system!(read);

/// Translates the slice to every system except Python: for every shape if possible, and otherwise for `shape`.
fn translations_json(spec: &DynSliceSpec, shape: Option<&[usize]>) -> Value {
    let rank = shape.map(<[usize]>::len);
    let selection = shape.and_then(|shape| spec.resolve(shape).ok());
    let for_this_shape =
        selection.map(|selection| translations(Slice::OneShape(&selection), DEFAULT_OPSET));
    let for_every_shape = translations(Slice::EveryShape(spec, rank), DEFAULT_OPSET);
    let all = for_every_shape.iter().enumerate().skip(1);
    let all = all.map(|(system, for_every_shape)| {
        let for_this_shape = for_this_shape.as_ref().map(|all| &all[system]);
        match (for_every_shape, for_this_shape) {
            ((_, Err(TranslateError::NeedsShape { .. })), Some(for_this_shape)) => {
                translation_json(for_this_shape, "this shape")
            }
            ((system, Err(TranslateError::NeedsShape { .. })), None) => json!({
                "system": system.name,
                "refused": "needs a shape for which the slice is valid",
            }),
            ((_, Err(error)), Some(for_this_shape @ (_, Ok(_)))) => {
                let mut translation = translation_json(for_this_shape, "this shape");
                translation["refused"] = format!("for other shapes: {error}").into();
                translation
            }
            _ => translation_json(for_every_shape, "every shape"),
        }
    });
    all.collect()
}

fn translation_json((system, translation): &Translation, shapes: &str) -> Value {
    match translation {
        Ok(Translated { op, defects }) => {
            let defects = Vec::from_iter(defects.iter().map(ToString::to_string));
            json!({
                "system": system.name,
                "operation": op.call,
                "valid_for": shapes,
                "defects": defects,
            })
        }
        Err(error) => json!({ "system": system.name, "refused": error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(system: &str, text: &str, shape: &str) -> Value {
        serde_json::from_str(&explain(system, text, shape)).expect("the result should be JSON")
    }

    #[test]
    fn python_slices_are_explained_and_translated_to_every_other_system() {
        let fields = explained("python", "1:, ..., newaxis, :-3:-1", "4, 5, 6");
        assert_eq!(fields["error"], Value::Null);
        assert_eq!(fields["rust"], "x.at(s![1:, ..., None, :-3:-1])");
        assert_eq!(fields["shape"], json!([3, 5, 1, 2]));
        assert_eq!(fields["strides"], json!([30, 6, 0, -1]));
        assert_eq!(fields["offset"], 35);
        let systems = fields["translations"]
            .as_array()
            .expect("`translations` should be an array")
            .iter();
        let systems: Vec<_> = systems.map(|translation| &translation["system"]).collect();
        assert_eq!(
            systems,
            [
                "TensorFlow",
                "OpenVINO",
                "MindSpore",
                "ONNX",
                "TensorStore",
                "LiteRT",
                "PyTorch",
                "StableHLO",
                "Core ML"
            ]
        );
    }

    #[test]
    fn operations_are_written_in_python_notation() {
        let op = r#"{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}"#;
        assert_eq!(explained("tensorflow", op, "6,5")["python"], "x[0:3, 2]");
        let op = r#"{"opset": 13, "starts": [-3], "ends": [9], "axes": [1], "steps": null}"#;
        assert_eq!(explained("onnx", op, "6,5")["python"], "x[:, -3:9]");
    }

    #[test]
    fn lists_and_programs_are_translated() {
        let fields = explained("python", "[2, 0, 0], ::-1", "3, 2");
        assert_eq!(fields["error"], Value::Null);
        assert_eq!(fields["rust"], "x.gather(s![[2, 0, 0], ::-1])");
        assert_eq!(fields["shape"], json!([3, 2]));
        assert_eq!(
            fields["translations"][6]["operation"],
            "x[[2, 0, 0]].flip([1])"
        );
        let program = r#"{"ops": [{"flip": {"dims": [0]}}, {"getitem": "-4:-2, 0"}]}"#;
        assert_eq!(explained("torch", program, "9,2")["python"], "x[3:1:-1, 0]");
        let program = r#"{"ops": [{"slice": {"begin": [1, 0], "size": [2, -1]}}, {"gather": {"indices": [1, 0, 1], "axis": 1}}]}"#;
        let fields = explained("litert", program, "4,3");
        assert_eq!(fields["python"], "x[1:3, [1, 0, 1]]");
        let transform = r#"{"input_exclusive_max": [3], "input_inclusive_min": [0], "output": [{"index_array": [3, 0, 0]}]}"#;
        assert_eq!(
            explained("tensorstore", transform, "4")["python"],
            "x[[3, 0, 0]]"
        );
        let misspelled = r#"{"ops": [{"gather": {"indexes": [1]}}]}"#;
        let error = &explained("onnx", misspelled, "4")["error"];
        assert!(
            error
                .as_str()
                .expect("the value should be a string")
                .contains("unknown field `indexes`"),
            "{error}"
        );
    }

    #[test]
    fn mistakes_are_marked_with_carets() {
        for (system, text, shape, carets) in [
            ("python", "::0", "4", "^"),
            ("python", "0, 9", "4,5", "^"),
            ("python", "1:", "4,x", "^"),
            ("openvino", r#"{"begin": 1}"#, "4", "^"),
        ] {
            let fields = explained(system, text, shape);
            let error = fields["error"].as_str().expect(text);
            assert!(
                error
                    .lines()
                    .last()
                    .expect("the message should contain a line")
                    .contains(carets),
                "{error}"
            );
        }
        // A mistake in the shape does not prevent translations that are independent of the shape.
        let fields = explained("python", "1:", "4,x");
        assert_eq!(fields["rust"], "x.at(s![1:])");
        assert_eq!(
            fields["translations"][3]["refused"],
            "needs a shape for which the slice is valid"
        );
    }
}
