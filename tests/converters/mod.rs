//! Checks that the data about converters has the format that `README.md` in this folder describes, and that the numbers
//! in `README.md` agree with the data.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

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
struct Answer {
    model: String,
    results: Vec<Outcome>,
}

/// The first line of a results file.
#[derive(Deserialize)]
struct Asked {
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

/// A mistake of a converter, and the models with which it occurs.
#[derive(Deserialize)]
struct Found {
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

/// Returns the right answers of each model.
fn answers() -> HashMap<String, Vec<Outcome>> {
    let mut answers = HashMap::new();
    for source in ["tf", "onnx", "torch"] {
        for line in lines(&format!("answers/{source}.jsonl")).iter().skip(1) {
            let answer: Answer = parsed(line);
            answers.insert(answer.model, answer.results);
        }
    }
    answers
}

/// Returns the name, the header and the rows of each results file, sorted by name.
fn results() -> Vec<(String, Asked, Vec<Row>)> {
    let mut names: Vec<_> = fs::read_dir(folder().join("results"))
        .expect("folder of results is readable")
        .map(|entry| entry.expect("entry is readable").file_name())
        .map(|name| name.into_string().expect("path is UTF-8"))
        .collect();
    names.sort();
    let read = |name: String| {
        let lines = lines(&format!("results/{name}"));
        let (first, rows) = lines.split_first().expect("table has a header");
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
fn models_have_a_class_and_an_answer() {
    let (models, answers) = (models(), answers());
    assert!(models.len() >= 300, "{} models", models.len());
    let names: HashSet<_> = models.iter().map(|model| &model.model).collect();
    assert_eq!((names.len(), answers.len()), (models.len(), models.len()));
    for model in &models {
        assert!(CLASSES.contains(&model.class.as_str()), "{}", model.class);
        assert!(
            model
                .model
                .starts_with(&format!("{}-{}-", model.source, model.class))
        );
        let right = answers.get(&model.model).expect("model has an answer");
        assert!(matches!(right.len(), 1 | 2), "{}", model.model);
        for outcome in right {
            let count: usize = outcome.shape.iter().product();
            assert_eq!(outcome.elements.len(), count.min(64), "{}", model.model);
            assert!(
                outcome.elements.iter().all(Option::is_some),
                "{}",
                model.model
            );
        }
    }
    for class in CLASSES {
        for source in ["tf", "onnx", "torch"] {
            let of = models
                .iter()
                .filter(|model| model.class == class && model.source == source);
            assert!(of.count() >= 10, "few models of {source} about {class}");
        }
    }
}

#[test]
fn rows_of_results_are_complete_and_consistent() {
    let (models, answers, results) = (models(), answers(), results());
    let order: HashMap<_, _> = models
        .iter()
        .enumerate()
        .map(|(at, model)| (&model.model, (at, model)))
        .collect();
    for (name, asked, rows) in &results {
        assert_eq!(name, &format!("{}.jsonl", asked.converter));
        assert_eq!(asked.models, rows.len(), "{name}");
        assert!(!asked.how.is_empty(), "{name}");
        let mut last = None;
        for row in rows {
            let (at, model) = order[&row.model];
            assert!(last < Some(at), "{name} is not in order at {}", row.model);
            last = Some(at);
            assert_eq!(
                (&row.class, &row.converter),
                (&model.class, &asked.converter)
            );
            assert!(
                asked
                    .versions
                    .values()
                    .any(|version| version == &row.version),
                "{name}: {}",
                row.version
            );
            match row.verdict.as_str() {
                "right" => assert!(row.outcome.is_none() && row.message.is_none()),
                "wrong" => {
                    let got = row.outcome.as_ref().expect("wrong result is recorded");
                    assert!(
                        !answers[&row.model].contains(got),
                        "{name}: {} is right",
                        row.model
                    );
                }
                "refused" | "crashed" => {
                    assert!(
                        row.outcome.is_none() && row.message.is_some(),
                        "{name}: {}",
                        row.model
                    );
                    assert!(
                        matches!(row.stage.as_deref(), Some("convert" | "run")),
                        "{name}: {}",
                        row.model
                    );
                }
                verdict => panic!("{name}: a verdict {verdict}"),
            }
        }
        // If hardly anything is right, the harness probably passes wrong inputs to the converter.
        assert!(
            count(rows, None, "right") * 3 > rows.len(),
            "{name}: hardly anything is right"
        );
    }
}

#[test]
fn every_wrong_result_is_explained() {
    let mut explained = HashSet::new();
    for found in lines("found.jsonl")
        .iter()
        .map(|line| parsed::<Found>(line))
    {
        assert!(found.models.contains(&found.smallest), "{}", found.cause);
        for model in found.models {
            let new = explained.insert((found.converter.clone(), model.clone()));
            assert!(new, "{} and {model}: twice", found.converter);
        }
    }
    for (_, asked, rows) in results() {
        for row in rows.iter().filter(|row| row.verdict == "wrong") {
            let known = explained.remove(&(asked.converter.clone(), row.model.clone()));
            assert!(
                known,
                "{} and {} are in no line of found.jsonl",
                asked.converter, row.model
            );
        }
    }
    assert!(explained.is_empty(), "not in the results: {explained:?}");
}

#[test]
fn the_readme_agrees_with_the_data() {
    let page: HashSet<_> = lines("README.md").into_iter().collect();
    let mut rows_of_the_page = page.iter().filter(|line| line.starts_with("| `")).count();
    for (_, asked, rows) in results() {
        let version = &rows[0].version;
        let name = &asked.converter;
        let numbers: Vec<_> = VERDICTS
            .map(|verdict| count(&rows, None, verdict).to_string())
            .into();
        let line = format!(
            "| `{name}` | {version} | {} | {} |",
            rows.len(),
            numbers.join(" | ")
        );
        assert!(page.contains(&line), "not on the page: {line}");
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
        assert!(page.contains(&line), "not on the page: {line}");
        rows_of_the_page -= 2;
    }
    assert_eq!(
        rows_of_the_page, 0,
        "rows of converters that have no results"
    );
}
