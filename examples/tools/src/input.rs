//! Shapes and operations that people type, refused with a caret under the mistake.

use std::fmt::{self, Display};
use std::process::ExitCode;

use serde::de::DeserializeOwned;

/// Why an input cannot be used, and the line of it with carets under the place.
#[derive(Debug)]
pub struct BadInput {
    message: String,
    /// 1 for a slice that is wrong, 2 for a command that is.
    status: u8,
}

impl BadInput {
    /// A message about the command and not about the slice.
    #[must_use]
    pub fn usage(message: String) -> Self {
        BadInput { message, status: 2 }
    }

    /// A message about the slice without a place in it.
    #[must_use]
    pub fn slice(message: String) -> Self {
        BadInput { message, status: 1 }
    }

    /// The status that the program exits with.
    #[must_use]
    pub fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
    }

    /// A message about `length` characters of a line, from character `at` on.
    #[must_use]
    pub fn new(message: impl Display, line: &str, at: usize, length: usize) -> Self {
        let carets = "^".repeat(length.max(1));
        BadInput::slice(format!("{message}\n  {line}\n  {:at$}{carets}", ""))
    }
}

impl Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<slice_core::ParseSliceError> for BadInput {
    fn from(error: slice_core::ParseSliceError) -> Self {
        BadInput::slice(error.to_string())
    }
}

/// Reads a shape: lengths with commas between them, in brackets or not; an empty text is the shape of a scalar.
///
/// # Errors
///
/// For anything that is not a length.
pub fn shape(text: &str) -> Result<Vec<usize>, BadInput> {
    let closer = match text.trim_start().chars().next() {
        Some('(') => ")",
        Some('[') => "]",
        _ => "",
    };
    let opener = text.len() - text.trim_start().len() + closer.len();
    let inside = text[opener..].trim_end();
    let Some(inside) = inside.strip_suffix(closer) else {
        let message = format!("the shape is not closed: write `{closer}` after it");
        let length = text.chars().count();
        return Err(BadInput::usage(
            BadInput::new(message, text, length, 1).message,
        ));
    };
    let mut sizes = Vec::new();
    let mut start = opener;
    for part in inside.split(',') {
        let size = part.trim();
        let last = start + part.len() == opener + inside.len();
        if !(size.is_empty() && last) {
            sizes.push(size.parse().map_err(|_| {
                let message = "a shape is lengths with commas between them, such as 4,5,6";
                let before = part.len() - part.trim_start().len();
                let at = text[..start + before].chars().count();
                BadInput::usage(BadInput::new(message, text, at, size.chars().count()).message)
            })?);
        }
        start += part.len() + 1;
    }
    Ok(sizes)
}

/// Reads an operation from JSON.
///
/// # Errors
///
/// If the text is not JSON, or not that of the operation.
pub fn json<Op: DeserializeOwned>(text: &str) -> Result<Op, BadInput> {
    serde_json::from_str(text).map_err(|error| {
        let line = text.lines().nth(error.line().saturating_sub(1));
        let at = error.column().saturating_sub(1);
        BadInput::new(&error, line.unwrap_or_default(), at, 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_in_all_their_spellings() {
        for text in ["4,5,6", "(4, 5, 6)", "[4,5,6]", " 4 , 5 ,6, ", "(4,5,6,)"] {
            assert_eq!(shape(text).expect(text), [4, 5, 6]);
        }
        for text in ["", " ", "()", "[]"] {
            assert_eq!(shape(text).expect(text), [0_usize; 0]);
        }
        assert_eq!(shape("(7,)").expect("one axis"), [7]);
    }

    #[test]
    fn what_is_not_a_shape_is_underlined() {
        for (text, carets) in [
            ("4,x", "  ^"),
            ("4, -5, 6", "   ^^"),
            ("4,,6", "  ^"),
            (",", "^"),
            ("4 5", "^^^"),
            ("(4,5", "    ^"),
            ("é", "^"),
            ("99999999999999999999", "^^^^^^^^^^^^^^^^^^^^"),
        ] {
            let error = shape(text).expect_err(text).to_string();
            assert!(
                error.ends_with(&format!("\n  {text}\n  {carets}")),
                "{error}"
            );
        }
    }
}
