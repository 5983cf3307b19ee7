//! The checks that must pass before a release.

use std::path::PathBuf;
use std::{env, fs};

use super::examples::add_missing;
use super::fresh::{self, Settings};
use crate::command::{Outcome, Shell, manifest_value, root};

/// The packages that are published on crates.io.
const PACKAGES: [&str; 6] = [
    "slice-macro",
    "slice-core",
    "slice-systems",
    "slice-zarr",
    "slice-check",
    "slice-cli",
];

/// The packages for the tensors of other crates. They are published after the packages in [`PACKAGES`].
pub const TENSOR_PACKAGES: [&str; 4] = [
    "slice-burn",
    "slice-candle",
    "slice-dlpack",
    "slice-safetensors",
];

/// Tests the packages for the tensors of other crates.
pub fn tensors(shell: &mut Shell) -> Outcome {
    let target = run_for_tensor_packages(shell, &[("test", "")])?;
    if shell.installs(
        "NumPy and PyTorch, for the views of slice-dlpack",
        "python3 -c __import__('torch').from_numpy",
    ) {
        let library = format!("{target}/debug/examples/libslice_dlpack_python.so");
        shell.run(&format!("python3 slice-dlpack/tests/python.py {library}"))?;
    }
    Ok(())
}

/// Runs clippy for the packages for the tensors of other crates, and builds their documentation.
pub fn tensor_lints(shell: &mut Shell) -> Outcome {
    shell.set("RUSTDOCFLAGS", "-D warnings");
    let commands = [
        ("clippy", "--all-targets -- -D warnings"),
        ("doc", "--no-deps"),
    ];
    run_for_tensor_packages(shell, &commands).map(drop)
}

/// Runs commands of Cargo, each with its options, for each package for the tensors of other crates. Returns the target
/// directory, which these packages share, so that the crates on which several of them depend are built once.
fn run_for_tensor_packages(shell: &mut Shell, commands: &[(&str, &str)]) -> Result<String, String> {
    let target = root().join("target/tensors").display().to_string();
    shell.set("CARGO_TARGET_DIR", &target);
    for package in TENSOR_PACKAGES {
        for (command, options) in commands {
            shell.run(&format!(
                "cargo {command} -q --manifest-path {package}/Cargo.toml {options}"
            ))?;
        }
    }
    Ok(target)
}

pub fn more_lints(shell: &mut Shell) -> Outcome {
    for package in [
        "-p slice-core --no-default-features",
        "-p slice-core --no-default-features --features ndarray",
        "-p slice-zarr --no-default-features",
        "-p slice-cli --no-default-features",
        "-p slice-bare --profile bare",
        "--manifest-path playground/Cargo.toml --workspace --all-targets",
        "--manifest-path slice-zarr/remote/Cargo.toml --all-targets",
    ] {
        shell.run(&format!("cargo clippy -q {package} -- -D warnings"))?;
    }
    Ok(())
}

pub fn commands(shell: &mut Shell) -> Outcome {
    for settings in [
        Settings {
            options: &["--release"],
            ..Settings::default()
        },
        Settings {
            variables: &[("CARGO_TARGET_DIR", "@/another_target")],
            ..Settings::default()
        },
        Settings {
            variables: &[("RUSTFLAGS", "-C target-cpu=native")],
            ..Settings::default()
        },
        Settings {
            variables: &[("LANG", "C")],
            ..Settings::default()
        },
        Settings {
            test_options: &["--", "--test-threads=1"],
            ..Settings::default()
        },
    ] {
        fresh::run(shell, &settings)?;
    }
    Ok(())
}

/// Installs packages of Debian, unless `program` is installed already.
fn install(shell: &mut Shell, program: &str, packages: &str) -> Outcome {
    if shell.succeeds(&format!("which {program}")) {
        return Ok(());
    }
    shell.run("apt-get update -q")?;
    shell.run(&format!(
        "apt-get install -y -q --no-install-recommends {packages}"
    ))
}

