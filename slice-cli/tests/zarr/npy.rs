//! Tests the headers of written NumPy files, the errors for arrays that NumPy does not support and for exceeded limits,
//! and lists that are read from files.

use std::fs;
use std::path::Path;

use crate::{fails, make_empty_array, run, succeeds, zarr};

/// Writes a slice to a file, and returns the header of the file.
fn header(folder: &Path, slice: &str) -> String {
    let out = folder.join("out.npy");
    succeeds(zarr().arg(folder).arg(slice).arg(&out));
    let file = fs::read(out).unwrap();
    let header = &file[10..file.iter().position(|&byte| byte == b'\n').unwrap()];
    String::from_utf8(header.to_vec())
        .unwrap()
        .trim_end()
        .to_owned()
}

fn error_of(folder: &Path, slice: &str) -> String {
    let out = folder.join("none.npy");
    let error = fails(zarr().arg(folder).arg(slice).arg(&out));
    assert!(!out.exists());
    error
}

/// Zarr metadata may also name microseconds `μs`, but NumPy accepts only `us`.
#[test]
fn microseconds_are_named_us_in_numpy_files() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, letter) in [("datetime64", 'M'), ("timedelta64", 'm')] {
        for (unit, factor, expected) in [
            ("us", 1, "[us]"),
            ("\u{3bc}s", 1, "[us]"),
            ("\u{3bc}s", 25, "[25us]"),
            ("ns", 2_147_483_647, "[2147483647ns]"),
        ] {
            let data_type = format!(
                r#"{{"name": "numpy.{kind}", "configuration": {{"unit": "{unit}", "scale_factor": {factor}}}}}"#
            );
            make_empty_array(folder.path(), "[3]", "[3]", &data_type, "0");
            let order = if cfg!(target_endian = "little") {
                '<'
            } else {
                '>'
            };
            assert_eq!(
                header(folder.path(), ":"),
                format!(
                    "{{'descr': '{order}{letter}8{expected}', 'fortran_order': False, 'shape': (3,), }}"
                )
            );
        }
        let data_type = format!(
            r#"{{"name": "numpy.{kind}", "configuration": {{"unit": "s", "scale_factor": 2147483648}}}}"#
        );
        make_empty_array(folder.path(), "[3]", "[3]", &data_type, "0");
        let error = error_of(folder.path(), ":");
        assert!(
            error.contains("not understood") || error.contains("scale_factor"),
            "{error}"
        );
    }
}

/// zarr-python writes this metadata, for which zarrs' `Array::open` has undefined behavior.
#[test]
fn arrays_of_rank_0_in_fortran_order_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let metadata = r#"{"zarr_format": 2, "shape": [], "chunks": [], "dtype": "<f8", "fill_value": 0.0, "order": "F",
        "filters": null, "compressor": null, "dimension_separator": "."}"#;
    fs::write(folder.path().join(".zarray"), metadata).unwrap();
    assert!(header(folder.path(), "...").contains("'shape': ()"));
}

#[test]
fn slices_with_more_axes_than_numpy_supports_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let ones = format!("[{}]", ["1"; 63].join(", "));
    make_empty_array(folder.path(), &ones, &ones, "\"int8\"", "0");
    assert!(header(folder.path(), "newaxis").contains(&["1,"; 64].join(" ")));
    let error = error_of(folder.path(), "newaxis, newaxis");
    let words = "error: number of dimensions must be within [0, 64], indexing result would have 65";
    assert!(error.starts_with(words), "{error}");
}

/// NumPy's size limit also applies to arrays with empty axes.
#[test]
fn arrays_that_are_too_large_for_numpy_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    make_empty_array(
        folder.path(),
        "[4611686018427387904, 0]",
        "[1, 1]",
        "\"float64\"",
        "0.0",
    );
    let error = error_of(folder.path(), "...");
    assert!(error.contains("array is too big"), "{error}");
    assert!(header(folder.path(), ":7").contains("(7, 0,)"));
}

/// Writes a file in the format of `numpy.save`.
fn save_npy(path: &Path, descr: &str, shape: &str, data: &[u8]) {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let len = (header.len() as u16).to_le_bytes();
    let file = [b"\x93NUMPY\x01\x00", &len[..], header.as_bytes(), data].concat();
    fs::write(path, file).unwrap();
}

