//! Runs the commands in the README and in the `.md` files of the subfolders, and compares their output with the
//! recorded output. `TRYCMD=overwrite cargo test -p slice-cli` updates the recorded output.

#[test]
fn output_matches_the_snapshots() {
    let cases = trycmd::TestCases::new();
    // The width of pictures and help pages must be set, because the output is not a terminal.
    let cases = cases.env("COLUMNS", "100");
    cases.case("tests/*/*.md").case("README.md");
}

/// Each command in these files sets its own width.
#[test]
fn output_matches_the_snapshots_at_several_widths() {
    trycmd::TestCases::new().case("tests/explain/widths/*.md");
}

/// On Windows, there is no file to which writing always fails.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported() {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", "100").case("tests/explain/unix/*.md");
}
