//! The command as a user runs it. `TRYCMD=overwrite cargo test -p slice-cli` writes the answers again.

#[test]
fn commands_print_their_snapshots() {
    trycmd::TestCases::new().case("tests/*/*.md");
}
