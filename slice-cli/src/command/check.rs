//! Implements `slice check`, which checks the slices of a model, rewrites them, or compares them with the slices of a
//! second model.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use slice_check::fix::{self, ChangeKind};
use slice_check::print::Escaped;
use slice_check::report::{Report, ReportedSlice};
use slice_check::support::{self, Support};
use slice_check::{Model, ModelError, compare, print};
use slice_systems::System;

use super::output::{self, Output};
use super::print;
use super::printed::print_with;
use crate::input::CommandError;

const EXAMPLES: &str = "\
Examples:
  slice check model.onnx
  slice check model.onnx --strict --for litert,openvino
  slice check before.onnx after.onnx
  slice check model.onnx --fix fixed.onnx

Exit status:
  0  no slice has a mistake; with --for, the systems support every slice; with OTHER, the models have the same slices
  1  a slice has a mistake, is unsupported or differs, or a file cannot be read or written
  2  the command line is invalid";

/// Find mistakes in the slices of a model, or compare two models
///
/// Prints each slicing operation with its location in the model, its slice in Python's notation, the shapes of its
/// input and output, any mistakes, and the systems that do not support it. Bounds that follow from constants, shapes
/// and arithmetic are computed; bounds that are known only at run time are marked. Operations that select elements
/// but were not examined are listed at the end. With OTHER, prints the first slice that selects different elements in
/// the two models.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The model: ONNX, LiteRT (.tflite), TensorFlow (.pb or a saved model), OpenVINO (.xml), PyTorch (.pt2) or
    /// StableHLO text
    model: PathBuf,

    /// A second model of the same network, to compare with the first
    other: Option<PathBuf>,

    /// Check that every slice is supported by the given systems (comma-separated)
    #[arg(long = "for", value_name = "SYSTEM", value_delimiter = ',', value_parser = support::find_system)]
    systems: Vec<System>,

    /// Write a fixed copy of the model: resolve bounds, remove slices that select everything, and merge nested slices
    #[arg(long, value_name = "OUT.onnx", conflicts_with = "other")]
    fix: Option<PathBuf>,

    /// Exit with status 1 if an operation that selects elements was not examined
    #[arg(long)]
    strict: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A model with its report.
struct CheckedModel {
    /// The path to the model.
    file: String,
    /// The path, with control characters escaped.
    name: String,
    model: Model,
    report: Report,
}

fn check_model(path: &Path, systems: &[System]) -> Result<CheckedModel, CommandError> {
    let file = path.display().to_string();
    let name = Escaped(&file).to_string();
    let to_error = |error| CommandError::failure(format!("{name}: {}", Escaped(error)));
    let model = Model::read(path).map_err(to_error)?;
    let report = model.check(systems).map_err(to_error)?;
    Ok(CheckedModel {
        file,
        name,
        model,
        report,
    })
}

/// Runs `slice check`.
///
/// # Errors
///
/// Returns an error if a slice has a mistake, a requested system does not support a slice, the models differ, or a file
/// cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let printing_options = [(arguments.json, "--json")];
    let is_standard_output =
        output::is_standard_output(arguments.fix.as_deref(), &printing_options, "model")?;
    let systems = &arguments.systems[..];
    let one = check_model(&arguments.model, systems)?;
    match &arguments.other {
        None => match &arguments.fix {
            None => report_on_model(&one, arguments),
            Some(out) => fix(&one, out, is_standard_output, arguments),
        },
        Some(other) => compare_models(&one, &check_model(other, systems)?, arguments),
    }
}

#[derive(Serialize)]
struct ReportOnFile<'a> {
    #[serde(flatten)]
    report: &'a Report,
    file: &'a str,
}

fn report_on_model(checked: &CheckedModel, arguments: &Arguments) -> Result<(), CommandError> {
    let lists_all_systems = !arguments.systems.is_empty();
    if arguments.json {
        let json = ReportOnFile {
            report: &checked.report,
            file: &checked.file,
        };
        print_with(|out| print::write_json(out, &json, &[&checked.report]));
    } else {
        let (file, report) = (&checked.file, &checked.report);
        print_with(|out| print::write_text(out, file, report, lists_all_systems));
    }
    check_outcome(checked, arguments)
}

