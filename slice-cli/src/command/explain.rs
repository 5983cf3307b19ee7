//! Implements `slice explain`, which shows in words and in a picture which elements a slice selects.

use std::path::PathBuf;

use crate::command::output;
use crate::command::print;
use crate::command::printed::{columns, wrap};
use crate::command::slice_argument::SliceArgument;
use crate::input::{self, CommandError};
use crate::operation::{Operation, error_under_item};
use anstyle::{AnsiColor, Style};
use clap::Args;
use slice_systems::AnyOperation;
use slice_systems::explain::Explanation;
use slice_systems::explain::Picture;
use slice_zarr::{ChunkedArray, ReadPlan};

const STAGES_AND_EXAMPLES: &str = r#"Stages of the table, named after the stages of TensorFlow's kernel:
  remove_conflict  resolves contradictory mask bits, and shows the equivalent Python items
  new_axis         inserts new axes, and shows the length of each axis
  ellipsis, fill   replaces the ellipsis with whole axes, and fills in omitted steps
  wrap             counts the negative positions of a list from the front
  clamp            counts negative bounds from the front, and clamps all bounds to the axis
  begin_mask       replaces each begin that is omitted or masked
  end_mask         replaces each end that is omitted or masked
  shrink           drops the axis of each index
  output_shape     shows the length of each item's result, and the number of its axis in the output
  pick             shows the selected positions: the first one, their distance and their number
A cell such as 2->0 means that the stage changes 2 to 0; a cell with - has no value.

Examples:
  slice explain "1:, ..., newaxis, :-3:-1" --shape 4,5,6
  slice explain --shape 6,5 --tf '{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}'
  slice explain "::2, ::-1" --shape 4,5 --svg slice.svg
  slice explain "[0, 2, -1], ::2" --shape 4,6
  slice explain "::20, 15:35" --shape 40,50 --chunks 10,10"#;

const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();

/// The width of the label at the beginning of each line of a printed plan, in characters.
const LABEL_WIDTH: usize = 8;

/// Show in words and in a picture which elements a slice selects
///
/// Prints a sentence for each item, a picture, and a table that shows step by step how each item is resolved.
#[derive(Args, Debug)]
#[command(after_help = STAGES_AND_EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    slice: SliceArgument,

    /// A read plan in JSON, as printed with --chunks and --json
    #[arg(long, value_name = "JSON", group = "SliceArgument")]
    plan: Option<String>,

    /// The shape of the array, such as 4,5,6
    #[arg(long, allow_hyphen_values = true, required_unless_present = "plan")]
    shape: Option<String>,

    /// The shape of the array's chunks or shards; if given, the command shows which of them are read
    #[arg(long, value_name = "SHAPE", conflicts_with = "plan")]
    chunks: Option<String>,

    /// The shape of the chunks inside a shard
    #[arg(long, value_name = "SHAPE", requires = "chunks")]
    inner_chunks: Option<String>,

    /// The size of an element in bytes
    #[arg(long, value_name = "BYTES", requires = "chunks", default_value_t = 1)]
    item_size: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Write the picture to an SVG file
    #[arg(long, value_name = "OUT.svg", conflicts_with_all = ["chunks", "plan"])]
    svg: Option<PathBuf>,
}

/// Runs `slice explain`. Returns an error if the command line or the slice is invalid, the slice does not fit the
/// shape, or the picture cannot be written. A slice that does not fit the shape is still explained as far as possible.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let is_picture_on_standard_output = output::is_standard_output(
        arguments.svg.as_deref(),
        &[(arguments.json, "--json")],
        "picture",
    )?;
    if let Some(plan) = &arguments.plan {
        print_plan(arguments, &input::parse_json(plan)?);
        return Ok(());
    }
    let (operation, _) = arguments.slice.read()?;
    let shape = input::parse_shape(arguments.shape.as_deref().unwrap_or_default())?;
    if let Some(chunks) = &arguments.chunks {
        let plan = plan_read(arguments, &operation, shape, chunks)?;
        print_plan(arguments, &plan);
        return Ok(());
    }
    let explanation = operation.explain(&shape)?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&explanation);
        print(&(json.expect("the explanation should be serializable as JSON") + "\n"));
    } else if !is_picture_on_standard_output {
        print(&explanation_text(&explanation));
    }
    if let (Some(path), Some(picture)) = (&arguments.svg, explanation.picture()) {
        output::write(path, picture.to_svg().as_bytes())?;
    }
    match &explanation.output_shape {
        Ok(_) => Ok(()),
        Err(error) => Err(error_under_item(&explanation, error.clone())),
    }
}

/// Plans the read of a slice from a chunked array.
fn plan_read(
    arguments: &Arguments,
    operation: &Operation,
    shape: Vec<usize>,
    chunks: &str,
) -> Result<ReadPlan, CommandError> {
    let selection = match operation {
        Operation::Any(AnyOperation::Python(spec)) => spec.resolve(&shape)?,
        operation => {
            let spec = operation.to_spec(Some(&shape), Some(shape.len()))?;
            spec.resolve(&shape)?
        }
    };
    let inner = arguments.inner_chunks.as_deref().map(input::parse_shape);
    let array = ChunkedArray {
        shape,
        data_type: match arguments.item_size {
            1 => "1 byte".into(),
            size => format!("{size} bytes"),
        },
        item_size: arguments.item_size,
        chunk_shape: input::parse_shape(chunks)?,
        inner_chunk_shape: inner.transpose()?,
        ..ChunkedArray::default()
    };
    Ok(ReadPlan::new(array, selection)?)
}

/// Prints a plan.
fn print_plan(arguments: &Arguments, plan: &ReadPlan) {
    if arguments.json {
        let json = serde_json::to_string_pretty(plan);
        print(&(json.expect("the plan should be serializable as JSON") + "\n"));
    } else {
        let plan = plan.to_string();
        let lines = plan.lines().map(|line| wrap(line, LABEL_WIDTH) + "\n");
        print(&lines.collect::<String>());
    }
}

/// Draws the picture within the width of the output, if known.
fn picture_text(picture: &Picture) -> String {
    match columns() {
        Some(columns) => picture.to_ansi_within(columns),
        None => picture.to_ansi(),
    }
}

/// Formats the sentences, the picture, the table and the notes of an explanation. Omits the error, which the caller
/// prints.
fn explanation_text(explanation: &Explanation) -> String {
    let mut text = String::new();
    for (at, sentence) in explanation.sentences().iter().enumerate() {
        text += &match at {
            0 => format!("{TITLE}{}{TITLE:#}\n", wrap(sentence, 0)),
            _ => wrap(&format!("- {sentence}"), 2) + "\n",
        };
    }
    if let Some(picture) = explanation.picture() {
        text += &format!("\n{}", picture_text(&picture));
    }
    text += &format!("\n{TITLE}step by step{TITLE:#}\n");
    let table = match columns() {
        Some(columns) => explanation.to_string_within(columns),
        None => explanation.to_string(),
    };
    // The first line of the table repeats the first sentence.
    for line in table.lines().skip(1) {
        if let Some(note) = wrap(line, 2).strip_prefix("note:") {
            text += &format!("{NOTE}note:{NOTE:#}{note}\n");
        } else if !line.starts_with("error:") {
            text += &format!("{line}\n");
        }
    }
    text
}
