//! Implements `slice check`, which checks the slices of a model, rewrites them, or compares them with the slices of a
//! second model.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use slice_check::compare::{self, Chain, Difference, NotCompared};
use slice_check::findings::Findings;
use slice_check::fix::ChangeKind;
use slice_check::print::Escaped;
use slice_check::report::{Report, ReportedSlice};
use slice_check::support::{self, Support};
use slice_check::{Model, print};
use slice_systems::System;

use super::output;
use super::print;
use super::printed::{print_error, print_with};
use crate::input::CommandError;

const EXAMPLES: &str = "\
Examples:
  slice check model.onnx
  slice check model.onnx --strict --for litert,openvino
  slice check before.onnx after.onnx
  slice check model.onnx --fix fixed.onnx
  slice check --each models/*.onnx

Exit status:
  0  no slice has a mistake; with --for, the systems support every slice;
     if two models are compared, they have the same slices
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

    /// A second model of the same network, to compare with the first; with --each, more models
    #[arg(value_name = "OTHER")]
    others: Vec<PathBuf>,

    /// Check that every slice is supported by the given systems (comma-separated)
    #[arg(long = "for", value_name = "SYSTEM", value_delimiter = ',', value_parser = support::find_system)]
    systems: Vec<System>,

    /// Write a fixed copy of the model: resolve bounds, remove slices that select everything, and merge nested slices
    #[arg(long, value_name = "OUT.onnx", conflicts_with = "others")]
    fix: Option<PathBuf>,

    /// Exit with status 1 if an operation that selects elements was not examined, or if the outputs of two models were
    /// not compared
    #[arg(long)]
    strict: bool,

    /// Check each model by itself, instead of comparing two models
    #[arg(long, conflicts_with = "fix")]
    each: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Check each model by itself, and print a SARIF log, which code hosts display
    #[arg(long, conflicts_with_all = ["fix", "json"])]
    sarif: bool,

    /// Check each model by itself, and print annotations for a workflow on GitHub
    #[arg(long, conflicts_with_all = ["fix", "json", "sarif"])]
    github: bool,
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

impl CheckedModel {
    fn failure(&self, error: &impl Display) -> CommandError {
        failure(&self.name, error)
    }
}

/// Creates an error that starts with the name of the model.
fn failure(name: &str, error: &impl Display) -> CommandError {
    CommandError::failure(format!("{name}: {}", Escaped(error)))
}

fn read(path: &Path) -> Result<Model, CommandError> {
    let name = Escaped(path.display()).to_string();
    Model::read(path).map_err(|error| failure(&name, &error))
}

fn check_model(path: &Path, systems: &[System]) -> Result<CheckedModel, CommandError> {
    let file = path.display().to_string();
    let name = Escaped(&file).to_string();
    let model = read(path)?;
    let report = model.check(systems);
    Ok(CheckedModel {
        report: report.map_err(|error| failure(&name, &error))?,
        file,
        name,
        model,
    })
}

/// Runs `slice check`. Returns an error if a slice has a mistake, a requested system does not support a slice, the
/// models differ, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let printing_options = [(arguments.json, "--json")];
    let is_standard_output =
        output::is_standard_output(arguments.fix.as_deref(), &printing_options, "model")?;
    if arguments.each || arguments.sarif || arguments.github {
        return check_each(arguments);
    }
    match arguments.others.as_slice() {
        [] => {}
        [other] => return compare_models(&arguments.model, other, arguments),
        others => {
            return Err(CommandError::usage(format!(
                "only two models can be compared, but {} were given; use --each to check each by itself",
                others.len() + 1
            )));
        }
    }
    let one = check_model(&arguments.model, &arguments.systems)?;
    match &arguments.fix {
        None => report_on_model(&one, arguments),
        Some(out) => fix(&one, out, is_standard_output, arguments),
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

/// Checks each model by itself.
fn check_each(arguments: &Arguments) -> Result<(), CommandError> {
    let prints_findings = arguments.sarif || arguments.github;
    let mut findings = Findings::default();
    let mut failed = 0;
    let models = std::iter::once(&arguments.model).chain(&arguments.others);
    for (number, path) in models.enumerate() {
        let checked = check_model(path, &arguments.systems);
        let outcome = match &checked {
            Err(error) => {
                findings.add_unreadable(&path.display().to_string(), error.to_string());
                Err(CommandError::failure(error.to_string()))
            }
            Ok(checked) if prints_findings => {
                let (systems, report) = (&arguments.systems, &checked.report);
                findings
                    .add(&checked.file, report, systems, arguments.strict)
                    .map_err(|error| checked.failure(&error))
                    .and_then(|()| check_outcome(checked, arguments))
            }
            Ok(checked) => {
                if number > 0 && !arguments.json {
                    print("\n");
                }
                report_on_model(checked, arguments).map_err(|error| checked.failure(&error))
            }
        };
        if let Err(error) = outcome {
            failed += 1;
            if !prints_findings {
                print_error(&error);
            }
        }
    }
    if arguments.sarif {
        print_with(|out| findings.write_sarif(out, env!("CARGO_PKG_VERSION")));
    } else if arguments.github {
        print_with(|out| findings.write_annotations(out));
    }
    match failed {
        0 => Ok(()),
        failed => Err(CommandError::failure(format!(
            "{failed} of {} models failed the check",
            1 + arguments.others.len()
        ))),
    }
}

/// Returns an error if a slice has a mistake, or a requested system does not support a slice.
fn check_outcome(checked: &CheckedModel, arguments: &Arguments) -> Result<(), CommandError> {
    let slices = checked.report.slices.len();
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
            .slices
            .iter()
            .flat_map(|reported| reported.systems.iter());
        supports
            .clone()
            .any(|one| one.system == system.id && one.how >= Support::NeedsShape)
    };
    let refused = arguments.systems.iter().filter(|system| is_refused(system));
    let refused: Vec<&str> = refused.map(|system| system.name).collect();
    if !refused.is_empty() {
        return Err(CommandError::failure(format!(
            "not all slices are supported by {}",
            refused.join(", ")
        )));
    }
    match arguments.strict && !checked.report.not_examined.is_empty() {
        true => Err(CommandError::failure(print::not_examined_count(
            &checked.report,
        ))),
        false => Ok(()),
    }
}

/// Writes the fixed model after checking that its slices select the same elements as the slices of the original model.
fn fix(
    checked: &CheckedModel,
    out: &Path,
    is_standard_output: bool,
    arguments: &Arguments,
) -> Result<(), CommandError> {
    let fixed = checked.model.fix(&checked.report);
    let (bytes, changes) = fixed.map_err(|error| checked.failure(&error))?;
    output::write(out, &bytes)?;
    if arguments.json {
        let json = json!({ "file": checked.file, "written": out.display().to_string(), "changes": changes });
        print_with(|out| print::write_json(out, &json, &[&checked.report]));
    } else if !is_standard_output {
        let mut text = String::new();
        for change in &changes {
            let name = Escaped(&change.name);
            let call = change.call.as_deref().unwrap_or_default();
            text += &match change.done {
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
struct ComparedModels<'a> {
    models: [ComparedModel<'a>; 2],
    difference: &'a Option<Difference>,
    not_compared: &'a Option<NotCompared>,
}

#[derive(Serialize)]
struct ComparedModel<'a> {
    file: &'a str,
    about: &'a str,
    slices: &'a [Chain],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_examined: &'a [ReportedSlice],
}

/// Compares two models.
fn compare_models(one: &Path, other: &Path, arguments: &Arguments) -> Result<(), CommandError> {
    let files = [one, other].map(|path| path.display().to_string());
    let comparison = compare::compare(&read(one)?, &read(other)?);
    let comparison =
        comparison.map_err(|error| CommandError::failure(Escaped(error).to_string()))?;
    if arguments.json {
        let json = ComparedModels {
            models: [0, 1].map(|at| ComparedModel {
                file: &files[at],
                about: &comparison.reports[at].about,
                slices: &comparison.slices[at],
                not_examined: &comparison.reports[at].not_examined,
            }),
            difference: &comparison.difference,
            not_compared: &comparison.not_compared,
        };
        let reports = comparison.reports.each_ref();
        print_with(|out| print::write_json(out, &json, &reports));
    } else {
        let files = files.each_ref().map(String::as_str);
        print_with(|out| print::write_comparison(out, files, &comparison));
    }
    match comparison.failure(arguments.strict) {
        Some(difference) => Err(CommandError::failure(difference)),
        None => Ok(()),
    }
}