/// Reads models of four megabytes that grow in one dimension. `cargo test` reads smaller ones.
pub fn growth(shell: &mut Shell) -> Outcome {
    shell.set("SLICE_MODEL_BYTES", "4000000");
    // Steps without allocations are counted only with debug assertions.
    shell.set("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true");
    shell.run("cargo test --release -p slice-check --test growth")
}

/// Runs the tests of slice-core and the cross-crate tests with 32-bit pointers. Needs Debian and root.
pub fn i686(shell: &mut Shell) -> Outcome {
    let target = "i686-unknown-linux-gnu";
    let linker = "i686-linux-gnu-gcc";
    // gcc-multilib conflicts with the compiler for AArch64.
    install(shell, linker, "gcc-i686-linux-gnu libc6-dev-i386-cross")?;
    shell.run(&format!("rustup target add {target}"))?;
    let libraries = "/usr/i686-linux-gnu/lib";
    let runner = format!("{libraries}/ld-linux.so.2 --library-path {libraries}");
    shell.set_target(target, linker, &runner);
    shell.run(&format!("cargo test --target {target} -p slice-core --lib"))?;
    shell.run(&format!(
        "cargo test --target {target} -p slice-tests --test all --test py --test pass"
    ))
}

/// Runs the tests of slice-core on an emulated AArch64 processor, to test the NEON kernels. The emulation does not show
/// their speed. Needs Debian and root.
pub fn aarch64(shell: &mut Shell) -> Outcome {
    let target = "aarch64-unknown-linux-gnu";
    let linker = "aarch64-linux-gnu-gcc";
    install(
        shell,
        "qemu-aarch64",
        "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    )?;
    shell.run(&format!("rustup target add {target}"))?;
    shell.set_target(target, linker, "qemu-aarch64 -L /usr/aarch64-linux-gnu");
    shell.run(&format!("cargo test --target {target} -p slice-core --lib"))
}

/// The library from which Rust's standard library takes random numbers. Wine 8 lacks it.
const RANDOM_LIBRARY: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG)length);
}
";

/// Runs the tests of slice-core, slice-check and the command on Windows, as emulated by Wine. Needs Debian and root.
pub fn windows(shell: &mut Shell) -> Outcome {
    let target = "x86_64-pc-windows-gnu";
    let linker = "x86_64-w64-mingw32-gcc";
    install(shell, linker, "gcc-mingw-w64-x86-64")?;
    install(shell, "wine", "wine wine64")?;
    shell.run(&format!("rustup target add {target}"))?;
    let folder = root().join("target/wine");
    let source = folder.join("bcryptprimitives.c");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&source, RANDOM_LIBRARY))
        .map_err(|error| format!("{}: {error}", source.display()))?;
    let library = source.with_extension("dll").display().to_string();
    let arguments = [&source.display().to_string(), "-o", &library, "-ladvapi32"];
    shell.run_with(&format!("{linker} -shared"), &arguments)?;
    shell.set("WINEPATH", folder.display().to_string());
    shell.set("WINEDEBUG", "-all");
    shell.set_target(target, linker, "wine");
    shell.run(&format!("cargo test --target {target} -p slice-core --lib"))?;
    shell.run(&format!(
        "cargo test --target {target} -p slice-check -p slice-cli"
    ))
}

