//! Exports the function called by the page. This package only compiles the function to WebAssembly; its tests are in
//! slice-cli.

use wasm_bindgen::prelude::wasm_bindgen;

/// Explains and translates a slice; see [`slice_cli::answer::answer`].
#[wasm_bindgen]
#[must_use]
pub fn answer(system: &str, text: &str, shape: &str) -> String {
    slice_cli::answer::answer(system, text, shape)
}
