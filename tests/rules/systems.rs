//! Checks that every system has a folder, tests, and a script that records its results, and that documents list every
//! system. `BLESS=1` corrects the lists.

use std::fs;

use slice_systems::AnyOperation;

use super::source::root;

/// Returns the name of the system whose recorded results are used to test the system in `folder`. Python's slices are
/// tested with the results of NumPy.
fn recorded_as(folder: &str) -> &str {
    match folder {
        "python" => "numpy",
        system => system,
    }
}

#[test]
fn every_system_has_the_required_files() {
    let mut missing = Vec::new();
    for system in AnyOperation::SYSTEMS {
        let (folder, recorded_name) = (system.id, recorded_as(system.id));
        for path in [
            format!("slice-systems/src/{folder}/mod.rs"),
            format!("tests/conformance/{recorded_name}.rs"),
            format!("tests/vectors/{recorded_name}.jsonl.gz"),
            format!("tests/oracle/{recorded_name}_vectors.py"),
            format!("tests/oracle/requirements-{recorded_name}.txt"),
        ] {
            if !root().join(&path).exists() {
                missing.push(path);
            }
        }
    }
    assert!(missing.is_empty(), "missing files:\n{}", missing.join("\n"));
}

/// The documents that list all systems except Python in a sentence.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "slice-cli/Cargo.toml",
    "slice-cli/README.md",
    "slice-cli/src/command/translate.rs",
    "slice-systems/Cargo.toml",
    "slice-systems/src/lib.rs",
];

/// Returns the position of the first list in `text` that begins with the first two `names` and ends with `and` and another
/// name. The list may continue on the next line of a comment.
fn list_in(text: &str, names: &[&str]) -> Option<(usize, usize)> {
    let start = text.find(&names[..2].join(", "))?;
    let (before, after) = text[start..].split_once(" and ")?;
    let is_name = |name: &&&str| after.starts_with(**name);
    let last = names.iter().filter(is_name).map(|name| name.len()).max()?;
    Some((start, start + before.len() + " and ".len() + last))
}

#[test]
fn documents_list_every_system() {
    let systems = AnyOperation::SYSTEMS.iter().skip(1);
    let names: Vec<&str> = systems.map(|system| system.name).collect();
    let (last, others) = names.split_last().expect("there should be systems");
    let list = format!("{} and {last}", others.join(", "));
    for document in DOCUMENTS {
        let path = root().join(document);
        let text = fs::read_to_string(&path).expect("the document should be readable");
        let (start, end) = list_in(&text, &names)
            .unwrap_or_else(|| panic!("{document} contains no list of systems"));
        let words = text[start..end].split_whitespace();
        let words: Vec<&str> = words.filter(|word| !word.starts_with("//")).collect();
        if words.join(" ") == list {
            continue;
        }
        assert!(
            std::env::var_os("BLESS").is_some(),
            "{document} lists other systems: run again with BLESS=1"
        );
        fs::write(path, [&text[..start], &list, &text[end..]].concat())
            .expect("the document should be writable");
    }
}

/// Checks the files that must mention every system. These files are not generated from the list of systems, because
/// they contain text or numbers that are specific to each system.
#[test]
fn every_system_is_documented_and_tested() {
    let mut missing = Vec::new();
    for system in AnyOperation::SYSTEMS {
        if system.id == "python" {
            continue;
        }
        for path in [
            "slice-cli/src/command/slice_argument.rs",
            "slice-systems/docs/strided_slices.md",
            "tests/oracle/README.md",
            "tests/oracle/emitted_ops.py",
            "tests/src/fuzz/dialect.rs",
            "tests/src/random_operations.rs",
            "tests/trust/api.rs",
            "tests/trust/extreme_sizes.rs",
            "tests/vectors/README.md",
        ] {
            let text = fs::read_to_string(root().join(path)).expect("the file should be readable");
            if !text.contains(system.id) && !text.contains(system.name) {
                missing.push(format!("{}: {path}", system.name));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "systems that are not mentioned:\n{}",
        missing.join("\n")
    );
}
