//! Tests that the examples report an error if their output cannot be written, but not if the reader has closed the
//! pipe.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Returns a command for each example except `life`, which handles write errors itself. Examples that draw a picture
/// write it to a temporary directory.
fn commands() -> Vec<Command> {
    let test = std::env::current_exe().expect("the test should have a path");
    let examples_folder: PathBuf = [
        test.parent()
            .and_then(|deps| deps.parent())
            .expect("the test should be in the target folder"),
        "examples".as_ref(),
    ]
    .iter()
    .collect();
    let picture = concat!(env!("CARGO_TARGET_TMPDIR"), "/picture.png");
    let photograph = concat!(env!("CARGO_MANIFEST_DIR"), "/../chelsea.png");
    let command_lines: [&[&str]; 8] = [
        &["mask_equivalences"],
        &["tensorflow_masks"],
        &["openvino_masks"],
        &["mindspore_masks"],
        &["onnx_slice"],
        &["const_tables"],
        &["image_slices", photograph, picture],
        &["stencil", "10", picture],
    ];
    let command = |line: &&[&str]| {
        let program = examples_folder.join(line[0]);
        assert!(
            program.exists(),
            "build all examples first: {} has not been built",
            line[0]
        );
        let mut command = Command::new(program);
        command.args(&line[1..]).stderr(Stdio::piped());
        command
    };
    command_lines.iter().map(command).collect()
}

fn error_output(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn examples_report_an_error_if_the_disk_is_full() {
    for mut command in commands() {
        let full_disk = File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux should have /dev/full");
        let output = command
            .stdout(full_disk)
            .output()
            .expect("the command should start");
        assert_eq!(
            output.status.code(),
            Some(1),
            "{command:?}: {}",
            error_output(&output)
        );
        assert!(
            error_output(&output).starts_with("error: cannot write the output: "),
            "{command:?}: {}",
            error_output(&output)
        );
    }
}

#[test]
fn examples_succeed_if_the_reader_has_closed_the_pipe() {
    for mut command in commands() {
        let (reader, writer) = std::io::pipe().expect("creating a pipe should succeed");
        drop(reader);
        let output = command
            .stdout(writer)
            .output()
            .expect("the command should start");
        assert!(
            output.status.success(),
            "{command:?} failed: {}",
            error_output(&output)
        );
        assert_eq!(error_output(&output), "", "{command:?}");
    }
}
