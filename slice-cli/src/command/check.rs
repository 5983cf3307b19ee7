//! Implements `slice check`, which checks the slices of a model, rewrites them, or compares them with those of a second
//! model.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use slice_ops::System;

use super::output::{self, Output};
use super::print;
use crate::check::carried::{self, How};
use crate::check::fix::{self, Done};
use crate::check::report::{Report, report};
use crate::check::{compare, print};
use crate::input::BadInput;
use crate::model::openvino::Weights;
use crate::model::{Graph, ModelError, read};

const EXAMPLES: &str = "\
Examples:
  slice check model.onnx
  slice check model.onnx --for litert,openvino
  slice check before.onnx after.onnx
  slice check model.onnx --fix fixed.onnx

Exit status:
  0  no slice has a mistake; with --for, the systems support every slice; with OTHER, the models have the same slices
  1  a slice has a mistake, is unsupported or differs, or a file cannot be read or written
  2  the command line is invalid";

/// Find mistakes in the slices of a model, or compare two models
///
/// Prints each slicing operation with its location in the model, its slice in Python's notation, the shapes of its
/// input and output, its mistakes, and the systems that do not support it. Bounds that follow from constants, shapes
/// and arithmetic are computed; bounds that are known only at run time are marked. With OTHER, prints the first slice
/// that selects different elements.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The model: ONNX, LiteRT (.tflite), TensorFlow (.pb or a saved model), OpenVINO (.xml), PyTorch (.pt2) or
    /// StableHLO text
    model: PathBuf,

    /// A second model of the same network, to compare with the first
    other: Option<PathBuf>,

    /// Check that these systems support every slice
    #[arg(long = "for", value_name = "SYSTEM", value_delimiter = ',', value_parser = carried::system)]
    systems: Vec<System>,

    /// Write a fixed copy of the model: resolve bounds, remove slices that select everything, and merge nested slices
    #[arg(long, value_name = "OUT.onnx", conflicts_with = "other")]
    fix: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A model with its report.
struct Checked {
    name: String,
    bytes: Vec<u8>,
    graph: Graph,
    report: Report,
}

fn checked(path: &Path, systems: &[System]) -> Result<Checked, BadInput> {
    let name = path.display().to_string();
    let failed = |error| BadInput::slice(format!("{name}: {error}"));
    let (bytes, graph) = read::model(path).map_err(failed)?;
    let report = report(&graph, systems).map_err(failed)?;
    Ok(Checked {
        name,
        bytes,
        graph,
        report,
    })
}

/// Runs `slice check`.
///
/// # Errors
///
/// Returns an error if a slice has a mistake, a requested system does not support a slice, the models differ, or a file
/// cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<(), BadInput> {
    let prints = [(arguments.json, "--json")];
    let is_alone = output::is_alone(arguments.fix.as_deref(), &prints, "model")?;
    let systems = &arguments.systems[..];
    let one = checked(&arguments.model, systems)?;
    match &arguments.other {
        None => match &arguments.fix {
            None => alone(&one, arguments),
            Some(out) => fix(&one, out, is_alone, arguments),
        },
        Some(other) => both(&one, &checked(other, systems)?, arguments),
    }
}

fn alone(checked: &Checked, arguments: &Arguments) -> Result<(), BadInput> {
    let asked = !arguments.systems.is_empty();
    if arguments.json {
        let mut json = json!(checked.report);
        json["file"] = checked.name.as_str().into();
        print(&format!("{json:#}\n"));
    } else {
        print(&print::text(&checked.name, &checked.report, asked));
    }
    outcome(checked, arguments)
}

/// Returns an error if a slice has a mistake, or a requested system does not support a slice.
fn outcome(checked: &Checked, arguments: &Arguments) -> Result<(), BadInput> {
    let slices = checked.report.operations.len();
    let wrong = checked.report.wrong();
    if wrong > 0 {
        let verb = if wrong == 1 { "has" } else { "have" };
        return Err(BadInput::slice(format!(
            "{wrong} of {slices} slices {verb} mistakes"
        )));
    }
    let is_refused = |system: &System| {
        let entries = checked
            .report
            .operations
            .iter()
            .flat_map(|entry| &entry.systems);
        entries
            .clone()
            .any(|one| one.system == system.folder && one.how >= How::NeedsShape)
    };
    let refused = arguments.systems.iter().filter(|system| is_refused(system));
    let refused: Vec<&str> = refused.map(|system| system.name).collect();
    if !refused.is_empty() {
        return Err(BadInput::slice(format!(
            "not all slices are supported by {}",
            refused.join(", ")
        )));
    }
    Ok(())
}

