//! The examples that are commands, as a user runs them. `TRYCMD=overwrite cargo test -p slice-tools` writes the
//! answers again.

use std::path::PathBuf;

/// An example that cargo built together with this test; building it here would build its dependencies again.
fn built(name: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let example = test.parent()?.parent()?.join("examples").join(name);
    example.exists().then_some(example)
}

#[test]
fn as_a_user_runs_them() {
    let cases = trycmd::TestCases::new();
    for name in ["explain", "translate"] {
        let example = built(name).expect(
            "the example is built: run all tests of the package, not `--test commands` alone",
        );
        cases
            .register_bin(name, example)
            .case(format!("tests/{name}/*.md"));
    }
}
