//! Tests that `slice zarr` leaves no partial file if it is interrupted while it writes a long file.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use slice_cli::command::output::is_ignored;

use crate::{file_names, make_empty_array};

/// The size of the array in bytes: large enough for a signal to arrive during the write.
const ARRAY_BYTES: u64 = 192 << 20;

/// Starts `slice zarr` on an array that contains only fill values. The surrounding shell first prints the process ID of
/// the command, and finally its exit status.
fn long_write(folder: &Path) -> Child {
    let inner = "echo $$; exec \"$0\" zarr in.zarr ... out.npy";
    let script = format!("sh -c '{inner}' \"$0\"; echo $?");
    Command::new("sh")
        .current_dir(folder)
        .args(["-c", &script, env!("CARGO_BIN_EXE_slice")])
        .stdout(Stdio::piped())
        // Otherwise, the shell would report on the standard error that its child was terminated.
        .stderr(Stdio::null())
        .spawn()
        .expect("the shell should start")
}

fn line(reader: &mut impl BufRead) -> String {
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .expect("the output should be readable");
    line.trim().to_owned()
}

/// Runs the command, and sends it a signal once an unfinished file exists. Returns the exit status printed by the
/// shell, and whether the file was finished before the signal arrived.
fn interrupt(folder: &Path, signal: &str) -> (String, bool) {
    let mut shell = long_write(folder);
    let mut out = BufReader::new(shell.stdout.take().expect("the output should be piped"));
    let id = line(&mut out);
    let is_started = |name: &String| name.starts_with(".slice") || name == "out.npy";
    while !file_names(folder).iter().any(is_started) {
        sleep(Duration::from_micros(200));
    }
    // `kill` fails if the process has already ended.
    let _ = Command::new("kill")
        .args(["-s", signal, &id])
        .stderr(Stdio::null())
        .status();
    let status = line(&mut out);
    shell.wait().expect("the shell should end");
    (status, folder.join("out.npy").exists())
}

/// The shell prints the status 130 for Ctrl-C, 143 for SIGTERM, and 129 for a closed terminal.
#[test]
fn interrupted_writes_leave_no_partial_file() {
    for (signal, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        // A shell may start a background process with some signals ignored; these signals cannot be tested.
        if is_ignored(number) {
            continue;
        }
        let status = (128 + number).to_string();
        let folder = tempfile::tempdir().expect("creating a folder should succeed");
        let array = folder.path().join("in.zarr");
        make_empty_array(
            &array,
            &format!("[{ARRAY_BYTES}]"),
            "[16777216]",
            "\"uint8\"",
            "7",
        );
        // On a busy machine, the signal may arrive after the end of the write.
        let arrived_in_time = (0..10).any(|_| {
            let (printed_status, finished) = interrupt(folder.path(), signal);
            if finished {
                assert_eq!(printed_status, "0");
                fs::remove_file(folder.path().join("out.npy"))
                    .expect("removing the file should succeed");
                return false;
            }
            assert_eq!(printed_status, status, "{signal}");
            assert_eq!(file_names(folder.path()), ["in.zarr"], "{signal}");
            true
        });
        assert!(
            arrived_in_time,
            "{signal} never arrived before the end of the write"
        );
    }
}
