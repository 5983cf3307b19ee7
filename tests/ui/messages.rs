//! Checks the compiler's messages for mistakes in slices. For each mistake, there is a program
//! (`<folder>/<mistake>.rs`) and a file with the compiler's message (`<folder>/<mistake>.stderr`). `README.md` also
//! shows the messages of comparable libraries. The programs in `pass` must compile, and `tests/pass.rs` runs them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../src/table.rs"]
mod table;

/// Returns the sorted names of all files with the given extension, in the form `<folder>/<name>` without the extension.
fn files(extension: &str) -> Vec<String> {
    let mut names = Vec::new();
    for area in directory(".") {
        if area.is_dir() {
            let area_name = area.file_name().unwrap().to_str().unwrap().to_owned();
            for file in directory(area.to_str().unwrap()) {
                if file.extension().is_some_and(|suffix| suffix == extension) {
                    names.push(format!(
                        "{area_name}/{}",
                        file.file_stem().unwrap().to_str().unwrap()
                    ));
                }
            }
        }
    }
    names
}

fn directory(path: &str) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

/// Mistakes in `const` blocks. The compiler evaluates these blocks during code generation, so `cargo build` reports the
/// mistakes, but `cargo check` does not.
const ONLY_DURING_CODEGEN: [&str; 10] = [
    "constant/plan_from_a_function",
    "step/zero_associated_const",
    "step/zero_by_subtraction",
    "step/zero_const",
    "step/zero_const_generic",
    "step/zero_const_minus_its_value",
    "step/zero_const_negated",
    "step/zero_const_parameter_in_arithmetic",
    "step/zero_static",
    "step/zero_unsigned_const_negated",
];

fn mistakes() -> Vec<String> {
    let programs = files("rs").into_iter();
    programs
        .filter(|program| !program.starts_with("pass/"))
        .collect()
}

/// If no program is expected to pass, trybuild checks all programs in a single invocation of cargo.
#[test]
fn cargo_check_reports_each_mistake() {
    let cases = trybuild::TestCases::new();
    for mistake in mistakes() {
        if !ONLY_DURING_CODEGEN.contains(&mistake.as_str()) {
            cases.compile_fail(format!("{mistake}.rs"));
        }
    }
}

/// If any program is expected to pass, trybuild builds the programs instead of checking them, with a separate
/// invocation of cargo for each program. Building the programs takes thirty times as long as checking them.
#[test]
fn cargo_build_reports_each_mistake() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/constant_strides.rs");
    for mistake in ONLY_DURING_CODEGEN {
        cases.compile_fail(format!("{mistake}.rs"));
    }
}

#[test]
fn every_message_file_belongs_to_a_program() {
    let programs = files("rs");
    let orphans: Vec<_> = files("stderr")
        .into_iter()
        .filter(|message| !programs.contains(message))
        .collect();
    assert!(orphans.is_empty(), "no program exists for {orphans:?}");
}

#[test]
fn every_mistake_has_a_message_file() {
    let messages = files("stderr");
    let without_message: Vec<_> = mistakes()
        .into_iter()
        .filter(|mistake| !messages.contains(mistake))
        .collect();
    assert!(
        without_message.is_empty(),
        "no message exists for {without_message:?}"
    );
}

/// rustc quotes lines of the standard library's source code only if rustup's component rust-src is installed. The
/// messages must therefore not quote this code.
#[test]
fn no_message_quotes_the_standard_library() {
    let quotes_std = |mistake: &String| {
        let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
        message.contains("$RUST") || message.contains("/rustc/")
    };
    let quoting: Vec<_> = files("stderr").into_iter().filter(quotes_std).collect();
    assert!(
        quoting.is_empty(),
        "these messages quote the standard library: {quoting:?}"
    );
}

