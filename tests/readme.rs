//! The README, and that of `vectors/` with the reasons, state how many answers of the systems there are, and how many
//! of them the tests in `conformance/` follow. The README has at most 150 lines. `BLESS=1` corrects the numbers.

use std::collections::HashMap;
use std::fs;

use serde::Deserialize;
use slice_tests::{Header, read, table};

/// A case whose answer is followed unless it is excluded; otherwise the tests of its system fail.
#[derive(Deserialize)]
struct Case {
    excluded: Option<String>,
}

/// Returns a number with commas between the thousands.
fn readable(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The header of vectors, and the number of excluded cases.
type Counted = (Header, usize);

fn counted(name: &str) -> Counted {
    let (header, cases) = read::<Case>(name);
    let excluded = cases.iter().filter(|case| case.excluded.is_some());
    (header, excluded.count())
}

/// Returns the row with the numbers of its vectors; `None` if the line is not a row.
fn corrected(row: &str, known: &mut HashMap<String, Counted>) -> Option<String> {
    let (path, _) = row.strip_prefix("| [")?.split_once(".jsonl.gz)")?;
    let (_, name) = path.rsplit_once(['(', '/']).expect("vectors");
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [system, version, _, _, ref left_out @ ..] = cells[..] else {
        panic!("a row of four or five cells, not {row}");
    };
    let (header, excluded) = known
        .entry(name.to_owned())
        .or_insert_with(|| counted(name));
    assert!(
        header.versions.values().any(|asked| asked == version),
        "{name} were asked of {:?}, not of {version}",
        header.versions
    );
    let agree = header.cases - *excluded;
    let mut corrected = format!(
        "| {system} | {version} | {} | {} |",
        readable(header.cases),
        readable(agree)
    );
    if let [left_out] = left_out {
        let reason = left_out
            .split_once(": ")
            .filter(|(number, _)| number.starts_with(|first: char| first.is_ascii_digit()))
            .map_or(*left_out, |(_, reason)| reason);
        corrected += &match *excluded {
            0 => " – |".to_owned(),
            _ => format!(" {}: {reason} |", readable(*excluded)),
        };
    }
    Some(corrected)
}

#[test]
fn the_tables_of_agreement() {
    // Both tables are of the same vectors.
    let mut known = HashMap::new();
    for path in ["../README.md", "vectors/README.md"] {
        table::hold(path, |row| corrected(row, &mut known));
    }
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string("../README.md").expect("the README");
    let lines = readme.lines().count();
    assert!(lines <= 150, "{lines} lines: the guides have room for more");
}
