//! Builds the playground, a web page for trying out slices. The program compiles the library to WebAssembly, and runs
//! the `bundle` package, which writes the page to `playground/target/page/index.html`, a single file that needs no
//! server. Run this program with `cargo run --manifest-path playground/build/Cargo.toml`.

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";

/// Returns `true` if the compiler has a standard library for the target.
fn is_installed(target: &str) -> Result<bool, Box<dyn Error>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .output()?;
    let folder = String::from_utf8(output.stdout)?;
    Ok(Path::new(folder.trim_end()).is_dir())
}

/// Runs Cargo on a manifest, with the build directory `target`. Returns an error if Cargo fails.
fn cargo(arguments: &[&str], manifest: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(target)
        .status()?;
    if !status.success() {
        return Err(format!("cargo {} failed", arguments.join(" ")).into());
    }
    Ok(())
}

fn main() -> ExitCode {
    match build_page() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build_page() -> Result<(), Box<dyn Error>> {
    if !is_installed(TARGET)? {
        return Err(format!(
            "the target {TARGET} is not installed: run `rustup target add {TARGET}`"
        )
        .into());
    }
    let playground = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = playground.join("target");
    let compile = ["build", "--release", "--lib", "--target", TARGET];
    cargo(&compile, &playground.join("Cargo.toml"), &target)?;
    cargo(&["run"], &playground.join("bundle/Cargo.toml"), &target)
}
