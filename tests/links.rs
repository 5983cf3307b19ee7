//! Checks that links in Markdown files have targets that exist, and that ARCHITECTURE.md links every file or folder of
//! `src`.

use std::fs;
use std::path::{Path, PathBuf};

/// Paths from the root of the repository.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "GLOSSARY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "slice-macro/README.md",
    "tests/converters/README.md",
    "tests/oracle/README.md",
    "tests/ui/README.md",
    "tests/vectors/README.md",
    "examples/README.md",
    "slice-core/docs",
    "slice-ops/README.md",
    "slice-ops/docs",
    "slice-zarr/README.md",
    "slice-zarr/docs",
    "slice-cli/README.md",
    "slice-cli/tests/models/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the entries of a directory, or the path itself if it is not a directory.
fn files(path: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&path) {
        Ok(entries) => entries
            .map(|entry| entry.expect("entry is readable").path())
            .collect(),
        Err(_) => vec![path],
    }
}

/// Returns the targets of all links in a text, without titles and fragments.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    targets.filter_map(|rest| rest.split([')', ' ', '#']).next())
}

#[test]
fn every_link_leads_to_a_file() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for document in DOCUMENTS.iter().flat_map(|path| files(root().join(path))) {
        if document.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&document)
            .unwrap_or_else(|error| panic!("{}: {error}", document.display()));
        let folder = document.parent().expect("document is in a folder");
        for link in links(&text) {
            // rustdoc checks its own links, and this test does not use the network.
            if link.is_empty() || link.contains("::") || link.starts_with("http") {
                continue;
            }
            checked += 1;
            if !folder.join(link).exists() {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(checked > 100, "only {checked} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_source_file_is_linked_in_architecture_md() {
    let plan =
        fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is readable");
    let linked: Vec<_> = links(&plan).collect();
    for source in [
        "slice-macro/src",
        "slice-core/src",
        "slice-ops/src",
        "slice-zarr/src",
        "slice-cli/src",
    ] {
        for path in files(root().join(source)) {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.expect("path ends in a name");
            let link = format!("{source}/{name}");
            assert!(
                ["lib.rs", "tests"].contains(&name) || linked.contains(&link.as_str()),
                "ARCHITECTURE.md has no link to {link}"
            );
        }
    }
}
