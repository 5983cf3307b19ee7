//! Checks Markdown tables that repeat facts from other files.

use std::fs;

/// Compares each row of the tables in a file with the correct row. `row` returns the correct row for a line, or `None`
/// if the line is not a row. With `BLESS=1` in the environment, corrects the file instead.
///
/// # Panics
///
/// Panics if the file cannot be read, if `row` returns `None` for every line, or if a row is incorrect. With `BLESS=1`,
/// incorrect rows are corrected instead, and a file that cannot be written causes a panic.
pub fn check(path: &str, mut row: impl FnMut(&str) -> Option<String>) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut rows = 0;
    let mut corrected = String::new();
    for line in text.lines() {
        match row(line) {
            Some(row) => {
                corrected += &row;
                rows += 1;
            }
            None => corrected += line,
        }
        corrected.push('\n');
    }
    assert!(rows > 0, "{path} contains no table row to check");
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, &corrected).unwrap_or_else(|error| panic!("{path}: {error}"));
    } else {
        assert!(
            text == corrected,
            "{path} is out of date: review the change, then run again with BLESS=1"
        );
    }
}
