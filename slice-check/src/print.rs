//! Writes reports and comparisons as text. Control characters in the names of the model are escaped.

use std::io::{self, Write};
use std::sync::Arc;

use anstyle::{AnsiColor, Style};

use serde::Serialize;

use super::compare::{Chain, Comparison, Difference, NotCompared};
use super::report::{Report, ReportedSlice};
use super::support::{Support, SystemSupport};
pub use crate::escaped::Escaped;
use crate::escaped::is_control;
use crate::model::number::shape_text;
use crate::model::{Budget, Dim, Unit};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default();
const TITLE: Style = Style::new().bold();

/// Writes a report. If `lists_all_systems` is `true`, the text for an operation contains a line for each system, and
/// otherwise only lines for refusals and defects.
///
/// # Errors
///
/// Returns an error if `out` does, or if the report is longer than the size of the model's file allows.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, print::write_text};
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let mut text = Vec::new();
/// write_text(&mut text, "sentinels.onnx", &report, false)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.contains("(1, 3, 8, 8) -> (1, 3, 4, 8)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_text(
    out: &mut dyn Write,
    file: &str,
    report: &Report,
    lists_all_systems: bool,
) -> io::Result<()> {
    let out = &mut report.budget.limit_output(out);
    let (file, about) = (Escaped(file), Escaped(&report.about));
    let nodes = quantity(report.nodes, "node");
    let slices = quantity(report.slices.len(), "slice");
    writeln!(out, "{TITLE}{file}{TITLE:#}: {about}\n{nodes}, {slices}")?;
    for (number, reported) in (1..).zip(&report.slices) {
        writeln!(
            out,
            "\n{number}. {}",
            location_text(reported, report.unit, TITLE)
        )?;
        for line in slice_lines(reported, lists_all_systems) {
            writeln!(out, "   {line}")?;
        }
    }
    if !report.not_examined.is_empty() {
        writeln!(out, "\n{}:", not_examined_count(report))?;
        write_not_examined(out, report)?;
    }
    let summary = summary(report);
    if !summary.is_empty() {
        write!(out, "\n{TITLE}systems{TITLE:#}\n{summary}")?;
    }
    Ok(())
}

/// Writes reports, or parts of them, as JSON. Control characters are escaped.
///
/// # Errors
///
/// Returns an error if `out` does, or if the JSON is longer than the sizes of the models' files allow.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, print::write_json};
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let mut text = Vec::new();
/// write_json(&mut text, &report, &[&report])?;
/// let json: serde_json::Value = serde_json::from_slice(&text)?;
/// assert_eq!(json["operations"][0]["slice"], "x[:, :, ::2]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_json(
    out: &mut dyn Write,
    json: &impl Serialize,
    reports: &[&Report],
) -> io::Result<()> {
    write_json_within(out, json, &joint_budget(reports.iter().copied()))
}

fn joint_budget<'a>(reports: impl Iterator<Item = &'a Report>) -> Budget {
    let mut budget = Budget::default();
    for report in reports {
        budget.add_file(report.budget.file_bytes());
    }
    budget
}

/// Writes JSON, with control characters escaped, within a budget.
pub(crate) fn write_json_within(
    out: &mut dyn Write,
    json: &impl Serialize,
    budget: &Budget,
) -> io::Result<()> {
    let mut out = budget.limit_output(EscapedJson(out));
    serde_json::to_writer_pretty(&mut out, json)?;
    writeln!(out)
}

/// Escapes characters that JSON permits in strings but that control the terminal. They occur only in strings.
struct EscapedJson<'a>(&'a mut dyn Write);