#[test]
fn lists_are_read_from_npy_files() {
    let folder = tempfile::tempdir().unwrap();
    let array = folder.path().join("array");
    make_empty_array(&array, "[5, 7]", "[2, 3]", "\"int16\"", "3");
    let rows = folder.path().join("rows.npy");
    let at = |path: &Path| format!("@{}", path.display());
    for (descr, data) in [
        ("<i8", [4_i64, -5, 4].map(i64::to_le_bytes).concat()),
        (">i4", [4_i32, -5, 4].map(i32::to_be_bytes).concat()),
        ("<u2", [4_u16, 0, 4].map(u16::to_le_bytes).concat()),
        ("|i1", vec![4, 251, 4]),
    ] {
        save_npy(&rows, descr, "(3,)", &data);
        let shape = header(&array, &format!("{}, 1:", at(&rows)));
        assert!(shape.contains("'shape': (3, 6,)"), "{shape}");
    }
    let mask = folder.path().join("mask.npy");
    save_npy(&mask, "|b1", "(7,)", &[0, 1, 0, 0, 1, 1, 0]);
    let shape = header(&array, &format!("[2, 2], {}, newaxis", at(&mask)));
    assert!(shape.contains("'shape': (2, 3, 1,)"), "{shape}");
    // The plan is the same whether a list is in a file or in the slice itself.
    let plan = |slice: &str| succeeds(zarr().arg(&array).arg(slice).arg("--plan"));
    assert_eq!(
        plan(&format!("{}, {}", at(&rows), at(&mask))),
        plan("[4, -5, 4], [1, 4, 5]")
    );

    let error = error_of(&array, &format!("{}, 0", at(&mask)));
    assert!(error.contains("boolean index did not match"), "{error}");
    save_npy(&rows, "<i8", "(1,)", &9_i64.to_le_bytes());
    let error = error_of(&array, &at(&rows));
    assert!(
        error.contains("index 9 is out of bounds for axis 0"),
        "{error}"
    );
    for (descr, shape, data, words) in [
        ("<i8", "(1, x)", &[0; 8][..], "invalid shape"),
        ("<i8", "(2,)", &[0; 8], "8 bytes of data, but 2 elements"),
        ("<f8", "(1,)", &[0; 8], "integers or bool"),
        ("<i8", "(18446744073709551615,)", &[0; 8], "bytes of data"),
    ] {
        save_npy(&rows, descr, shape, data);
        let error = error_of(&array, &at(&rows));
        assert!(error.contains(words), "{error}");
    }
    fs::write(&rows, "rows").unwrap();
    assert!(error_of(&array, &at(&rows)).contains("not written by numpy.save"));
    let missing_file = folder.path().join("nothing.npy");
    assert!(error_of(&array, &at(&missing_file)).contains("cannot read"));
}

