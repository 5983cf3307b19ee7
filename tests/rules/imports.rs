//! Checks that imports have no cycles, that types are imported from the files that define them, and that no crate imports
//! hidden items of other crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::source::{CRATES, Sources, root};

/// Returns, for each folder, the imports between its files and subfolders, except imports by or from `mod.rs` and
/// `lib.rs`. Also omits imports from a file that itself imports nothing from its crate, such as a file that defines the
/// errors of a system, because such a file cannot be part of a cycle.
fn uses(sources: &Sources) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let mut folders: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, file) in &sources.files {
        for path in file.paths(module) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let (target, _) = sources.find(&path);
            let (used, target) = (&target, &sources.files[&target]);
            if target.paths(used).is_empty() {
                continue;
            }
            let parts =
                |path: &str| -> Vec<String> { path.split('/').map(str::to_owned).collect() };
            let (from, to) = (parts(&file.path), parts(&target.path));
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(user), Some(used)) = (from.get(common), to.get(common)) else {
                continue;
            };
            if ["mod.rs", "lib.rs"]
                .iter()
                .any(|name| user == name || used == name)
            {
                continue;
            }
            let folder = folders.entry(from[..common].join("/")).or_default();
            folder.entry(user.clone()).or_default().insert(used.clone());
        }
    }
    folders
}

/// Returns the modules that use themselves, directly or through others.
fn cycle(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reached = |start: &String| {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&String> = uses[start].iter().collect();
        while let Some(name) = next.pop() {
            if reached.insert(name) {
                next.extend(uses.get(name).into_iter().flatten());
            }
        }
        reached
    };
    let all = uses.keys();
    all.filter(|name| reached(name).contains(name))
        .cloned()
        .collect()
}

#[test]
fn import_cycles_are_found() {
    let uses = |pairs: &[(&str, &[&str])]| {
        let uses = pairs.iter().map(|(user, used)| {
            let used = used.iter().map(|&name| name.to_owned()).collect();
            (str::to_owned(user), used)
        });
        cycle(&uses.collect())
    };
    assert!(uses(&[("a", &["b", "c"]), ("b", &["c"])]).is_empty());
    let modules = uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b", "d"])]);
    assert_eq!(modules, ["b", "c"]);
}

#[test]
fn imports_have_no_cycles() {
    let mut violations = Vec::new();
    for krate in CRATES.into_iter().chain(["slice-check", "slice-cli"]) {
        for (folder, uses) in uses(&Sources::read(krate)) {
            let cycle = cycle(&uses);
            if !cycle.is_empty() {
                violations.push(format!("{krate}/src/{folder}: {}", cycle.join(", ")));
            }
        }
    }
    assert!(
        violations.is_empty(),
        "import cycles:\n{}",
        violations.join("\n")
    );
}

#[test]
fn types_are_imported_from_the_files_that_define_them() {
    let mut violations = Vec::new();
    for krate in CRATES {
        let sources = Sources::read(krate);
        for (module, file) in &sources.files {
            // `lib.rs` is exempt, because it re-exports the crate's public items.
            if file.path == "lib.rs" {
                continue;
            }
            for path in file.paths(module) {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let (target, item) = sources.find(&path);
                let is_own_module = target == *module
                    || module.starts_with(&format!("{target}::")) && !target.is_empty();
                let is_type = item.is_some_and(|item| item.starts_with(char::is_uppercase));
                if !is_own_module
                    && is_type
                    && !item.is_some_and(|item| sources.files[&target].defines(item))
                {
                    violations.push(format!("{krate}/src/{}: {}", file.path, path.join("::")));
                }
            }
        }
    }
    assert!(
        violations.is_empty(),
        "types imported from files that do not define them:\n{}",
        violations.join("\n")
    );
}

#[test]
fn no_crate_uses_hidden_items_of_other_crates() {
    let mut violations = Vec::new();
    for krate in CRATES.into_iter().chain(["slice-check", "slice-cli"]) {
        let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml"))
            .expect("the file should be readable");
        let dependencies = manifest.lines().filter(|line| line.starts_with("slice-"));
        if dependencies.clone().any(|line| line.contains("\"__")) {
            violations.push(format!("{krate}/Cargo.toml"));
        }
        // The source of the macro is exempt, because the expansion of the macro uses hidden items.
        if krate == "slice-macro" {
            continue;
        }
        for (_, file) in Sources::read(krate).files {
            for hidden in [
                "slice_core::__",
                "slice_core::python::",
                "slice_core::expansion",
                "slice_systems::__",
                "slice_zarr::__",
                "slice_check::__",
            ] {
                if file.code.contains(hidden) {
                    violations.push(format!("{krate}/src/{}", file.path));
                }
            }
        }
    }
    assert!(
        violations.is_empty(),
        "uses of hidden items of other crates:\n{}",
        violations.join("\n")
    );
}
