//! Escapes names and other text that an array or a store contains, before it is printed.

use core::fmt::{self, Display, Write};

/// Displays text with escapes for characters that control a terminal, separate lines or change the direction of text.
pub(crate) struct Escaped<T>(pub(crate) T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '"' | '\'' | '\\' => self.0.write_char(character)?,
                // Characters that cannot be printed are escaped.
                _ => write!(self.0, "{}", character.escape_debug())?,
            }
        }
        Ok(())
    }
}
