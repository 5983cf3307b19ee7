//! Checks that output that cannot be written is an error with a message, unless the reader has closed the pipe.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::{Command, Output, Stdio};

/// Returns the subcommands that print, with suitable arguments.
fn commands() -> Vec<Command> {
    let all: [&[&str]; 9] = [
        &["check", "tests/models/focus.onnx"],
        &["check", "tests/models/focus.onnx", "--json"],
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

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_full_disk_is_an_error() {
    for mut command in commands() {
        let full = File::options().write(true).open("/dev/full");
        let full = full.expect("Linux has /dev/full");
        let output = command.stdout(full).output().expect("command starts");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        let begin = "error: cannot write the output: ";
        assert!(said.starts_with(begin), "{command:?}: {said}");
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    for mut command in commands() {
        let (reader, writer) = std::io::pipe().expect("pipe can be created");
        drop(reader);
        let output = command.stdout(writer).output().expect("command starts");
        assert!(output.status.success(), "{command:?}: {}", said(&output));
        assert_eq!(said(&output), "", "{command:?}");
    }
}

/// A picture is first written to a temporary file. If that fails, the old file remains.
#[test]
fn a_picture_is_written_as_a_whole() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let picture = format!("{folder}/whole.svg");
    std::fs::write(&picture, "old").expect("file is writable");
    let drawn = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        command.args(["explain", "1:", "--shape", "4,5", "--svg", out]);
        command.output().expect("command starts")
    };
    let output = drawn(&format!("{folder}/no/such.svg"));
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("cannot write"), "{}", said(&output));
    assert!(drawn(&picture).status.success());
    let written = std::fs::read_to_string(&picture).expect("file is readable");
    assert!(written.starts_with("<svg"), "{written:.80}");
}

/// If the picture is written to the standard output, no text is written there.
#[test]
fn a_picture_on_the_standard_output() {
    let drawn = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        let command = command.args(["explain", "1:", "--shape", "4,5", "--svg", "-"]);
        command.args(arguments).output().expect("command starts")
    };
    for arguments in [&[][..], &["--chunks", "2,2"]] {
        let picture = drawn(arguments).stdout;
        assert!(picture.starts_with(b"<svg "));
        assert!(picture.trim_ascii_end().ends_with(b"</svg>"));
    }
    let refused = drawn(&["--json"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = "error: --json prints to standard output: write the picture to a file instead\n";
    assert_eq!(said(&refused), message);
}

/// Colours are only for terminals, unless they are forced.
#[test]
fn a_pipe_gets_no_colours() {
    let coloured = |name: &str, value: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
        command.args(["explain", "1:", "--shape", "4,5"]);
        let output = command.env(name, value).output().expect("command starts");
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured("TERM", "xterm-256color"));
    assert!(coloured("CLICOLOR_FORCE", "1"));
}
