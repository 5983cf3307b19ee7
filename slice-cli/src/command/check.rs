//! Implements `slice check`, which checks the slices of a model, rewrites them, or compares them with the slices of a
//! second model.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use slice_check::compare::{self, Chain, Comparison, Difference, NotCompared};
use slice_check::findings::Findings;
use slice_check::fix::{self, ChangeKind};
use slice_check::print::Escaped;
use slice_check::report::{Report, ReportedSlice};
use slice_check::support::{self, Support};
use slice_check::{Model, print};
use slice_systems::System;

use super::output::{self, Output};
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
    /// Returns an error that starts with the name of the model.
    fn failure(&self, error: &impl Display) -> CommandError {
        CommandError::failure(format!("{}: {}", self.name, Escaped(error)))
    }
}

fn read(path: &Path) -> Result<Model, CommandError> {
    let to_error = |error| {
        let file = path.display().to_string();
        CommandError::failure(format!("{}: {}", Escaped(file), Escaped(error)))
    };
    Model::read(path).map_err(to_error)
}

fn check_model(path: &Path, systems: &[System]) -> Result<CheckedModel, CommandError> {
    let file = path.display().to_string();
    let name = Escaped(&file).to_string();
    let model = read(path)?;
    let to_error = |error| CommandError::failure(format!("{name}: {}", Escaped(error)));
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
    check_strictly(std::slice::from_ref(&checked.report), arguments)
}

/// With `--strict`, returns an error if an operation that selects elements was not examined.
fn check_strictly(reports: &[Report], arguments: &Arguments) -> Result<(), CommandError> {
    let mut reports = reports.iter();
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
    let fixed = checked.model.fix(&checked.report);
    let (bytes, changes) = fixed.map_err(|error| checked.failure(&error))?;
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
    let names = files.each_ref().map(|file| Escaped(file).to_string());
    let comparison = compare::compare(&read(one)?, &read(other)?);
    let comparison =
        comparison.map_err(|error| CommandError::failure(Escaped(error).to_string()))?;
    let Comparison {
        reports,
        slices,
        difference,
        not_compared,
        ..
    } = &comparison;
    if arguments.json {
        let json = ComparedModels {
            models: [0, 1].map(|at| ComparedModel {
                file: &files[at],
                about: &reports[at].about,
                slices: &slices[at],
                not_examined: &reports[at].not_examined,
            }),
            difference,
            not_compared,
        };
        print_with(|out| print::write_json(out, &json, &reports.each_ref()));
    }
    let [name, other_name] = &names;
    let (text, error) = match difference {
        None => {
            let counts = slices
                .each_ref()
                .map(|slices| print::quantity(slices.len(), "slice"));
            let result = match comparison.has_same_slices {
                true => "have the same slices",
                false => "compute the same from different slices",
            };
            let mut text = format!("{name} and {other_name} {result}");
            let mut reports = reports.iter();
            if not_compared.is_some() || reports.any(|report| !report.not_examined.is_empty()) {
                text += ", as far as they were compared";
            }
            if comparison.has_same_slices && !comparison.has_same_order {
                text += ", but in a different order";
            }
            text += &match comparison.has_same_order {
                true => format!(": {}\n", counts[0]),
                false => format!(": {} and {}\n", counts[0], counts[1]),
            };
            if let Some(reason) = not_compared {
                text += &format!("\n{}\n", outputs_not_compared(reason));
            }
            (text, None)
        }
        Some(Difference::Values([value, other_value])) => {
            let text = format!(
                "both models have the same slices, but these values are computed from them differently:\n\n\
                 {name}: {}\n{other_name}: {}\n",
                Escaped(value),
                Escaped(other_value)
            );
            (
                text,
                Some(format!("the models differ in {}", Escaped(value))),
            )
        }
        Some(Difference::Slices(indices)) => {
            let side = |at: usize| {
                let index = indices[at]?;
                let (number, name, other) = (index + 1, &names[at], &names[1 - at]);
                let verb = if comparison.has_same_slices {
                    "use in the same way"
                } else {
                    "contain"
                };
                let slice = describe_chain(name, &reports[at], &slices[at][index]);
                Some(format!(
                    "slice {number} of {name} is the first that {other} does not {verb}\n\n{slice}"
                ))
            };
            let sides: Vec<String> = (0..2).filter_map(side).collect();
            let index = indices[0].or(indices[1]).unwrap_or(0);
            let error = format!("the models differ in slice {}", index + 1);
            (sides.join("\n"), Some(error))
        }
    };
    if !arguments.json {
        print(&text);
        if error.is_none() {
            for (file, report) in files.iter().zip(reports) {
                print_with(|out| print::write_not_examined_in(out, file, report));
            }
        }
    }
    match error {
        Some(error) => Err(CommandError::failure(error)),
        None => match not_compared {
            Some(reason) if arguments.strict => {
                Err(CommandError::failure(outputs_not_compared(reason)))
            }
            _ => check_strictly(reports, arguments),
        },
    }
}

fn outputs_not_compared(reason: &NotCompared) -> String {
    let reason = Escaped(reason.to_string());
    format!("the outputs were not compared, only the slices and how they are joined: {reason}")
}

/// Describes a chain of slices, and the location of its last slice in the model.
fn describe_chain(name: &str, report: &Report, chain: &Chain) -> String {
    let shape = |shape: &Option<slice_check::report::Shape>| {
        shape
            .as_ref()
            .map_or("?".to_owned(), |shape| slice_check::shape_text(&shape.0))
    };
    let shapes = [&chain.input_shape, &chain.output_shape];
    let [input, output] = shapes.map(|one| Escaped(shape(one)));
    let location = print::location_text(&report.operations[chain.operation], report.unit);
    let uses = chain.uses.iter();
    let uses: String = uses.map(|text| format!(", {}", Escaped(text))).collect();
    let slice = Escaped(&chain.slice);
    format!("{name}: {slice}  {input} -> {output}{uses}\n   {location}\n")
}
