//! Tests where and how `slice zarr` writes its output: files are replaced as a whole, and devices and pipes are written
//! in place.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use slice_cli::command::output::Output;

use crate::{element, fails, fails_with, file_names, make_array, succeeds, zarr};

const SLICE: &str = "3, ::-2";

/// Returns a command that reads `SLICE` from the array in `folder`, with additional `arguments`.
fn slice_of_array(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = zarr();
    command
        .current_dir(folder)
        .args(["in.zarr", SLICE])
        .args(arguments);
    command
}

/// Checks that a file contains the slice in NumPy's format: a header followed by the elements.
fn check(file: &[u8]) {
    let row = (0..20).rev().step_by(2).map(|column| element(3, column));
    let bytes: Vec<u8> = row.flat_map(i32::to_le_bytes).collect();
    assert!(file.starts_with(b"\x93NUMPY\x01\0"));
    assert_eq!(file[file.len() - bytes.len()..], bytes);
    assert_eq!((file.len() - bytes.len()) % 64, 0);
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_and_links_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    make_array(&at("in.zarr"));
    fifo(&at("fifo"));
    symlink("fifo", at("to_fifo")).unwrap();
    for name in ["fifo", "to_fifo"] {
        let writer = slice_of_array(folder.path(), &[name]).spawn().unwrap();
        let file = fs::read(at(name)).unwrap();
        assert!(writer.wait_with_output().unwrap().status.success());
        check(&file);
        assert!(
            fs::symlink_metadata(at("fifo"))
                .unwrap()
                .file_type()
                .is_fifo()
        );
    }

    // Only the target of a link is replaced, or created if it is missing.
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/file.npy"), "old").unwrap();
    fs::set_permissions(at("sub/file.npy"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("sub/file.npy", at("one")).unwrap();
    symlink("one", at("two")).unwrap();
    symlink("sub/new.npy", at("dangling")).unwrap();
    for (link, file) in [("two", "sub/file.npy"), ("dangling", "sub/new.npy")] {
        succeeds(&mut slice_of_array(folder.path(), &[link]));
        check(&fs::read(at(file)).unwrap());
        assert!(at(link).is_symlink() && at("one").is_symlink());
    }
    assert_eq!(
        fs::metadata(at("sub/file.npy")).unwrap().mode() & 0o777,
        0o640
    );
    // A new file has the default permissions.
    fs::write(at("any"), "").unwrap();
    let mode = |name: &str| fs::metadata(at(name)).unwrap().mode();
    assert_eq!(mode("sub/new.npy"), mode("any"));
    assert_eq!(file_names(&at("sub")), ["file.npy", "new.npy"]);

    symlink("circle", at("circle")).unwrap();
    for (out, words) in [
        ("circle", "cannot write \"circle\""),
        ("sub", "directory"),
        ("no/file", "cannot write"),
    ] {
        let error = fails(&mut slice_of_array(folder.path(), &[out]));
        assert!(error.contains(words), "{error}");
    }
}

/// For `/dev/null` and `/dev/zero`, the test only checks how the path is classified. Writing to a device could replace
/// it if the test failed.
#[test]
fn devices_are_written_in_place() {
    for device in ["/dev/null", "/dev/zero"] {
        let output = Output::at(device.as_ref()).unwrap();
        assert_eq!(output, Output::InPlace(device.into()));
    }
    if !cfg!(target_os = "linux") {
        return;
    }
    // No file can be created in `/proc/self/fd`, so this output can only be written in place.
    let folder = tempfile::tempdir().unwrap();
    make_array(&folder.path().join("in.zarr"));
    let output = slice_of_array(folder.path(), &["/proc/self/fd/1"]).output();
    check(&output.unwrap().stdout);
}

#[test]
fn standard_output_contains_only_the_array() {
    let folder = tempfile::tempdir().unwrap();
    make_array(&folder.path().join("in.zarr"));
    for name in ["-", "/dev/stdout"] {
        check(
            &slice_of_array(folder.path(), &[name])
                .output()
                .unwrap()
                .stdout,
        );
    }
    assert_eq!(file_names(folder.path()), ["in.zarr"]);
    for option in ["--plan", "--json"] {
        let error = fails_with(&mut slice_of_array(folder.path(), &["-", option]), 2);
        assert!(error.contains(option), "{error}");
    }
    let printed = succeeds(&mut slice_of_array(folder.path(), &["--plan"]));
    assert!(printed.contains("bytes at most\n"), "{printed}");
}

/// Tests pipes without a reader, and full disks. Writing to a pipe without a reader is an error, unless only a plan is
/// printed.
#[test]
fn output_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    make_array(&folder.path().join("in.zarr"));
    let closed_pipe = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    let mut plan = slice_of_array(folder.path(), &["--plan"]);
    let output = plan
        .stdout(closed_pipe())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), &output.stderr[..]),
        (Some(0), &b""[..])
    );
    // Writing elements to a pipe without a reader is an error.
    let mut out = slice_of_array(folder.path(), &["-"]);
    let output = out
        .stdout(closed_pipe())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = output.wait_with_output().unwrap();
    let error_output = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error_output.starts_with("error: cannot write \"-\": "),
        "{error_output}"
    );

    if !cfg!(target_os = "linux") {
        return;
    }
    for arguments in [&["--plan"][..], &["-"], &["--plan", "out.npy"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let full_error = File::options().write(true).open("/dev/full").unwrap();
        let mut command = slice_of_array(folder.path(), arguments);
        let output = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        let error_output = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error_output}");
        assert!(
            error_output.starts_with("error: cannot write "),
            "{error_output}"
        );
        // The next command cannot even print its error.
        let status = slice_of_array(folder.path(), &["/no/folder"])
            .stderr(full_error)
            .status();
        assert_eq!(status.unwrap().code(), Some(1));
    }
    assert_eq!(file_names(folder.path()), ["in.zarr"]);
}

