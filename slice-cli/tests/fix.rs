//! Tests the output of `slice check --fix` and the fixed models. The script `../slice-check/tests/models/run_fixed.py` runs the fixed
//! models in ONNX Runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn check(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    let command = command.arg("check").args(arguments);
    command.output().expect("the command should start")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output should be UTF-8")
}

/// Returns the paths of the ONNX models in `../slice-check/tests/models`.
fn models() -> Vec<PathBuf> {
    let files = fs::read_dir("../slice-check/tests/models")
        .expect("the folder of models should be readable");
    let paths = files.map(|file| file.expect("the entry should be readable").path());
    let mut models: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "onnx"))
        .collect();
    models.sort();
    models
}

fn name(path: &Path) -> &str {
    path.to_str().expect("the path should be UTF-8")
}

#[test]
fn fixed_models_have_the_same_slices_and_need_no_second_fix() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let mut changed_models = 0;
    for model in models() {
        let out = folder
            .path()
            .join(model.file_name().expect("the path should end in a name"));
        let printed = text(&check(&[name(&model), "--fix", name(&out)]).stdout);
        let count = |label: &str| {
            let last_line = printed
                .lines()
                .last()
                .expect("the message should contain a line");
            let start = last_line
                .split(label)
                .next()
                .expect("the message should contain a number")
                .trim_end();
            let number = start
                .rsplit(' ')
                .next()
                .expect("the message should contain a number");
            number
                .parse::<usize>()
                .expect("the text should be a number")
        };
        let changes = [count("resolved"), count("merged"), count("removed")];
        assert_eq!(
            printed.lines().count(),
            changes.iter().sum::<usize>() + 1,
            "{printed}"
        );
        let comparison = check(&[name(&model), name(&out)]);
        assert!(comparison.status.success(), "{}", text(&comparison.stdout));
        // A second fix changes nothing.
        let second_out = folder.path().join("again.onnx");
        let printed = text(&check(&[name(&out), "--fix", name(&second_out)]).stdout);
        assert!(
            printed.ends_with(": changed slices: 0 resolved, 0 merged, 0 removed\n"),
            "{printed}"
        );
        let is_same = fs::read(&second_out).expect("the model should be readable")
            == fs::read(&out).expect("the model should be readable");
        assert!(
            is_same,
            "{}: a second fix changed the model",
            model.display()
        );
        let old = fs::read(&model).expect("the model should be readable");
        let is_changed = fs::read(&out).expect("the model should be readable") != old;
        assert_eq!(
            is_changed,
            changes != [0, 0, 0],
            "{}: the printed changes do not match the file",
            model.display()
        );
        changed_models += usize::from(is_changed);
    }
    assert!(
        changed_models >= 5,
        "only {changed_models} models were changed"
    );
}

/// The ends `INT_MAX` and `INT_MIN` are replaced. A slice that selects everything is removed, and two slices are
/// merged.
#[test]
fn sentinels_are_replaced() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let out = folder.path().join("fixed.onnx");
    let model = "../slice-check/tests/models/sentinels.onnx";
    let printed = text(&check(&[model, "--fix", name(&out)]).stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "merged columns with the slices before it: Slice-13(x, starts=[0, 0], ends=[8, 8], axes=[2, 3], steps=[2, 2])",
            "removed all, which selected everything",
            "resolved the bounds of flipped: Slice-13(x, starts=[2], ends=[-4], axes=[1], steps=[-1])",
        ]
    );
    let json = check(&[model, "--fix", name(&out), "--json"]).stdout;
    let json: Value = serde_json::from_slice(&json).expect("the text should be JSON");
    let changes = json["changes"]
        .as_array()
        .expect("the report should list the changes");
    let kinds: Vec<&str> = changes
        .iter()
        .filter_map(|one| one["done"].as_str())
        .collect();
    assert_eq!(kinds, ["merged", "removed", "resolved"]);
    let printed = text(&check(&[name(&out)]).stdout);
    for message in [
        "selects everything",
        "can be merged into one slice",
        "\n4. ",
    ] {
        assert!(!printed.contains(message), "{printed}");
    }
    // The slice with a mistake is unchanged.
    assert!(printed.contains("ends=[9223372036854775807]"), "{printed}");
}

/// If the model is written to the standard output, no text is printed there.
#[test]
fn fixed_models_are_written_to_standard_output() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let out = folder.path().join("fixed.onnx");
    let model = "../slice-check/tests/models/focus.onnx";
    assert!(check(&[model, "--fix", name(&out)]).status.success());
    let piped = check(&[model, "--fix", "-"]);
    assert!(piped.status.success());
    assert_eq!(
        piped.stdout,
        fs::read(&out).expect("the model should be readable")
    );
    let rejected = check(&[model, "--fix", "-", "--json"]);
    assert_eq!(rejected.status.code(), Some(2));
    let message = "error: --json prints to standard output: write the model to a file instead\n";
    assert_eq!(text(&rejected.stderr), message);
}

/// A failed write leaves the old file unchanged.
#[test]
#[cfg(target_os = "linux")]
fn writing_to_a_full_disk_fails() {
    let result = check(&[
        "../slice-check/tests/models/focus.onnx",
        "--fix",
        "/dev/full",
    ]);
    assert_eq!(result.status.code(), Some(1));
    let error_output = text(&result.stderr);
    assert!(
        error_output.contains("cannot write /dev/full: No space left on device"),
        "{error_output}"
    );
    // `ulimit` limits the size of files to at most 1 KiB, which is too little for the model.
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let out = folder.path().join("fixed.onnx");
    fs::write(&out, "old").expect("the file should be writable");
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -f 1; exec \"$0\" check ../slice-check/tests/models/focus.onnx --fix \"$1\"",
    ]);
    let command = command.arg(env!("CARGO_BIN_EXE_slice")).arg(&out);
    let output = command.output().expect("the command should start");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(fs::read(&out).expect("the file should be readable"), b"old");
    assert_eq!(
        fs::read_dir(folder.path())
            .expect("the folder should be readable")
            .count(),
        1
    );
}
