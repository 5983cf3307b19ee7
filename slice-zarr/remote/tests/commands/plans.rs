//! Checks the `slice_plan` command, which splits a read into plans, each in its own file. Covers splits into folders
//! that are not empty, and splits whose plans are lost, repeated, or mixed with plans of a different split.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use ndarray::{ArrayD, s};
use slice_zarr::ReadSlice;
use tempfile::TempDir;
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;

use crate::{elements, example, fails, make_array, names, succeeds};

/// Creates a temporary folder with an array in `in.zarr`, and returns the folder and its path.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    make_array(&folder.path().join("in.zarr"), 0);
    let path = folder.path().to_owned();
    (folder, path)
}

/// Returns the `slice_plan` command, to be run in a folder.
fn slice_plan(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = example("slice_plan");
    command.current_dir(folder).args(arguments);
    command
}

fn split<'a>(slice: &'a str, plans: &'a str) -> Vec<&'a str> {
    vec![
        "split", "in.zarr", slice, "out.zarr", "--plans", plans, "--into", "plans",
    ]
}

fn run(folder: &Path, number: usize) -> Command {
    slice_plan(
        folder,
        &["run", &format!("plans/{number}.json"), "out.zarr"],
    )
}

fn check(folder: &Path) -> Command {
    slice_plan(folder, &["check", "out.zarr", "--plans", "plans"])
}

fn result(folder: &Path) -> ArrayD<i32> {
    let store = FilesystemStore::new(folder.join("out.zarr")).unwrap();
    let array = Array::open(Arc::new(store), "/").unwrap();
    array.read_slice("...").unwrap()
}

/// Returns the path and the bytes of each file in a folder and its subfolders.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for name in names(folder) {
        let path = folder.join(name);
        match path.is_dir() {
            true => files.extend(contents(&path)),
            false => files.push((path.clone(), fs::read(path).unwrap())),
        }
    }
    files
}

/// The second split has fewer plans than the first. If old plans remained in the folder, they would also be run, and
/// the result would be incorrect.
#[test]
fn a_second_split_replaces_the_plans_of_the_first() {
    let (_guard, folder) = folder();
    succeeds(&mut slice_plan(&folder, &split("::-1", "8")));
    for number in 0..8 {
        succeeds(&mut run(&folder, number));
    }
    assert_eq!(result(&folder), elements(0).slice(s![..;-1, ..]).into_dyn());

    // Without `--overwrite`, nothing is changed.
    let contents_before = contents(&folder);
    let mut second_split = split("...", "4");
    let error = fails(&mut slice_plan(&folder, &second_split));
    assert!(
        error.contains("\"out.zarr\" exists") && error.contains("--overwrite"),
        "{error}"
    );
    fs::rename(folder.join("out.zarr"), folder.join("other.zarr")).unwrap();
    let error = fails(&mut slice_plan(&folder, &second_split));
    assert!(
        error.contains("plans") && error.contains("--overwrite"),
        "{error}"
    );
    assert!(!folder.join("out.zarr").exists());
    fs::rename(folder.join("other.zarr"), folder.join("out.zarr")).unwrap();
    assert_eq!(contents(&folder), contents_before);

    // A copy of an old plan is rejected, because it is not a plan of the new split.
    fs::copy(folder.join("plans/7.json"), folder.join("old.json")).unwrap();
    second_split.push("--overwrite");
    succeeds(&mut slice_plan(&folder, &second_split));
    assert_eq!(
        names(&folder.join("plans")),
        ["0.json", "1.json", "2.json", "3.json"]
    );
    assert_eq!(names(&folder.join("out.zarr")), ["zarr.json"]);
    assert!(result(&folder).iter().all(|&element| element == -1));
    let error = fails(&mut slice_plan(&folder, &["run", "old.json", "out.zarr"]));
    assert!(
        error.contains("this is plan 7 of 8 of the split "),
        "{error}"
    );
    assert!(result(&folder).iter().all(|&element| element == -1));

    for number in 0..4 {
        succeeds(&mut run(&folder, number));
    }
    assert_eq!(result(&folder), elements(0).into_dyn());
    assert!(succeeds(&mut check(&folder)).starts_with("complete: 4 of 4 plans"));
}