/// Returns an error if a slice has a mistake, or a requested system does not support a slice.
fn check_outcome(checked: &CheckedModel, arguments: &Arguments) -> Result<(), CommandError> {
    let slices = checked.report.operations.len();
    let wrong = checked.report.count_with_mistakes();
    if wrong > 0 {
        let verb = if wrong == 1 { "has" } else { "have" };
        return Err(CommandError::failure(format!(
            "{wrong} of {slices} slices {verb} mistakes"
        )));
    }
    let is_refused = |system: &System| {
        let supports = checked
            .report
            .operations
            .iter()
            .flat_map(|reported| reported.systems.iter());
        supports
            .clone()
            .any(|one| one.system == system.folder && one.how >= Support::NeedsShape)
    };
    let refused = arguments.systems.iter().filter(|system| is_refused(system));
    let refused: Vec<&str> = refused.map(|system| system.name).collect();
    if !refused.is_empty() {
        return Err(CommandError::failure(format!(
            "not all slices are supported by {}",
            refused.join(", ")
        )));
    }
    check_strictly(&[checked], arguments)
}

/// With `--strict`, returns an error if an operation that selects elements was not examined.
fn check_strictly(all: &[&CheckedModel], arguments: &Arguments) -> Result<(), CommandError> {
    let mut reports = all.iter().map(|checked| &checked.report);
    match reports.find(|report| arguments.strict && !report.not_examined.is_empty()) {
        Some(report) => Err(CommandError::failure(print::not_examined_count(report))),
        None => Ok(()),
    }
}

/// Writes the fixed model after checking that its slices select the same elements as the slices of the original model.
fn fix(
    checked: &CheckedModel,
    out: &Path,
    is_standard_output: bool,
    arguments: &Arguments,
) -> Result<(), CommandError> {
    let to_error =
        |error: ModelError| CommandError::failure(format!("{}: {}", checked.name, Escaped(error)));
    let (bytes, changes) = checked.model.fix(&checked.report).map_err(to_error)?;
    let result = Output::at(out).and_then(|at| at.write(|out| out.write_all(&bytes)));
    result.map_err(|error| {
        CommandError::failure(format!("cannot write {}: {error}", out.display()))
    })?;
    if arguments.json {
        let json = json!({ "file": checked.file, "written": out.display().to_string(), "changes": changes });
        print_with(|out| print::write_json(out, &json, &[&checked.report]));
    } else if !is_standard_output {
        let mut text = String::new();
        for fix::Change { name, done, call } in &changes {
            let (name, call) = (Escaped(name), call.as_deref().unwrap_or_default());
            text += &match done {
                ChangeKind::Removed => format!("removed {name}, which selected everything\n"),
                ChangeKind::Merged => format!("merged {name} with the slices before it: {call}\n"),
                ChangeKind::Resolved => format!("resolved the bounds of {name}: {call}\n"),
            };
        }
        let count = |done: ChangeKind| changes.iter().filter(|change| change.done == done).count();
        text += &format!(
            "{}: changed slices: {} resolved, {} merged, {} removed\n",
            Escaped(out.display()),
            count(ChangeKind::Resolved),
            count(ChangeKind::Merged),
            count(ChangeKind::Removed)
        );
        print(&text);
    }
    check_outcome(checked, arguments)
}

#[derive(Serialize)]
struct Comparison<'a> {
    models: [ComparedModel<'a>; 2],
    first_difference: Option<[Option<usize>; 2]>,
}

#[derive(Serialize)]
struct ComparedModel<'a> {
    file: &'a str,
    about: &'a str,
    slices: &'a [compare::Chain],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_examined: &'a [ReportedSlice],
}

