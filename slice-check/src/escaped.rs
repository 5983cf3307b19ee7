//! Escapes text from a model before it is printed.

use std::fmt::{self, Display, Write as _};

/// Displays text from a model, which must neither control the terminal nor be mistaken for other lines of the report.
/// Escapes control characters, including newlines, and characters that change the direction of text or separate lines.
///
/// # Examples
///
/// ```
/// use slice_check::print::Escaped;
///
/// assert_eq!(Escaped("rows\n\u{1b}[31m").to_string(), r"rows\n\u{1b}[31m");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Most text needs no escapes.
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return self.0.write_str(text);
        }
        for part in text.split_inclusive(is_control) {
            let end = part.trim_end_matches(is_control);
            self.0.write_str(end)?;
            write!(self.0, "{}", part[end.len()..].escape_default())?;
        }
        Ok(())
    }
}

/// Returns whether a character controls the terminal, separates lines or changes the direction of text.
pub fn is_control(character: char) -> bool {
    let is_mark = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_mark
}