#[test]
fn lost_repeated_and_foreign_plans_are_reported() {
    let (_guard, folder) = folder();
    succeeds(&mut slice_plan(&folder, &split("...", "6")));
    let plans = folder.join("plans");
    fs::remove_file(plans.join("2.json")).unwrap();
    fs::copy(plans.join("4.json"), plans.join("copy.json")).unwrap();
    make_array(&folder.join("second.zarr"), 1000);
    let mut second_arguments = split("...", "5");
    (
        second_arguments[1],
        second_arguments[3],
        second_arguments[7],
    ) = ("second.zarr", "second_out.zarr", "second");
    succeeds(&mut slice_plan(&folder, &second_arguments));
    fs::copy(folder.join("second/3.json"), plans.join("other.json")).unwrap();
    fs::write(plans.join("text.json"), "{}").unwrap();

    for number in [0, 1, 3, 4] {
        succeeds(&mut run(&folder, number));
    }
    let error = fails(&mut run(&folder, 3));
    assert!(
        error.contains("plan 3 of 6") && error.contains("has already run"),
        "{error}"
    );
    succeeds(run(&folder, 3).arg("--again"));
    fails(&mut slice_plan(
        &folder,
        &["run", "plans/other.json", "out.zarr"],
    ));

    let error = fails(&mut check(&folder));
    for words in [
        "\"plans/other.json\": this is plan 3 of 5 of the split",
        "\"plans/text.json\" is not a plan",
        "the plans' folder \"plans\" contains 5 of 6 plans; missing: 2; repeated: 4 (2 times)",
        "not complete: 4 of 6 plans; missing: 2, 5; repeated: 3 (2 times)",
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
    let error = fails(&mut slice_plan(&folder, &["check", "in.zarr"]));
    assert!(error.contains("is not the output of a split"), "{error}");

    // Splitting the slice again, but with a different output, restores the lost plan.
    second_arguments.splice(
        1..8,
        [
            "in.zarr",
            "...",
            "third.zarr",
            "--plans",
            "6",
            "--into",
            "third",
        ],
    );
    succeeds(&mut slice_plan(&folder, &second_arguments));
    succeeds(&mut slice_plan(
        &folder,
        &["run", "third/2.json", "out.zarr"],
    ));
    succeeds(&mut run(&folder, 5));
    let complete = succeeds(&mut slice_plan(&folder, &["check", "out.zarr"]));
    assert_eq!(complete, "complete: 6 of 6 plans; repeated: 3 (2 times)\n");
    assert_eq!(result(&folder), elements(0).into_dyn());
}

#[test]
fn the_source_cannot_be_the_output() {
    let (_guard, folder) = folder();
    let contents_before = contents(&folder);
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.zarr", folder.join("link.zarr")).unwrap();
    let absolute = folder.join("in.zarr");
    let mut outputs = vec![
        "in.zarr",
        "./in.zarr/",
        "plans/../in.zarr",
        "in.zarr/c/0",
        "in.zarr/new",
        ".",
        absolute.to_str().unwrap(),
    ];
    fs::create_dir(folder.join("plans")).unwrap();
    if cfg!(unix) {
        outputs.extend(["link.zarr", "link.zarr/new"]);
    }
    for output in outputs {
        for overwrite in [false, true] {
            let mut arguments = split("::-1", "2");
            arguments[3] = output;
            arguments.extend(overwrite.then_some("--overwrite"));
            fails(&mut slice_plan(&folder, &arguments));
            fs::remove_file(folder.join("link.zarr")).unwrap_or_default();
            assert_eq!(contents(&folder), contents_before, "{output}");
            #[cfg(unix)]
            std::os::unix::fs::symlink("in.zarr", folder.join("link.zarr")).unwrap();
        }
    }
    // Plans cannot be written into the source or the output either.
    for (output, into) in [
        ("out.zarr", "in.zarr"),
        ("out.zarr", "in.zarr/c"),
        ("out.zarr", "out.zarr/plans"),
    ] {
        let mut arguments = split("::-1", "2");
        (arguments[3], arguments[7]) = (output, into);
        let error = fails(&mut slice_plan(&folder, &arguments));
        assert!(error.contains("the plans' folder"), "{error}");
    }
    // A copy of the metadata simulates the source under a different name, such as a second mount.
    fs::create_dir(folder.join("copy.zarr")).unwrap();
    fs::copy(
        folder.join("in.zarr/zarr.json"),
        folder.join("copy.zarr/zarr.json"),
    )
    .unwrap();
    let mut arguments = split("::-1", "2");
    (arguments[3], arguments[7]) = ("copy.zarr", "plans");
    arguments.push("--overwrite");
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("the output may be the source"), "{error}");
}

