//! The command as a user runs it. `TRYCMD=overwrite cargo test -p slice-cli` writes the answers again.

#[test]
fn commands_print_their_snapshots() {
    let cases = trycmd::TestCases::new();
    // As wide as pictures and help are in a pipe.
    let cases = cases.env("COLUMNS", "100");
    cases.case("tests/*/*.md").case("README.md");
}