/// Creates the packages for crates.io, and unpacks them into a new folder. Besides the packages, the folder contains
/// only a workspace manifest, `Cargo.lock` and `rust-toolchain.toml`. Returns the path to the folder.
fn unpack_packages(shell: &mut Shell, name: &str) -> Result<PathBuf, String> {
    let unpack_error = |error: std::io::Error| format!("cannot unpack the packages: {error}");
    let version = manifest_value("version")?;
    let packages = root().join("target/package");
    let folder = packages.join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(unpack_error)?;
    let mut members = Vec::new();
    let mut patches = String::new();
    let package_options: Vec<String> = PACKAGES
        .iter()
        .map(|package| format!("-p {package}"))
        .collect();
    shell.run(&format!(
        "cargo package -q {} --no-verify --allow-dirty",
        package_options.join(" ")
    ))?;
    for package in PACKAGES {
        let archive = packages.join(format!("{package}-{version}.crate"));
        let (archive, folder) = (archive.display().to_string(), folder.display().to_string());
        shell.run_with("tar", &["xzf", &archive, "-C", &folder])?;
        members.push(format!("\"{package}-{version}\""));
        patches += &format!("{package} = {{ path = \"{package}-{version}\" }}\n");
    }
    for file in ["Cargo.lock", "rust-toolchain.toml"] {
        fs::copy(root().join(file), folder.join(file)).map_err(unpack_error)?;
    }
    let members = members.join(", ");
    let workspace = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}"
    );
    fs::write(folder.join("Cargo.toml"), workspace).map_err(unpack_error)?;
    Ok(folder)
}

/// Removes the sources that Cargo has unpacked from packages of earlier dry runs. Otherwise, Cargo would use them again for
/// packages with the same version.
fn remove_unpacked_packages() {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    for source in sources.into_iter().flatten().flatten() {
        // The name of a registry begins with its host, which the registry of a dry run lacks.
        if source.file_name().to_string_lossy().starts_with('-') {
            let _ = fs::remove_dir_all(source.path());
        }
    }
}

