//! The findings of checks, in the formats of code hosts: SARIF, and the annotations of GitHub's workflows.

use std::io::{self, Write};

use anstyle::Style;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use slice_systems::System;

use super::escaped::Escaped;
use super::print;
use super::report::{Report, ReportedSlice};
use super::support::Support;
use crate::model::{Budget, ModelError, Unit};

/// The identifiers of the kinds of findings, and their descriptions.
const RULES: [(&str, &str); 4] = [
    (UNREADABLE, "the model cannot be read"),
    (MISTAKE, "the slice has a mistake"),
    (UNSUPPORTED, "a required system does not support the slice"),
    (
        NOT_EXAMINED,
        "the operation selects elements but was not examined",
    ),
];
const UNREADABLE: &str = "unreadable";
const MISTAKE: &str = "mistake";
const UNSUPPORTED: &str = "unsupported";
const NOT_EXAMINED: &str = "not-examined";

/// The findings in some models.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, findings::Findings};
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let mut findings = Findings::default();
/// findings.add("sentinels.onnx", &report, &[], false)?;
/// let mut text = Vec::new();
/// findings.write_annotations(&mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.starts_with("::error file=sentinels.onnx,title=backwards"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Findings {
    findings: Vec<Finding>,
    /// The memory that may be used for models of these sizes.
    budget: Budget,
}

#[derive(Debug)]
struct Finding {
    rule: &'static str,
    file: String,
    /// The operation, and the unit and value of its location.
    operation: Option<(String, Unit, usize)>,
    message: String,
    is_error: bool,
}

impl Findings {
    /// Adds a finding for a file that cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Model, findings::Findings};
    ///
    /// let mut findings = Findings::default();
    /// if let Err(error) = Model::from_bytes(b"\x08".to_vec()) {
    ///     findings.add_unreadable("broken.onnx", error.to_string());
    /// }
    /// let mut text = Vec::new();
    /// findings.write_annotations(&mut text)?;
    /// assert!(text.starts_with(b"::error file=broken.onnx,title=slice check::"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_unreadable(&mut self, file: &str, message: String) {
        self.findings.push(Finding {
            rule: UNREADABLE,
            file: file.to_owned(),
            operation: None,
            message,
            is_error: true,
        });
    }

    /// Adds the findings in the report on the model in `file`: the mistakes, the slices that one of `systems` does not
    /// support, and the operations that were not examined, which are errors if `is_strict` is `true`.
    ///
    /// # Errors
    ///
    /// Returns an error if the findings need more memory than the size of the model's file allows.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Model, findings::Findings, support::find_system};
    ///
    /// let systems = [find_system("coreml")?];
    /// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&systems)?;
    /// let mut findings = Findings::default();
    /// findings.add("sentinels.onnx", &report, &systems, false)?;
    /// let mut text = Vec::new();
    /// findings.write_annotations(&mut text)?;
    /// assert_eq!(String::from_utf8(text)?.lines().count(), 1); // Core ML supports all slices
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(
        &mut self,
        file: &str,
        report: &Report,
        systems: &[System],
        is_strict: bool,
    ) -> Result<(), ModelError> {
        self.budget.add_file(report.budget.file_bytes());
        for reported in &report.slices {
            let slice = reported.slice.as_deref().unwrap_or("x[?]");
            let mut add =
                |rule, message| self.add_operation(rule, message, file, (report, reported), true);
            for wrong in &reported.mistakes {
                add(MISTAKE, format!("{slice}: {wrong}"))?;
            }
            for support in &*reported.systems {
                let is_required = systems.iter().any(|one| one.id == support.system);
                if support.how < Support::NeedsShape || !is_required {
                    continue;
                }
                let why = support.why.as_deref();
                let why = why.unwrap_or("the model does not specify the shape of the array");
                let name = support.name;
                add(
                    UNSUPPORTED,
                    format!("{slice} is not supported by {name}: {why}"),
                )?;
            }
        }
        for reported in &report.not_examined {
            for note in &reported.notes {
                let (note, at) = (note.to_string(), (report, reported));
                self.add_operation(NOT_EXAMINED, note, file, at, is_strict)?;
            }
        }
        Ok(())
    }

    fn add_operation(
        &mut self,
        rule: &'static str,
        message: String,
        file: &str,
        (report, reported): (&Report, &ReportedSlice),
        is_error: bool,
    ) -> Result<(), ModelError> {
        let place = print::location_text(reported, report.unit, Style::new());
        let bytes = size_of::<Finding>() + message.len() + file.len() + place.len();
        self.budget.take(bytes)?;
        self.findings.push(Finding {
            rule,
            file: file.to_owned(),
            operation: Some((place, report.unit, reported.at)),
            message,
            is_error,
        });
        Ok(())
    }

    /// Writes a SARIF 2.1.0 log. `version` is the version of the command.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if the log is longer than the sizes of the models' files allow.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Model, findings::Findings};
    ///
    /// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
    /// let mut findings = Findings::default();
    /// findings.add("sentinels.onnx", &report, &[], false)?;
    /// let mut text = Vec::new();
    /// findings.write_sarif(&mut text, "0.1.0")?;
    /// let log: serde_json::Value = serde_json::from_slice(&text)?;
    /// assert_eq!(log["runs"][0]["results"][0]["ruleId"], "mistake");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_sarif(&self, out: &mut dyn Write, version: &str) -> io::Result<()> {
        let rules =
            RULES.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
        let log = Log {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: json!({ "driver": { "name": "slice check", "version": version, "rules": rules } }),
                results: &self.findings,
            }],
        };
        print::write_json_within(out, &log, &self.budget)
    }

    /// Writes workflow commands, which GitHub shows as annotations.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does, or if the text is longer than the sizes of the models' files allow.
    pub fn write_annotations(&self, out: &mut dyn Write) -> io::Result<()> {
        let out = &mut self.budget.limit_output(out);
        for finding in &self.findings {
            let command = if finding.is_error { "error" } else { "notice" };
            let file = escape_property(&finding.file);
            let line = match finding.operation {
                Some((_, Unit::Line, line)) => format!(",line={line}"),
                _ => String::new(),
            };
            let title = finding
                .operation
                .as_ref()
                .map_or("slice check", |(place, ..)| place);
            let (title, message) = (escape_property(title), escape(&finding.message));
            writeln!(
                out,
                "::{command} file={file}{line},title={title}::{message}"
            )?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
struct Run<'a> {
    tool: Value,
    #[serde(serialize_with = "serialize_results")]
    results: &'a [Finding],
}

fn serialize_results<S: Serializer>(
    findings: &[Finding],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|finding| {
        let uri = uri(&finding.file, cfg!(windows));
        let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } });
        if let Some((place, unit, at)) = &finding.operation {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": place }]);
            let unit = match unit {
                Unit::Line => Some("startLine"),
                Unit::Byte => Some("byteOffset"),
                Unit::Node => None,
            };
            if let Some(unit) = unit {
                location["physicalLocation"]["region"] = json!({ unit: at });
            }
        }
        json!({
            "ruleId": finding.rule,
            "level": if finding.is_error { "error" } else { "note" },
            "message": { "text": finding.message },
            "locations": [location],
        })
    }))
}

