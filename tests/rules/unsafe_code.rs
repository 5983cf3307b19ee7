//! Checks that `unsafe` is used only in the files and folders listed in ARCHITECTURE.md.

use std::collections::BTreeSet;
use std::fs;

use super::source::{CRATES, files_below, root};

/// Returns the files and folders linked in the rule about `unsafe` in ARCHITECTURE.md.
fn allowed_paths() -> BTreeSet<String> {
    let text =
        fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the file should be readable");
    let mut rules = text.split("\n- ").skip(1);
    let rule = rules.find(|rule| rule.contains("`unsafe`"));
    let rule = rule.expect("ARCHITECTURE.md should contain the rule");
    let links = rule.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split_once(')'));
    links.map(|(link, _)| link.to_owned()).collect()
}

/// Returns `true` if a line contains the keyword `unsafe`.
fn has_unsafe(line: &str) -> bool {
    let line = line.split("//").next().unwrap_or(line);
    // Ignores the name of the lint, `unsafe_code`, and the string literal `"unsafe"`.
    let line = line.replace("unsafe_code", "").replace("\"unsafe\"", "");
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "unsafe")
}

#[test]
fn unsafe_is_used_only_where_architecture_md_allows_it() {
    let allowed_paths = allowed_paths();
    let mut used = BTreeSet::new();
    for krate in CRATES {
        let source = root().join(krate).join("src");
        for path in files_below(&source, ".rs") {
            let text = fs::read_to_string(source.join(&path)).expect("the file should be readable");
            let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
            let is_test = path.split('/').any(|part| part.starts_with("tests"));
            if is_test || !{ lines }.any(has_unsafe) {
                continue;
            }
            let path = format!("{krate}/src/{path}");
            let allowed = allowed_paths.iter().find(|allowed| {
                path == **allowed
                    || path.starts_with(&format!("{}/", allowed.trim_end_matches('/')))
            });
            let allowed = allowed
                .unwrap_or_else(|| panic!("ARCHITECTURE.md does not allow `unsafe` in {path}"));
            used.insert(allowed.clone());
        }
    }
    assert_eq!(
        used, allowed_paths,
        "ARCHITECTURE.md lists files or folders without `unsafe`"
    );
}
