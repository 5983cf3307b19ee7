//! Checks that every mistake is a compile error that says how to correct it. Each mistake has a program,
//! `<area>/<mistake>.rs`, next to it the compiler's message, and in `README.md` the messages of comparable libraries.
//! `tests/pass.rs` has the programs that must compile.

use std::fs;
use std::path::PathBuf;

#[path = "../src/table.rs"]
mod table;

/// Returns all `<area>/<name>` with this extension, sorted.
fn files(extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    for area in directory(".") {
        if area.is_dir() {
            let area_name = area.file_name().unwrap().to_str().unwrap().to_owned();
            for file in directory(area.to_str().unwrap()) {
                if file.extension().is_some_and(|found| found == extension) {
                    found.push(format!(
                        "{area_name}/{}",
                        file.file_stem().unwrap().to_str().unwrap()
                    ));
                }
            }
        }
    }
    found
}

fn directory(path: &str) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

/// Mistakes that only code generation finds, in `cargo build` and not in `cargo check`: constants in blocks and of
/// generic functions.
const GENERATED: [&str; 10] = [
    "constant/plan_of_a_function",
    "step/zero_associated_const",
    "step/zero_by_subtraction",
    "step/zero_const",
    "step/zero_const_generic",
    "step/zero_const_minus_itself",
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

/// trybuild checks all programs in one call of cargo.
#[test]
fn the_compiler_says_when_it_checks() {
    let cases = trybuild::TestCases::new();
    for mistake in mistakes() {
        if !GENERATED.contains(&mistake.as_str()) {
            cases.compile_fail(format!("{mistake}.rs"));
        }
    }
}

/// If one program passes, trybuild builds each program with a separate call of cargo, which takes thirty times as long.
#[test]
fn the_compiler_says_when_it_builds() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/constant_strides.rs");
    for mistake in GENERATED {
        cases.compile_fail(format!("{mistake}.rs"));
    }
}

#[test]
fn no_message_is_without_its_program() {
    let programs = files("rs");
    let orphans: Vec<_> = files("stderr")
        .into_iter()
        .filter(|message| !programs.contains(message))
        .collect();
    assert!(orphans.is_empty(), "no program for {orphans:?}");
}

#[test]
fn no_mistake_is_without_its_message() {
    let messages = files("stderr");
    let silent: Vec<_> = mistakes()
        .into_iter()
        .filter(|mistake| !messages.contains(mistake))
        .collect();
    assert!(silent.is_empty(), "no message for {silent:?}");
}

/// rustc prints lines of the standard library's source only if rustup's component rust-src is installed; a program
/// whose message would show them is written differently.
#[test]
fn no_message_leads_into_the_standard_library() {
    let leads = |mistake: &String| {
        let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
        message.contains("$RUST") || message.contains("/rustc/")
    };
    let found: Vec<_> = files("stderr").into_iter().filter(leads).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Checks that the table of `README.md` has a row for every mistake, with the first line of its message.
#[test]
fn the_table_says_what_the_compiler_says() {
    let mut rows = files("stderr").into_iter();
    table::check("README.md", |line| {
        let row = line.strip_prefix("| [")?;
        let mistake = rows.next().unwrap_or_default();
        assert!(
            row.starts_with(&format!("{mistake}]({mistake}.rs) |")),
            "{mistake:?} has no row before {row}"
        );
        let mut cells: Vec<_> = line.split(" | ").map(str::to_owned).collect();
        cells[1] = first_line(&mistake);
        Some(cells.join(" | "))
    });
    assert_eq!(rows.next(), None, "a mistake without a row");
}

/// Checks that the table of the root README has, for some mistakes, a link to the program and the first line of the
/// message with its help.
#[test]
fn the_front_page_says_what_the_compiler_says() {
    table::check("../../README.md", |line| {
        let (written, rest) = line.strip_prefix("| [`")?.split_once("`](tests/ui/")?;
        let (mistake, rest) = rest.split_once(".rs)").expect("row names a program");
        let program = fs::read_to_string(format!("{mistake}.rs")).unwrap();
        assert!(program.contains(written), "{mistake} has no {written}");
        let (remark, _) = rest.split_once(" |").expect("row has a second cell");
        let (first_line, help) = (first_line(mistake), help(mistake));
        Some(format!(
            "| [`{written}`](tests/ui/{mistake}.rs){remark} | {first_line}{help} |"
        ))
    });
}

/// Formats a cell of the table.
fn first_line(mistake: &str) -> String {
    let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
    code(message.lines().next().unwrap())
}

/// Returns the help of a message, on its own line in the same cell.
fn help(mistake: &str) -> String {
    let message = fs::read_to_string(format!("{mistake}.stderr")).unwrap();
    let help = message.lines().nth(1).unwrap().trim_start();
    let line = || format!("<br>{}", code(help));
    help.starts_with("help:").then(line).unwrap_or_default()
}

fn code(line: &str) -> String {
    let line = line.replace('|', "\\|");
    if line.contains('`') {
        format!("`` {line} ``")
    } else {
        format!("`{line}`")
    }
}