/// Builds the packages for crates.io, runs their doctests, and runs the code in the README in a program that depends on
/// the packages instead of the repository.
pub fn packages(shell: &mut Shell) -> Outcome {
    remove_unpacked_packages();
    shell.run("cargo publish --dry-run --workspace --allow-dirty")?;
    // The registry does not contain the other packages yet, so these packages are not compiled; `tensors` tests them.
    for package in TENSOR_PACKAGES {
        let mut arguments = vec![
            "--manifest-path".to_owned(),
            format!("{package}/Cargo.toml"),
        ];
        for used in ["slice-macro", "slice-core", "slice-systems"] {
            let path = root().join(used).display().to_string();
            arguments.extend([
                "--config".to_owned(),
                format!("patch.crates-io.{used}.path={path:?}"),
            ]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        shell.run_with("cargo package --no-verify --allow-dirty", &arguments)?;
    }
    let folder = unpack_packages(shell, "tested")?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    // The examples of slice-macro need slice-core, on which its package cannot depend.
    shell.run_with(
        "cargo test --workspace --exclude slice-macro --doc",
        &["--manifest-path", &manifest],
    )?;
    let consumer = folder.join("consumer");
    let readme = root().join("README.md").display().to_string();
    let write = |file: &str, text: &str| {
        let path = consumer.join(file);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(consumer.join("src")).map_err(|error| error.to_string())?;
    write(
        "src/lib.rs",
        &format!("#![doc = include_str!({readme:?})]\n"),
    )?;
    let workspace = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
    let (_, patches) = workspace
        .split_once("[patch.crates-io]")
        .unwrap_or_default();
    let patches = patches.replace("path = \"", "path = \"../");
    let package = "[package]\nname = \"consumer\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
                   ndarray = \"0.17\"\nslice-core = \"*\"\nslice-systems = \"*\"\nslice-zarr = \"*\"\n\
                   zarrs = { version = \"0.23\", default-features = false, features = [\"filesystem\"] }\n";
    write(
        "Cargo.toml",
        &format!("{package}\n[patch.crates-io]{patches}"),
    )?;
    let manifest = consumer.join("Cargo.toml").display().to_string();
    shell.run_with("cargo test --doc", &["--manifest-path", &manifest])
}

/// Checks the packages with the oldest versions of their direct dependencies.
pub fn oldest_crates(shell: &mut Shell) -> Outcome {
    let manifest = unpack_packages(shell, "oldest")?
        .join("Cargo.toml")
        .display()
        .to_string();
    let manifest = ["--manifest-path", manifest.as_str()];
    shell.run_with(
        "cargo +nightly update -q -Z direct-minimal-versions",
        &manifest,
    )?;
    shell.run_with("cargo check -q -p slice-macro", &manifest)?;
    shell.run_with("cargo check -q -p slice-core --all-features", &manifest)?;
    shell.run_with("cargo check -q -p slice-systems --all-features", &manifest)?;
    shell.run_with("cargo check -q -p slice-zarr", &manifest)?;
    shell.run_with("cargo check -q -p slice-check", &manifest)?;
    shell.run_with("cargo check -q -p slice-cli", &manifest)
}

/// Builds the documentation with the options that the manifests give to docs.rs. Checks that it quotes the examples, and
/// that each public item has an example.
pub fn docs_rs(shell: &mut Shell) -> Outcome {
    shell.set("RUSTDOCFLAGS", "--cfg docsrs -D warnings");
    let target = root().join("target/docs-rs");
    shell.set("CARGO_TARGET_DIR", target.display().to_string());
    PACKAGES.iter().try_for_each(|package| {
        shell.run(&format!(
            "cargo +nightly doc -q -p {package} --no-deps --all-features -Zunstable-options -Zrustdoc-scrape-examples"
        ))
    })?;
    for page in [
        "slice_core/trait.StridedSliceExt.html",
        "slice_systems/trait.Operation.html",
        "slice_zarr/trait.WriteSlice.html",
    ] {
        let path = target.join("doc").join(page);
        let html = fs::read_to_string(&path).map_err(|error| format!("{page}: {error}"))?;
        if !html.contains("scraped-example") {
            return Err(format!("{page} quotes no example"));
        }
    }
    let mut missing = Vec::new();
    // The library of slice-cli has no stable API.
    for package in PACKAGES.iter().filter(|package| **package != "slice-cli") {
        let folder = target.join("doc").join(package.replace('-', "_"));
        add_missing(&folder, &mut missing)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("no example for\n{}", missing.join("\n"))),
    }
}

pub fn semver(shell: &mut Shell) -> Outcome {
    let Some(tag) = shell.read("git describe --tags --abbrev=0") else {
        shell.print_line("no version has a tag, so there is nothing to compare with");
        return Ok(());
    };
    if !shell.succeeds("cargo semver-checks --version") {
        shell.run("cargo install cargo-semver-checks --locked")?;
    }
    shell.run(&format!(
        "cargo semver-checks -p slice-core -p slice-macro -p slice-systems -p slice-zarr --baseline-rev {tag}"
    ))
}

/// Checks licenses, sources and duplicate versions in the workspace, and advisories about every version in a lock file.
pub fn deny(shell: &mut Shell) -> Outcome {
    if !shell.succeeds("cargo deny --version") {
        shell.run("cargo install cargo-deny --locked")?;
    }
    shell.run("cargo deny --workspace check licenses sources bans")?;
    for lock in shell
        .read("git ls-files *Cargo.lock")
        .unwrap_or_default()
        .lines()
    {
        let manifest = lock.replace("Cargo.lock", "Cargo.toml");
        let check = format!("cargo deny --manifest-path {manifest} --config deny.toml");
        shell.run(&format!("{check} --workspace check advisories"))?;
    }
    Ok(())
}

/// Runs tests under Miri, with the kernels for the instruction sets up to AVX2.
pub fn miri(shell: &mut Shell) -> Outcome {
    shell.set("RUSTFLAGS", "-Ctarget-feature=+ssse3,+avx2,+bmi2,+popcnt");
    shell.set("MIRIFLAGS", "-Zmiri-permissive-provenance");
    shell.run(
        "cargo +nightly miri test -q -p slice-core --lib --target x86_64-unknown-linux-gnu -- not_plain lists bits:: \
         processor::",
    )
}

pub fn big_endian(shell: &mut Shell) -> Outcome {
    shell.set("MIRIFLAGS", "-Zmiri-strict-provenance");
    shell.run(
        "cargo +nightly miri test -q -p slice-core --lib --target s390x-unknown-linux-gnu -- \
         --skip larger_than_the_caches --skip every_",
    )
}
