//! Checks that every system has a folder, tests, and a script that records its results.

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
        let (folder, recorded_name) = (system.folder, recorded_as(system.folder));
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

/// Checks the files that must mention every system. These files are not generated from the list of systems, because
/// they contain text or numbers that are specific to each system.
#[test]
fn every_system_is_documented_and_tested() {
    let mut missing = Vec::new();
    for system in AnyOperation::SYSTEMS {
        if system.folder == "python" {
            continue;
        }
        for path in [
            "README.md",
            "slice-cli/src/command/slice_argument.rs",
            "slice-systems/docs/five_systems.md",
            "slice-systems/src/lib.rs",
            "tests/oracle/README.md",
            "tests/oracle/emitted_ops.py",
            "tests/src/fuzz/dialect.rs",
            "tests/src/random_operations.rs",
            "tests/trust/api.rs",
            "tests/trust/extreme_sizes.rs",
            "tests/vectors/README.md",
        ] {
            let text = fs::read_to_string(root().join(path)).expect("the file should be readable");
            if !text.contains(system.folder) && !text.contains(system.name) {
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
