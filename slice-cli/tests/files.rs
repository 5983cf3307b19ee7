//! Tests that files written by the command are replaced as a whole or not at all, even if the process is terminated.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use slice_cli::command::output::{Output, is_ignored};

/// Returns the sorted names of all files in a directory, including hidden files.
fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let file_names = entries.map(|entry| entry.unwrap().file_name());
    let mut file_names: Vec<String> = file_names.map(|name| name.into_string().unwrap()).collect();
    file_names.sort();
    file_names
}

fn signal(name: &str, process: &Child) {
    let arguments = ["-s", name, &process.id().to_string()].map(str::to_owned);
    assert!(
        Command::new("kill")
            .args(arguments)
            .status()
            .unwrap()
            .success()
    );
}

fn wait_for_a_file(folder: &Path, writer: &mut Child) {
    while file_names(folder).len() < 2 {
        assert!(
            writer.try_wait().unwrap().is_none(),
            "the writer ended before it created a file"
        );
        thread::sleep(Duration::from_millis(1));
    }
}

/// The process that other tests start and terminate. It writes to the file named by `SLICE_OUT`, or does nothing if
/// this variable is not set.
#[test]
fn writer_process() {
    let Some(path) = std::env::var_os("SLICE_OUT") else {
        return;
    };
    let output = Output::at(path.as_ref()).unwrap();
    let result = output.write(|file| {
        for _ in 0..10_000 {
            file.write_all(&[1; 1000])?;
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    });
    result.unwrap();
}

fn start_writer(out: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "files::writer_process"])
        .env("SLICE_OUT", out)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_terminated_process_leaves_the_old_file() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        // A shell may start a background process with some signals ignored; these signals cannot be tested.
        let rounds = if is_ignored(number) { 0 } else { 4 };
        for round in 0..rounds {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out.npy");
            fs::write(&out, "old").unwrap();
            let mut writer = start_writer(&out);
            wait_for_a_file(folder.path(), &mut writer);
            thread::sleep(Duration::from_millis(10 * round));
            signal(name, &writer);
            assert_eq!(writer.wait().unwrap().signal(), Some(number));
            assert_eq!(file_names(folder.path()), ["out.npy"]);
            assert_eq!(fs::read(&out).unwrap(), b"old");
        }
    }
}

/// Also tests that long writes are split, and that the setuid bit is not kept.
#[test]
fn an_unfinished_file_has_the_permissions_of_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    fs::write(&out, "old").unwrap();
    fs::set_permissions(&out, PermissionsExt::from_mode(0o600)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    let unfinished_file = || {
        let mut file_names = file_names(folder.path());
        file_names.retain(|name| name.starts_with(".slice"));
        folder.path().join(&file_names[0])
    };
    let output = Output::at(&out).unwrap();
    let bytes = vec![1; 10 << 20];
    output
        .write(|file| {
            assert_eq!(mode(&unfinished_file()), 0o600);
            // A single call to `write` writes at most 4 MiB.
            assert_eq!(file.write(&bytes)?, 4 << 20);
            file.write_all(&bytes[4 << 20..])?;
            assert_eq!(mode(&unfinished_file()), 0o600);
            Ok(())
        })
        .unwrap();
    assert_eq!((mode(&out), fs::read(&out).unwrap()), (0o600, bytes));
    // The new file may have a different owner, and must not run with that owner's privileges.
    fs::set_permissions(&out, PermissionsExt::from_mode(0o4755)).unwrap();
    output.write(|file| file.write_all(b"new")).unwrap();
    assert_eq!(mode(&out), 0o755);
}

/// Tests that an ignored signal stays ignored, such as SIGHUP in a process started by `nohup`.
#[test]
fn an_ignored_signal_does_not_end_the_process() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    fs::write(&out, "old").unwrap();
    let mut writer = Command::new("sh")
        .args([
            "-c",
            "trap '' HUP; exec \"$0\" --exact files::writer_process",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SLICE_OUT", &out)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_a_file(folder.path(), &mut writer);
    signal("HUP", &writer);
    thread::sleep(Duration::from_millis(100));
    assert!(
        writer.try_wait().unwrap().is_none(),
        "the ignored signal ended the writer"
    );
    signal("TERM", &writer);
    assert_eq!(writer.wait().unwrap().signal(), Some(15));
    assert_eq!(file_names(folder.path()), ["out.npy"]);
}

/// After a failed write, the directory contains only the old file.
#[test]
fn failed_writes_leave_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    fs::write(&out, "old").unwrap();
    let output = Output::at(&out).unwrap();
    let result = output.write(|file| {
        file.write_all(b"new")?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(result.is_err());
    assert_eq!(file_names(folder.path()), ["out.npy"]);
    let mut old = String::new();
    File::open(&out).unwrap().read_to_string(&mut old).unwrap();
    assert_eq!(old, "old");
}