/// Checks that the guide explains the traits and types of slice-core that messages name, outside of quoted code.
#[test]
fn the_guide_explains_every_name_in_a_message() {
    let source = sources(Path::new("../../slice-core/src"));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let defined: BTreeSet<&str> = source
        .lines()
        .filter_map(|line| {
            let line = line.trim_start().strip_prefix("pub ")?;
            let (kind, name) = line.split_once(' ')?;
            let is_type = matches!(kind, "trait" | "struct" | "enum");
            is_type.then(|| name.split(|c| !is_word(c)).next())?
        })
        .collect();
    let guide = fs::read_to_string("../../slice-core/docs/numpy_to_rust.md").unwrap();
    let explained: BTreeSet<&str> = guide.split(|c| !is_word(c)).collect();
    let mut unexplained = BTreeSet::new();
    for mistake in files("stderr") {
        let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
        for line in message.lines() {
            let is_code = line.split_once('|').is_some_and(|(number, _)| {
                number
                    .chars()
                    .all(|c| c.is_ascii_digit() || c.is_whitespace())
            });
            if !is_code {
                let names = line.split(|c| !is_word(c));
                unexplained.extend(
                    names
                        .filter(|name| defined.contains(name) && !explained.contains(name))
                        .map(|name| format!("{name} in {mistake}")),
                );
            }
        }
    }
    assert!(
        unexplained.is_empty(),
        "numpy_to_rust.md does not explain {unexplained:#?}"
    );
}

/// Returns the text of all Rust files in a folder.
fn sources(folder: &Path) -> String {
    directory(folder.to_str().unwrap())
        .into_iter()
        .map(|path| match path.is_dir() {
            true => sources(&path),
            false => fs::read_to_string(path).unwrap(),
        })
        .collect()
}

/// Checks that the table in `README.md` has a row for every mistake, with the first line of the compiler's message.
#[test]
fn the_table_quotes_every_message() {
    let mut rows = files("stderr").into_iter();
    table::check("README.md", |line| {
        let row = line.strip_prefix("| [")?;
        let mistake = rows.next().unwrap_or_default();
        assert!(
            row.starts_with(&format!("{mistake}]({mistake}.rs) |")),
            "the row of {mistake:?} is missing before {row}"
        );
        let mut cells: Vec<_> = line.split(" | ").map(str::to_owned).collect();
        cells[1] = first_line(&mistake);
        Some(cells.join(" | "))
    });
    assert_eq!(rows.next(), None, "README.md lacks a row for this mistake");
}

/// Checks the table in the root README. Each of its rows links to a program, and quotes the first line and the help of
/// the message for that program.
#[test]
fn the_root_readme_quotes_the_messages() {
    table::check("../../README.md", |line| {
        let (slice, rest) = line.strip_prefix("| [`")?.split_once("`](tests/ui/")?;
        let (mistake, rest) = rest
            .split_once(".rs)")
            .expect("the row should link to a program");
        let program = fs::read_to_string(format!("{mistake}.rs")).unwrap();
        assert!(
            program.contains(slice),
            "{mistake}.rs does not contain `{slice}`"
        );
        let (remark, _) = rest
            .split_once(" |")
            .expect("the row should have a second cell");
        let (first_line, help) = (first_line(mistake), help(mistake));
        Some(format!(
            "| [`{slice}`](tests/ui/{mistake}.rs){remark} | {first_line}{help} |"
        ))
    });
}

/// Returns the first line of a mistake's message, formatted as code.
fn first_line(mistake: &str) -> String {
    let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
    code(message.lines().next().unwrap())
}

/// Returns a line break and the help of a mistake's message, formatted as code. Returns an empty string if the message
/// has no help.
fn help(mistake: &str) -> String {
    let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
    let help = message.lines().nth(1).unwrap().trim_start();
    let line = || format!("<br>{}", code(help));
    help.starts_with("help:").then(line).unwrap_or_default()
}

/// Formats a line as code in a table cell.
fn code(line: &str) -> String {
    let line = line.replace('|', "\\|");
    if line.contains('`') {
        format!("`` {line} ``")
    } else {
        format!("`{line}`")
    }
}
