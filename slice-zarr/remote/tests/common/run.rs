//! Runs the examples as commands.

use std::path::PathBuf;
use std::process::Command;

/// Returns a command that runs an example. The example must have been built together with this test, because building
/// it here would build its dependencies again.
pub fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let target_folder = test.parent().unwrap().parent().unwrap();
    let path: PathBuf = [target_folder, "examples".as_ref(), name.as_ref()]
        .iter()
        .collect();
    assert!(
        path.exists(),
        "the example has not been built: run all tests of the package instead of one with `--test`"
    );
    Command::new(path)
}
