//! Checks that only the text of a call decides its expansion. Each call is expanded in two files with different text around
//! it, and without a file, from the standard input of the compiler.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Calls whose names could be guessed to be masks, slices, lists or numbers. The last one contains a comment.
const CALLS: [&str; 12] = [
    "py!(x[m])",
    "py!(x[ix] - x[:-1])",
    "py! { x[m] = 0.0; x[ix] += 1.0; }",
    "py!(x[rows, cols] * n)",
    "py!(x[n + 1] - x[n])",
    "py!(x > n)",
    "py!({ let v = x[1:]; v[m].sum() })",
    "py! { for row in x[1:] { total += row[0]; } }",
    "py!(t.m[n..].len() + v[n])",
    "s![n:, &rows, ix]",
    "named! { const TAIL = s![n:]; }",
    "py! {\n    y[1:] = x[1:] // all but the first\n        + x[:-1];\n}",
];

/// The text that the compiler prints in place of an error.
const ERROR: &str = "/*ERROR*/";

/// Text that declares each name of the calls as something else, in code, comments and strings.
const DECOYS: &str = "\
// let m = x > 0.0; let ix = s![1:]; let rows = [0, 2]; x[1:] // 2
fn decoy(x: Array2<f64>) { let m = x.mapv(|v| v > 3.0); let ix = s![1:, 0]; let n = s![0]; }
/* let v = Array1::<bool>::from_elem(3, true); y // 2 */
const TEXT: &str = \"let m = nonzero(&x); let cols = &mask; x // 2\";
";

/// The function whose expansion is compared.
const CALLED: &str = "fn called()";

/// Returns the newest library of slice-core next to this program that has the macros. A library that was built without the
/// feature `py` may be in the same folder.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let files = fs::read_dir(program.parent().unwrap()).unwrap();
    let modified =
        |path: &PathBuf| -> SystemTime { fs::metadata(path).unwrap().modified().unwrap() };
    let mut libraries: Vec<PathBuf> = files
        .map(|file| file.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with("libslice_core-") && name.ends_with(".rlib")
        })
        .collect();
    libraries.sort_by_key(modified);
    let has_macros =
        |library: &PathBuf| expanded(library, CALLS[0], ["", ""], None).contains("slice_core");
    libraries
        .into_iter()
        .rfind(has_macros)
        .expect("slice-core should have been built")
}

/// Returns the expansion of `call` between the texts `above` and `below`, in the file `file` or, without one, from the
/// standard input.
fn expanded(library: &Path, call: &str, [above, below]: [&str; 2], file: Option<&Path>) -> String {
    let program = format!(
        "use slice_core::{{named, py, s}};\n{above}{CALLED} {{\n{call};\n}}\nfn end() {{}}\n{below}"
    );
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    // Lets a stable compiler print expansions.
    rustc.env("RUSTC_BOOTSTRAP", "1");
    rustc.args([
        "-Zunpretty=expanded",
        "--edition=2024",
        "--crate-type=lib",
        "--crate-name=call",
    ]);
    rustc
        .arg("--extern")
        .arg(format!("slice_core={}", library.display()));
    rustc.arg("-L").arg(library.parent().unwrap());
    match file {
        Some(path) => {
            fs::write(path, &program).unwrap();
            rustc.arg(path).stdin(Stdio::null());
        }
        None => {
            rustc.arg("-").stdin(Stdio::piped());
        }
    }
    let mut rustc = rustc
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(mut stdin) = rustc.stdin.take() {
        stdin.write_all(program.as_bytes()).unwrap();
    }
    let output = rustc.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let from = text
        .find(CALLED)
        .unwrap_or_else(|| panic!("{call}: {errors}"));
    let to = text.find("fn end()").unwrap();
    // The compiler also prints the comments of a file.
    text[from..to]
        .replace("// all but the first", "")
        .replace("// 2", "")
        .split_whitespace()
        .collect()
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("surroundings");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_text_around_a_call_does_not_change_its_expansion() {
    let library = library();
    let folder = folder();
    for call in CALLS {
        let alone = expanded(&library, call, ["", ""], Some(&folder.join("alone.rs")));
        assert!(
            alone.contains("slice_core"),
            "{call} is not expanded: {alone}"
        );
        assert!(!alone.contains(ERROR), "{call}: {alone}");
        let between = expanded(
            &library,
            call,
            [DECOYS, DECOYS],
            Some(&folder.join("between.rs")),
        );
        assert_eq!(alone, between, "{call} in another file");
        let without_file = expanded(&library, call, [DECOYS, ""], None);
        assert_eq!(alone, without_file, "{call} without a file");
    }
}

/// Rust takes `// 2` for a comment, which the macro sees only in the file.
#[test]
fn a_division_by_a_comment_is_reported_only_if_there_is_a_file() {
    let library = library();
    let call = "py! {\n    y = x[1:] // 2\n}";
    let in_file = expanded(
        &library,
        call,
        ["", ""],
        Some(&folder().join("division.rs")),
    );
    assert!(in_file.contains(ERROR), "{in_file}");
    let without_file = expanded(&library, call, ["", ""], None);
    assert!(!without_file.contains(ERROR), "{without_file}");
}
