//! The command as a user runs it. `TRYCMD=overwrite cargo test -p slice-cli` writes the answers again.

#[test]
fn as_a_user_runs_it() {
    trycmd::TestCases::new().case("tests/*/*.md");
}
