//! Reads the source files of a crate, and finds the paths that they import from each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The published libraries.
pub const CRATES: [&str; 4] = ["slice-macro", "slice-core", "slice-systems", "slice-zarr"];

/// The sources of a crate, without its tests.
pub struct Sources {
    /// The files by the paths of their modules, such as `resolve::axis`. The path of the crate's root is the empty
    /// string.
    pub files: BTreeMap<String, File>,
}

/// A source file.
pub struct File {
    /// The path relative to `src`, with `/` as the separator.
    pub path: String,
    /// The source code without comments, contents of string literals, or tests.
    pub code: String,
}

/// Returns the root folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the paths of all files below `folder` whose names end in `end`. The paths are sorted, and relative to
/// `folder`.
fn files_below(folder: &Path, end: &str) -> Vec<String> {
    let mut collected = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(subfolder) = folders.pop() {
        for entry in fs::read_dir(folder.join(&subfolder)).expect("the folder should be readable") {
            let entry = entry.expect("the entry should be readable");
            let path = subfolder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                collected.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    collected.sort_unstable();
    collected
}

impl Sources {
    /// Reads the sources of a crate.
    pub fn read(krate: &str) -> Self {
        let source = root().join(krate).join("src");
        let is_test = |path: &str| {
            let mut parts = path.split('/');
            parts.any(|part| ["tests", "tests.rs", "random.rs"].contains(&part))
        };
        let paths = files_below(&source, ".rs");
        let files = paths.into_iter().filter(|path| !is_test(path)).map(|path| {
            let text = fs::read_to_string(source.join(&path)).expect("the file should be readable");
            let module = path.trim_end_matches(".rs");
            let module = match module {
                "lib" => "",
                module => module.trim_end_matches("/mod"),
            };
            let code = code(&text);
            (module.replace('/', "::"), File { path, code })
        });
        Sources {
            files: files.collect(),
        }
    }

    /// Splits a path from the crate's root into the path of a module and the name of an item in that module. The name
    /// is `None` if `path` is the path of a module.
    pub fn find<'a>(&self, path: &[&'a str]) -> (String, Option<&'a str>) {
        let is_module = |len: &usize| self.files.contains_key(&path[..*len].join("::"));
        let len = (1..=path.len()).rev().find(is_module).unwrap_or(0);
        (path[..len].join("::"), path.get(len).copied())
    }
}

impl File {
    /// Returns all paths in this file to modules and items of its crate, as paths from the crate's root. `module` is
    /// the path of the file's module.
    pub fn paths(&self, module: &str) -> Vec<Vec<String>> {
        let module_path: Vec<String> = module.split("::").map(str::to_owned).collect();
        let module_path = if module.is_empty() {
            Vec::new()
        } else {
            module_path
        };
        let mut collected = Vec::new();
        for (start, levels) in [("crate::", None), ("super::", Some(1)), ("self::", Some(0))] {
            for (index, _) in self.code.match_indices(start) {
                let before = self.code[..index].chars().next_back();
                // Skips `$crate`, which refers to another crate, and the second `super` of `super::super`.
                if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == ':') {
                    continue;
                }
                let mut rest = &self.code[index + start.len()..];
                let mut base = match levels {
                    None => Vec::new(),
                    Some(levels) => {
                        module_path[..module_path.len().saturating_sub(levels)].to_vec()
                    }
                };
                while let Some(remainder) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = remainder;
                }
                collect_paths(&base, rest, &mut collected);
            }
        }
        collected
    }

    /// Returns `true` if the file defines an item named `name`, rather than only importing it.
    pub fn defines(&self, name: &str) -> bool {
        let keywords = [
            "struct", "enum", "union", "trait", "type", "fn", "const", "static", "mod",
        ];
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let defined = keywords.iter().any(|keyword| {
            let start = format!("{keyword} {name}");
            let mut matches = self.code.match_indices(&start);
            matches.any(|(index, _)| is_whole(&self.code[index + start.len()..]))
        });
        // If a macro defines the item, none of the keywords precedes its name. Therefore, a name that is not imported
        // is treated as defined.
        let imported = self.imports().any(|import| {
            import
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == name)
        });
        defined || !imported
    }

    fn imports(&self) -> impl Iterator<Item = &str> {
        let all = self.code.split("use ").skip(1);
        all.filter_map(|rest| rest.split_once(';').map(|(import, _)| import))
    }
}

/// Appends to `collected` the path at the start of `text`, or the paths of all branches if `text` starts with a `use`
/// tree. The appended paths start with `base`.
fn collect_paths(base: &[String], text: &str, collected: &mut Vec<Vec<String>>) {
    let mut path = base.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            for branch in branches(group) {
                collect_paths(&path, branch, collected);
            }
            return;
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if !name.is_empty() && name != "self" {
            path.push(name.to_owned());
        }
        match after.strip_prefix("::") {
            Some(more) if !name.is_empty() => rest = more,
            _ => break,
        }
    }
    collected.push(path);
}

/// Splits the text after an opening brace at the commas outside inner braces, up to the closing brace.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (index, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                parts.push(group[start..index].trim());
                start = index + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns `text` without comments, the contents of string literals, or the tests at its end.
fn code(text: &str) -> String {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text);
    let lines = text.lines().map(|line| {
        let line = if line.trim_start().starts_with("//") {
            ""
        } else {
            line
        };
        // For these sources, it suffices to treat each pair of quotation marks within a line as a string literal.
        let mut parts = line.split('"').enumerate();
        let mut kept = parts.by_ref().filter(|(index, _)| index % 2 == 0);
        let kept: Vec<&str> = kept.by_ref().map(|(_, part)| part).collect();
        let kept = kept.join("\"\"");
        match kept.split_once(" // ") {
            Some((code, _)) => code.to_owned(),
            None => kept,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