/// Checks masks and lists with several axes, in C order and in Fortran order, and lists in `zip(...)`.
#[test]
fn files_may_have_several_axes() {
    let folder = tempfile::tempdir().unwrap();
    let array = folder.path().join("array");
    make_empty_array(&array, "[3, 2, 4]", "[2, 2, 3]", "\"int16\"", "3");
    let save = |name: &str, descr: &str, shape: &str, data: &[u8]| {
        save_npy(&folder.path().join(name), descr, shape, data);
    };
    save("mask.npy", "|b1", "(3, 2)", &[0, 1, 0, 0, 1, 1]);
    let fortran = fs::read(folder.path().join("mask.npy")).unwrap();
    let fortran = [&fortran[..fortran.len() - 6], &[0, 0, 1, 1, 0, 1]].concat();
    let fortran = fortran.iter().map(|&byte| byte as char).collect::<String>();
    let fortran = fortran.replace("False", "True ");
    let fortran: Vec<u8> = fortran.chars().map(|character| character as u8).collect();
    fs::write(folder.path().join("fortran.npy"), fortran).unwrap();
    save(
        "all.npy",
        "|b1",
        "(3, 2, 4)",
        &[[0, 0, 1, 0], [0; 4]].concat().repeat(3),
    );
    save("table.npy", "|i1", "(2, 2)", &[2, 0, 255, 1]);
    save("rows.npy", "|i1", "(3,)", &[2, 0, 2]);
    save("one.npy", "|i1", "()", &[1]);
    let run = |slice: &str| {
        let mut command = zarr();
        let command = command.current_dir(folder.path()).arg("array").arg(slice);
        succeeds(command.args(["--plan", "out.npy"]))
    };
    for (files, text) in [
        (
            "@mask.npy, ::2",
            "[[False, True], [False, False], [True, True]], ::2",
        ),
        (
            "@fortran.npy, ::2",
            "[[False, True], [False, False], [True, True]], ::2",
        ),
        ("@all.npy", "zip([0, 1, 2], [0, 0, 0], [2, 2, 2])"),
        ("@table.npy, 0", "[[2, 0], [-1, 1]], 0"),
        (
            "zip(@rows.npy, [1, 0, 1]), @table.npy",
            "zip([2, 0, 2], [1, 0, 1]), [[2, 0], [-1, 1]]",
        ),
        (
            "0, zip(@table.npy, @table.npy)",
            "0, zip([[2, 0], [-1, 1]], [[2, 0], [-1, 1]])",
        ),
        ("@rows.npy, @one.npy", "[2, 0, 2], 1"),
    ] {
        let invalid = files.contains("0, zip");
        if invalid {
            let error = error_of(&array, text);
            assert!(error.contains("out of bounds"), "{error}");
            continue;
        }
        assert_eq!(run(files), run(text), "{files}");
    }
    for (slice, words) in [
        ("zip(@rows.npy, @mask.npy)", "contains a mask"),
        ("[1, @rows.npy]", "error"),
        ("[@rows.npy], 0", "write it without brackets"),
        ("zip([@rows.npy], [0])", "write it without brackets"),
        ("@all.npy, 0", "too many indices"),
    ] {
        let mut command = zarr();
        let command = command.current_dir(folder.path()).arg("array");
        let error = fails(command.arg(slice).arg("--plan"));
        assert!(error.contains(words), "{slice}: {error}");
    }
}

/// Checks that a file may stand wherever a list may, and that a path may contain any character.
#[test]
fn files_may_stand_wherever_lists_may() {
    let folder = tempfile::tempdir().unwrap();
    let array = folder.path().join("array");
    make_empty_array(&array, "[5, 7]", "[2, 3]", "\"int16\"", "3");
    let plan = |slice: &str| {
        let mut command = zarr();
        let command = command.current_dir(folder.path()).arg("array");
        succeeds(command.arg(slice).arg("--plan"))
    };
    let names = [
        "ok.npy",
        "a,b.npy",
        "a b.npy",
        "a(1)[2].npy",
        "a).npy",
        "a].npy",
        "it's.npy",
        "a@b.npy",
        "d\u{e9}.npy",
    ];
    for name in names {
        let positions = [4_i64, -5, 4].map(i64::to_le_bytes).concat();
        save_npy(&folder.path().join(name), "<i8", "(3,)", &positions);
        let mut paths = vec![format!("@\"{name}\"")];
        if !name.contains('\'') {
            paths.push(format!("@'{name}'"));
        }
        if !["a,b.npy", "a).npy", "a].npy"].contains(&name) {
            paths.push(format!("@{name}"));
        }
        for path in paths {
            for (file, list) in [
                (path.to_string(), "[4, -5, 4]"),
                (format!("{path},"), "[4, -5, 4]"),
                (format!("({path}, slice(2))"), "([4, -5, 4], slice(2))"),
                (format!("x[{path}, :2]"), "[4, -5, 4], :2"),
                (format!("[ {path} , :2]"), "[4, -5, 4], :2"),
                (format!("x[{path}]"), "[4, -5, 4]"),
                (format!("x[:2, None, {path}]"), ":2, None, [4, -5, 4]"),
                (format!("..., {path}"), "..., [4, -5, 4]"),
                (format!("[0, 1], {path}"), "[0, 1], [4, -5, 4]"),
                (
                    format!("np.s_[ {path} ,newaxis,{path} ]"),
                    "[4, -5, 4], newaxis, [4, -5, 4]",
                ),
            ] {
                assert_eq!(plan(&file), plan(list), "{file}");
            }
        }
    }
    for (slice, words) in [
        ("@a,b.npy", "write the path in quotes"),
        ("1@ok.npy", "@"),
        ("@ok.npy:3", "cannot read \"ok.npy:3\""),
        ("@'ok.npy':3", "slice indices must be integers"),
        ("[@ok.npy, 1]", "error"),
        // As in Python, a tuple in parentheses has no colons, with or without files.
        ("(@ok.npy, :2)", "write `slice(begin, end, step)`"),
        ("@'ok.npy", "cannot read \"'ok.npy\""),
        ("[1, [@ok.npy]]", "error"),
        ("@", "cannot read \"\""),
    ] {
        let mut command = zarr();
        let command = command.current_dir(folder.path()).arg("array");
        let error = fails(command.arg(slice).arg("--plan"));
        assert!(error.contains(words), "{slice}: {error}");
    }
}

