//! Measures the cost of slice-core for a program: the processor time of a cold build with different features, and the
//! size of a program with one `gather`. Prints the tables of slice-core/docs/compile_time.md.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Outcome, Shell, root};

const GATHER: &str = r#"use slice_core::s;
fn main() {
    let data: Vec<f32> = (0..24).map(|x| x as f32).collect();
    let len = std::env::args().count() * 4;
    let part = s![1:, ::-2].resolve(&[6, len]).and_then(|selection| selection.gather(&data));
    println!("{:?}", part.map(|part| part.iter().sum::<f32>()).ok());
}"#;
const BY_HAND: &str = r#"fn main() {
    let data: Vec<f32> = (0..24).map(|x| x as f32).collect();
    let len = std::env::args().count() * 4;
    let rows = data.chunks_exact(len).skip(1);
    let part: Vec<f32> = rows.flat_map(|row| row.iter().rev().step_by(2).copied()).collect();
    println!("{:?}", Some(part.iter().sum::<f32>()));
}"#;

pub fn costs(shell: &mut Shell) -> Outcome {
    let path = |package: &str| format!("{package} = {{ path = {:?}", root().join(package));
    let without_features = |package| format!("{}, default-features = false }}", path(package));
    let core = |features: &str| {
        let path = path("slice-core");
        format!("{path}, default-features = false, features = [{features}] }}")
    };
    // The build is not incremental, because Cargo never builds dependencies from crates.io incrementally.
    shell.set("CARGO_INCREMENTAL", "0");
    shell.run("rustc --version")?;
    shell.print_line("\n| dependencies of the program | dev, s | release, s |\n|---|--:|--:|");
    for (name, dependencies) in [
        ("ndarray", "ndarray = \"0.17\"".to_owned()),
        ("slice-core without features", core("")),
        (
            "slice-core, default features without `py`",
            core(r#""std", "ndarray""#),
        ),
        ("slice-core, default features", core(r#""std", "py""#)),
        (
            "slice-core, default features and `serde`",
            core(r#""std", "py", "serde""#),
        ),
        ("slice-systems", without_features("slice-systems")),
        (
            "slice-zarr without features (only plans)",
            without_features("slice-zarr"),
        ),
    ] {
        let folder = write_program(shell, &dependencies, "fn main() {}")?;
        let dev = cold_build(shell, &folder, "dev")?;
        let release = cold_build(shell, &folder, "release")?;
        shell.print_line(&format!("| {name} | {dev:.1} | {release:.1} |"));
    }
    shell.print_line("\n| program | size, KiB |\n|---|--:|");
    for (name, dependencies, main) in [
        ("hand-written loops", String::new(), BY_HAND),
        (
            "one `gather` of f32, slice-core without features",
            core(""),
            GATHER,
        ),
        (
            "one `gather` of f32, slice-core with `std`",
            core(r#""std""#),
            GATHER,
        ),
        (
            "one `gather` of f32, slice-core with default features",
            core(r#""std", "py""#),
            GATHER,
        ),
    ] {
        let folder = write_program(shell, &dependencies, main)?;
        cold_build(shell, &folder, "small")?;
        let program = folder.join("target/small/program");
        let size =
            fs::metadata(&program).map_err(|error| format!("{}: {error}", program.display()))?;
        shell.print_line(&format!("| {name} | {} |", size.len() / 1024));
    }
    Ok(())
}

/// Writes a package with the given dependencies and `main.rs`, outside the workspace. Returns its folder.
fn write_program(shell: &mut Shell, dependencies: &str, main: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/costs");
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{dependencies}\n\n\
         [profile.small]\ninherits = \"release\"\nopt-level = \"z\"\nlto = true\ncodegen-units = 1\n\
         panic = \"abort\"\nstrip = true\n"
    );
    let write = || {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), main)?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
    };
    write().map_err(|error| format!("{}: {error}", folder.display()))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    shell.run_with("cargo fetch -q", &["--manifest-path", &manifest])?;
    Ok(folder)
}

/// Builds a program with an empty target folder. Returns the processor time in seconds.
fn cold_build(shell: &mut Shell, folder: &Path, profile: &str) -> Result<f64, String> {
    let target = folder.join("target");
    let _ = fs::remove_dir_all(&target);
    let script = format!(
        "TIMEFORMAT='%U %S'; time cargo build -q --offline --profile {profile} --manifest-path {:?} --target-dir {target:?}",
        folder.join("Cargo.toml")
    );
    let times = shell.read_error_output("bash -c", &[&script])?;
    let seconds = times
        .split_whitespace()
        .rev()
        .take(2)
        .map(str::parse::<f64>);
    let seconds: Result<f64, _> = seconds.sum();
    seconds.map_err(|_| format!("the build failed:\n{times}"))
}
