//! Tests the output of `mask_equivalences`, the first example that a new user sees.

use std::path::PathBuf;
use std::process::Command;

/// Returns the path to an example that cargo built together with this test, or `None` if the example has not been
/// built. A separate build of the example would compile its dependencies again.
fn example_path(name: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let example = test.parent()?.parent()?.join("examples").join(name);
    example.exists().then_some(example)
}

/// Checks that labels and text are in two columns, and that no row is longer than 120 characters.
#[test]
fn mask_equivalences_prints_two_columns() {
    let example = example_path("mask_equivalences")
        .expect("cargo should build the examples if all tests are run");
    let output = Command::new(example)
        .output()
        .expect("the command should start");
    let text = String::from_utf8(output.stdout).expect("the output should be UTF-8");
    let rows = text.lines().filter(|line| line.starts_with("    "));
    for row in rows.clone() {
        assert!(
            row.chars().count() <= 120,
            "the row is longer than 120 characters: {row}"
        );
        let (label, text) = row.split_at(17);
        assert!(
            label.ends_with(' ') && !text.starts_with(' '),
            "the row does not have two columns: {row}"
        );
    }
    assert!(rows.count() > 100, "there are too few rows:\n{text}");
}
