//! Says why a slice selects what it selects, step by step.
//!
//! `cargo run --example explain -- "1:, ..., newaxis, :-3:-1" --shape 4,5,6`
//!
//! `cargo run --example explain -- --tf '{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}' --shape 6,5`

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Args, Parser};
use slice_core::dialect::{mindspore, onnx, openvino, tensorflow};
use slice_core::explain::Role;
use slice_core::{DynSliceSpec, Explanation, SliceError};
use slice_examples::{
    eprintln,
    input::{self, BadInput},
    println,
};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();

/// Says why a slice selects what it selects, step by step.
///
/// Exits with 2 if the input cannot be read, or if the slice does not fit the shape.
#[derive(Parser)]
#[command(name = "explain")]
struct Arguments {
    #[command(flatten)]
    what: What,

    /// The shape of the array, such as 4,5,6
    #[arg(long, allow_hyphen_values = true)]
    shape: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One slice, in one of the ways to write it.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct What {
    /// A slice as Python writes it, such as "1:, ..., newaxis, :-3:-1"
    #[arg(allow_hyphen_values = true)]
    slice: Option<String>,

    /// TensorFlow's StridedSlice: begin, end, strides, begin_mask, end_mask, ellipsis_mask, ...
    #[arg(long, value_name = "JSON")]
    tf: Option<String>,

    /// OpenVINO's StridedSlice: the same, with lists as masks
    #[arg(long, value_name = "JSON")]
    openvino: Option<String>,

    /// MindSpore's StridedSlice: as TensorFlow's
    #[arg(long, value_name = "JSON")]
    mindspore: Option<String>,

    /// ONNX's Slice: starts, ends, axes, steps, opset
    #[arg(long, value_name = "JSON")]
    onnx: Option<String>,

    /// The same with ONNX Runtime's reading of INT_MAX
    #[arg(long, value_name = "JSON")]
    onnxruntime: Option<String>,
}

impl What {
    fn explain(&self, shape: &[usize]) -> Result<Explanation, BadInput> {
        if let Some(json) = &self.tf {
            return Ok(input::json::<tensorflow::StridedSlice>(json)?.explain(shape));
        }
        if let Some(json) = &self.openvino {
            return Ok(input::json::<openvino::StridedSlice>(json)?.explain(shape));
        }
        if let Some(json) = &self.mindspore {
            return Ok(input::json::<mindspore::StridedSlice>(json)?.explain(shape));
        }
        if let Some(json) = &self.onnx {
            return Ok(input::json::<onnx::Slice>(json)?.explain(shape));
        }
        if let Some(json) = &self.onnxruntime {
            return Ok(input::json::<onnx::Slice>(json)?.explain_onnxruntime(shape));
        }
        let text = self.slice.as_deref().unwrap_or_default();
        Ok(text.parse::<DynSliceSpec>()?.explain(shape))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let explanation =
        input::shape(&arguments.shape).and_then(|shape| arguments.what.explain(&shape));
    let explanation = match explanation {
        Ok(explanation) => explanation,
        Err(error) => {
            eprintln!("{ERROR}error:{ERROR:#} {error}");
            return ExitCode::from(2);
        }
    };
    if arguments.json {
        let json = serde_json::to_string_pretty(&explanation);
        println!("{}", json.expect("numbers and texts are JSON"));
    } else {
        show(&explanation);
    }
    match explanation.output_shape() {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!(
                "{ERROR}error:{ERROR:#} {}",
                under_the_item(&explanation, error)
            );
            ExitCode::from(2)
        }
    }
}

/// The title, the table and the notes, in colour on a terminal. The error is left to [`main`].
fn show(explanation: &Explanation) {
    for (i, line) in explanation.to_string().lines().enumerate() {
        if let Some(note) = line.strip_prefix("note:") {
            println!("{NOTE}note:{NOTE:#}{note}");
        } else if i == 0 {
            println!("{TITLE}{line}{TITLE:#}");
        } else if !line.starts_with("error:") {
            println!("{line}");
        }
    }
}

/// The error, with carets under the item of a Python slice that it is about.
fn under_the_item(explanation: &Explanation, error: SliceError) -> String {
    let items = explanation
        .entries()
        .iter()
        .filter(|entry| entry.written.is_some());
    let mut consuming = items
        .clone()
        .filter(|entry| matches!(entry.role, Role::Range | Role::Index));
    let culprit = match error {
        SliceError::IndexOutOfBounds { item, .. } => Some(item),
        SliceError::TooManyIndices { rank, .. } => consuming.nth(rank).and_then(|entry| entry.item),
        _ => None,
    };
    let texts: Vec<&str> = items.filter_map(|entry| entry.written.as_deref()).collect();
    match culprit {
        Some(item) if explanation.subject() == format!("x[{}]", texts.join(", ")) => {
            let at = "x[".len()
                + texts[..item]
                    .iter()
                    .map(|text| text.len() + 2)
                    .sum::<usize>();
            BadInput::new(error, explanation.subject(), at, texts[item].len()).to_string()
        }
        _ => error.to_string(),
    }
}
