//! Checks that CONTRIBUTING.md lists the files to change for a new kind of item.

use std::collections::BTreeSet;
use std::fs;

use super::source::{Sources, root};
use crate::published::PACKAGES;

/// The largest number of source files that a new kind of item may require to change.
const MAX_FILES: usize = 15;

/// Returns the source files to which the rows of CONTRIBUTING.md whose first cell is `change` link.
fn linked(change: &str) -> BTreeSet<String> {
    let guide =
        fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the guide should be readable");
    let start = format!("| {change} |");
    let rows = guide.lines().filter(|line| line.starts_with(&start));
    let links = rows.flat_map(|row| row.split("](").skip(1));
    let links = links.filter_map(|link| link.split_once(')'));
    let sources = links.filter(|(path, _)| path.starts_with("slice-"));
    sources.map(|(path, _)| path.to_owned()).collect()
}

/// Points stand for all kinds of lists: a file that names points also needs a decision for a new kind.
#[test]
fn contributing_lists_the_files_that_name_kinds_of_items() {
    let required = linked("a kind of item");
    assert!(
        (1..=MAX_FILES).contains(&required.len()),
        "a kind of item requires changes in {} files: {required:?}",
        required.len()
    );
    let mut named = BTreeSet::new();
    for krate in PACKAGES {
        for file in Sources::read(krate).files.values() {
            let mut words = file.code.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| word == "Points") {
                named.insert(format!("{krate}/src/{}", file.path));
            }
        }
    }
    let optional = linked("special support for a kind of item");
    let listed: BTreeSet<String> = required.union(&optional).cloned().collect();
    assert_eq!(
        listed, named,
        "left: listed in CONTRIBUTING.md, right: name `Points`"
    );
}
