//! Formats a report as text.

use anstyle::{AnsiColor, Style};

use super::carried::{Carried, How};
use super::report::{Entry, Report};
use crate::model::Unit;
use crate::model::number::shape_text;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const REFUSED: Style = AnsiColor::Yellow.on_default();
const TITLE: Style = Style::new().bold();

/// Formats a report. If `asked` is `true`, an operation has a line for each system, and otherwise only lines for
/// refusals and defects.
pub fn text(file: &str, report: &Report, asked: bool) -> String {
    let slices = slices(report.operations.len());
    let mut text = format!(
        "{TITLE}{file}{TITLE:#}: {}\n{} nodes, {slices}\n",
        report.about, report.nodes
    );
    for (number, entry) in (1..).zip(&report.operations) {
        text += &format!("\n{number}. {}\n", place(entry, report.unit));
        for line in lines(entry, asked) {
            text += &format!("   {line}\n");
        }
    }
    let summary = summary(report);
    if !summary.is_empty() {
        text += &format!("\n{TITLE}systems{TITLE:#}\n{summary}");
    }
    text
}

/// Formats a number of slices.
pub fn slices(count: usize) -> String {
    match count {
        1 => "1 slice".into(),
        count => format!("{count} slices"),
    }
}

/// Describes an operation and its location in the model.
pub fn place(entry: &Entry, unit: Unit) -> String {
    let name = match (&entry.name, &entry.output) {
        (name, output) if name.is_empty() => {
            format!("the {} that produces {output}", entry.operation)
        }
        (name, _) => format!("{TITLE}{name}{TITLE:#}, {}", entry.operation),
    };
    let part = entry
        .part
        .map(|(part, of)| format!(", output {part} of {of}"))
        .unwrap_or_default();
    let scope = match &entry.scope {
        scope if scope.is_empty() => String::new(),
        scope => format!(", in {scope}"),
    };
    format!("{name}{part}{scope} (at {unit} {})", entry.at)
}

fn lines(entry: &Entry, asked: bool) -> Vec<String> {
    let shape = |shape: &Option<super::report::Shape>| {
        shape
            .as_ref()
            .map_or("?".to_owned(), |shape| shape_text(&shape.0))
    };
    let mut lines = Vec::new();
    let slice = entry.slice.as_deref().unwrap_or("x[?]");
    lines.push(format!(
        "{TITLE}{slice}{TITLE:#}  {} -> {}",
        shape(&entry.input_shape),
        shape(&entry.output_shape)
    ));
    lines.extend(entry.call.clone());
    if !entry.at_run_time.is_empty() {
        let values = entry.at_run_time.join(", ");
        lines.push(format!(
            "{NOTE}note:{NOTE:#} known only at run time: {values}"
        ));
    }
    for note in &entry.notes {
        lines.push(format!("{NOTE}note:{NOTE:#} {note}"));
    }
    for wrong in &entry.wrong {
        lines.push(format!("{ERROR}wrong:{ERROR:#} {wrong}"));
    }
    if asked {
        lines.extend(entry.systems.iter().flat_map(of_a_system));
    } else {
        lines.extend(of_all_systems(&entry.systems));
    }
    for one in &entry.converters {
        lines.push(format!(
            "{REFUSED}warning:{REFUSED:#} {} {}: {}",
            one.converter, one.version, one.text
        ));
    }
    lines
}

/// Formats how a system expresses an operation: the call in the system's notation or the reason why there is none, and
/// known defects.
fn of_a_system(carried: &Carried) -> Vec<String> {
    let name = carried.name;
    let indented = |text: &str| text.replace('\n', &format!("\n{:15}", ""));
    let mut lines = vec![match (&carried.call, &carried.why) {
        (Some(call), _) if carried.how == How::Exact => {
            format!("{name:<11} exact: {}", indented(call))
        }
        (Some(call), _) => format!("{name:<11} for this shape: {}", indented(call)),
        (None, _) if carried.how == How::NeedsShape => {
            format!("{name:<11} only with a known shape, which the model does not specify")
        }
        (None, why) => {
            let why = why.as_deref().unwrap_or_default();
            format!("{name:<11} {REFUSED}refused:{REFUSED:#} {why}")
        }
    }];
    for defect in &carried.defects {
        lines.push(format!("{:11} {REFUSED}warning:{REFUSED:#} {defect}", ""));
    }
    lines
}

/// Formats the refusals of an operation by systems, and the known defects of systems that affect it.
fn of_all_systems(systems: &[Carried]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in systems.iter().filter(|one| one.how == How::Refused) {
        let why = one.why.as_deref().unwrap_or_default();
        lines.push(format!(
            "{REFUSED}refused by {}:{REFUSED:#} {why}",
            one.name
        ));
    }
    for defect in systems.iter().flat_map(|one| &one.defects) {
        lines.push(format!("{REFUSED}warning:{REFUSED:#} {defect}"));
    }
    lines
}

/// Counts, for each system, the slices that it expresses for every shape, for the shape in the model, only for a known
/// shape, or not at all.
fn summary(report: &Report) -> String {
    let all = report.operations.iter().flat_map(|entry| &entry.systems);
    let mut names: Vec<&str> = Vec::new();
    for one in all.clone() {
        if !names.contains(&one.name) {
            names.push(one.name);
        }
    }
    let mut text = String::new();
    for name in names {
        let count = |how: How| {
            let is = |one: &&Carried| one.name == name && one.how == how;
            all.clone().filter(is).count()
        };
        let counted = [
            (How::Exact, "exact"),
            (How::ExactForThisShape, "exact for this shape"),
            (How::NeedsShape, "only with a known shape"),
            (How::Refused, "refused"),
        ];
        let counted = counted.into_iter().filter(|(how, _)| count(*how) > 0);
        let counted: Vec<String> = counted
            .map(|(how, label)| format!("{} {label}", count(how)))
            .collect();
        text += &format!("{name:<11} {}\n", counted.join(", "));
    }
    text
}
