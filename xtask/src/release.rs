//! Prepares a release: writes the repository's address, the version and the date wherever they are needed, and then
//! builds everything that is published, without publishing it.

use std::collections::BTreeSet;
use std::fs;

use crate::checks;
use crate::command::{Outcome, Shell, manifest_value, root};

/// A text of the repository before the first release, and the text that replaces it. In the latter, `{address}`,
/// `{repository}` (the address without its host), `{version}`, `{short}` (the version without its last part) and `{date}`
/// are placeholders.
struct Replacement {
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn replacement(file: &'static str, from: &'static str, to: &'static str) -> Replacement {
    Replacement { file, from, to }
}

/// The lines of the manifests outside the workspace that prevent a release, and the line that replaces them.
const UNPUBLISHED: &str =
    "# The repository has no address before the first release.\npublish = false\n";
const PUBLISHED: &str = "repository = \"{address}\"\n";

const REPLACEMENTS: &[Replacement] = &[
    replacement(
        "README.md",
        "# slice: Python slicing for Rust\n",
        "# slice: Python slicing for Rust\n\n\
         [![crates.io](https://img.shields.io/crates/v/slice-core.svg)](https://crates.io/crates/slice-core)\n\
         [![docs.rs](https://img.shields.io/docsrs/slice-core)](https://docs.rs/slice-core)\n\
         [![checks]({address}/actions/workflows/checks.yml/badge.svg)]({address}/actions)\n",
    ),
    replacement(
        "README.md",
        "The crates are not yet on crates.io. In a project next to a checkout named `slice`, add these lines to `Cargo.toml`; the last three are optional:",
        "In a project, add these lines to `Cargo.toml`; the last three are optional:",
    ),
    replacement(
        "README.md",
        "{ path = \"../slice/slice-core\" }",
        "\"{short}\"",
    ),
    replacement(
        "README.md",
        "{ path = \"../slice/slice-systems\" }",
        "\"{short}\"",
    ),
    replacement(
        "README.md",
        "{ path = \"../slice/slice-zarr\" }",
        "\"{short}\"",
    ),
    replacement(
        "slice-cli/README.md",
        "cargo install --path slice-cli                    # without `slice zarr`\n\
         cargo install --path slice-cli --features zarr    # with `slice zarr` for directories\n\
         cargo install --path slice-cli --features remote  # also for http(s):// and s3:// URLs\n",
        "cargo binstall slice-cli                  # a binary with all features\n\
         cargo install slice-cli                   # without `slice zarr`\n\
         cargo install slice-cli --features zarr   # with `slice zarr` for directories\n\
         cargo install slice-cli --features remote # also for http(s):// and s3:// URLs\n",
    ),
    replacement(
        "slice-cli/README.md",
        "In a checkout of this repository at `slice`, a workflow can use the [action](../action.yml):\n\n```yaml\n- uses: ./slice\n",
        "A workflow can use the [action](../action.yml):\n\n```yaml\n- uses: {repository}@v{version}\n",
    ),
    replacement(
        "slice-cli/README.md",
        "The repository is also a source of hooks for",
        "The repository {address} is also a source of hooks for",
    ),
    replacement(
        "slice-burn/README.md",
        "The crate is not yet on crates.io, and is a separate workspace. In a project next to a checkout named `slice`:",
        "In a project, add these lines to `Cargo.toml`:",
    ),
    replacement(
        "slice-burn/README.md",
        "{ path = \"../slice/slice-burn\" }",
        "\"{short}\"",
    ),
    replacement(
        "slice-burn/README.md",
        "{ path = \"../slice/slice-core\" }",
        "\"{short}\"",
    ),
    replacement(
        "slice-candle/README.md",
        "The crate is not yet on crates.io, and is a separate workspace. In a project next to a checkout named `slice`:",
        "In a project, add these lines to `Cargo.toml`:",
    ),
    replacement(
        "slice-candle/README.md",
        "{ path = \"../slice/slice-candle\" }",
        "\"{short}\"",
    ),
    replacement(
        "slice-candle/README.md",
        "{ path = \"../slice/slice-core\" }",
        "\"{short}\"",
    ),
    replacement("slice-burn/Cargo.toml", UNPUBLISHED, PUBLISHED),
    replacement("slice-candle/Cargo.toml", UNPUBLISHED, PUBLISHED),
    replacement("slice-dlpack/Cargo.toml", UNPUBLISHED, PUBLISHED),
    replacement("slice-safetensors/Cargo.toml", UNPUBLISHED, PUBLISHED),
    replacement(
        "slice-zarr/README.md",
        "cargo install --path slice-cli --features remote",
        "cargo install slice-cli --features remote",
    ),
    replacement(
        "CITATION.cff",
        "version: 0.1.0\n",
        "version: {version}\ndate-released: {date}\nrepository-code: {address}\n",
    ),
    replacement(
        "CHANGELOG.md",
        "## 0.1.0 (not yet released)",
        "## [{version}]({address}/releases/tag/v{version}) - {date}",
    ),
];

/// Returns the files in which texts are replaced.
fn files() -> BTreeSet<&'static str> {
    REPLACEMENTS.iter().map(|one| one.file).collect()
}

