//! Tests that the examples' README lists every example.

use std::fs;

#[test]
fn every_example_is_listed_in_the_readme() {
    let readme = fs::read_to_string("../README.md").expect("the README should be readable");
    for directory in ["", "tools/"] {
        let manifest = fs::read_to_string(format!("../{directory}Cargo.toml"))
            .expect("the manifest should be readable");
        let names = manifest
            .split("[[example]]\nname = \"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        for name in names {
            let link = format!("[`{name}`]({directory}{name}.rs)");
            assert!(readme.contains(&link), "the README does not list {name}");
        }
    }
}
