//! Output of the commands. A reader that has stopped is not an error; a full disk is one.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a text to the standard output.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out
        .write_all(printable(text).as_bytes())
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints an error. If that fails, there is nobody to tell.
pub fn print_error(error: &(impl Display + ?Sized)) {
    let _ = writeln!(io::stderr(), "error: {}", printable(&error.to_string()));
}

/// A text of lines without what makes a terminal do anything but show it: metadata and servers may be a stranger's.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        // Also what turns the direction of the text around.
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter {
            '\n' => shown.push(letter),
            _ if letter.is_control() || turns => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown
}