/// Returns the URI of a file: a relative reference, unless the path is absolute. In a path of Windows, backslashes separate
/// folders, and an absolute path begins with a drive or a server.
fn uri(file: &str, is_windows: bool) -> String {
    const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~');
    let encode = |path: &str| utf8_percent_encode(path, IN_PATH).to_string();
    if !is_windows {
        let scheme = if file.starts_with('/') { "file://" } else { "" };
        return format!("{scheme}{}", encode(file));
    }
    let path = file.replace('\\', "/");
    let path = match path.strip_prefix("//?/UNC/") {
        Some(path) => format!("//{path}"),
        None => path.strip_prefix("//?/").unwrap_or(&path).to_owned(),
    };
    match path.as_bytes() {
        [b'/', b'/', ..] => format!("file:{}", encode(&path)),
        [b'/', ..] => format!("file://{}", encode(&path)),
        [letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => {
            format!("file:///{}{}", &path[..2], encode(&path[2..]))
        }
        _ => encode(&path),
    }
}

/// Escapes the message of a workflow command.
fn escape(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D");
    Escaped(text.replace('\n', "%0A")).to_string()
}

/// Escapes a property of a workflow command.
fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_uris() {
        for (path, expected) in [
            ("models/a.onnx", "models/a.onnx"),
            ("../a b/#1%.onnx", "../a%20b/%231%25.onnx"),
            ("/srv/é.onnx", "file:///srv/%C3%A9.onnx"),
            (r"C:\a.onnx", "C%3A%5Ca.onnx"),
        ] {
            assert_eq!(uri(path, false), expected);
        }
        for (path, expected) in [
            (r"models\a b.onnx", "models/a%20b.onnx"),
            (r"..\a-b_c.d~e\é.onnx", "../a-b_c.d~e/%C3%A9.onnx"),
            (r"C:\models\a b.onnx", "file:///C:/models/a%20b.onnx"),
            ("d:/models/#1.onnx", "file:///d:/models/%231.onnx"),
            (r"\models\a.onnx", "file:///models/a.onnx"),
            (r"\\server\share\a.onnx", "file://server/share/a.onnx"),
            (r"\\?\C:\a.onnx", "file:///C:/a.onnx"),
            (r"\\?\UNC\server\a.onnx", "file://server/a.onnx"),
        ] {
            assert_eq!(uri(path, true), expected);
        }
    }
}
