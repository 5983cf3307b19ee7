//! The example `explain`, as a user runs it. `TRYCMD=overwrite cargo test -p slice-examples` writes the answers anew.

use std::path::PathBuf;

/// The example that cargo built together with this test; building it here would build its dependencies again.
fn built() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name = format!("explain{}", std::env::consts::EXE_SUFFIX);
    let example = test.parent()?.parent()?.join("examples").join(name);
    example.exists().then_some(example)
}

#[test]
fn as_a_user_runs_it() {
    let example = built()
        .expect("the example is built: run all tests of the package, not `--test explain` alone");
    trycmd::TestCases::new()
        .register_bin("explain", example)
        .case("tests/explain/*.md");
}