/// Writes the fixed model after checking that its slices select the same elements as those of the original model.
fn fix(
    checked: &Checked,
    out: &Path,
    is_alone: bool,
    arguments: &Arguments,
) -> Result<(), BadInput> {
    let failed = |error: ModelError| BadInput::slice(format!("{}: {error}", checked.name));
    let (bytes, changes) =
        fix::fixed(&checked.bytes, &checked.graph, &checked.report).map_err(failed)?;
    let graph = read::graph(&bytes, Weights::NotLookedFor).map_err(failed)?;
    let report = report(&graph, &[]).map_err(failed)?;
    let before = compare::paths(&checked.graph, &checked.report);
    let after = compare::paths(&graph, &report);
    if !compare::same_in_any_order(&before, &after) {
        let message = "the fixed model would select different elements; nothing was written";
        return Err(failed(message.into()));
    }
    let written = Output::at(out).and_then(|at| at.write(|out| out.write_all(&bytes)));
    written.map_err(|error| BadInput::slice(format!("cannot write {}: {error}", out.display())))?;
    if arguments.json {
        let json = json!({ "file": checked.name, "written": out.display().to_string(), "changes": changes });
        print(&format!("{json:#}\n"));
    } else if !is_alone {
        let mut text = String::new();
        for fix::Change { name, done, call } in &changes {
            let call = call.as_deref().unwrap_or_default();
            text += &match done {
                Done::Removed => format!("removed {name}, which selected everything\n"),
                Done::Merged => format!("merged {name} with the slices before it: {call}\n"),
                Done::Resolved => format!("resolved the bounds of {name}: {call}\n"),
            };
        }
        let count = |done: Done| changes.iter().filter(|change| change.done == done).count();
        text += &format!(
            "{}: changed slices: {} resolved, {} merged, {} removed\n",
            out.display(),
            count(Done::Resolved),
            count(Done::Merged),
            count(Done::Removed)
        );
        print(&text);
    }
    outcome(checked, arguments)
}

/// Compares two models. If their formats differ, the order of slices matters only in concatenations.
fn both(one: &Checked, other: &Checked, arguments: &Arguments) -> Result<(), BadInput> {
    let paths = [one, other].map(|checked| compare::paths(&checked.graph, &checked.report));
    let [first, second] = &paths;
    let in_order = compare::first_difference(first, second);
    let within = |at: usize, paths: &[compare::Path]| Some(at).filter(|&at| at < paths.len());
    let by_place = in_order.map(|at| [within(at, first), within(at, second)]);
    let is_same_format = one.graph.system == other.graph.system;
    let missing = match by_place {
        Some(_) if !is_same_format => compare::first_missing(first, second),
        _ => None,
    };
    let differs = match missing {
        Some([None, None]) => None,
        Some(places) => Some(places),
        None => by_place,
    };
    if arguments.json {
        let model = |checked: &Checked, paths: &[compare::Path]| json!({ "file": checked.name, "about": checked.report.about, "slices": paths });
        let models = [model(one, first), model(other, second)];
        print(&format!(
            "{:#}\n",
            json!({ "models": models, "first_difference": differs })
        ));
    }
    let counts = [first, second].map(|paths| print::slices(paths.len()));
    let names = [&one.name, &other.name];
    let Some(places) = differs else {
        let [a, b] = names;
        let text = match by_place {
            None => format!("{a} and {b} have the same slices: {}\n", counts[0]),
            Some(_) => format!(
                "{a} and {b} have the same slices, but in a different order: {} and {}\n",
                counts[0], counts[1]
            ),
        };
        if !arguments.json {
            print(&text);
        }
        return Ok(());
    };
    let sides = [(one, first), (other, second)];
    let side = |at: usize| match places[at] {
        None => format!("{} has only {}\n", names[at], counts[at]),
        Some(place) => described(sides[at].0, &sides[at].1[place]),
    };
    let number = |at: usize| places[at].map_or(0, |place| place + 1);
    let text = match missing {
        None => {
            let order = match compare::same_in_any_order(first, second) {
                true if first.len() == second.len() => {
                    "; both models have the same slices, but in a different order"
                }
                _ => "",
            };
            let number = number(0).max(number(1));
            format!(
                "slice {number} is the first that differs{order}\n\n{}\n{}",
                side(0),
                side(1)
            )
        }
        Some(_) => {
            let lacks = |at: usize| {
                let (number, name, lacks) = (number(at), names[at], names[1 - at]);
                let side = side(at);
                format!(
                    "slice {number} of {name} is the first that {lacks} does not have\n\n{side}"
                )
            };
            let lacking = (0..2).filter(|&at| places[at].is_some()).map(lacks);
            lacking.collect::<Vec<String>>().join("\n")
        }
    };
    if !arguments.json {
        print(&text);
    }
    let number = match number(0) {
        0 => number(1),
        number => number,
    };
    Err(BadInput::slice(format!(
        "the models differ in slice {number}"
    )))
}

/// Describes a slice and its location in the model.
fn described(checked: &Checked, path: &compare::Path) -> String {
    let entry = &checked.report.operations[path.operation];
    let shape = |shape: &Option<crate::check::report::Shape>| {
        shape.as_ref().map_or("?".to_owned(), |shape| {
            crate::model::number::shape_text(&shape.0)
        })
    };
    let (input, output) = (shape(&path.input_shape), shape(&path.output_shape));
    let place = print::place(entry, checked.report.unit);
    let (name, slice) = (&checked.name, &path.slice);
    let joined = match path.joined {
        Some((part, of)) => format!(", input {part} of {of} of a concatenation"),
        None => String::new(),
    };
    format!("{name}: {slice}  {input} -> {output}{joined}\n   {place}\n")
}
