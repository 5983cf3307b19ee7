//! Tests the first example that a new user sees.

use std::path::PathBuf;
use std::process::Command;

/// Returns the path of an example that cargo built together with this test. Another build here would compile its
/// dependencies again.
fn built(name: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let example = test.parent()?.parent()?.join("examples").join(name);
    example.exists().then_some(example)
}

/// Checks that labels and texts are in two columns, and that no row is longer than 120 characters.
#[test]
fn mask_equivalences_prints_two_columns() {
    let example = built("mask_equivalences").expect("example was built by a run of all tests");
    let output = Command::new(example).output().expect("command starts");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let rows = text.lines().filter(|line| line.starts_with("    "));
    for row in rows.clone() {
        assert!(row.chars().count() <= 120, "{row}");
        let (label, text) = row.split_at(17);
        assert!(label.ends_with(' ') && !text.starts_with(' '), "{row}");
    }
    assert!(rows.count() > 100, "{text}");
}
