//! Every mistake is a compile error that teaches: one program per mistake in `ui/<area>/<mistake>.rs`, what the compiler
//! says about it beside it, and in `ui/README.md` what comparable libraries say.

use std::fs;
use std::path::PathBuf;

/// All `<area>/<name>` with this extension, sorted.
fn files(extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    for area in directory("ui") {
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

/// All programs go to the compiler together; the ones that pass also make it evaluate constants in the ones that do not.
#[test]
fn programs() {
    let cases = trybuild::TestCases::new();
    for program in files("rs") {
        let path = format!("ui/{program}.rs");
        if program.starts_with("pass/") {
            cases.pass(path);
        } else {
            cases.compile_fail(path);
        }
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
    let mistakes = files("rs")
        .into_iter()
        .filter(|program| !program.starts_with("pass/"));
    let silent: Vec<_> = mistakes
        .filter(|mistake| !messages.contains(mistake))
        .collect();
    assert!(silent.is_empty(), "no message for {silent:?}");
}