/// Data types that NumPy lacks are written as raw bytes, with a warning.
#[test]
fn data_types_that_numpy_lacks_are_written_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    for (data_type, fill_value, warning) in [
        (
            "bfloat16",
            "0.0",
            Some(
                "warning: NumPy has no data type bfloat16: the elements are written as raw bytes, with the data type |V2\n",
            ),
        ),
        (
            "int4",
            "0",
            Some(
                "warning: NumPy has no data type int4: the elements are written as raw bytes, with the data type |V1\n",
            ),
        ),
        ("r16", "[0, 0]", None),
        ("float16", "0.0", None),
    ] {
        make_empty_array(
            folder.path(),
            "[3]",
            "[3]",
            &format!("\"{data_type}\""),
            fill_value,
        );
        let out = folder.path().join("out.npy");
        let (code, _, error_output) = run(zarr().arg(folder.path()).arg(":").arg(&out));
        assert_eq!(code, Some(0), "{error_output}");
        assert_eq!(error_output, warning.unwrap_or_default());
    }
}

#[test]
fn groups_are_named_in_errors() {
    for (file, metadata) in [
        ("zarr.json", r#"{"zarr_format": 3, "node_type": "group"}"#),
        (".zgroup", r#"{"zarr_format": 2}"#),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(file), metadata).unwrap();
        let error = error_of(folder.path(), ":");
        assert!(
            error.contains("it is a group; name one of its arrays"),
            "{error}"
        );
    }
}

/// Metadata of a few hundred bytes claims 10^18 chunks. They are counted without being visited, so limits and plans take
/// no time.
#[test]
fn chunks_are_counted_without_being_visited() {
    let folder = tempfile::tempdir().unwrap();
    make_empty_array(
        folder.path(),
        "[1000000000000000000]",
        "[1]",
        "\"int8\"",
        "0",
    );
    let plan = |slice: &str| {
        succeeds(
            zarr()
                .arg(folder.path())
                .arg(slice)
                .args(["--plan", "--json"]),
        )
    };
    let plan: serde_json::Value = serde_json::from_str(&plan("::-1000000")).unwrap();
    let counts = ["chunks", "requests", "bytes"].map(|name| plan["plan"][name].as_u64());
    assert_eq!(counts, [Some(1_000_000_000_000); 3]);
    let out = folder.path().join("out.npy");
    for (option, words) in [
        ("--max-chunks", "needs 1000000000000000000 chunks"),
        ("--max-requests", "needs 1000000000000000000 requests"),
        ("--max-bytes", "needs 1000000000000000000 bytes"),
        ("--max-memory", "needs 1000"),
    ] {
        let mut command = zarr();
        let command = command.arg(folder.path()).arg("...").arg(&out);
        let error = fails(command.args([option, "10", "--timeout", "60"]));
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn errors_name_the_exceeded_limit() {
    let folder = tempfile::tempdir().unwrap();
    make_empty_array(folder.path(), "[50, 7]", "[2, 7]", "\"int16\"", "3");
    let out = folder.path().join("out.npy");
    for (option, limit, words) in [
        (
            "--max-chunks",
            "2",
            "needs 3 chunks, more than the limit of 2",
        ),
        (
            "--max-requests",
            "2",
            "needs 3 requests, more than the limit of 2",
        ),
        ("--max-bytes", "10", "bytes, more than the limit of 10"),
        (
            "--max-memory",
            "50",
            "bytes of memory, more than the limit of 50",
        ),
    ] {
        let mut command = zarr();
        let command = command.arg(folder.path()).arg("[40, 3, 20]").arg(&out);
        let error = fails(command.args([option, limit]));
        assert!(error.contains(words), "{error}");
        assert!(!out.exists());
    }
}
