//! Compares the mistakes that are found in models with the verdicts of the systems. Each model has one operation that
//! selects elements. The scripts in this folder created the models, and ran the systems.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::Value;
use slice_check::report::ReportedSlice;
use slice_check::{Model, print};

/// A line of a recorded file.
struct Record {
    model: Vec<u8>,
    is_accepted: bool,
    /// The message of the system or, if it accepts the model, the number of elements or the shape of each result.
    detail: Value,
}

/// Reads the records of a system, without the models that it does not implement.
fn records(file: &[u8]) -> Vec<Record> {
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("the file should be compressed text");
    let lines = text.lines().skip(1);
    let records = lines.filter_map(|line| {
        let json: Value = serde_json::from_str(line).expect("each line should be JSON");
        let hex = json["model"].as_str().expect("a model");
        let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
        let verdict = &json["runtime"];
        let verdict = match verdict[0].as_str() {
            // The checker alone does not check lengths.
            Some("not implemented") if json["checker"][0] == "accepted" => return None,
            Some("not implemented") => &json["checker"],
            Some("refused for these inputs") => return None,
            _ => verdict,
        };
        Some(Record {
            model: (0..hex.len()).step_by(2).map(digit).collect(),
            is_accepted: verdict[0] == "accepted",
            detail: verdict[1].clone(),
        })
    });
    records.collect()
}

/// Returns whether the shape that was reported for the result with the index `at` has the recorded size.
fn has_recorded_size(reported: &ReportedSlice, recorded: &Value) -> bool {
    let Some(shape) = &reported.output_shape else {
        return true;
    };
    let at = reported.part.map_or(0, |(part, _)| part - 1);
    let lengths: Option<Vec<u64>> = shape.iter().map(|dim| Some(dim.known()? as u64)).collect();
    let Some(lengths) = lengths else { return true };
    match &recorded[at] {
        Value::Number(count) => count.as_u64() == Some(lengths.iter().product()),
        Value::Array(recorded) => recorded
            .iter()
            .map(Value::as_u64)
            .eq(lengths.into_iter().map(Some)),
        _ => true,
    }
}

/// Compares the mistakes found in a model with the verdict. Returns a description of the problem if they differ.
fn problem(record: &Record, model: Result<Model, String>) -> Option<String> {
    let model = match model {
        Ok(model) => model,
        Err(error) => {
            return record
                .is_accepted
                .then(|| format!("cannot be read: {error}"));
        }
    };
    let report = model.check(&[]).expect("the model is small");
    let has_size = |one: &ReportedSlice| has_recorded_size(one, &record.detail);
    let problem = match (report.count_with_mistakes() > 0, record.is_accepted) {
        (true, true) => "is accepted, but blamed",
        (false, false) => "is refused, but not blamed",
        (false, true) if !report.slices.iter().all(has_size) => "has other shapes",
        _ => return None,
    };
    let mut text = Vec::new();
    print::write_text(&mut text, "the model", &report, false).expect("the report is small");
    let text = String::from_utf8_lossy(&text);
    Some(format!("{problem}: {}\n{text}", record.detail))
}

/// Checks the models in a recorded file, and reads them with `read`. Similar failures are printed once.
fn agrees(file: &[u8], read: impl Fn(&Record) -> Result<Model, String>) {
    let records = records(file);
    let mut failures: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for record in &records {
        if let Some(problem) = problem(record, read(record)) {
            let is_letter = |c: &char| !c.is_ascii_digit() && !"-,[]() ".contains(*c);
            let kind = problem.chars().filter(is_letter).collect();
            failures.entry(kind).or_insert((problem, 0)).1 += 1;
        }
    }
    let count: usize = failures.values().map(|(_, count)| count).sum();
    let mut text = format!("{count} of {} verdicts differ\n", records.len());
    for (problem, count) in failures.values() {
        text += &format!("\n{count} times: {problem}");
    }
    assert_eq!(count, 0, "{text}");
}

fn read_bytes(record: &Record) -> Result<Model, String> {
    Model::from_bytes(record.model.clone()).map_err(|error| error.to_string())
}

#[test]
fn onnx() {
    agrees(include_bytes!("onnx.jsonl.gz"), read_bytes);
}

#[test]
fn litert() {
    agrees(include_bytes!("litert.jsonl.gz"), read_bytes);
}

#[test]
fn tensorflow() {
    agrees(include_bytes!("tensorflow.jsonl.gz"), read_bytes);
}

/// Reads an OpenVINO model, which consists of two files. They are recorded with a zero byte between them.
#[test]
fn openvino() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("model.xml");
    agrees(include_bytes!("openvino.jsonl.gz"), |record| {
        let mut files = record.model.splitn(2, |byte| *byte == 0);
        for extension in ["xml", "bin"] {
            let bytes = files.next().expect("there are two files");
            fs::write(path.with_extension(extension), bytes).expect("the file can be written");
        }
        Model::read(&path).map_err(|error| error.to_string())
    });
}

/// ONNX Runtime divides an axis into as many parts as there are outputs, even if `num_outputs` is greater.
#[test]
fn splits_with_fewer_outputs_have_a_note() {
    let mut noted = 0;
    for record in records(include_bytes!("onnx.jsonl.gz")) {
        let Ok(model) = read_bytes(&record) else {
            continue;
        };
        let report = model.check(&[]).expect("the model is small");
        let is_noted = |one: &ReportedSlice| {
            let mut notes = one.notes.iter();
            notes.any(|note| {
                note.to_string()
                    .contains("ONNX Runtime ignores `num_outputs`")
            })
        };
        if record.is_accepted && report.slices.iter().all(is_noted) && !report.slices.is_empty() {
            let parts = report.slices.len();
            let sizes = record.detail.as_array().expect("a list");
            assert_eq!(sizes.len(), parts);
            noted += 1;
        }
    }
    assert!(noted > 20, "{noted}");
}
