//! Runs the examples as commands.

use std::path::PathBuf;
use std::process::{Command, Output};

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
        "the example has not been built: run all tests of the package instead of `--test commands`"
    );
    Command::new(path)
}

/// Runs a command and returns its exit code, standard output and standard error. The command must not panic.
pub fn outcome(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{command:?}: {stderr}");
    let output_text = String::from_utf8_lossy(&stdout).into_owned();
    (status.code(), output_text, stderr)
}

/// Runs a command that must succeed, and returns its standard output.
pub fn succeeds(command: &mut Command) -> String {
    let (code, output_text, stderr) = outcome(command);
    assert_eq!(code, Some(0), "{command:?}: {stderr}");
    output_text
}

/// Runs a command that must fail with an error, and returns the error message.
pub fn fails(command: &mut Command) -> String {
    let (code, _, stderr) = outcome(command);
    assert_eq!(code, Some(1), "{command:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{command:?}: {stderr}");
    stderr
}
