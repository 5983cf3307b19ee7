//! Checks the data in `converters/` about model converters such as tf2onnx. The data must be complete and consistent,
//! and the numbers in `converters/README.md` must agree with it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

/// The classes of models. A class is named after the difficulty in the slices of its models. `converters/README.md`
/// describes the classes.
const CLASSES: [&str; 9] = [
    "negative-step",
    "minus-one",
    "permutation",
    "ellipsis",
    "stride",
    "empty",
    "sentinel",
    "run-time",
    "axes",
];
/// The possible verdicts on a converted model: its result is correct, an error was reported, the process ended or took
/// too long, or the result is incorrect.
const VERDICTS: [&str; 4] = ["right", "refused", "crashed", "wrong"];

#[derive(Deserialize)]
struct Model {
    model: String,
    class: String,
    source: String,
}

#[derive(Deserialize, PartialEq)]
struct Outcome {
    shape: Vec<usize>,
    elements: Vec<Option<usize>>,
}

#[derive(Deserialize)]
struct CorrectResults {
    model: String,
    results: Vec<Outcome>,
}

/// The first line of a results file.
#[derive(Deserialize)]
struct ResultsHeader {
    converter: String,
    how: String,
    models: usize,
    versions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Row {
    model: String,
    class: String,
    converter: String,
    version: String,
    verdict: String,
    #[serde(flatten)]
    outcome: Option<Outcome>,
    stage: Option<String>,
    message: Option<String>,
}

/// A converter bug, and the models that trigger it.
#[derive(Deserialize)]
struct Bug {
    converter: String,
    smallest: String,
    models: Vec<String>,
    cause: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("converters")
}

fn lines(path: &str) -> Vec<String> {
    let text =
        fs::read_to_string(folder().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(str::to_owned).collect()
}

fn parsed<T: for<'a> Deserialize<'a>>(line: &str) -> T {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn models() -> Vec<Model> {
    lines("models.jsonl")
        .iter()
        .map(|line| parsed(line))
        .collect()
}

/// Returns the correct results for each model.
fn correct_results() -> HashMap<String, Vec<Outcome>> {
    let mut correct_results = HashMap::new();
    for source in ["tf", "onnx", "torch"] {
        for line in lines(&format!("answers/{source}.jsonl")).iter().skip(1) {
            let row: CorrectResults = parsed(line);
            correct_results.insert(row.model, row.results);
        }
    }
    correct_results
}

/// Returns the name, the header and the rows of each results file, sorted by name.
fn results() -> Vec<(String, ResultsHeader, Vec<Row>)> {
    let mut names: Vec<_> = fs::read_dir(folder().join("results"))
        .expect("the folder of results should be readable")
        .map(|entry| entry.expect("the entry should be readable").file_name())
        .map(|name| name.into_string().expect("the path should be UTF-8"))
        .collect();
    names.sort();
    let read = |name: String| {
        let lines = lines(&format!("results/{name}"));
        let (first, rows) = lines
            .split_first()
            .expect("the file of results should begin with a header");
        (
            name,
            parsed(first),
            rows.iter().map(|row| parsed(row)).collect(),
        )
    };
    names.into_iter().map(read).collect()
}

fn count(rows: &[Row], class: Option<&str>, verdict: &str) -> usize {
    let counted =
        |row: &&Row| row.verdict == verdict && class.is_none_or(|class| row.class == class);
    rows.iter().filter(counted).count()
}

#[test]
fn models_have_a_class_and_a_correct_result() {
    let (models, correct_results) = (models(), correct_results());
    assert!(
        models.len() >= 300,
        "there are too few models: {}",
        models.len()
    );
    let names: HashSet<_> = models.iter().map(|model| &model.model).collect();
    assert_eq!(
        (names.len(), correct_results.len()),
        (models.len(), models.len())
    );
    for model in &models {
        assert!(
            CLASSES.contains(&model.class.as_str()),
            "unknown class {}",
            model.class
        );
        assert!(
            model
                .model
                .starts_with(&format!("{}-{}-", model.source, model.class))
        );
        let right = correct_results
            .get(&model.model)
            .expect("the result of the model should be recorded");
        // There are two correct results if ONNX Runtime and ONNX's ReferenceEvaluator disagree.
        assert!(
            matches!(right.len(), 1 | 2),
            "{} must have one or two correct results",
            model.model
        );
        for outcome in right {
            // Only the first 64 elements are recorded.
            let count: usize = outcome.shape.iter().product();
            assert_eq!(
                outcome.elements.len(),
                count.min(64),
                "the shape and the elements of {} do not match",
                model.model
            );
            assert!(
                outcome.elements.iter().all(Option::is_some),
                "a correct result of {} contains elements that are not in the input x",
                model.model
            );
        }
    }
    for class in CLASSES {
        for source in ["tf", "onnx", "torch"] {
            let matching = models
                .iter()
                .filter(|model| model.class == class && model.source == source);
            assert!(
                matching.count() >= 10,
                "too few {source} models of class {class}"
            );
        }
    }
}

#[test]
fn result_rows_are_complete_and_consistent() {
    let (models, correct_results, results) = (models(), correct_results(), results());
    let order: HashMap<_, _> = models
        .iter()
        .enumerate()
        .map(|(index, model)| (&model.model, (index, model)))
        .collect();
    for (name, header, rows) in &results {
        assert_eq!(name, &format!("{}.jsonl", header.converter));
        assert_eq!(
            header.models,
            rows.len(),
            "the header of {name} states the wrong number of rows"
        );
        assert!(
            !header.how.is_empty(),
            "the header of {name} does not describe the conversion"
        );
        let mut last = None;
        for row in rows {
            let (index, model) = order[&row.model];
            assert!(
                last < Some(index),
                "the rows of {name} are not in the order of the models: {}",
                row.model
            );
            last = Some(index);
            assert_eq!(
                (&row.class, &row.converter),
                (&model.class, &header.converter)
            );
            assert!(
                header
                    .versions
                    .values()
                    .any(|version| version == &row.version),
                "{name}: unknown version {}",
                row.version
            );
            match row.verdict.as_str() {
                "right" => assert!(row.outcome.is_none() && row.message.is_none()),
                "wrong" => {
                    let outcome = row
                        .outcome
                        .as_ref()
                        .expect("the wrong result should be recorded");
                    assert!(
                        !correct_results[&row.model].contains(outcome),
                        "{name}: the result recorded as wrong for {} is correct",
                        row.model
                    );
                }
                "refused" | "crashed" => {
                    assert!(
                        row.outcome.is_none() && row.message.is_some(),
                        "{name}: the row for {} must have a message and no result",
                        row.model
                    );
                    assert!(
                        matches!(row.stage.as_deref(), Some("convert" | "run")),
                        "{name}: the row for {} must have the stage `convert` or `run`",
                        row.model
                    );
                }
                verdict => panic!("{name}: unknown verdict {verdict}"),
            }
        }
        // If at most a third of the results are right, the harness probably passes the wrong inputs to the converter.
        assert!(
            count(rows, None, "right") * 3 > rows.len(),
            "{name}: at most a third of the results are right"
        );
    }
}

#[test]
fn every_wrong_result_is_explained() {
    let mut explained = HashSet::new();
    for bug in lines("found.jsonl").iter().map(|line| parsed::<Bug>(line)) {
        assert!(
            bug.models.contains(&bug.smallest),
            "found.jsonl does not list the smallest model among the models of this bug: {}",
            bug.cause
        );
        for model in bug.models {
            let is_new = explained.insert((bug.converter.clone(), model.clone()));
            assert!(
                is_new,
                "found.jsonl lists {model} twice for {}",
                bug.converter
            );
        }
    }
    for (_, header, rows) in results() {
        for row in rows.iter().filter(|row| row.verdict == "wrong") {
            let is_explained = explained.remove(&(header.converter.clone(), row.model.clone()));
            assert!(
                is_explained,
                "found.jsonl does not explain the result of {} for {}",
                header.converter, row.model
            );
        }
    }
    assert!(
        explained.is_empty(),
        "found.jsonl explains results that are not wrong: {explained:?}"
    );
}

#[test]
fn the_readme_agrees_with_the_data() {
    let page: HashSet<_> = lines("README.md").into_iter().collect();
    let mut remaining_rows = page.iter().filter(|line| line.starts_with("| `")).count();
    for (_, header, rows) in results() {
        let version = &rows[0].version;
        let name = &header.converter;
        let numbers: Vec<_> = VERDICTS
            .map(|verdict| count(&rows, None, verdict).to_string())
            .into();
        let line = format!(
            "| `{name}` | {version} | {} | {} |",
            rows.len(),
            numbers.join(" | ")
        );
        assert!(page.contains(&line), "missing from README.md: {line}");
        let cells = CLASSES.map(|class| {
            let [_, refused, crashed, wrong] =
                VERDICTS.map(|verdict| count(&rows, Some(class), verdict));
            match (wrong, refused + crashed) {
                (0, 0) => "–".to_owned(),
                (0, stopped) => stopped.to_string(),
                (wrong, stopped) => format!("**{wrong}**, {stopped}"),
            }
        });
        let line = format!("| `{name}` | {} |", cells.join(" | "));
        assert!(page.contains(&line), "missing from README.md: {line}");
        remaining_rows -= 2;
    }
    assert_eq!(
        remaining_rows, 0,
        "README.md has rows for converters without results"
    );
}
