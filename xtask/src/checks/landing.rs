//! The checks that must pass before a change is merged.

use std::env;
use std::fs;

use crate::command::{Outcome, Shell, manifest_value, root};

/// Targets without an operating system or threads.
const BARE_TARGETS: [&str; 2] = ["thumbv7em-none-eabi", "wasm32-unknown-unknown"];
/// A target whose processors support NEON.
const NEON_TARGET: &str = "aarch64-unknown-linux-gnu";

/// Packages outside the workspace, each with its own manifest.
const SEPARATE_PACKAGES: [&str; 9] = [
    "fuzz",
    "slice-zarr/remote",
    "slice-burn",
    "slice-candle",
    "slice-dlpack",
    "slice-safetensors",
    "slice-core/benches/tensors",
    "slice-python",
    "playground",
];

/// Returns the minimum Rust version given in the workspace's manifest, in the form that rustup expects, such as
/// `1.85.0`.
fn minimum_rust_version() -> String {
    format!("{}.0", manifest_value("rust-version").unwrap_or_default())
}

fn has_target(shell: &Shell, target: &str) -> bool {
    let folder = shell.read(&format!("rustc --print target-libdir --target {target}"));
    folder.is_some_and(|folder| fs::exists(folder).unwrap_or(false))
}

/// Installs targets, the source of the standard library and the oldest supported Rust, if possible.
pub fn prepare(shell: &mut Shell) {
    for target in BARE_TARGETS.iter().chain([&NEON_TARGET]) {
        let _ = has_target(shell, target) || shell.succeeds(&format!("rustup target add {target}"));
    }
    shell.succeeds("rustup component add rust-src");
    shell.succeeds(&format!(
        "rustup toolchain install {} --profile minimal",
        minimum_rust_version()
    ));
}

/// Returns the path to an installed browser, or `None` if none is found.
fn find_browser(shell: &Shell) -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .into_iter()
        .find_map(|name| shell.read(&format!("which {name}")))
}

pub fn format(shell: &mut Shell) -> Outcome {
    shell.run("cargo fmt --all --check")?;
    SEPARATE_PACKAGES.iter().try_for_each(|package| {
        shell.run(&format!(
            "cargo fmt --all --manifest-path {package}/Cargo.toml --check"
        ))
    })
}

/// Runs clippy with all features. `docs` also uses all features, so the dependencies are compiled only once.
pub fn lints(shell: &mut Shell) -> Outcome {
    shell.run("cargo clippy --workspace --all-targets --all-features -- -D warnings")
}

pub fn remote(shell: &mut Shell) -> Outcome {
    shell.run("cargo test -p slice-cli --features remote")?;
    shell.run("cargo test --manifest-path slice-zarr/remote/Cargo.toml")
}

pub fn docs(shell: &mut Shell) -> Outcome {
    shell.set("RUSTDOCFLAGS", "-D warnings");
    shell.run("cargo doc -p slice-macro -p slice-core -p slice-systems -p slice-zarr -p slice-check -p slice-cli --no-deps --all-features")
}

/// Compares the public API with the lists in `.ci/public-api`, or updates the lists if the environment variable `BLESS` is
/// set. Skips this if a tool is not installed, but fails if the environment variable `CI` is set, so that the
/// comparison is never omitted unnoticed.
pub fn api(shell: &mut Shell) -> Outcome {
    if !shell.installs(
        "cargo-public-api, with nightly",
        "cargo +nightly public-api --version",
    ) {
        let error = "the public API is not checked: run `rustup toolchain install nightly --profile minimal` and `cargo \
                     install --locked cargo-public-api`";
        return match env::var_os("CI") {
            Some(_) => Err(error.to_owned()),
            None => Ok(()),
        };
    }
    let packages = [
        "slice-macro",
        "slice-core",
        "slice-systems",
        "slice-zarr",
        "slice-check",
    ];
    for package in packages {
        // `-sss` omits blanket, auto trait and derived implementations.
        let list = format!("cargo +nightly public-api -p {package} --all-features -sss");
        let items = shell.read(&list);
        let items = items.ok_or_else(|| format!("`{list}` failed"))? + "\n";
        let path = root().join(format!(".ci/public-api/{package}.txt"));
        if env::var_os("BLESS").is_some() {
            fs::write(&path, items).map_err(|error| format!("{}: {error}", path.display()))?;
        } else if fs::read_to_string(&path).unwrap_or_default() != items {
            let actual = root().join("target").join(format!("{package}.txt"));
            fs::write(&actual, items).map_err(|error| format!("{}: {error}", actual.display()))?;
            let paths = [path, actual].map(|path| path.display().to_string());
            let _ = shell.run_with("diff -u", &[&paths[0], &paths[1]]);
            return Err(format!(
                "the public API of {package} has changed: if the change is intended, set BLESS=1"
            ));
        }
    }
    Ok(())
}

