//! Tests what `slice check` does with untrusted names, files and links.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `slice check` with a limit of ten seconds.
fn check(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["10", env!("CARGO_BIN_EXE_slice"), "check"]);
    let command = command.args(arguments).envs(variables.iter().copied());
    command.output().expect("the command should start")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output should be UTF-8")
}

/// Appends a field to a Protocol Buffers message.
fn put(message: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    message.push(number << 3 | 2);
    let mut len = bytes.len();
    while len >= 0x80 {
        message.push(len as u8 | 0x80);
        len >>= 7;
    }
    message.push(len as u8);
    message.extend(bytes);
}

/// Builds an ONNX model with a slice. Every string that may occur in a report contains `name`.
fn model(name: &str) -> Vec<u8> {
    let text = |prefix: &str| format!("{prefix}{name}").into_bytes();
    let mut slice = Vec::new();
    for input in ["x", "starts", "ends"] {
        put(&mut slice, 1, &text(input));
    }
    put(&mut slice, 2, &text("y"));
    put(&mut slice, 3, &text("slice"));
    put(&mut slice, 4, b"Slice");
    let mut body = Vec::new();
    put(&mut body, 1, &slice);
    let mut attribute = Vec::new();
    put(&mut attribute, 1, &text("body"));
    put(&mut attribute, 6, &body);
    let mut outer = Vec::new();
    put(&mut outer, 2, &text("z"));
    put(&mut outer, 3, &text("loop"));
    put(&mut outer, 4, b"Loop");
    put(&mut outer, 5, &attribute);
    let (mut dim, mut shape, mut tensor, mut kind, mut input) = Default::default();
    put(&mut dim, 2, &text("length"));
    put(&mut shape, 1, &dim);
    put(&mut tensor, 2, &shape);
    put(&mut kind, 1, &tensor);
    put(&mut input, 1, &text("x"));
    put(&mut input, 2, &kind);
    let mut graph: Vec<u8> = Vec::new();
    put(&mut graph, 1, &slice);
    put(&mut graph, 1, &outer);
    put(&mut graph, 11, &input);
    let mut file = Vec::new();
    put(&mut file, 2, &text("producer"));
    put(&mut file, 3, &text("version"));
    put(&mut file, 7, &graph);
    put(&mut file, 8, &[0x10, 13]);
    file
}

/// Names that would hide text, imitate the report or control the terminal.
const NAMES: [&str; 10] = [
    "\x1b[30;40m",
    "\x1b[08m",
    "\x1b[38;2;0;0;0;48;2;0;0;0m",
    "\x1b[1m\x1b[31mwrong:\x1b[0m",
    "\x1b]0;title\x07",
    "\n   wrong: forged",
    "\r\u{85}\u{2028}\u{2029}",
    "\u{9b}31m",
    "\u{202e}\u{2066}\u{200f}\u{61c}",
    "\x00\x7f\t",
];

fn is_harmless(character: char) -> bool {
    let is_mark = "\u{2028}\u{2029}\u{202e}\u{2066}\u{200f}\u{61c}".contains(character);
    character == '\n' || !character.is_control() && !is_mark
}

