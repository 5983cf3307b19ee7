//! Tests that `slice check` rejects large model files with little memory.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::process::Command;

/// Runs `slice check` with at most 512 MiB of memory. Returns the exit status and the error output.
fn check_in_little_memory(model: &std::path::Path) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 524288; exec \"$0\" check \"$1\""]);
    let command = command.arg(env!("CARGO_BIN_EXE_slice")).arg(model);
    let output = command.output().expect("the command should start");
    let error_output = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), error_output)
}

/// A file larger than 2 GiB is rejected before it is read. A smaller file that does not fit in memory is also rejected.
#[test]
fn files_that_are_too_large_are_rejected() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    // All of these files contain only zeros, so `a.pt2` is not recognized as an archive.
    for name in ["a.onnx", "a.tflite", "a.pb", "a.xml", "a.mlir", "a.pt2"] {
        let path = folder.path().join(name);
        for (len, message) in [
            (3_u64 << 30, "the file is larger than 2 GiB"),
            (2 << 30, "cannot read the file: "),
        ] {
            let file = File::create(&path).expect("creating a file should succeed");
            file.set_len(len)
                .expect("the file system should support sparse files");
            let (status, error_output) = check_in_little_memory(&path);
            assert_eq!(status, Some(1), "{name}: {error_output}");
            assert!(error_output.contains(message), "{name}: {error_output}");
        }
    }
}

/// An archive is not read as a whole, so its length is not limited.
#[test]
fn large_archives_are_not_read_into_memory() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let path = folder.path().join("a.pt2");
    fs::copy("../slice-check/tests/models/focus.pt2", &path)
        .expect("copying a file should succeed");
    let file = File::options()
        .write(true)
        .open(&path)
        .expect("opening the file should succeed");
    file.set_len(3 << 30)
        .expect("the file system should support sparse files");
    let (status, error_output) = check_in_little_memory(&path);
    // The list of files at the end of the archive is not found, because zeros follow it.
    assert_eq!(status, Some(1), "{error_output}");
    assert!(
        error_output.contains("cannot read the file as a torch.export archive"),
        "{error_output}"
    );
}

#[test]
fn openvino_constants_beyond_the_end_of_their_file_are_rejected() {
    let folder = tempfile::tempdir().expect("creating a folder should succeed");
    let path = folder.path().join("half.xml");
    fs::copy("../slice-check/tests/models/half.xml", &path).expect("copying a file should succeed");
    let message = "cannot read 8 bytes at ";
    for len in [0, 7, 20] {
        fs::write(folder.path().join("half.bin"), vec![0; len])
            .expect("the file should be writable");
        let (status, error_output) = check_in_little_memory(&path);
        assert_eq!(status, Some(1), "{error_output}");
        assert!(error_output.contains(message), "{error_output}");
    }
    // From a large file, only the constants are read.
    let bin = File::create(folder.path().join("half.bin")).expect("creating a file should succeed");
    bin.set_len(3 << 30)
        .expect("the file system should support sparse files");
    let (_, error_output) = check_in_little_memory(&path);
    assert!(
        !error_output.contains("the model's constants"),
        "{error_output}"
    );
}
