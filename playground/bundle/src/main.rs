//! Writes the playground, a web page for trying out slices, to `playground/target/page/index.html`, a single file that
//! needs no server. The `build` package compiles the library to WebAssembly, and then runs this program.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// The maximum size of the WebAssembly after compression with gzip, in bytes.
const MAX_COMPRESSED_BYTES: usize = 400 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let playground = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = playground.join("target");
    let mut bindings = Bindgen::new()
        .input_path(target.join(TARGET).join("release/slice_playground.wasm"))
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    let wasm = bindings.wasm_mut().emit_wasm();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&wasm)?;
    let compressed_len = gzip.finish()?.len();

    let mut page = fs::read_to_string(playground.join("page/index.html"))?;
    for (name, content) in [
        (
            "style.css",
            fs::read_to_string(playground.join("page/style.css"))?,
        ),
        ("wasm.js", bindings.js().to_owned()),
        (
            "page.js",
            fs::read_to_string(playground.join("page/page.js"))?,
        ),
        ("wasm", BASE64_STANDARD.encode(&wasm)),
    ] {
        let placeholder = format!("@@{name}@@");
        if page.matches(&placeholder).count() != 1 {
            return Err(
                format!("page/index.html must contain exactly one placeholder for {name}").into(),
            );
        }
        page = page.replace(&placeholder, &content);
    }
    let path = target.join("page/index.html");
    fs::create_dir_all(target.join("page"))?;
    fs::write(&path, page)?;
    println!(
        "{}: {} bytes of WebAssembly, {compressed_len} compressed",
        fs::canonicalize(&path)?.display(),
        wasm.len()
    );
    if compressed_len > MAX_COMPRESSED_BYTES {
        return Err(format!("the compressed WebAssembly is {compressed_len} bytes long, more than the limit of {MAX_COMPRESSED_BYTES}").into());
    }
    Ok(())
}
