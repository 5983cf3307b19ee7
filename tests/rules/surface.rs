//! Checks that the tables on the front page of each crate list every public item.

use std::fs;

use slice_systems::AnyOperation;

use super::source::{CRATES, Sources, root};

/// Extracts the public, documented names from the text of a crate's `lib.rs`.
fn public_names(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    // `#[doc(hidden)]` is in the same statement as the item that it hides.
    let (mut names, mut hidden) = (Vec::new(), false);
    for statement in code.split(';') {
        hidden |= statement.contains("doc(hidden)");
        let is_public_item =
            |line: &&str| line.starts_with("pub use ") || line.starts_with("pub mod ");
        // Macros and the items of modules are not extracted, because the front page lists them separately.
        if statement.lines().any(|line| is_public_item(&line)) && !hidden {
            let path = statement.rsplit("\npub ").next().unwrap_or(statement);
            let path = path.split(" {\n").next().unwrap_or(path);
            let path = path.trim_start_matches("use ").trim_start_matches("mod ");
            let all = path.split(['{', ',', '}']).map(str::trim);
            let last_name = |name: &str| {
                let name = name.rsplit("::").next().unwrap_or(name);
                name.rsplit(" as ").next().unwrap_or(name).to_owned()
            };
            // The path before a list of names ends in `::`, so its last name is empty.
            names.extend(all.map(last_name).filter(|name| !name.is_empty()));
        }
        hidden = false;
    }
    names
}

#[test]
fn the_guide_lists_the_traits_that_messages_name() {
    let guide = fs::read_to_string(root().join("slice-core/docs/numpy_to_rust.md")).unwrap();
    let sources = Sources::read("slice-core");
    let codes = sources.files.values().map(|file| &file.code);
    let traits = codes.flat_map(|code| {
        let messages = code.split("on_unimplemented(").skip(1);
        messages.filter_map(|after| after.split("pub trait ").nth(1))
    });
    let names = traits.filter_map(|after| after.split(|c: char| !c.is_alphanumeric()).next());
    let missing: Vec<&str> = names
        .filter(|name| !guide.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "not in the guide: {missing:?}");
}

#[test]
fn messages_name_the_version_of_ndarray() {
    let read =
        |file: &str| fs::read_to_string(root().join(file)).expect("the file should be readable");
    let manifest = read("Cargo.toml");
    let line = manifest
        .lines()
        .find(|line| line.starts_with("ndarray = "))
        .expect("a dependency");
    let version = line.split('"').nth(1).expect("the version is in quotes");
    let text = read("slice-core/src/python/sliceable.rs");
    let mut versions = text.split("slice-core needs ndarray ").skip(1).peekable();
    assert!(versions.peek().is_some(), "the message names no version");
    for rest in versions {
        assert!(rest.starts_with(&format!("{version}\"")), "{rest}");
    }
}

#[test]
fn the_front_page_of_each_crate_lists_every_public_item() {
    let folders = AnyOperation::SYSTEMS.iter().map(|system| system.id);
    let exempt: Vec<&str> = folders.chain(["guide"]).collect();
    let mut missing = Vec::new();
    for krate in CRATES {
        let text = fs::read_to_string(root().join(krate).join("src/lib.rs"))
            .expect("the file should be readable");
        let rows: String = text.lines().filter(|line| line.contains('|')).collect();
        let names = public_names(&text);
        assert!(
            krate == "slice-macro" || names.len() > 5,
            "too few public items were found in {krate}: {names:?}"
        );
        for name in names {
            if !exempt.contains(&&*name) && !rows.contains(&format!("[`{name}`")) {
                missing.push(format!("{krate}: {name}"));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "public items that are in no table:\n{}",
        missing.join("\n")
    );
}
