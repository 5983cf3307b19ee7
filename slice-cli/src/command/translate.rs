//! Implements `slice translate`, which translates a slice to the operations of TensorFlow, ONNX and the other systems.

use crate::command::print;
use crate::command::slice_argument::SliceArgument;
use crate::input::{self, CommandError};
use crate::operation::Operation;
use crate::systems::{CallAndJson, Slice, Translation, translations};
use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::{Map, Value, json};
use slice_core::{DynSliceSpec, Selection, SliceError};
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{AnyOperation, OperationError};

const EXAMPLES: &str = r#"Examples:
  slice translate "2:, ..., :6" --shape 5,6,7,8
  slice translate "-3::-1" --rank 1 --opset 9
  slice translate --onnx '{"starts": [1, -1], "ends": [3, -9223372036854775808], "axes": [0, 2], "steps": [1, -1]}'"#;

const WARNING: Style = AnsiColor::Yellow.on_default();
const TITLE: Style = Style::new().bold();

/// Translate a slice into the operations of TensorFlow, ONNX and other systems
///
/// The systems are TensorFlow, OpenVINO, MindSpore, ONNX, TensorStore, LiteRT, PyTorch, StableHLO and Core ML. Without
/// --shape, each operation selects the same elements as the slice for every shape; if a system has no such operation,
/// the reason is printed instead. With --shape, operations for that shape are printed too.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    slice: SliceArgument,

    /// The shape of the array, such as 4,5,6
    #[arg(long, allow_hyphen_values = true)]
    shape: Option<String>,

    /// The number of axes, required for ONNX; by default, the rank of --shape
    #[arg(long)]
    rank: Option<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// The version of the ONNX operator set
    #[arg(long, default_value_t = 13)]
    opset: u32,
}

/// Runs `slice translate`. Returns an error if the command line or the slice is invalid, or the slice does not fit the
/// shape.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    print(&translate(arguments)?);
    Ok(())
}

fn translate(arguments: &Arguments) -> Result<String, CommandError> {
    let shape = arguments
        .shape
        .as_deref()
        .map(input::parse_shape)
        .transpose()?;
    let rank = arguments.rank.or(shape.as_ref().map(Vec::len));
    let (operation, text) = arguments.slice.read()?;
    if let Some(shape) = &shape
        && let Some(spec) = operation.lists(shape)?
    {
        return translate_with_lists(&spec, shape, arguments);
    }
    let spec = operation.to_spec(shape.as_deref(), rank);
    let spec = spec.map_err(|error| match (&operation, &error) {
        (Operation::Any(AnyOperation::Python(spec)), _) if !spec.has_lists() => error.into(),
        (_, TranslateError::Transform(_)) => error.into(),
        (Operation::Program(_) | Operation::Any(AnyOperation::Python(_)), _) if shape.is_none() => {
            CommandError::usage(format!("{error}: use --shape"))
        }
        (_, error) => error_under_field(text, error),
    })?;
    let selection = shape
        .as_ref()
        .map(|shape| {
            spec.resolve(shape)
                .map_err(|error| error_under_spec_item(&spec, error))
        })
        .transpose()?;
    let for_this_shape = selection.map(|selection| {
        let translations = translations(Slice::OneShape(&selection), arguments.opset);
        (selection, translations)
    });
    let mut for_every_shape = translations(Slice::EveryShape(&spec, rank), arguments.opset);
    for_every_shape.retain(|(system, translated)| {
        system.id == "onnx" || !matches!(translated, Err(TranslateError::NeedsShape { .. }))
    });
    // ONNX's operators depend on the rank, but not on the shape.
    for_every_shape.sort_by_key(|(system, _)| system.id == "onnx");
    if arguments.json {
        let mut json = json!({
            "slice": spec,
            "for_every_shape": translations_json(&for_every_shape[1..]),
        });
        if let Some((selection, translations)) = for_this_shape {
            let shortest = translations[0].1.as_ref().ok();
            let mut fields = shapes_json(&selection);
            fields.insert(
                "slice".into(),
                json!(shortest.map(|shortest| &shortest.op.json)),
            );
            fields.extend(translations_json(&translations[1..]));
            json["for_this_shape"] = fields.into();
        }
        return Ok(format!("{json:#}\n"));
    }
    let mut text = format!("{TITLE}x[{spec}]{TITLE:#} for every shape\n\n");
    text.extend(for_every_shape[1..].iter().map(translation_text));
    if let Some((selection, translations)) = for_this_shape {
        text += "\n";
        text += &title(&spec, &selection);
        if let (python, Ok(shortest)) = &translations[0] {
            text += &row(python.name, &format!("x[{}]", shortest.op.call));
        }
        text.extend(translations[1..].iter().map(translation_text));
    }
    Ok(text)
}