impl Write for EscapedJson<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Strings are written in parts that are UTF-8.
        let Ok(text) = str::from_utf8(bytes) else {
            return self.0.write(bytes);
        };
        for part in text.split_inclusive(|character| is_control(character) && character != '\n') {
            let escaped = part
                .chars()
                .next_back()
                .filter(|&last| is_control(last) && last != '\n');
            match escaped {
                Some(last) => {
                    self.0
                        .write_all(&part.as_bytes()[..part.len() - last.len_utf8()])?;
                    write!(self.0, "\\u{:04x}", u32::from(last))?;
                }
                None => self.0.write_all(part.as_bytes())?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Lists the operations that select elements but were not examined.
fn write_not_examined(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for reported in &report.not_examined {
        let location = location_text(reported, report.unit, TITLE);
        for note in &reported.notes {
            writeln!(out, "   {location}: {}", Escaped(note))?;
        }
    }
    Ok(())
}

/// Writes the first difference between two models, or the number of slices that they have in common.
///
/// # Errors
///
/// Returns an error if `out` does, or if the text is longer than the sizes of the models' files allow.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, compare::compare, print::write_comparison};
///
/// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
/// let mut text = Vec::new();
/// write_comparison(&mut text, ["a.onnx", "b.onnx"], &compare(&model, &model)?)?;
/// assert!(String::from_utf8(text)?.starts_with("a.onnx and b.onnx have the same slices: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_comparison(
    out: &mut dyn Write,
    files: [&str; 2],
    comparison: &Comparison,
) -> io::Result<()> {
    let names = files.map(|file| Escaped(file).to_string());
    let [name, other_name] = &names;
    let reports = &comparison.reports;
    let budget = joint_budget(reports.iter());
    let out = &mut budget.limit_output(out);
    match &comparison.difference {
        None => {}
        Some(Difference::Values([value, other_value])) => {
            return write!(
                out,
                "both models have the same slices, but these values are computed from them differently:\n\n\
                 {name}: {}\n{other_name}: {}\n",
                Escaped(value),
                Escaped(other_value)
            );
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
                let slice = describe_chain(name, &reports[at], &comparison.slices[at][index]);
                Some(format!(
                    "slice {number} of {name} is the first that {other} does not {verb}\n\n{slice}"
                ))
            };
            let sides: Vec<String> = (0..2).filter_map(side).collect();
            return out.write_all(sides.join("\n").as_bytes());
        }
    }
    let result = match comparison.has_same_slices {
        true => "have the same slices",
        false => "compute the same from different slices",
    };
    write!(out, "{name} and {other_name} {result}")?;
    let mut all_reports = reports.iter();
    if comparison.not_compared.is_some()
        || all_reports.any(|report| !report.not_examined.is_empty())
    {
        write!(out, ", as far as they were compared")?;
    }
    if comparison.has_same_slices && !comparison.has_same_order {
        write!(out, ", but in a different order")?;
    }
    let counts = comparison.slices.each_ref();
    let [count, other_count] = counts.map(|slices| quantity(slices.len(), "slice"));
    match comparison.has_same_order {
        true => writeln!(out, ": {count}")?,
        false => writeln!(out, ": {count} and {other_count}")?,
    }
    if let Some(reason) = &comparison.not_compared {
        writeln!(out, "\n{}", outputs_not_compared(reason))?;
    }
    for (name, report) in names.iter().zip(reports) {
        if !report.not_examined.is_empty() {
            writeln!(out, "\n{name}: {}:", not_examined_count(report))?;
            write_not_examined(out, report)?;
        }
    }
    Ok(())
}

impl Comparison {
    /// Returns a message if the models differ. If `is_strict` is `true`, also returns a message if a part of a model was
    /// not compared.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Model, compare::compare};
    ///
    /// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
    /// assert_eq!(compare(&model, &model)?.failure(true), None);
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    #[must_use]
    pub fn failure(&self, is_strict: bool) -> Option<String> {
        match (&self.difference, &self.not_compared) {
            (Some(Difference::Values([value, _])), _) => {
                Some(format!("the models differ in {}", Escaped(value)))
            }
            (Some(Difference::Slices([index, other])), _) => {
                let index = index.or(*other).unwrap_or(0);
                Some(format!("the models differ in slice {}", index + 1))
            }
            (None, _) if !is_strict => None,
            (None, Some(reason)) => Some(outputs_not_compared(reason)),
            (None, None) => {
                let mut reports = self.reports.iter();
                let report = reports.find(|report| !report.not_examined.is_empty());
                report.map(not_examined_count)
            }
        }
    }
}

fn outputs_not_compared(reason: &NotCompared) -> String {
    let reason = Escaped(reason.to_string());
    format!("the outputs were not compared, only the slices and how they are joined: {reason}")
}

/// Describes a chain of slices, and the location of its last slice in the model.
fn describe_chain(name: &str, report: &Report, chain: &Chain) -> String {
    let [input, output] = [&chain.input_shape, &chain.output_shape].map(escaped_shape);
    let location = location_text(&report.slices[chain.operation], report.unit, TITLE);
    let uses = chain.uses.iter();
    let uses: String = uses.map(|text| format!(", {}", Escaped(text))).collect();
    let slice = Escaped(&chain.slice);
    format!("{name}: {slice}  {input} -> {output}{uses}\n   {location}\n")
}

