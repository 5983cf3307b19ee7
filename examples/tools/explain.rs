//! Says why a slice selects what it selects, step by step.
//!
//! `cargo run --example explain -- "1:, ..., newaxis, :-3:-1" --shape 4,5,6`
//!
//! `cargo run --example explain -- --tf '{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}' --shape 6,5`

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Parser;
use slice_core::Explanation;
use slice_tools::input::{self, BadInput};
use slice_tools::operation::{What, under_the_item};
use slice_tools::{print, print_error};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();

/// Says why a slice selects what it selects, and shows it.
///
/// Exits with 1 if the slice is wrong or does not fit the shape, and with 2 if the command is wrong.
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

    /// Write the picture to a file, as SVG
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("{ERROR}error:{ERROR:#} {error}\n"));
            error.status()
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), BadInput> {
    let operation = arguments.what.read()?;
    let explanation = operation.explain(&input::shape(&arguments.shape)?);
    if arguments.json {
        let json = serde_json::to_string_pretty(&explanation);
        print(&(json.expect("numbers and texts are JSON") + "\n"));
    } else {
        print(&shown(&explanation));
    }
    if let (Some(path), Some(picture)) = (&arguments.svg, explanation.picture()) {
        let written = fs::write(path, picture.to_svg());
        let named = |error| BadInput::slice(format!("cannot write {}: {error}", path.display()));
        written.map_err(named)?;
    }
    match explanation.output_shape() {
        Ok(_) => Ok(()),
        Err(error) => Err(under_the_item(&explanation, error)),
    }
}

/// The sentences, the picture, the table and the notes; the error is left to [`main`].
fn shown(explanation: &Explanation) -> String {
    let mut text = String::new();
    for (at, sentence) in explanation.sentences().iter().enumerate() {
        text += &match at {
            0 => format!("{TITLE}{sentence}{TITLE:#}\n"),
            _ => format!("- {sentence}\n"),
        };
    }
    if let Some(picture) = explanation.picture() {
        text += &format!("\n{}", picture.to_ansi());
    }
    text += &format!("\n{TITLE}step by step{TITLE:#}\n");
    // Its first line says what the first sentence does.
    for line in explanation.to_string().lines().skip(1) {
        if let Some(note) = line.strip_prefix("note:") {
            text += &format!("{NOTE}note:{NOTE:#}{note}\n");
        } else if !line.starts_with("error:") {
            text += &format!("{line}\n");
        }
    }
    text
}