/// Translates a slice with lists to each system. The result is valid only for the shape `shape`.
fn translate_with_lists(
    spec: &DynSliceSpec,
    shape: &[usize],
    arguments: &Arguments,
) -> Result<String, CommandError> {
    let selection = spec.resolve(shape)?;
    let translations = translations(Slice::WithLists(spec, shape), arguments.opset);
    if arguments.json {
        let mut fields = shapes_json(&selection);
        fields.extend(translations_json(&translations));
        let json = json!({ "slice": spec, "for_this_shape": fields });
        return Ok(format!("{json:#}\n"));
    }
    let rows = translations.iter().map(translation_text);
    Ok(title(spec, &selection) + &rows.collect::<String>())
}

fn title(spec: &DynSliceSpec, selection: &Selection) -> String {
    let (shape, output) = (selection.input_shape(), selection.output_shape());
    format!(
        "{TITLE}x[{spec}]{TITLE:#} for x of shape {shape:?}; the output has shape {output:?}\n\n"
    )
}

fn shapes_json(selection: &Selection) -> Map<String, Value> {
    Map::from_iter([
        ("input_shape".into(), json!(selection.input_shape())),
        ("output_shape".into(), json!(selection.output_shape())),
    ])
}

/// Returns the translations as JSON: each operation with its fields and its call, or the reason why the slice cannot be
/// translated.
fn translations_json(translations: &[Translation]) -> Map<String, Value> {
    let fields = translations.iter().map(|(system, translated)| {
        let json = match translated {
            Ok(Translated {
                op: CallAndJson { call, json },
                defects,
            }) => {
                let defects = Vec::from_iter(defects.iter().map(ToString::to_string));
                json!({ "operation": json, "call": call, "defects": defects })
            }
            Err(TranslateError::NeedsShape { .. }) => Value::Null,
            Err(error) => json!({ "refused": error.to_string() }),
        };
        (system.id.into(), json)
    });
    fields.collect()
}

/// Formats a row: the name of a system, and the translation or the reason why the slice cannot be translated.
fn row(system: &str, content: &str) -> String {
    let content = content.replace('\n', &format!("\n{:14}", ""));
    format!("  {system:<12}{content}\n")
}

fn translation_text((system, translated): &Translation) -> String {
    match translated {
        Ok(Translated { op, defects }) => {
            let defects = defects.iter();
            let defects =
                defects.map(|defect| row("", &format!("{WARNING}warning:{WARNING:#} {defect}")));
            row(system.name, &op.call) + &defects.collect::<String>()
        }
        Err(TranslateError::NeedsShape { .. }) => row(
            system.name,
            &format!("{WARNING}needs the number of axes:{WARNING:#} use --rank or --shape"),
        ),
        Err(error) => row(
            system.name,
            &format!("{WARNING}refused:{WARNING:#} {error}"),
        ),
    }
}

/// Creates an error with carets under the item to which `error` refers, or under all items if `error` refers to none of
/// them.
fn error_under_spec_item(spec: &DynSliceSpec, error: SliceError) -> CommandError {
    let texts: Vec<String> = spec.items().map(|item| item.to_string()).collect();
    match error {
        SliceError::IndexOutOfBounds { item, .. } | SliceError::ZeroStep { item, .. } => {
            CommandError::at_item(error, &texts, item)
        }
        _ => {
            let line = format!("x[{}]", texts.join(", "));
            CommandError::with_carets(error, &line, 2..line.len() - 1)
        }
    }
}

/// Creates an error with carets under the field to which `error` refers, if `json` contains that field.
fn error_under_field(json: &str, error: &TranslateError) -> CommandError {
    let fields: &[&str] = match *error {
        TranslateError::Operation(ref error) => match error {
            OperationError::MaskOverflow { mask, .. } => &[mask],
            OperationError::VectorLength { vector, .. } => &[vector],
            OperationError::AxisOutOfRange { .. } | OperationError::RepeatedAxis { .. } => {
                &["axes"]
            }
            OperationError::ZeroInSteps { .. } => &["steps"],
            OperationError::Opset { attribute, .. } => &[attribute.unwrap_or("opset")],
            OperationError::Slice(error) => fields_with_mistake(error),
            _ => &["strides"],
        },
        _ => &["strides", "steps"],
    };
    let find = |field: &&str| {
        let quoted = format!("\"{field}\"");
        let mut lines = json.lines();
        lines.find_map(|line| line.find(&quoted).map(|at| (line, at..at + quoted.len())))
    };
    match fields.iter().find_map(find) {
        Some((line, at)) => CommandError::with_carets(error, line, at),
        None => CommandError::failure(error.to_string()),
    }
}

/// Returns the fields that may contain the mistake. The caller marks the first of them that occurs in the JSON.
fn fields_with_mistake(error: &SliceError) -> &'static [&'static str] {
    match *error {
        SliceError::LengthMismatch {
            begin,
            end,
            strides,
        } => match () {
            () if end == strides => &["begin"],
            () if begin == strides => &["end"],
            () => &["strides"],
        },
        SliceError::MultipleEllipses { .. } => &["ellipsis_mask"],
        SliceError::TooManyItems { .. } => &["begin", "axes", "starts"],
        _ => &["strides"],
    }
}
