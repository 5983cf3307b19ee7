//! Checks the table in `vectors/README.md`. It states how many results of each system are recorded, and with how many of
//! them the library agrees. The tests in `conformance/` check this agreement. `BLESS=1` corrects the numbers. Another test
//! limits the README to 150 lines.

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

/// Returns the header of a vector file, and its number of excluded cases.
fn recorded_cases(name: &str) -> (Header, usize) {
    let (header, cases) = read::<Case>(name);
    let excluded = cases.iter().filter(|case| case.excluded.is_some());
    (header, excluded.count())
}

/// Returns `row` with the numbers of the vector file linked in its first cell, or `None` if `row` contains no such
/// link.
fn corrected_row(row: &str) -> Option<String> {
    let (path, _) = row.strip_prefix("| [")?.split_once(".jsonl.gz)")?;
    let (_, name) = path.rsplit_once('(').expect("the row should have a link");
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [system, version, _, _, exclusion] = cells[..] else {
        panic!("a row must have five cells: {row}");
    };
    let (header, excluded) = recorded_cases(name);
    assert!(
        header.versions.values().any(|recorded| recorded == version),
        "the results in {name} are from {:?}, not from {version}",
        header.versions
    );
    let agreements = readable(header.cases - excluded);
    let reason = exclusion
        .split_once(": ")
        .filter(|(number, _)| number.starts_with(|first: char| first.is_ascii_digit()))
        .map_or(exclusion, |(_, reason)| reason);
    let exclusion = match excluded {
        0 => "–".to_owned(),
        _ => format!("{}: {reason}", readable(excluded)),
    };
    let recorded = readable(header.cases);
    Some(format!(
        "| {system} | {version} | {recorded} | {agreements} | {exclusion} |"
    ))
}

#[test]
fn the_agreement_table_matches_the_vector_files() {
    table::check("vectors/README.md", corrected_row);
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
