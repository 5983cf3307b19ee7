//! One slice in the words of every system.
//!
//! `cargo run --example translate -- "1:, ..., newaxis, :-3:-1" --shape 4,5,6`
//!
//! `cargo run --example translate -- --tf '{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}'`

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Args, Parser};
use slice_core::dialect::tensorflow;
use slice_core::translate::TranslateError;
use slice_core::{DynSliceSpec, SliceError};
use slice_examples::systems::{self, Form};
use slice_examples::{
    eprintln,
    input::{self, BadInput},
    println,
};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const REFUSED: Style = AnsiColor::Yellow.on_default();
const TITLE: Style = Style::new().bold();

/// Writes a slice in the words of TensorFlow, OpenVINO, MindSpore and ONNX.
///
/// Without a shape, what is printed selects the same of every shape; a system that cannot is refused with the reason. With
/// one, what is printed for it is right for that shape. Exits with 2 if the input cannot be read or does not fit.
#[derive(Parser)]
#[command(name = "translate")]
struct Arguments {
    #[command(flatten)]
    what: What,

    /// The shape of the array, such as 4,5,6
    #[arg(long, allow_hyphen_values = true)]
    shape: Option<String>,

    /// The number of axes, which ONNX needs; that of the shape if there is one
    #[arg(long)]
    rank: Option<usize>,

    /// The ONNX operator set
    #[arg(long, default_value_t = 13)]
    opset: u32,
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
}

impl What {
    fn spec(&self) -> Result<DynSliceSpec, BadInput> {
        let Some(json) = &self.tf else {
            return Ok(self.slice.as_deref().unwrap_or_default().parse()?);
        };
        let op: tensorflow::StridedSlice = input::json(json)?;
        op.to_spec().map_err(|error| under_the_field(json, &error))
    }
}

fn main() -> ExitCode {
    match translate(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{ERROR}error:{ERROR:#} {error}");
            ExitCode::from(2)
        }
    }
}

fn translate(arguments: &Arguments) -> Result<(), BadInput> {
    let spec = arguments.what.spec()?;
    let shape = arguments.shape.as_deref().map(input::shape).transpose()?;
    let selection = shape
        .as_ref()
        .map(|shape| {
            spec.resolve(shape)
                .map_err(|error| under_the_item(&spec, error))
        })
        .transpose()?;
    let rank = arguments.rank.or(shape.as_ref().map(Vec::len));
    println!("{TITLE}x[{spec}]{TITLE:#} for every shape\n");
    systems::for_every_shape(&spec).iter().for_each(show);
    match rank {
        Some(rank) => show(&systems::for_every_shape_of_rank(
            &spec,
            rank,
            arguments.opset,
        )),
        None => row(
            "ONNX",
            &format!("{REFUSED}needs the number of axes:{REFUSED:#} give --rank or --shape"),
        ),
    }
    if let Some(selection) = selection {
        let (shape, output) = (selection.input_shape(), selection.output_shape());
        println!("\n{TITLE}x[{spec}]{TITLE:#} of shape {shape:?}, which has shape {output:?}\n");
        if let Ok(plain) = DynSliceSpec::from_selection(&selection) {
            row("Python", &format!("x[{plain}]"));
        }
        systems::for_one_shape(&selection, arguments.opset)
            .iter()
            .for_each(show);
    }
    Ok(())
}

/// A system's name and what there is to say of it.
fn row(system: &str, what: &str) {
    println!("  {system:<12}{what}");
}

fn show((system, translated): &Form) {
    match translated {
        Ok(translated) => {
            row(system, &translated.op);
            for defect in &translated.defects {
                row("", &format!("{REFUSED}beware:{REFUSED:#} {defect}"));
            }
        }
        Err(error) => row(system, &format!("{REFUSED}refused:{REFUSED:#} {error}")),
    }
}

/// The error, with carets under the item that it is about, or under all of them.
fn under_the_item(spec: &DynSliceSpec, error: SliceError) -> BadInput {
    let texts: Vec<String> = spec.items().map(|item| item.to_string()).collect();
    let line = format!("x[{}]", texts.join(", "));
    let before = |item: usize| {
        texts[..item]
            .iter()
            .map(|text| text.len() + 2)
            .sum::<usize>()
    };
    match error {
        SliceError::IndexOutOfBounds { item, .. } | SliceError::ZeroStride { item, .. } => {
            BadInput::new(error, &line, 2 + before(item), texts[item].len())
        }
        _ => BadInput::new(error, &line, 2, line.len() - 3),
    }
}

/// The error, with carets under the field of the operation that it is about.
fn under_the_field(json: &str, error: &TranslateError) -> BadInput {
    let field = match *error {
        TranslateError::Invalid(SliceError::MaskOverflow { mask, .. }) => mask,
        TranslateError::Invalid(SliceError::LengthMismatch {
            begin,
            end,
            strides,
        }) => match () {
            () if end == strides => "begin",
            () if begin == strides => "end",
            () => "strides",
        },
        TranslateError::Invalid(SliceError::MultipleEllipses { .. }) => "ellipsis_mask",
        TranslateError::Invalid(SliceError::TooManyItems { .. }) => "begin",
        _ => "strides",
    };
    let quoted = format!("\"{field}\"");
    let line = json
        .lines()
        .find(|line| line.contains(&quoted))
        .unwrap_or_default();
    let at = line
        .find(&quoted)
        .map_or(0, |at| line[..at].chars().count());
    BadInput::new(error, line, at, quoted.len())
}
