//! Exports the function called by the playground, a web page for trying out slices. This package only compiles the
//! function to WebAssembly. The tests of the function are in slice-cli.

use wasm_bindgen::prelude::wasm_bindgen;

/// Explains and translates a slice; see [`slice_cli::playground::explain`].
#[wasm_bindgen]
#[must_use]
pub fn explain(system: &str, text: &str, shape: &str) -> String {
    slice_cli::playground::explain(system, text, shape)
}
