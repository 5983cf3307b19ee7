//! Parses shapes and operations typed by users, and marks mistakes with carets.

use std::fmt::{self, Display};
use std::ops::Range;
use std::process::ExitCode;

use serde::de::DeserializeOwned;
use slice_core::MarkedLine;

/// The reason why a command fails, usually a mistake in its input. If the position of the mistake is known, the message
/// includes the line, with carets under the mistake.
#[derive(Debug)]
pub struct CommandError {
    message: String,
    /// The exit status: 2 if the command line is invalid, and 1 for every other error.
    status: u8,
}

impl CommandError {
    /// Creates an error for an invalid command line, with exit status 2.
    #[must_use]
    pub fn usage(message: String) -> Self {
        CommandError { message, status: 2 }
    }

    /// Creates an error for any other failure, such as an invalid slice or an unreadable file, with exit status 1.
    #[must_use]
    pub fn failure(message: String) -> Self {
        CommandError { message, status: 1 }
    }

    /// Returns the exit status with which the process ends after this error.
    #[must_use]
    pub fn status(&self) -> ExitCode {
        ExitCode::from(self.status)
    }

    /// Creates an error about the bytes `mistake` of `line`, with exit status 1. The message shows the line, shortened
    /// if necessary, with carets under these bytes. A blank line is not shown.
    #[must_use]
    pub fn with_carets(message: impl Display, line: &str, mistake: Range<usize>) -> Self {
        if line.trim().is_empty() {
            return CommandError::failure(message.to_string());
        }
        CommandError::failure(format!("{message}\n{}", MarkedLine::new(line, mistake)))
    }

    /// Creates an error about an item of the slice with the items `items` in Python's notation.
    #[must_use]
    pub fn at_item(message: impl Display, items: &[String], item: usize) -> Self {
        let start = items[..item].iter().fold(2, |at, text| at + text.len() + 2);
        let line = format!("x[{}]", items.join(", "));
        CommandError::with_carets(message, &line, start..start + items[item].len())
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Any other failure.
impl<E: std::error::Error> From<E> for CommandError {
    fn from(error: E) -> Self {
        CommandError::failure(error.to_string())
    }
}

/// Parses a shape: lengths separated by commas, optionally in brackets. An empty string is the shape of a scalar.
/// Returns an error if a bracket is not closed, or the text between two commas is not a length.
pub fn parse_shape(text: &str) -> Result<Vec<usize>, CommandError> {
    let closer = match text.trim_start().chars().next() {
        Some('(') => ")",
        Some('[') => "]",
        _ => "",
    };
    let inside_start = text.len() - text.trim_start().len() + closer.len();
    let inside = text[inside_start..].trim_end();
    let Some(inside) = inside.strip_suffix(closer) else {
        let message = format!("the bracket is not closed: add `{closer}`");
        let end = text.len()..text.len();
        return Err(CommandError::usage(
            CommandError::with_carets(message, text, end).message,
        ));
    };
    let mut lengths = Vec::new();
    let mut start = inside_start;
    for part in inside.split(',') {
        let length = part.trim();
        let is_last = start + part.len() == inside_start + inside.len();
        if !(length.is_empty() && is_last) {
            lengths.push(length.parse().map_err(|_| {
                let message = "expected a shape: lengths separated by commas, such as 4,5,6";
                let at = start + part.len() - part.trim_start().len();
                CommandError::usage(
                    CommandError::with_carets(message, text, at..at + length.len()).message,
                )
            })?);
        }
        start += part.len() + 1;
    }
    Ok(lengths)
}

/// Parses a value, such as an operation, from JSON. Returns an error if the text is not valid JSON, or is not a value
/// of the requested type.
pub fn parse_json<Op: DeserializeOwned>(text: &str) -> Result<Op, CommandError> {
    serde_json::from_str(text).map_err(|error: serde_json::Error| {
        if error.line() == 0 {
            // serde_json reports line 0 for an error without a position.
            return error.into();
        }
        let line = text.lines().nth(error.line().saturating_sub(1));
        // serde_json counts columns in bytes.
        let at = error.column().saturating_sub(1);
        CommandError::with_carets(&error, line.unwrap_or_default(), at..at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_parsed_with_and_without_brackets() {
        for text in ["4,5,6", "(4, 5, 6)", "[4,5,6]", " 4 , 5 ,6, ", "(4,5,6,)"] {
            assert_eq!(parse_shape(text).expect(text), [4, 5, 6]);
        }
        for text in ["", " ", "()", "[]"] {
            assert_eq!(parse_shape(text).expect(text), [0_usize; 0]);
        }
        assert_eq!(
            parse_shape("(7,)").expect("the text should be a shape"),
            [7]
        );
    }

    /// Carets are aligned by display columns, not by bytes or characters.
    #[test]
    fn carets_are_aligned_under_wide_characters() {
        for (text, carets) in [
            ("4,é,x", "  ^"),
            ("4,漢字", "  ^^^^"),
            ("4,５,x", "  ^^"),
            ("4,e\u{301}", "  ^"),
            ("漢,4", "^^"),
        ] {
            let error = parse_shape(text).expect_err(text).to_string();
            let lines = format!("\n  {text}\n  {carets}");
            assert!(error.ends_with(&lines), "{error}");
        }
        for (text, line, carets) in [
            (r#"{"é": 1, "x" 2}"#, r#"{"é": 1, "x" 2}"#, "             ^"),
            (r#"{"漢字": 1, x}"#, r#"{"漢字": 1, x}"#, "            ^"),
            ("{\n\t\"漢\" 1}", " \"漢\" 1}", "      ^"),
            (r#""漢"#, r#""漢"#, " ^^"),
        ] {
            let error = parse_json::<serde_json::Value>(text)
                .expect_err(text)
                .to_string();
            let lines = format!("\n  {line}\n  {carets}");
            assert!(error.ends_with(&lines), "{error}");
        }
    }

    /// A blank line is not shown, because carets under it would mark nothing visible.
    #[test]
    fn mistakes_in_blank_lines_are_not_marked_with_carets() {
        for text in ["", "\n", "{\n", "{\n  \n"] {
            let error = parse_json::<serde_json::Value>(text)
                .expect_err("the text is not JSON")
                .to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    /// The tested distances include 65,536, because widths in format strings are limited to 16 bits.
    #[test]
    fn long_lines_are_shortened_around_the_mistake() {
        for distance in [59, 60, 61, 65_535, 65_536, 1 << 20] {
            let text = format!("{}x", " ".repeat(distance));
            for error in [
                parse_shape(&text).expect_err("the text is not a shape"),
                parse_json::<serde_json::Value>(&text).expect_err("the text is not JSON"),
            ] {
                let error = error.to_string();
                let spaces = " ".repeat(distance.min(60));
                let lines = format!("\n  {spaces}x\n  {spaces}^");
                assert!(error.ends_with(&lines), "{error}");
            }
            let text = format!("{}9", "1,".repeat(distance));
            let error = CommandError::with_carets("wrong", &text, 2 * distance..2 * distance + 1)
                .to_string();
            assert!(error.lines().all(|line| line.len() < 130), "{error}");
            let whole_line_error =
                CommandError::with_carets("wrong", &text, 0..text.len()).to_string();
            assert!(
                whole_line_error.lines().all(|line| line.len() < 130),
                "{whole_line_error}"
            );
        }
    }

    #[test]
    fn mistakes_in_shapes_are_marked_with_carets() {
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
            let error = parse_shape(text).expect_err(text).to_string();
            assert!(
                error.ends_with(&format!("\n  {text}\n  {carets}")),
                "{error}"
            );
        }
    }
}
