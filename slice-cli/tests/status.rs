//! Tests the exit statuses, and their documentation in the help and the README.

use std::fs;
use std::process::{Command, Stdio};

fn status(arguments: &[&str]) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    let command = command.args(arguments).stdout(Stdio::null());
    command
        .stderr(Stdio::null())
        .status()
        .expect("the command should start")
        .code()
}

const FOCUS: &str = "../slice-check/tests/models/focus.onnx";

#[test]
fn success_has_status_0() {
    for arguments in [
        &["explain", "1:", "--shape", "4,5"][..],
        &["translate", "1:"],
        &["check", FOCUS],
        &["check", FOCUS, FOCUS],
        &["check", FOCUS, "--for", "onnx"],
        &["man", "zarr"],
        &["completions", "fish"],
        &["--version"],
        &["zarr", "--help"],
    ] {
        assert_eq!(status(arguments), Some(0), "{arguments:?}");
    }
}

#[test]
fn invalid_slices_different_models_and_unusable_files_have_status_1() {
    for arguments in [
        &["explain", "9", "--shape", "4,5"][..],
        &[
            "explain",
            "1:",
            "--shape",
            "4,5",
            "--svg",
            "no/such/folder.svg",
        ],
        &["translate", "1::0"],
        &["check", "../slice-check/tests/models/wrong.onnx"],
        &["check", "../slice-check/tests/models/nothing.onnx"],
        &[
            "check",
            FOCUS,
            "../slice-check/tests/models/focus_ported.onnx",
        ],
        &[
            "check",
            "../slice-check/tests/models/cache_dynamic.onnx",
            "--for",
            "stablehlo",
        ],
        &[
            "check",
            "../slice-check/tests/models/focus.tflite",
            "--fix",
            "no.tflite",
        ],
    ] {
        assert_eq!(status(arguments), Some(1), "{arguments:?}");
    }
}

#[test]
fn invalid_command_lines_have_status_2() {
    for arguments in [
        &[][..],
        &["slice"],
        &["explain", "1:"],
        &["explain", "1:", "--shape", "4,x"],
        &["check", FOCUS, "--for", "numpy"],
        &["man", "nothing"],
        &["zarr", "a.zarr", ":"],
        &["zarr", "a.zarr", ":", "-", "--timeout", "-1"],
    ] {
        assert_eq!(status(arguments), Some(2), "{arguments:?}");
    }
}

/// Without the feature `zarr`, the subcommand `zarr` prints how to install the command with the feature.
#[cfg(not(feature = "zarr"))]
#[test]
fn the_error_for_a_missing_feature_explains_how_to_install_it() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    let output = command
        .args(["zarr", "a.zarr", ":", "out.npy"])
        .output()
        .expect("the command should start");
    let error_output = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error_output}");
    assert!(
        error_output.contains("cargo install --path slice-cli --features remote"),
        "{error_output}"
    );
}

/// The help and the README list every status.
#[test]
fn statuses_are_documented() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    let help = command
        .arg("--help")
        .output()
        .expect("the command should start")
        .stdout;
    let help = String::from_utf8(help).expect("the output should be UTF-8");
    let readme = fs::read_to_string("README.md").expect("the file should be readable");
    for status in ["0", "1", "2", "130"] {
        assert!(help.contains(&format!("\n  {status:<3}  ")), "{help}");
        assert!(readme.contains(&format!("\n| {status} | ")), "{status}");
    }
}