/// Tests a closed standard output, and a limit on the size of files.
#[test]
fn writing_to_closed_output_or_beyond_the_file_size_limit_fails() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    make_array(&folder.path().join("in.zarr"));
    let command = zarr();
    let sh = |script: &str| {
        let mut sh = Command::new("sh");
        sh.current_dir(folder.path()).args(["-c", script, "sh"]);
        sh.arg(command.get_program());
        sh
    };
    let error = fails(&mut sh("\"$1\" zarr in.zarr ... - >&-"));
    assert!(error.contains("standard output is closed"), "{error}");
    succeeds(&mut sh("\"$1\" zarr in.zarr ... - >/dev/null"));
    let error = fails(&mut sh("ulimit -f 1; \"$1\" zarr in.zarr ... out.npy"));
    assert!(error.contains("cannot write \"out.npy\""), "{error}");
    assert_eq!(file_names(folder.path()), ["in.zarr"]);
}

/// Control sequences in untrusted metadata could change a terminal's title and colors.
#[test]
fn control_characters_in_errors_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in.zarr")).unwrap();
    let odd = r"x\u001b]0;title\u0007\u001b[31m\u009b\u202e";
    for metadata in [
        r#""data_type": "ODD", "codecs": [{"name": "bytes"}]"#,
        r#""data_type": "uint8", "codecs": [{"name": "ODD"}]"#,
        r#""data_type": "uint8", "codecs": [{"name": "bytes"}], "storage_transformers": [{"name": "ODD"}]"#,
        r#""data_type": "uint8", "codecs": [{"name": "bytes"}], "ODD": {}"#,
    ] {
        let metadata = metadata.replace("ODD", odd);
        let metadata = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "fill_value": 7, {metadata},
                "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
                "chunk_key_encoding": {{"name": "default"}}}}"#
        );
        fs::write(folder.path().join("in.zarr/zarr.json"), metadata).unwrap();
        for arguments in [["in.zarr", "0", "out.npy"], ["in.zarr", "0", "--plan"]] {
            let mut command = zarr();
            let error = fails(command.current_dir(folder.path()).args(arguments));
            let is_control = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
            assert!(!error.contains(is_control), "{error:?}");
            assert!(error.contains("u{1b}"), "{error:?}");
        }
    }
}
