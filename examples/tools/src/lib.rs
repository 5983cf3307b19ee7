//! What the commands and the pictures among the examples share.

pub mod input;
pub mod operation;
pub mod pictures;

use std::io::Write;

/// Prints a text, with its colours if it is for a terminal.
pub fn print(text: &str) {
    slice_examples::output::written(anstream::stdout().write_all(text.as_bytes()));
}

/// Prints a text on the standard error; there is nobody to tell if that fails.
pub fn print_error(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}
