//! Checks the tables in the README and in `vectors/README.md`. The tables state how many results of each system are
//! recorded, and with how many of them the library agrees. The tests in `conformance/` check this agreement. `BLESS=1`
//! corrects the numbers. Another test limits the README to 150 lines.

use std::collections::HashMap;
use std::fs;

use serde::Deserialize;
use slice_tests::{Header, read, table};

/// A case of a vector file, `vectors/*.jsonl.gz`. The library agrees with every case that is not excluded; otherwise,
/// the conformance tests of the system would fail.
#[derive(Deserialize)]
struct Case {
    excluded: Option<String>,
}

/// Formats a number with commas between groups of three digits.
fn readable(number: usize) -> String {
    let digits = number.to_string();
    let mut formatted = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            formatted.push(',');
        }
        formatted.push(digit);
    }
    formatted
}

/// The header of a vector file, and its number of excluded cases.
type RecordedCases = (Header, usize);

fn recorded_cases(name: &str) -> RecordedCases {
    let (header, cases) = read::<Case>(name);
    let excluded = cases.iter().filter(|case| case.excluded.is_some());
    (header, excluded.count())
}

/// Returns `row` with the numbers of the vector file linked in its first cell, or `None` if `row` contains no such
/// link. Caches the numbers of each file in `cache`.
fn corrected_row(row: &str, cache: &mut HashMap<String, RecordedCases>) -> Option<String> {
    let (path, _) = row.strip_prefix("| [")?.split_once(".jsonl.gz)")?;
    let (_, name) = path
        .rsplit_once(['(', '/'])
        .expect("the path should contain a folder");
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [system, version, _, _, ref exclusion @ ..] = cells[..] else {
        panic!("a row must have four or five cells: {row}");
    };
    let (header, excluded) = cache
        .entry(name.to_owned())
        .or_insert_with(|| recorded_cases(name));
    assert!(
        header.versions.values().any(|recorded| recorded == version),
        "the results in {name} are from {:?}, not from {version}",
        header.versions
    );
    let agreements = header.cases - *excluded;
    let mut corrected = format!(
        "| {system} | {version} | {} | {} |",
        readable(header.cases),
        readable(agreements)
    );
    if let [exclusion] = exclusion {
        let reason = exclusion
            .split_once(": ")
            .filter(|(number, _)| number.starts_with(|first: char| first.is_ascii_digit()))
            .map_or(*exclusion, |(_, reason)| reason);
        corrected += &match *excluded {
            0 => " – |".to_owned(),
            _ => format!(" {}: {reason} |", readable(*excluded)),
        };
    }
    Some(corrected)
}

#[test]
fn agreement_tables_match_the_vector_files() {
    // Both tables list the same vector files, so each file is read only once.
    let mut cache = HashMap::new();
    for path in ["../README.md", "vectors/README.md"] {
        table::check(path, |row| corrected_row(row, &mut cache));
    }
}

#[test]
fn the_readme_has_at_most_150_lines() {
    let readme = fs::read_to_string("../README.md").expect("the README should be readable");
    let lines = readme.lines().count();
    assert!(
        lines <= 150,
        "the README has {lines} lines; move text to the guides"
    );
}