#[test]
fn overwriting_removes_only_arrays_and_plans() {
    let (_guard, folder) = folder();
    let mut arguments = split("...", "3");
    arguments.push("--overwrite");
    fs::create_dir(folder.join("out.zarr")).unwrap();
    fs::write(folder.join("out.zarr/letter.txt"), "Dear").unwrap();
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("is not an array"), "{error}");
    // A group is not removed, because it may contain other arrays.
    let group = r#"{"zarr_format": 3, "node_type": "group"}"#;
    fs::write(folder.join("out.zarr/zarr.json"), group).unwrap();
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("is not an array"), "{error}");
    fs::remove_dir_all(folder.join("out.zarr")).unwrap();

    fs::create_dir(folder.join("plans")).unwrap();
    fs::write(folder.join("plans/settings.json"), "{}").unwrap();
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("settings.json\" is not a plan"), "{error}");
    assert!(!folder.join("out.zarr").exists());
    fs::remove_file(folder.join("plans/settings.json")).unwrap();
    fs::write(folder.join("plans/notes.txt"), "").unwrap();
    // An empty output, and a folder without plans, are accepted without `--overwrite`.
    fs::create_dir(folder.join("out.zarr")).unwrap();
    succeeds(&mut slice_plan(&folder, &split("...", "3")));
    assert_eq!(
        names(&folder.join("plans")),
        ["0.json", "1.json", "2.json", "notes.txt"]
    );
    // An output that is a file is rejected.
    fs::write(folder.join("file"), "").unwrap();
    arguments[3] = "file";
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("\"file\""), "{error}");
}

/// Checks that files and folders next to an array's metadata are not removed unless they belong to the array.
#[test]
fn overwriting_keeps_files_next_to_an_array() {
    let (_guard, folder) = folder();
    let mut arguments = split("...", "3");
    arguments.push("--overwrite");
    let out = folder.join("out.zarr");
    let array_2 = r#"{"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": "|u1", "fill_value": 0, "order": "C",
        "filters": null, "compressor": null}"#;
    for (metadata, neighbor, words) in [
        ("", "thesis/text", "is not an array"),
        ("{}", "thesis/text", "is not an array"),
        (
            array_2,
            "thesis/text",
            "thesis\", which does not belong to an array",
        ),
        (
            array_2,
            "child/zarr.json",
            "child\", which does not belong to an array",
        ),
        (
            array_2,
            "notes.txt",
            "notes.txt\", which does not belong to an array",
        ),
    ] {
        fs::create_dir_all(out.join(neighbor).parent().unwrap()).unwrap();
        fs::write(out.join(".zarray"), metadata).unwrap();
        fs::write(out.join("0"), "1").unwrap();
        fs::write(out.join(neighbor), "precious").unwrap();
        let contents_before = contents(&folder);
        let error = fails(&mut slice_plan(&folder, &arguments));
        assert!(error.contains(words), "{error}");
        assert_eq!(contents(&folder), contents_before);
        fs::remove_dir_all(&out).unwrap();
    }
    // An output that contains only an array is removed, even if the array is in format 2.
    fs::create_dir(&out).unwrap();
    fs::write(out.join(".zarray"), array_2).unwrap();
    fs::write(out.join("0"), "1").unwrap();
    succeeds(&mut slice_plan(&folder, &arguments));
    fs::write(out.join("notes.txt"), "precious").unwrap();
    let error = fails(&mut slice_plan(&folder, &arguments));
    assert!(error.contains("notes.txt"), "{error}");
    fs::remove_file(out.join("notes.txt")).unwrap();
    succeeds(&mut slice_plan(&folder, &arguments));
}

