//! Compiles a library in release mode and returns its assembly.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the assembly of the package in the folder `library`, compiled in release mode. All libraries share one
/// target directory, so that the dependencies of the macro are built only once.
pub fn assembly(name: &str, library: &str, options: &[&str]) -> String {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(library);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = target.join(name).with_extension("s");
    let status = Command::new(env!("CARGO"))
        // Flags such as `-Ctarget-cpu=native` would change the machine code.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .args(["rustc", "--lib", "--release"])
        // Optimizing the dependencies is unnecessary: their generic code is compiled with the library, and the tests do
        // not read the rest.
        .args(["--config", r#"profile.release.package."*".opt-level=0"#])
        .args(options)
        .arg("--manifest-path")
        .arg(manifest.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .args(["--", "-Cdebuginfo=0", "-Ccodegen-units=1"])
        .arg(format!("--emit=asm={}", file.display()))
        .status()
        .expect("cargo should start");
    assert!(status.success());
    fs::read_to_string(file).expect("the assembly should be readable")
}
