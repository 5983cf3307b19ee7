//! Tables in Markdown that repeat facts of other files.

use std::fs;

/// Calls `row` for each line of a file, and compares. `row` returns the correct row, or `None` for a line that is not a
/// row. With `BLESS=1` in the environment, the file is corrected.
///
/// # Panics
///
/// If the file cannot be read, has no row, or has a wrong row.
pub fn hold(path: &str, mut row: impl FnMut(&str) -> Option<String>) {
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
    assert!(rows > 0, "{path} has no row of the table");
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, &corrected).unwrap_or_else(|error| panic!("{path}: {error}"));
    } else {
        assert!(
            text == corrected,
            "{path} says something else: see what has changed, then run again with BLESS=1"
        );
    }
}