/// Compares two models. If their formats differ, the order of slices matters only in concatenations.
fn compare_models(
    one: &CheckedModel,
    other: &CheckedModel,
    arguments: &Arguments,
) -> Result<(), CommandError> {
    let chains = |checked: &CheckedModel| {
        let to_error = |error| CommandError::failure(format!("{}: {error}", checked.name));
        compare::chains(&checked.model, &checked.report).map_err(to_error)
    };
    let [first, second] = &[chains(one)?, chains(other)?];
    let first_index = compare::first_difference(first, second);
    let valid_index =
        |at: usize, chains: &[compare::Chain]| Some(at).filter(|&at| at < chains.len());
    let ordered_difference =
        first_index.map(|at| [valid_index(at, first), valid_index(at, second)]);
    let is_same_format = one.model.system() == other.model.system();
    let missing = match ordered_difference {
        Some(_) if !is_same_format => compare::first_missing(first, second),
        _ => None,
    };
    let difference = match missing {
        Some([None, None]) => None,
        Some(indices) => Some(indices),
        None => ordered_difference,
    };
    if arguments.json {
        let json = Comparison {
            models: [(one, first), (other, second)].map(|(checked, slices)| ComparedModel {
                file: &checked.file,
                about: &checked.report.about,
                slices,
                not_examined: &checked.report.not_examined,
            }),
            first_difference: difference,
        };
        print_with(|out| print::write_json(out, &json, &[&one.report, &other.report]));
    }
    let counts = [first, second].map(|chains| print::quantity(chains.len(), "slice"));
    let names = [&one.name, &other.name];
    let Some(indices) = difference else {
        let [a, b] = names;
        let text = match ordered_difference {
            None => format!("{a} and {b} have the same slices: {}\n", counts[0]),
            Some(_) => format!(
                "{a} and {b} have the same slices, but in a different order: {} and {}\n",
                counts[0], counts[1]
            ),
        };
        if !arguments.json {
            print(&text);
            for CheckedModel { file, report, .. } in [one, other] {
                print_with(|out| print::write_not_examined_in(out, file, report));
            }
        }
        return check_strictly(&[one, other], arguments);
    };
    let sides = [(one, first), (other, second)];
    let side = |at: usize| match indices[at] {
        None => format!("{} has only {}\n", names[at], counts[at]),
        Some(index) => describe_chain(sides[at].0, &sides[at].1[index]),
    };
    let number = |at: usize| indices[at].map_or(0, |index| index + 1);
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
            let describe = |at: usize| {
                let (number, name, other) = (number(at), names[at], names[1 - at]);
                let side = side(at);
                format!(
                    "slice {number} of {name} is the first that {other} does not contain\n\n{side}"
                )
            };
            let descriptions = (0..2).filter(|&at| indices[at].is_some()).map(describe);
            descriptions.collect::<Vec<String>>().join("\n")
        }
    };
    if !arguments.json {
        print(&text);
    }
    let number = match number(0) {
        0 => number(1),
        number => number,
    };
    Err(CommandError::failure(format!(
        "the models differ in slice {number}"
    )))
}

/// Describes a chain of slices, and the location of its last slice in the model.
fn describe_chain(checked: &CheckedModel, chain: &compare::Chain) -> String {
    let reported = &checked.report.operations[chain.operation];
    let shape = |shape: &Option<slice_check::report::Shape>| {
        shape
            .as_ref()
            .map_or("?".to_owned(), |shape| slice_check::shape_text(&shape.0))
    };
    let shapes = [&chain.input_shape, &chain.output_shape];
    let [input, output] = shapes.map(|one| Escaped(shape(one)));
    let location = print::location_text(reported, checked.report.unit);
    let (name, slice) = (&checked.name, Escaped(&chain.slice));
    let joined = match chain.joined {
        Some((part, count)) => format!(", input {part} of {count} of a concatenation"),
        None => String::new(),
    };
    format!("{name}: {slice}  {input} -> {output}{joined}\n   {location}\n")
}