/// Builds the playground, a web page for trying out slices, as a single file that needs no server:
/// `playground/target/page/index.html`.
pub fn build_page(shell: &mut Shell) -> Outcome {
    let target = "--target-dir playground/target --manifest-path playground";
    shell.run(&format!(
        "cargo build --release --lib --target {} {target}/Cargo.toml",
        BARE_TARGETS[1]
    ))?;
    shell.run(&format!("cargo run {target}/bundle/Cargo.toml"))
}

/// Builds the playground, a web page for trying out slices, and tests the page in a browser. The build fails if the
/// page is too large. The test covers only the page itself, because the results that the page shows are tested in
/// slice-cli.
pub fn page(shell: &mut Shell) -> Outcome {
    if !has_target(shell, BARE_TARGETS[1]) {
        shell.skip_part("wasm32-unknown-unknown, for the playground");
        return Ok(());
    }
    build_page(shell)?;
    let Some(browser) = find_browser(shell) else {
        shell.skip_part("a browser, for the playground");
        return Ok(());
    };
    if !shell.installs("npm, for the playground", "npm ci --prefix playground/test") {
        return Ok(());
    }
    shell.set("CHROMIUM", browser);
    shell.run("node playground/test/page.mjs")
}

/// Runs each benchmark with few samples. The benchmarks are compiled without optimizations and with the workspace's
/// features, to reuse the dependencies built for the tests.
pub fn benches(shell: &mut Shell) -> Outcome {
    for bench in [
        "chunks -- --sample-count 1",
        "view -- --sample-count 2 --sample-size 10",
        "gather -- --quick",
        "writing -- --quick",
        "lists -- --quick",
        "growth -- --quick",
        "read -- --quick",
        "write -- --quick",
        "gap -- --quick",
    ] {
        shell.run(&format!(
            "cargo bench --profile dev --workspace --bench {bench}"
        ))?;
    }
    Ok(())
}

/// Compiles the sets of features that users can choose, because the tests of the library run with only three sets: no
/// features, the default features, and all features. `rayon` is compiled in only two sets, because it implies `std` and
/// affects only the code that copies.
pub fn features(shell: &mut Shell) -> Outcome {
    let check = |shell: &mut Shell, package: &str, features: &str| {
        let line = format!("cargo check -q -p {package} --no-default-features");
        match features {
            "" => shell.run_silent(&line),
            _ => shell.run_silent(&format!("{line} --features {features}")),
        }
    };
    check(shell, "slice-core", "rayon")?;
    check(shell, "slice-core", "rayon,ndarray")?;
    for serde in ["", "serde"] {
        for std in ["", "std,"] {
            for ndarray in ["", "ndarray,", "py,"] {
                check(shell, "slice-core", &format!("{std}{ndarray}{serde}"))?;
            }
            check(shell, "slice-systems", &format!("{std}{serde}"))?;
        }
        check(shell, "slice-zarr", serde)?;
    }
    Ok(())
}

pub fn bare_tests(shell: &mut Shell) -> Outcome {
    shell.run("cargo test -q -p slice-core --lib --no-default-features")?;
    shell.run("cargo test -q -p slice-zarr --lib --no-default-features")
}

pub fn targets(shell: &mut Shell) -> Outcome {
    let packages = [
        "-p slice-core --features py,serde",
        "-p slice-systems --features serde",
        "-p slice-zarr --features serde",
    ];
    for target in BARE_TARGETS {
        if !has_target(shell, target) {
            shell.skip_part(target);
            continue;
        }
        for package in packages {
            let check = format!("cargo check -q {package} --no-default-features --target {target}");
            shell.run_silent(&check)?;
        }
    }
    Ok(())
}

pub fn no_std(shell: &mut Shell) -> Outcome {
    shell.run("cargo run -p slice-bare --profile bare")
}

pub fn neon(shell: &mut Shell) -> Outcome {
    if !has_target(shell, NEON_TARGET) {
        shell.skip_part(NEON_TARGET);
        return Ok(());
    }
    shell.run("cargo test -q -p slice-assembly --test neon -- --ignored")
}

/// Runs the tests of the packages that need only the minimum Rust version, except those that compare compiler messages, which
/// were recorded with the pinned compiler. A single command runs all tests, so that the library is built only once. Debug assertions and
/// overflow checks are off, as in users' release builds.
pub fn oldest_rust(shell: &mut Shell) -> Outcome {
    let version = minimum_rust_version();
    if !shell.installs(
        &format!("Rust {version}"),
        &format!("cargo +{version} --version"),
    ) {
        return Ok(());
    }
    shell.set("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    shell.set("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false");
    shell.run(&format!(
        "cargo +{version} test -q -p slice-core -p slice-macro -p slice-systems -p slice-check -p slice-tests --features slice-core/rayon \
         --lib --test all --test py --test pass --test pass_rust"
    ))
}
