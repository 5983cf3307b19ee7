//! Prints the output of the commands. A closed pipe is not an error, but a full disk is.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::exit;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Prints text, with its colours if the output is a terminal.
///
/// Ends the process if printing fails: with status 0 and without a message if the reader has closed the pipe, as `head`
/// does, and otherwise with status 1 and an error.
pub(crate) fn print(text: &str) {
    match written(&printable_in_colours(text)) {
        Ok(Reader::Reads) => {}
        Ok(Reader::Stopped) => exit(0),
        Err(error) => {
            print_error(&error);
            exit(1)
        }
    }
}

/// Prints text that may contain untrusted input, with control characters escaped. A closed pipe is not an error.
///
/// # Errors
///
/// Returns an error if the output cannot be written.
pub fn print_plain(text: &str) -> Result<(), String> {
    written(&printable(text)).map(drop)
}

/// Prints an error to the standard error, and ignores failures to do so.
pub fn print_error(error: &(impl Display + ?Sized)) {
    let error = printable(&error.to_string());
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error}");
}

/// Returns the width of the output: the value of `COLUMNS`, or else the width of the terminal. Returns `None` if
/// `COLUMNS` is not set and the output is a pipe or a file.
#[must_use]
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    let of_terminal = || terminal_size::terminal_size_of(std::io::stdout());
    let columns = said.or_else(|| of_terminal().map(|(width, _)| width.0.into()));
    columns.filter(|&columns| columns > 0)
}

/// Breaks text at spaces into lines that fit the width of the output, if known. All lines but the first are indented.
///
/// Text in brackets or backticks is kept together if it fits on a line. Words that do not fit on a line are not broken.
#[must_use]
pub fn wrapped(text: &str, indent: usize) -> String {
    columns().map_or_else(|| text.into(), |columns| within(text, indent, columns))
}

fn within(text: &str, indent: usize, columns: usize) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for (at, word) in words(text, columns.saturating_sub(indent)).enumerate() {
        let len = word.chars().count();
        if width > indent && width + 1 + len > columns {
            lines += &format!("\n{:indent$}", "");
            width = indent;
        } else if at > 0 {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += len;
    }
    lines
}

/// Splits text at spaces, but not at those within brackets or backticks, unless a part would have more than `most`
/// characters.
fn words(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (mut depth, mut is_quoted, mut end) = (0_usize, false, None);
        for (at, letter) in text.char_indices() {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                '`' => is_quoted = !is_quoted,
                ' ' if depth == 0 && !is_quoted => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let together = end.map_or(text, |end| &text[..end]);
        if together.chars().count() > most {
            end = text.find(' ');
        }
        let word = end.map_or(text, |end| &text[..end]);
        rest = end.map(|end| &text[end + 1..]);
        Some(word)
    })
}

/// Whether the process at the other end of a pipe still reads the output.
enum Reader {
    Reads,
    Stopped,
}

fn written(text: &str) -> Result<Reader, String> {
    let mut out = anstream::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::Reads),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Stopped),
        Err(error) => Err(format!("cannot write the output: {error}")),
    }
}

/// Escapes control characters except newlines, because text from untrusted models, metadata and servers must not
/// control the terminal.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        // Marks that change the direction of text are escaped too.
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter {
            '\n' => shown.push(letter),
            _ if letter.is_control() || turns => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// Escapes text like [`printable`], but keeps its colours.
fn printable_in_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut shown = printable(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once('m') {
            Some((style, rest)) if is_visible(style) => {
                shown += &format!("\x1b[{style}m{}", printable(rest));
            }
            _ => shown += &printable(&format!("\x1b[{part}")),
        }
    }
    shown
}

/// Returns whether the parameters of a style sequence are all numbers, and none of them is 8, which hides the text.
fn is_visible(style: &str) -> bool {
    let mut numbers = style.split(';');
    numbers.all(|number| number.bytes().all(|byte| byte.is_ascii_digit()) && number != "8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let text = "- `1:` takes positions 1, 2, 3 of axis 0.";
        for columns in [41, 100] {
            assert_eq!(within(text, 2, columns), text);
        }
        assert_eq!(
            within(text, 2, 40),
            "- `1:` takes positions 1, 2, 3 of axis\n  0."
        );
        assert_eq!(
            within(text, 2, 20),
            "- `1:` takes\n  positions 1, 2, 3\n  of axis 0."
        );
        assert_eq!(
            within("a longer_than_that b", 2, 5),
            "a longer_than_that\n  b"
        );
        let text = "of an array of shape (4, 5, 6), as x[1:, 2]";
        assert_eq!(
            within(text, 0, 26),
            "of an array of shape\n(4, 5, 6), as x[1:, 2]"
        );
        assert_eq!(
            within("x[1:, 2:, 3:] selects", 0, 10),
            "x[1:, 2:,\n3:]\nselects"
        );
        assert_eq!(within("a `1, 2` (b", 0, 6), "a\n`1, 2`\n(b");
        for line in ["array   (4,)", "        each a shard", "note: "] {
            assert_eq!(within(line, 8, 40), line);
        }
        assert_eq!(within("", 2, 1), "");
    }

    #[test]
    fn colours_are_kept_and_other_sequences_are_escaped() {
        for text in [
            "a\nb",
            "\x1b[1m\x1b[31mx\x1b[0m",
            "\x1b[38;5;16;48;5;195m 0\x1b[0m",
            "é漢",
        ] {
            assert_eq!(printable_in_colours(text), text);
        }
        for (text, shown) in [
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("\x1b[2J\x1b[1mx", "\\u{1b}[2J\x1b[1mx"),
            ("\x1b[8mx\x1b[0m", "\\u{1b}[8mx\x1b[0m"),
            ("\x1b[", "\\u{1b}["),
            ("\x1b[\x1b[1m", "\\u{1b}[\x1b[1m"),
            ("a\r\u{9b}31mb\u{202e}", "a\\r\\u{9b}31mb\\u{202e}"),
        ] {
            assert_eq!(printable_in_colours(text), shown);
            assert!(!printable(text).contains('\x1b'), "{text:?}");
        }
    }
}
