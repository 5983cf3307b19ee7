//! Runs the command as a user would. `TRYCMD=overwrite cargo test -p slice-cli` updates the expected output.

#[test]
fn commands_print_their_snapshots() {
    let cases = trycmd::TestCases::new();
    // Sets the width of pictures and of the help, because the output is not a terminal.
    let cases = cases.env("COLUMNS", "100");
    cases.case("tests/*/*.md").case("README.md");
}

/// Each command sets its own width.
#[test]
fn snapshots_of_several_widths() {
    trycmd::TestCases::new().case("tests/explain/widths/*.md");
}
