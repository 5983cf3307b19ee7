//! Checks the links in pages that are displayed outside this repository: READMEs on crates.io and guides on docs.rs.
//!
//! crates.io resolves relative links against the package's folder in the repository. slice-core therefore has its own
//! copy of the root README, with links relative to its folder. `BLESS=1` writes that copy.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The packages whose READMEs and guides are checked.
pub const PACKAGES: [&str; 6] = [
    "slice-macro",
    "slice-core",
    "slice-systems",
    "slice-zarr",
    "slice-check",
    "slice-cli",
];

/// The only repository hosts for which crates.io resolves relative links.
const HOSTS: [&str; 3] = [
    "https://github.com/",
    "https://gitlab.com/",
    "https://bitbucket.org/",
];

/// The text that precedes an address within a line, and the characters that end the address. [`DEFINITION`] is for
/// `[label]: address`, which occupies a whole line.
const INLINE: [(&str, &[char]); 3] = [
    ("](", &[')', ' ', '#']),
    ("src=\"", &['"', '#']),
    ("href=\"", &['"', '#']),
];
const DEFINITION: (&str, &[char]) = ("]: ", &[' ', '#']);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn package(manifest: &Path) -> Table {
    let manifest: Table = text(manifest).parse().expect("the manifest should be TOML");
    manifest["package"]
        .as_table()
        .expect("`package` should be a table")
        .clone()
}

/// Returns `true` if `address` is a path relative to the page.
fn is_relative(address: &str) -> bool {
    !address.is_empty() && !address.contains(':')
}

/// Returns `page` with each relative link address replaced by the result of `replace`.
fn replace_relative_links(page: &str, mut replace: impl FnMut(&str) -> String) -> String {
    let mut result = String::new();
    for line in page.split_inclusive('\n') {
        let label = line.split(DEFINITION.0).next().unwrap_or_default();
        let is_definition =
            label.len() < line.len() && label.starts_with('[') && !label.contains("](");
        let links = if is_definition {
            &[DEFINITION][..]
        } else {
            &INLINE
        };
        let mut rest = line;
        loop {
            let next = links
                .iter()
                .filter_map(|(before, after)| Some((rest.find(before)? + before.len(), *after)));
            let Some((start, after)) = next.min_by_key(|(start, _)| *start) else {
                break;
            };
            result += &rest[..start];
            rest = &rest[start..];
            let end = rest.find(after).unwrap_or(rest.trim_end().len());
            let (address, remainder) = rest.split_at(end);
            if is_relative(address) {
                result += &replace(address);
            } else {
                result += address;
            }
            rest = remainder;
        }
        result += rest;
    }
    result
}

/// Returns the relative addresses in a page.
fn addresses(page: &str) -> Vec<String> {
    let mut relative = Vec::new();
    replace_relative_links(page, |address| {
        relative.push(address.to_owned());
        String::new()
    });
    relative
}

#[test]
fn addresses_are_found_in_all_forms_of_links() {
    let page = "[a](b/c.md#d) ![e](f.svg \"g\") x[h]: y\n[h]: i.md\n<img src=\"j.svg\"><a href=\"k\"> [l](https://m.n) [o](crate::P)[q](#r)";
    assert_eq!(addresses(page), ["b/c.md", "f.svg", "i.md", "j.svg", "k"]);
    assert_eq!(
        replace_relative_links("a [b](c#d), [e](https://f)", |link| format!("../{link}")),
        "a [b](../c#d), [e](https://f)"
    );
}

#[test]
fn the_readme_of_slice_core_is_a_copy_of_the_root_readme() {
    let page = replace_relative_links(&text(&root().join("README.md")), |link| {
        match link.strip_prefix("slice-core/") {
            Some(path) => path.to_owned(),
            None if root().join(link).exists() => format!("../{link}"),
            None => link.to_owned(),
        }
    });
    let path = root().join("slice-core/README.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, page).expect("slice-core/README.md should be writable");
    } else {
        assert!(
            text(&path) == page,
            "README.md has changed: run again with BLESS=1 to update slice-core/README.md"
        );
    }
}

#[test]
fn relative_links_in_readmes_point_to_existing_files() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for name in PACKAGES {
        let folder = root().join(name);
        assert_eq!(
            package(&folder.join("Cargo.toml"))["readme"].as_str(),
            Some("README.md"),
            "{name}: crates.io resolves links relative to the package's folder, so its README must be there"
        );
        let page = text(&folder.join("README.md"));
        // crates.io does not rewrite the addresses in `srcset`, so they must be absolute.
        for address in page.split("srcset=\"").skip(1) {
            assert!(
                address.starts_with("http"),
                "{name}: an address in `srcset` is not absolute: {address:.60}"
            );
        }
        for address in addresses(&page) {
            checked += 1;
            if !folder.join(&address).exists() {
                broken.push(format!("{name}: {address}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(checked > 10, "too few links were checked: {checked}");
}

/// docs.rs does not serve files from the repository, so guides must not contain relative links. A link definition in a
/// guide is exempt if `pictures/links.md` defines the same label: on docs.rs, the definition in `links.md` comes first,
/// and therefore takes precedence.
#[test]
fn guides_have_no_relative_links() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for package in PACKAGES {
        let folder = root().join(package).join("docs");
        let Ok(guides) = fs::read_dir(&folder) else {
            continue;
        };
        let definitions = fs::read_to_string(folder.join("pictures/links.md")).unwrap_or_default();
        for guide in guides.map(|entry| entry.expect("the entry should be readable").path()) {
            if guide.is_file() {
                checked += 1;
                let page: String = text(&guide)
                    .lines()
                    .filter(|line| match line.split_once(DEFINITION.0) {
                        Some((label, _)) => {
                            !definitions.contains(&format!("{label}{}", DEFINITION.0))
                        }
                        None => true,
                    })
                    .flat_map(|line| [line, "\n"])
                    .collect();
                for address in addresses(&page) {
                    broken.push(format!("{}: {address}", guide.display()));
                }
            }
        }
    }
    assert!(checked > 10, "too few guides were checked: {checked}");
    assert!(
        broken.is_empty(),
        "relative links in guides:\n{}",
        broken.join("\n")
    );
}

#[test]
fn only_the_workspace_manifest_contains_the_repository_address() {
    let workspace: Table = text(&root().join("Cargo.toml"))
        .parse()
        .expect("the manifest should be TOML");
    let address = workspace["workspace"]["package"]["repository"]
        .as_str()
        .expect("`workspace.package.repository` should be a string");
    assert!(
        address.is_empty() || HOSTS.iter().any(|host| address.starts_with(host)),
        "crates.io does not resolve relative links in repositories hosted at {address}"
    );
    for name in PACKAGES {
        let package = package(&root().join(name).join("Cargo.toml"));
        assert_eq!(
            package["repository"]["workspace"].as_bool(),
            Some(true),
            "{name} does not inherit `repository` from the workspace"
        );
        assert!(
            package.get("homepage").is_none(),
            "{name} has a `homepage` in addition to the repository"
        );
    }
}
