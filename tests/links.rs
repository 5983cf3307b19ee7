//! Checks that the files linked or named in Markdown documents exist, and that ARCHITECTURE.md links to every file and
//! folder at the top level of each crate's `src` folder.

use std::fs;
use std::path::{Path, PathBuf};

/// The documents whose links are checked, and folders of such documents, as paths from the root of the repository.
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
    "slice-systems/README.md",
    "slice-systems/docs",
    "slice-zarr/README.md",
    "slice-zarr/docs",
    "slice-check/README.md",
    "slice-cli/README.md",
    "slice-check/tests/models/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the paths of the entries in the directory `path`, or `path` itself if it is not a directory.
fn files(path: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&path) {
        Ok(entries) => entries
            .map(|entry| entry.expect("the entry should be readable").path())
            .collect(),
        Err(_) => vec![path],
    }
}

/// Returns the targets of all inline links in `text`, without titles or fragments.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    targets.filter_map(|rest| rest.split([')', ' ', '#']).next())
}

#[test]
fn every_link_points_to_an_existing_file() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for document in DOCUMENTS.iter().flat_map(|path| files(root().join(path))) {
        if document.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&document)
            .unwrap_or_else(|error| panic!("{}: {error}", document.display()));
        let folder = document
            .parent()
            .expect("the document should be in a folder");
        for link in links(&text) {
            // Skips links to Rust items, which rustdoc checks, and links to web pages, because this test does not use
            // the network.
            if link.is_empty() || link.contains("::") || link.starts_with("http") {
                continue;
            }
            checked += 1;
            if !folder.join(link).exists() {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(checked > 100, "too few links were checked: {checked}");
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// The documents in which every file named in backticks must exist.
const DOCUMENTS_WITH_FILE_NAMES: &[&str] = &[
    "ARCHITECTURE.md",
    "GLOSSARY.md",
    "CONTRIBUTING.md",
    "tests/oracle/README.md",
];

/// Appends the paths of all files and folders below `folder` to `paths`, except those in `target`, `.git` and
/// `node_modules`. The paths are relative to the root of the repository, and begin with `/`. `prefix` is the path of
/// `folder` in this form.
fn paths_below(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    for path in files(folder.to_owned()) {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("the path should end in a name");
        if ["target", ".git", "node_modules"].contains(&name) {
            continue;
        }
        let path_from_root = format!("{prefix}/{name}");
        if path.is_dir() {
            paths_below(&path, &path_from_root, paths);
        }
        paths.push(path_from_root);
    }
}

/// Returns the file names in backticks, outside code blocks. The placeholder `NAME`, which stands for the name of any
/// system, is replaced with `openvino`.
fn file_names(text: &str) -> Vec<String> {
    let text: String = text.split("```").step_by(2).collect();
    let is_file = |name: &str| {
        let mut extensions = [".rs", ".py", ".toml", ".md", ".txt", ".gz", ".svg"].iter();
        let folders = [".ci/", "slice-", "tests/", "examples/", "xtask/"];
        let has_folder = folders.iter().any(|folder| name.starts_with(folder));
        let is_path = name
            .chars()
            .all(|c| c.is_alphanumeric() || "._-/".contains(c));
        is_path && (extensions.any(|end| name.ends_with(end)) || has_folder && name.contains('/'))
    };
    let names = text.split('`').skip(1).step_by(2);
    names
        .filter(|name| is_file(name) && !name.contains("target/"))
        .map(|name| name.trim_end_matches('/').replace("NAME", "openvino"))
        .collect()
}

#[test]
fn every_file_named_in_a_document_exists() {
    let mut existing = Vec::new();
    paths_below(&root(), "", &mut existing);
    let (mut checked, mut missing) = (0, Vec::new());
    for document in DOCUMENTS_WITH_FILE_NAMES {
        let text =
            fs::read_to_string(root().join(document)).expect("the document should be readable");
        for name in file_names(&text) {
            checked += 1;
            let end = format!("/{name}");
            // Documents also name files by paths relative to folders of the repository, so only the ends of the paths
            // are compared.
            if !existing.iter().any(|path| path.ends_with(&end)) {
                missing.push(format!("{document}: {name}"));
            }
        }
    }
    assert!(checked > 60, "too few file names were checked: {checked}");
    assert!(missing.is_empty(), "missing files:\n{}", missing.join("\n"));
}

#[test]
fn top_level_source_files_and_folders_are_linked_in_architecture_md() {
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md"))
        .expect("ARCHITECTURE.md should be readable");
    let linked: Vec<_> = links(&architecture).collect();
    for source in [
        "slice-macro/src",
        "slice-core/src",
        "slice-systems/src",
        "slice-zarr/src",
        "slice-check/src",
        "slice-cli/src",
    ] {
        for path in files(root().join(source)) {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.expect("the path should end in a name");
            let link = format!("{source}/{name}");
            assert!(
                ["lib.rs", "tests"].contains(&name) || linked.contains(&link.as_str()),
                "ARCHITECTURE.md has no link to {link}"
            );
        }
    }
}
