//! Checks that the dependency lines in the README work in the `Cargo.toml` of a package if a copy of this repository is
//! in a folder named `slice` next to the package's folder.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the first code block in `page` that is marked with the language `language`.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("```{language}\n"))
        .expect("the page should contain a code block");
    rest.split_once("```")
        .expect("the code block should be closed")
        .0
}

/// Checks that Cargo resolves the dependencies in `lines` offline, with the versions in this repository's `Cargo.lock`.
/// Uses `cargo tree`, because `cargo metadata` also needs the dependencies of other platforms and features, which a
/// build of this repository does not download.
fn resolve(name: &str, lines: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().expect("the path should exist");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pasted")
        .join(name);
    fs::create_dir_all(program.join("src")).expect("creating the folder should succeed");
    // The lines refer to a copy of the repository at `../slice`. The test uses the repository itself instead.
    let repository = format!("\"{}/", root.display());
    let lines = lines.replace("\"../slice/", &repository);
    let package = "[package]\nname = \"pasted\"\nedition = \"2024\"\n\n[workspace]\n\n";
    // After a release, the lines contain versions, of which Cargo finds the next one only in the repository.
    let patch = |name: &str| format!("{name} = {{ path = {repository}{name}\" }}\n");
    let patches = ["slice-macro", "slice-core", "slice-systems", "slice-zarr"].map(patch);
    let patches = format!("\n[patch.crates-io]\n{}", patches.concat());
    fs::write(
        program.join("Cargo.toml"),
        format!("{package}{lines}{patches}"),
    )
    .expect("Cargo.toml should be writable");
    fs::write(program.join("src/main.rs"), "fn main() {}\n").expect("main.rs should be writable");
    fs::copy(root.join("Cargo.lock"), program.join("Cargo.lock"))
        .expect("copying Cargo.lock should succeed");
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix", "none"])
        .current_dir(&program)
        .output()
        .expect("cargo should start");
    let error_output = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "cargo cannot resolve these lines:\n{lines}\n{error_output}"
    );
    let packages = String::from_utf8_lossy(&output.stdout);
    assert!(
        packages.contains("\nslice-macro v"),
        "the dependencies do not contain slice-macro: {packages:.200}"
    );
}

#[test]
fn dependency_lines_in_the_readme_resolve() {
    let page = fs::read_to_string("../README.md").expect("README.md should be readable");
    let lines = block(&page, "toml");
    assert!(
        lines.contains("slice-core"),
        "slice-core is not in the first TOML block: {lines}"
    );
    resolve("readme", lines);
}
