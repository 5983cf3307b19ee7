//! Every system has its folder, its tests and the script that asked it.

use slice_ops::AnyOperation;

use super::source::root;

/// The answers that a system is compared with are those of this one.
fn asked(folder: &str) -> &str {
    match folder {
        "python" => "numpy",
        system => system,
    }
}

#[test]
fn every_system_has_its_files() {
    let mut missing = Vec::new();
    for system in AnyOperation::SYSTEMS {
        let (folder, asked) = (system.folder, asked(system.folder));
        for path in [
            format!("slice-ops/src/{folder}/mod.rs"),
            format!("tests/conformance/{asked}.rs"),
            format!("tests/vectors/{asked}.jsonl.gz"),
            format!("tests/oracle/{asked}_vectors.py"),
            format!("tests/oracle/requirements-{asked}.txt"),
        ] {
            if !root().join(&path).exists() {
                missing.push(path);
            }
        }
    }
    assert!(missing.is_empty(), "missing:\n{}", missing.join("\n"));
}
