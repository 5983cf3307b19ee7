//! Functions that the page calls. They are only compiled to WebAssembly, and tested with slice-cli.

use wasm_bindgen::prelude::wasm_bindgen;

/// Explains and translates a slice, as [`slice_cli::answer::answer`] says.
#[wasm_bindgen]
#[must_use]
pub fn answer(system: &str, text: &str, shape: &str) -> String {
    slice_cli::answer::answer(system, text, shape)
}
