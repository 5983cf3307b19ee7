//! Implements `slice translate`, which translates a slice to the operations of TensorFlow, ONNX and the other systems.

use crate::command::print;
use crate::command::slice_argument::SliceArgument;
use crate::input::{self, CommandError};
use crate::operation::Operation;
use crate::systems::{self, Translation};
use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use slice_core::{DynSliceSpec, Selection, SliceError};
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{AnyOperation, Operation as OperationTrait, OperationError};

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

/// Runs `slice translate`.
///
/// # Errors
///
/// Returns an error if the command line or the slice is invalid, or the slice does not fit the shape.
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
        && let Some(spec) = operation
            .lists(shape)
            .map_err(|error| CommandError::failure(error.to_string()))?
    {
        return translate_with_lists(&spec, shape, arguments.json);
    }
    let spec = operation.to_spec(shape.as_deref(), rank);
    let spec = spec.map_err(|error| match (&operation, &error) {
        (Operation::Any(AnyOperation::Python(spec)), _) if spec.is_strided() => {
            CommandError::failure(error.to_string())
        }
        (_, TranslateError::Transform(_)) => CommandError::failure(error.to_string()),
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
    if arguments.json {
        let json = output_json(&spec, selection.as_ref(), rank, arguments.opset);
        return Ok(format!("{json:#}\n"));
    }
    let mut text = format!("{TITLE}x[{spec}]{TITLE:#} for every shape\n\n");
    for translation in &systems::for_every_shape(&spec) {
        text += &translation_text(translation);
    }
    text += &match rank {
        Some(rank) => translation_text(&systems::for_every_shape_of_rank(
            &spec,
            rank,
            arguments.opset,
        )),
        None => row(
            "ONNX",
            &format!("{WARNING}needs the number of axes:{WARNING:#} use --rank or --shape"),
        ),
    };
    if let Some(selection) = selection {
        let (shape, output) = (selection.input_shape(), selection.output_shape());
        text += &format!(
            "\n{TITLE}x[{spec}]{TITLE:#} for x of shape {shape:?}; the output has shape {output:?}\n\n"
        );
        if let Ok(Translated { op: shortest, .. }) = DynSliceSpec::from_selection(&selection) {
            text += &row("Python", &format!("x[{shortest}]"));
        }
        for translation in &systems::for_one_shape(&selection, arguments.opset) {
            text += &translation_text(translation);
        }
    }
    Ok(text)
}

/// Translates a slice with lists to each system. The result is valid only for the shape `shape`.
fn translate_with_lists(
    spec: &DynSliceSpec,
    shape: &[usize],
    as_json: bool,
) -> Result<String, CommandError> {
    let selection = spec.resolve(shape);
    let selection = selection.map_err(|error| CommandError::failure(error.to_string()))?;
    let output = selection.output_shape();
    if as_json {
        let mut for_this_shape = serde_json::Map::new();
        for_this_shape.insert("input_shape".into(), json!(shape));
        for_this_shape.insert("output_shape".into(), json!(output));
        insert_lists(&mut for_this_shape, spec, shape);
        let json = json!({ "slice": spec, "for_this_shape": for_this_shape });
        return Ok(format!("{json:#}\n"));
    }
    let mut text = format!(
        "{TITLE}x[{spec}]{TITLE:#} for x of shape {shape:?}; the output has shape {output:?}\n\n"
    );
    for translation in &systems::for_one_shape_with_lists(spec, shape) {
        text += &translation_text(translation);
    }
    Ok(text)
}

/// Returns the translations as JSON: each operation with its fields and its call, or the reason why the slice cannot be
/// translated.
fn output_json(
    spec: &DynSliceSpec,
    selection: Option<&Selection>,
    rank: Option<usize>,
    opset: u32,
) -> Value {
    let mut for_every_shape = serde_json::Map::new();
    let mut for_this_shape = serde_json::Map::new();
    if let Some(selection) = selection {
        for_this_shape.insert("input_shape".into(), json!(selection.input_shape()));
        for_this_shape.insert("output_shape".into(), json!(selection.output_shape()));
    }
    insert_all(&mut for_every_shape, &mut for_this_shape, spec, selection);
    // ONNX's operators depend on the rank and the opset, but not on the shape.
    let onnx = rank.map(|rank| operation_json(OnnxPlan::from_spec(spec, rank, opset)));
    for_every_shape.insert("onnx".into(), onnx.into());
    let mut json = json!({ "slice": spec, "for_every_shape": for_every_shape });
    if let Some(selection) = selection {
        let onnx = operation_json(OnnxPlan::from_selection(selection, opset));
        for_this_shape.insert("onnx".into(), onnx);
        json["for_this_shape"] = for_this_shape.into();
    }
    json
}

macro_rules! insert_all {
    ($Python:ident: $Spec:ty = $python:literal, $($Name:ident: $Operation:ty = $folder:literal,)*) => {
        /// Inserts the translations to each system: for every shape if possible, and for the shape of the selection, if
        /// given.
        fn insert_all(
            for_every_shape: &mut serde_json::Map<String, Value>,
            for_this_shape: &mut serde_json::Map<String, Value>,
            spec: &DynSliceSpec,
            selection: Option<&Selection>,
        ) {
            if let Some(selection) = selection {
                let spec_of_selection = DynSliceSpec::from_selection(selection).ok().map(|translated| translated.op);
                for_this_shape.insert("slice".into(), json!(spec_of_selection));
            }
            $(
                let translated = <$Operation as OperationTrait>::from_spec(spec);
                if !matches!(translated, Err(TranslateError::NeedsShape { .. })) {
                    for_every_shape.insert($folder.into(), operation_json(translated));
                }
                if let Some(selection) = selection {
                    let translated = <$Operation as OperationTrait>::from_selection(selection);
                    for_this_shape.insert($folder.into(), operation_json(translated));
                }
            )*
        }
    };
}

slice_systems::for_each_system!(insert_all);

macro_rules! insert_lists {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => {
        /// Inserts the translation of a slice with lists to each system.
        fn insert_lists(
            for_this_shape: &mut serde_json::Map<String, Value>,
            spec: &DynSliceSpec,
            shape: &[usize],
        ) {
            $(for_this_shape.insert(
                $folder.into(),
                operation_json(<$Operation as OperationTrait>::from_spec_for_shape(spec, shape)),
            );)*
        }
    };
}

slice_systems::for_each_system!(insert_lists);

fn operation_json<Op: Serialize + ToString>(
    translated: Result<Translated<Op>, TranslateError>,
) -> Value {
    match translated {
        Ok(Translated { op, defects }) => {
            let defects = Vec::from_iter(defects.iter().map(ToString::to_string));
            json!({ "operation": op, "call": op.to_string(), "defects": defects })
        }
        Err(error) => json!({ "refused": error.to_string() }),
    }
}

/// Formats a row: the name of a system, and the translation or the reason why the slice cannot be translated.
fn row(system: &str, content: &str) -> String {
    let content = content.replace('\n', &format!("\n{:14}", ""));
    format!("  {system:<12}{content}\n")
}

fn translation_text((system, translated): &Translation) -> String {
    match translated {
        Ok(translated) => {
            let defects = translated.defects.iter();
            let defects =
                defects.map(|defect| row("", &format!("{WARNING}warning:{WARNING:#} {defect}")));
            row(system, &translated.op) + &defects.collect::<String>()
        }
        Err(error) => row(system, &format!("{WARNING}refused:{WARNING:#} {error}")),
    }
}

/// Creates an error with carets under the item to which `error` refers, or under all items if `error` refers to none of
/// them.
fn error_under_spec_item(spec: &DynSliceSpec, error: SliceError) -> CommandError {
    let texts: Vec<String> = spec.items().map(|item| item.to_string()).collect();
    let line = format!("x[{}]", texts.join(", "));
    let offset = |item: usize| {
        texts[..item]
            .iter()
            .map(|text| text.len() + 2)
            .sum::<usize>()
    };
    match error {
        SliceError::IndexOutOfBounds { item, .. } | SliceError::ZeroStep { item, .. } => {
            let at = 2 + offset(item);
            CommandError::with_carets(error, &line, at..at + texts[item].len())
        }
        _ => CommandError::with_carets(error, &line, 2..line.len() - 1),
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
