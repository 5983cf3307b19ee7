//! Formats a report as text.

use anstyle::{AnsiColor, Style};

use super::report::{Report, ReportedSlice};
use super::support::{Support, SystemSupport};
use crate::model::Unit;
use crate::model::number::shape_text;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default();
const TITLE: Style = Style::new().bold();

/// Formats a report. If `lists_all_systems` is `true`, the text for an operation contains a line for each system, and
/// otherwise only lines for refusals and defects.
pub fn text(file: &str, report: &Report, lists_all_systems: bool) -> String {
    let nodes = quantity(report.nodes, "node");
    let slices = quantity(report.operations.len(), "slice");
    let mut text = format!(
        "{TITLE}{file}{TITLE:#}: {}\n{nodes}, {slices}\n",
        report.about
    );
    for (number, reported) in (1..).zip(&report.operations) {
        text += &format!("\n{number}. {}\n", location_text(reported, report.unit));
        for line in slice_lines(reported, lists_all_systems) {
            text += &format!("   {line}\n");
        }
    }
    let not_examined = not_examined_text(report);
    if !not_examined.is_empty() {
        text += &format!("\n{not_examined}");
    }
    let summary = summary(report);
    if !summary.is_empty() {
        text += &format!("\n{TITLE}systems{TITLE:#}\n{summary}");
    }
    text
}

/// Lists the operations that select elements but were not examined.
pub fn not_examined_text(report: &Report) -> String {
    let mut text = String::new();
    if !report.not_examined.is_empty() {
        text = format!("{}:\n", not_examined_count(report));
    }
    for reported in &report.not_examined {
        let (location, why) = (location_text(reported, report.unit), &reported.notes);
        text += &format!("   {location}: {}\n", why.join("; "));
    }
    text
}

/// Returns a sentence with the number of operations that were not examined, without the final punctuation mark.
pub fn not_examined_count(report: &Report) -> String {
    match report.not_examined.len() {
        1 => "1 operation that selects was not examined".to_owned(),
        count => format!("{count} operations that select were not examined"),
    }
}

/// Formats a count with a noun, which takes an `s` in the plural.
pub fn quantity(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Describes an operation and its location in the model.
pub fn location_text(reported: &ReportedSlice, unit: Unit) -> String {
    let name = match (&reported.name, &reported.output) {
        (name, output) if name.is_empty() => {
            format!("the {} that produces {output}", reported.operation)
        }
        (name, _) => format!("{TITLE}{name}{TITLE:#}, {}", reported.operation),
    };
    let part = reported
        .part
        .map(|(part, count)| format!(", output {part} of {count}"))
        .unwrap_or_default();
    let scope = match &reported.scope {
        scope if scope.is_empty() => String::new(),
        scope => format!(", in {scope}"),
    };
    format!("{name}{part}{scope} (at {unit} {})", reported.at)
}

fn slice_lines(reported: &ReportedSlice, lists_all_systems: bool) -> Vec<String> {
    let shape = |shape: &Option<super::report::Shape>| {
        shape
            .as_ref()
            .map_or("?".to_owned(), |shape| shape_text(&shape.0))
    };
    let mut lines = Vec::new();
    let slice = reported.slice.as_deref().unwrap_or("x[?]");
    lines.push(format!(
        "{TITLE}{slice}{TITLE:#}  {} -> {}",
        shape(&reported.input_shape),
        shape(&reported.output_shape)
    ));
    lines.extend(reported.call.clone());
    if !reported.at_run_time.is_empty() {
        let values = reported.at_run_time.join(", ");
        lines.push(format!(
            "{NOTE}note:{NOTE:#} known only at run time: {values}"
        ));
    }
    for note in &reported.notes {
        lines.push(format!("{NOTE}note:{NOTE:#} {note}"));
    }
    for wrong in &reported.wrong {
        lines.push(format!("{ERROR}wrong:{ERROR:#} {wrong}"));
    }
    if lists_all_systems {
        lines.extend(reported.systems.iter().flat_map(system_lines));
    } else {
        lines.extend(refusal_and_defect_lines(&reported.systems));
    }
    for one in &reported.converters {
        lines.push(format!(
            "{WARNING}warning:{WARNING:#} {} {}: {}",
            one.converter, one.version, one.text
        ));
    }
    lines
}

/// Formats a system's support for an operation: the call in the system's notation or the reason why there is none, and
/// the known defects.
fn system_lines(support: &SystemSupport) -> Vec<String> {
    let name = support.name;
    let indented = |text: &str| text.replace('\n', &format!("\n{:15}", ""));
    let mut lines = vec![match (&support.call, &support.why) {
        (Some(call), _) if support.how == Support::Exact => {
            format!("{name:<11} exact: {}", indented(call))
        }
        (Some(call), _) => format!("{name:<11} for this shape: {}", indented(call)),
        (None, _) if support.how == Support::NeedsShape => {
            format!("{name:<11} only with a known shape, which the model does not specify")
        }
        (None, why) => {
            let why = why.as_deref().unwrap_or_default();
            format!("{name:<11} {WARNING}refused:{WARNING:#} {why}")
        }
    }];
    for defect in &support.defects {
        lines.push(format!("{:11} {WARNING}warning:{WARNING:#} {defect}", ""));
    }
    lines
}

/// Formats the reasons why systems cannot express an operation, and the known defects that affect the operation.
fn refusal_and_defect_lines(systems: &[SystemSupport]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in systems.iter().filter(|one| one.how == Support::Refused) {
        let why = one.why.as_deref().unwrap_or_default();
        lines.push(format!(
            "{WARNING}refused by {}:{WARNING:#} {why}",
            one.name
        ));
    }
    for defect in systems.iter().flat_map(|one| &one.defects) {
        lines.push(format!("{WARNING}warning:{WARNING:#} {defect}"));
    }
    lines
}

/// Formats, for each system, the numbers of slices that are supported for every shape, for the shape in the model, only
/// for a known shape, and not at all.
fn summary(report: &Report) -> String {
    let all = report
        .operations
        .iter()
        .flat_map(|reported| &reported.systems);
    let mut names: Vec<&str> = Vec::new();
    for one in all.clone() {
        if !names.contains(&one.name) {
            names.push(one.name);
        }
    }
    let mut text = String::new();
    for name in names {
        let count = |how: Support| {
            let has_support = |one: &&SystemSupport| one.name == name && one.how == how;
            all.clone().filter(has_support).count()
        };
        let labels = [
            (Support::Exact, "exact"),
            (Support::ExactForThisShape, "exact for this shape"),
            (Support::NeedsShape, "only with a known shape"),
            (Support::Refused, "refused"),
        ];
        let labels = labels.into_iter().filter(|(how, _)| count(*how) > 0);
        let labels: Vec<String> = labels
            .map(|(how, label)| format!("{} {label}", count(how)))
            .collect();
        text += &format!("{name:<11} {}\n", labels.join(", "));
    }
    text
}