#[test]
fn names_neither_control_the_terminal_nor_forge_lines() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("plain.onnx"), model("-")).expect("the file should be writable");
    for name in NAMES {
        // The name of the file contains the text too, unless the file system forbids it.
        let file = path(&format!("model{}.onnx", name.replace('\0', "")));
        fs::write(&file, model(name)).expect("the file should be writable");
        let fixed = path("fixed.onnx");
        let runs: [&[&str]; 6] = [
            &[],
            &["--for", "tensorflow"],
            &["--json"],
            &["--fix", &fixed],
            &["--fix", &fixed, "--json"],
            &[&path("plain.onnx")],
        ];
        for options in runs {
            let run = |file: &str, variables| check(&[&[file], options].concat(), variables);
            let no_color = [("NO_COLOR", "1")];
            let output = run(&file, &no_color);
            let [printed, error] = [&output.stdout, &output.stderr].map(|bytes| text(bytes));
            assert!(
                printed.chars().all(is_harmless),
                "{name:?} {options:?}: {printed:?}"
            );
            assert!(
                error.chars().all(is_harmless),
                "{name:?} {options:?}: {error:?}"
            );
            // The report has as many lines as for a plain name.
            let plain = run(&path("plain.onnx"), &no_color);
            if options != [path("plain.onnx")] {
                let expected = text(&plain.stdout).lines().count();
                assert_eq!(
                    printed.lines().count(),
                    expected,
                    "{name:?} {options:?}: {printed}"
                );
            }
            if options == ["--json"] {
                let json = serde_json::from_str::<serde_json::Value>(&printed);
                let json = json.expect("the output should be JSON");
                assert_eq!(json["file"], file.as_str());
                assert_eq!(json["operations"][0]["name"], format!("slice{name}"));
            }
            // Colors are those of the report.
            let colored = run(&file, &[("CLICOLOR_FORCE", "1")]);
            let mut without_colors = String::new();
            for (at, part) in text(&colored.stdout).split('\x1b').enumerate() {
                let style = ["[0m", "[1m", "[31m", "[33m", "[36m"]
                    .into_iter()
                    .find_map(|style| part.strip_prefix(style));
                assert!(at == 0 || style.is_some(), "{name:?} {options:?}: {part:?}");
                without_colors += style.unwrap_or(part);
            }
            assert_eq!(without_colors, printed, "{name:?} {options:?}");
        }
    }
}

#[test]
fn pipes_and_devices_are_rejected() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let path = |name: &str| folder.path().join(name);
    let make_pipe = |path: &Path| {
        let status = Command::new("mkfifo").arg(path).status();
        assert!(status.expect("mkfifo should start").success());
    };
    let rejects = |path: &Path| {
        let output = check(&[&path.display().to_string()], &[]);
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        let error = text(&output.stderr);
        assert!(
            error.contains("it is a pipe, a socket or a device"),
            "{error}"
        );
    };
    make_pipe(&path("model.onnx"));
    rejects(&path("model.onnx"));
    fs::create_dir(path("saved")).expect("creating a folder should succeed");
    make_pipe(&path("saved/saved_model.pb"));
    rejects(&path("saved"));
    for (name, device) in [("zero.onnx", "/dev/zero"), ("random.pt2", "/dev/random")] {
        symlink(device, path(name)).expect("creating a link should succeed");
        rejects(&path(name));
    }
    // The pipe is the file with the constants.
    fs::copy("../slice-check/tests/models/half.xml", path("half.xml"))
        .expect("copying a file should succeed");
    make_pipe(&path("half.bin"));
    rejects(&path("half.xml"));
}

#[test]
fn links_to_constants_in_other_folders_are_not_followed() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let path = |name: &str| folder.path().join(name);
    let copy = |from: &str, to: &str| {
        let from = Path::new("../slice-check/tests/models").join(from);
        fs::copy(from, path(to)).expect("copying a file should succeed");
    };
    for name in ["model", "store", "snapshot"] {
        fs::create_dir(path(name)).expect("creating a folder should succeed");
    }
    let is_read = |model: &str| {
        let output = check(&[&path(model).display().to_string()], &[]);
        let error = text(&output.stderr);
        let is_link = error.contains("it is a link to a file in another folder");
        assert!(is_link || !error.contains("cannot"), "{error}");
        !is_link
    };
    copy("half.xml", "model/half.xml");
    copy("half.bin", "model/other.bin");
    copy("half.bin", "store/constants");
    copy("half.xml", "store/layers");
    // A link within the folder is followed, and a link out of it is not.
    symlink("other.bin", path("model/half.bin")).expect("creating a link should succeed");
    assert!(is_read("model/half.xml"));
    fs::remove_file(path("model/half.bin")).expect("removing a link should succeed");
    symlink("../store/constants", path("model/half.bin")).expect("creating a link should succeed");
    assert!(!is_read("model/half.xml"));
    // Both files are links to the same folder.
    symlink("../store/layers", path("snapshot/half.xml")).expect("creating a link should succeed");
    symlink("../store/constants", path("snapshot/half.bin"))
        .expect("creating a link should succeed");
    assert!(is_read("snapshot/half.xml"));
}