fn escaped_shape(shape: &Option<Arc<[Dim]>>) -> String {
    let text = shape.as_deref().map(shape_text);
    Escaped(text.as_deref().unwrap_or("?")).to_string()
}

/// Returns a sentence with the number of operations that were not examined, without the final punctuation mark.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, print::not_examined_count};
///
/// let text = r#"func.func @main(%x: tensor<8xf32>, %at: tensor<3x1xi32>) -> tensor<3xf32> {
///   %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<
///       collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
///       slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<3x1xi32>) -> tensor<3xf32>
///   return %0 : tensor<3xf32>
/// }"#;
/// let report = Model::from_bytes(text.into())?.check(&[])?;
/// assert_eq!(not_examined_count(&report), "1 operation that selects was not examined");
/// # Ok::<(), slice_check::ModelError>(())
/// ```
pub fn not_examined_count(report: &Report) -> String {
    match report.not_examined.len() {
        1 => "1 operation that selects was not examined".to_owned(),
        count => format!("{count} operations that select were not examined"),
    }
}

/// Formats a count with a noun, which takes an `s` in the plural.
fn quantity(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Describes an operation, with its name in the style `title`, and its location in the model.
pub(crate) fn location_text(reported: &ReportedSlice, unit: Unit, title: Style) -> String {
    let name = match (&reported.name, &reported.output) {
        (name, output) if name.is_empty() => {
            let (operation, output) = (Escaped(&reported.operation), Escaped(output));
            format!("the {operation} that produces {output}")
        }
        (name, _) => {
            let (name, operation) = (Escaped(name), Escaped(&reported.operation));
            format!("{title}{name}{title:#}, {operation}")
        }
    };
    let part = reported
        .part
        .map(|(part, count)| format!(", output {part} of {count}"))
        .unwrap_or_default();
    let scope = match &reported.scope {
        scope if scope.is_empty() => String::new(),
        scope => format!(", in {}", Escaped(scope)),
    };
    format!("{name}{part}{scope} (at {unit} {})", reported.at)
}

fn slice_lines(reported: &ReportedSlice, lists_all_systems: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let slice = Escaped(reported.slice.as_deref().unwrap_or("x[?]"));
    lines.push(format!(
        "{TITLE}{slice}{TITLE:#}  {} -> {}",
        escaped_shape(&reported.input_shape),
        escaped_shape(&reported.output_shape)
    ));
    lines.extend(reported.call.clone());
    if !reported.at_run_time.is_empty() {
        let values = Escaped(reported.at_run_time.join(", "));
        lines.push(format!(
            "{NOTE}note:{NOTE:#} known only at run time: {values}"
        ));
    }
    for note in &reported.notes {
        lines.push(format!("{NOTE}note:{NOTE:#} {}", Escaped(note)));
    }
    for wrong in &reported.mistakes {
        lines.push(format!("{ERROR}wrong:{ERROR:#} {}", Escaped(wrong)));
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
    let all = report.slices.iter();
    let all = all.flat_map(|reported| reported.systems.iter());
    // The number of slices for each system, by the kind of support.
    let mut counts: Vec<(&str, [usize; 4])> = Vec::new();
    for one in all {
        let at = counts.iter().position(|(name, _)| *name == one.name);
        let at = at.unwrap_or_else(|| {
            counts.push((one.name, [0; 4]));
            counts.len() - 1
        });
        counts[at].1[one.how as usize] += 1;
    }
    let labels = [
        (Support::Exact, "exact"),
        (Support::ExactForThisShape, "exact for this shape"),
        (Support::NeedsShape, "only with a known shape"),
        (Support::Refused, "refused"),
    ];
    let mut text = String::new();
    for (name, counts) in counts {
        let labels = labels.map(|(how, label)| (counts[how as usize], label));
        let labels = labels.into_iter().filter(|(count, _)| *count > 0);
        let labels: Vec<String> = labels
            .map(|(count, label)| format!("{count} {label}"))
            .collect();
        text += &format!("{name:<11} {}\n", labels.join(", "));
    }
    text
}
