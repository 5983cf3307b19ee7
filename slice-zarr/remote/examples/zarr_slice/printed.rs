//! What the commands print. A reader that has stopped is not an error; a full disk is one.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a text to the standard output.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints an error. If that fails, there is nobody to tell.
pub fn print_error(error: &(impl Display + ?Sized)) {
    let _ = writeln!(io::stderr(), "error: {error}");
}
