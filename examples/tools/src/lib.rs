//! What the commands and the pictures among the examples share.

pub mod chart;
pub mod input;
pub mod operation;
pub mod pictures;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

/// Prints a text, with its colours if it is for a terminal.
pub fn print(text: &str) {
    slice_examples::output::written(anstream::stdout().write_all(text.as_bytes()));
}

/// Prints a text on the standard error. If that fails, the failure is ignored.
pub fn print_error(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// The exit code of a program, once an error is printed.
#[must_use]
pub fn exit(outcome: Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("error: {error}\n"));
            ExitCode::from(2)
        }
    }
}