/// Checks that a pipe without a writer, an endless device, and a file that is too long cause an error without delay.
#[cfg(unix)]
#[test]
fn pipes_devices_and_long_files_are_rejected() {
    use std::os::unix::fs::symlink;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    type CreateFile = fn(&Path);
    let pipe: CreateFile = |path| {
        let status = Command::new("mkfifo").arg(path).status();
        assert!(status.unwrap().success());
    };
    let device: CreateFile = |path| symlink("/dev/zero", path).unwrap();
    let long_file: CreateFile = |path| {
        let file = fs::File::create(path).unwrap();
        file.set_len(1 << 40).unwrap();
    };
    for create in [pipe, device, long_file] {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let (_guard, folder) = folder();
            succeeds(&mut slice_plan(&folder, &split("...", "3")));
            create(&folder.join("plans/x.json"));
            let mut arguments = split("...", "3");
            arguments.push("--overwrite");
            let errors = [
                fails(&mut check(&folder)),
                fails(&mut slice_plan(&folder, &arguments)),
                fails(&mut slice_plan(
                    &folder,
                    &["run", "plans/x.json", "out.zarr"],
                )),
            ];
            fs::remove_file(folder.join("plans/x.json")).unwrap();
            fs::remove_file(folder.join("out.zarr/zarr.json")).unwrap();
            create(&folder.join("out.zarr/zarr.json"));
            let output = fails(&mut slice_plan(&folder, &arguments));
            sender.send((errors, output)).unwrap();
        });
        let (errors, output) = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
        for error in errors {
            let words = [
                "x.json\": it is not a regular file",
                "x.json\": it has more than",
            ];
            assert!(words.iter().any(|words| error.contains(words)), "{error}");
        }
        assert!(output.contains("is not an array"), "{output}");
    }
}

#[test]
fn output_chunks_of_more_than_4_gib_are_rejected() {
    let (_guard, folder) = folder();
    for chunks in [
        "1000000,1000000",
        "18446744073709551615,18446744073709551615",
    ] {
        let mut arguments = split("...", "2");
        arguments.extend(["--chunks", chunks]);
        let error = fails(&mut slice_plan(&folder, &arguments));
        assert!(
            error.starts_with("error: the output chunks are too large: "),
            "{error}"
        );
        assert_eq!(names(&folder), ["in.zarr"]);
    }
}

/// Checks that a password in an address is neither printed nor written to plans, which others may read.
#[test]
fn passwords_are_neither_printed_nor_written() {
    for store in [
        "http://bob:s3cret@host/a",
        "http://s3cret@host/a",
        "http://bob:s3cret@host/a b",
        "http://bob:s3cret@host:port/a",
        "ftp://bob:s3cret@host/a",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let error = fails(&mut slice_plan(
            folder.path(),
            &[
                "split", store, ":", "out", "--plans", "2", "--into", "plans",
            ],
        ));
        assert!(!error.contains("s3cret"), "{error}");
        assert!(error.contains("password"), "{error}");
        assert!(names(folder.path()).is_empty());
    }
}

#[test]
fn a_full_disk_causes_an_error() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_guard, folder) = folder();
    let full_disk = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = slice_plan(&folder, &split("3, ::-2", "2"))
        .stdout(full_disk)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = output.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let prefix = "error: cannot write the output: ";
    assert!(stderr.starts_with(prefix), "{stderr}");
}

/// Checks that an invalid address causes an error before anything is written.
#[test]
fn invalid_addresses_are_rejected() {
    for store in ["http://host/a?b", "s3://", "ftp://host/a"] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = [
            "split", store, ":", "out", "--plans", "2", "--into", "plans",
        ];
        let error = fails(&mut slice_plan(folder.path(), &arguments));
        assert!(error.contains(store), "{error}");
        assert!(names(folder.path()).is_empty());
    }
}
