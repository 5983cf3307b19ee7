//! The machine code of a library, as users compile it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The assembly of the library in a folder beside this package, in release mode. The folder where it is built is the same for
/// all: what the macro is built of is built once.
pub fn assembly(name: &str, library: &str, options: &[&str]) -> String {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(library);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = target.join(name).with_extension("s");
    let status = Command::new(env!("CARGO"))
        // Other flags would be another machine code, as for the processor of this machine.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .args(["rustc", "--lib", "--release"])
        // Generic code of the dependencies is compiled with the library; nothing else of them is read.
        .args(["--config", r#"profile.release.package."*".opt-level=0"#])
        .args(options)
        .arg("--manifest-path")
        .arg(manifest.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .args(["--", "-Cdebuginfo=0", "-Ccodegen-units=1"])
        .arg(format!("--emit=asm={}", file.display()))
        .status()
        .expect("cargo runs");
    assert!(status.success());
    fs::read_to_string(file).expect("an assembly file")
}
