//! Tests that text and pictures are written to files, pipes and the standard output. A failed write is an error, unless
//! the reader has closed the pipe.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::{Command, Output, Stdio};

/// Returns a command for each kind of printed output.
fn commands() -> Vec<Command> {
    let all: [&[&str]; 9] = [
        &["check", "../slice-check/tests/models/focus.onnx"],
        &["check", "../slice-check/tests/models/focus.onnx", "--json"],
        &["explain", "1:", "--shape", "4,5"],
        &["explain", "1:", "--shape", "4,5", "--json"],
        &["translate", "1:", "--shape", "4,5"],
        &["translate", "1:", "--shape", "4,5", "--json"],
        &["completions", "bash"],
        &["completions", "zsh"],
        &["man"],
    ];
    let command = |line: &&[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        command.args(*line).stderr(Stdio::piped());
        command
    };
    all.iter().map(command).collect()
}

fn error_output(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn writing_to_a_full_disk_fails() {
    for mut command in commands() {
        let full_disk = File::options().write(true).open("/dev/full");
        let full_disk = full_disk.expect("Linux should provide /dev/full");
        let output = command
            .stdout(full_disk)
            .output()
            .expect("the command should start");
        let error_output = error_output(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {error_output}");
        let prefix = "error: cannot write the output: ";
        assert!(
            error_output.starts_with(prefix),
            "{command:?}: {error_output}"
        );
    }
}

#[test]
fn writing_to_a_closed_pipe_is_not_an_error() {
    for mut command in commands() {
        let (reader, writer) = std::io::pipe().expect("creating a pipe should succeed");
        drop(reader);
        let output = command
            .stdout(writer)
            .output()
            .expect("the command should start");
        assert!(
            output.status.success(),
            "{command:?}: {}",
            error_output(&output)
        );
        assert_eq!(error_output(&output), "", "{command:?}");
    }
}

/// Also tests that a picture cannot be written to a missing directory.
#[test]
fn a_picture_replaces_the_old_file() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let picture = format!("{folder}/whole.svg");
    std::fs::write(&picture, "old").expect("the file should be writable");
    let draw = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        command.args(["explain", "1:", "--shape", "4,5", "--svg", out]);
        command.output().expect("the command should start")
    };
    let output = draw(&format!("{folder}/no/such.svg"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error_output(&output).contains("cannot write"),
        "{}",
        error_output(&output)
    );
    assert!(draw(&picture).status.success());
    let svg = std::fs::read_to_string(&picture).expect("the file should be readable");
    assert!(svg.starts_with("<svg"), "{svg:.80}");
}

#[test]
fn no_text_is_printed_if_a_picture_is_written_to_standard_output() {
    let draw = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        let command = command.args(["explain", "1:", "--shape", "4,5", "--svg", "-"]);
        command
            .args(arguments)
            .output()
            .expect("the command should start")
    };
    let picture = draw(&[]).stdout;
    assert!(picture.starts_with(b"<svg "));
    assert!(picture.trim_ascii_end().ends_with(b"</svg>"));
    // The chunks of a plan are not drawn.
    assert_eq!(draw(&["--chunks", "2,2"]).status.code(), Some(2));
    let rejected = draw(&["--json"]);
    assert_eq!(rejected.status.code(), Some(2));
    let message = "error: --json prints to standard output: write the picture to a file instead\n";
    assert_eq!(error_output(&rejected), message);
}

#[test]
fn output_in_a_pipe_has_no_colors_unless_they_are_forced() {
    let is_colored = |name: &str, value: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        command.args(["explain", "1:", "--shape", "4,5"]);
        let output = command
            .env(name, value)
            .output()
            .expect("the command should start");
        output.stdout.contains(&0x1b)
    };
    assert!(!is_colored("TERM", "xterm-256color"));
    assert!(is_colored("CLICOLOR_FORCE", "1"));
}