/// Returns `text` after the replacements for `file`.
fn replace(file: &str, mut text: String, fill: impl Fn(&str) -> String) -> Result<String, String> {
    for one in REPLACEMENTS.iter().filter(|one| one.file == file) {
        if text.matches(one.from).count() != 1 {
            return Err(format!("{file} must contain this text once: {}", one.from));
        }
        text = text.replacen(one.from, &fill(one.to), 1);
    }
    Ok(text)
}

/// Writes the address, version and date, and builds the packages, a program that uses them, the command, the wheel and
/// the web page.
pub fn release() -> Outcome {
    let address = manifest_value("repository")?;
    let version = manifest_value("version")?;
    if address.is_empty() {
        return Err("set `repository` in Cargo.toml to the address of the repository".to_owned());
    }
    let mut shell = Shell::new();
    let date = shell.read("date -u +%Y-%m-%d").ok_or("`date` failed")?;
    let short = version
        .rsplit_once('.')
        .map_or(&version[..], |(short, _)| short);
    let repository = address.splitn(4, '/').last().unwrap_or_default();
    let fill = |text: &str| {
        text.replace("{address}", &address)
            .replace("{repository}", repository)
            .replace("{version}", &version)
            .replace("{short}", short)
            .replace("{date}", &date)
    };
    for file in files() {
        let path = root().join(file);
        let to_error = |error: std::io::Error| format!("{file}: {error}");
        let text = fs::read_to_string(&path).map_err(to_error)?;
        fs::write(&path, replace(file, text, fill)?).map_err(to_error)?;
    }
    shell.set("BLESS", "1");
    shell.run("cargo test -q -p slice-tests --test all -- published pasted links")?;
    shell.run_check(checks::packages)?;
    shell.run("cargo build --release -p slice-cli --features remote")?;
    shell.run_check(checks::build_page)?;
    shell.run("python3 -m venv target/release-python")?;
    shell.run("target/release-python/bin/pip install -q maturin")?;
    shell.run(
        "target/release-python/bin/maturin build --release --locked --manifest-path slice-python/Cargo.toml --out target/wheels",
    )?;
    let publish = checks::TENSOR_PACKAGES
        .map(|package| format!("cargo publish --manifest-path {package}/Cargo.toml\n    "));
    let publish = publish.concat();
    shell.print_line(&format!(
        "everything is built. To publish it, commit the changes, and run:\n\n    git tag -s v{version}\n    \
         cargo publish --workspace\n    {publish}git push --tags\n    \
         target/release-python/bin/maturin upload WHEELS, once the workflow has built them"
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_to_replace_occurs_once() {
        let address = manifest_value("repository").expect("the line should exist");
        // The first release, which sets the address, replaces the texts.
        if !address.is_empty() {
            return;
        }
        for file in files() {
            let text = fs::read_to_string(root().join(file)).expect("the file should exist");
            replace(file, text, str::to_owned).expect("the texts should occur");
        }
    }
}
