//! Prints the output of the commands. A closed pipe is not an error, but a full disk is.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::exit;

use anstyle::{AnsiColor, Style};
use slice_check::print::Escaped;

const ERROR: Style = AnsiColor::Red.on_default().bold();
#[cfg(feature = "zarr")]
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Prints text. Colors are printed only if the output is a terminal, or if an environment variable forces them.
///
/// Ends the process if printing fails: with status 0 and without a message if the reader has closed the pipe, as `head`
/// does, and otherwise with status 1 and an error.
pub(crate) fn print(text: &str) {
    print_with(|out| out.write_all(escape_except_colors(text).as_bytes()));
}

/// Prints what `write` writes, like [`print`]. The text may contain untrusted input only if it is escaped.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = BufWriter::new(anstream::stdout());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            print_error(&output_error(&error));
            exit(1)
        }
    }
}

/// Prints text that may contain untrusted input, with control characters escaped. A closed pipe is not an error.
/// Returns an error if the output cannot be written.
pub fn print_plain(text: &str) -> Result<(), String> {
    let mut out = anstream::stdout();
    let written = out.write_all(escape_control_characters(text).as_bytes());
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(output_error(&error)),
        _ => Ok(()),
    }
}

/// Prints an error to the standard error, and ignores failures to do so.
pub fn print_error(error: &(impl Display + ?Sized)) {
    let error = escape_control_characters(&error.to_string());
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error}");
}

/// Prints a warning to the standard error, and ignores failures to do so.
#[cfg(feature = "zarr")]
pub fn print_warning(warning: &str) {
    let warning = escape_control_characters(warning);
    let _ = writeln!(anstream::stderr(), "{WARNING}warning:{WARNING:#} {warning}");
}

/// Returns the width of the output in characters: the number in `COLUMNS`, or else the width of the terminal. Returns
/// `None` if neither is known, or if the width is 0.
#[must_use]
pub fn columns() -> Option<usize> {
    let variable = std::env::var("COLUMNS").ok();
    let variable = variable.and_then(|columns| columns.trim().parse().ok());
    let terminal = || terminal_size::terminal_size_of(io::stdout());
    let columns = variable.or_else(|| terminal().map(|(width, _)| width.0.into()));
    columns.filter(|&columns| columns > 0)
}

/// Breaks text at spaces into lines that fit the width of the output, if known. All lines but the first are indented by
/// `indent` spaces.
///
/// Text in brackets or backticks is kept together if it fits on a line. Words that do not fit on a line are not broken.
#[must_use]
pub fn wrap(text: &str, indent: usize) -> String {
    columns().map_or_else(
        || text.into(),
        |columns| wrap_to_width(text, indent, columns),
    )
}

fn wrap_to_width(text: &str, indent: usize, columns: usize) -> String {
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

/// Splits text at spaces, but not at those within brackets or backticks, unless a word would have more than `max_width`
/// characters.
fn words(text: &str, max_width: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (mut depth, mut is_quoted, mut end) = (0_usize, false, None);
        for (at, character) in text.char_indices() {
            match character {
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
        let candidate = end.map_or(text, |end| &text[..end]);
        if candidate.chars().count() > max_width {
            end = text.find(' ');
        }
        let word = end.map_or(text, |end| &text[..end]);
        rest = end.map(|end| &text[end + 1..]);
        Some(word)
    })
}

fn output_error(error: &io::Error) -> String {
    format!("cannot write the output: {error}")
}

/// Escapes control characters except newlines, because text from untrusted models, metadata and servers must not
/// control the terminal.
fn escape_control_characters(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| Escaped(line).to_string())
        .collect();
    lines.join("\n")
}

/// Escapes text like [`escape_control_characters`], but keeps its colors.
fn escape_except_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut escaped = escape_control_characters(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once('m') {
            Some((style, rest)) if STYLES.contains(&style) => {
                escaped += &format!("\x1b[{style}m{}", escape_control_characters(rest));
            }
            _ => escaped += &escape_control_characters(&format!("\x1b[{part}")),
        }
    }
    escaped
}

/// The styles of the commands: normal, bold, dim, red, yellow and cyan, and the colors of the positions in pictures.
/// Untrusted text could hide itself or other text with other styles.
const STYLES: [&str; 11] = [
    "0",
    "1",
    "2",
    "31",
    "33",
    "36",
    "38;5;16;48;5;195",
    "38;5;16;48;5;153",
    "38;5;16;48;5;75",
    "38;5;231;48;5;26",
    "38;5;231;48;5;18",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let text = "- `1:` takes positions 1, 2, 3 of axis 0.";
        for columns in [41, 100] {
            assert_eq!(wrap_to_width(text, 2, columns), text);
        }
        assert_eq!(
            wrap_to_width(text, 2, 40),
            "- `1:` takes positions 1, 2, 3 of axis\n  0."
        );
        assert_eq!(
            wrap_to_width(text, 2, 20),
            "- `1:` takes\n  positions 1, 2, 3\n  of axis 0."
        );
        assert_eq!(
            wrap_to_width("a longer_than_that b", 2, 5),
            "a longer_than_that\n  b"
        );
        let text = "of an array of shape (4, 5, 6), as x[1:, 2]";
        assert_eq!(
            wrap_to_width(text, 0, 26),
            "of an array of shape\n(4, 5, 6), as x[1:, 2]"
        );
        assert_eq!(
            wrap_to_width("x[1:, 2:, 3:] selects", 0, 10),
            "x[1:, 2:,\n3:]\nselects"
        );
        assert_eq!(wrap_to_width("a `1, 2` (b", 0, 6), "a\n`1, 2`\n(b");
        for line in ["array   (4,)", "        each a shard", "note: "] {
            assert_eq!(wrap_to_width(line, 8, 40), line);
        }
        assert_eq!(wrap_to_width("", 2, 1), "");
    }

    #[test]
    fn colors_are_kept_and_other_sequences_are_escaped() {
        for text in [
            "a\nb",
            "\x1b[1m\x1b[31mx\x1b[0m",
            "\x1b[38;5;16;48;5;195m 0\x1b[0m",
            "é漢",
        ] {
            assert_eq!(escape_except_colors(text), text);
        }
        for (text, shown) in [
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("\x1b[2J\x1b[1mx", "\\u{1b}[2J\x1b[1mx"),
            ("\x1b[8mx\x1b[0m", "\\u{1b}[8mx\x1b[0m"),
            ("\x1b[08mx", "\\u{1b}[08mx"),
            ("\x1b[30;40mx", "\\u{1b}[30;40mx"),
            (
                "\x1b[38;2;0;0;0;48;2;0;0;0mx",
                "\\u{1b}[38;2;0;0;0;48;2;0;0;0mx",
            ),
            ("\x1b[", "\\u{1b}["),
            ("\x1b[\x1b[1m", "\\u{1b}[\x1b[1m"),
            ("a\r\u{9b}31mb\u{202e}", "a\\r\\u{9b}31mb\\u{202e}"),
        ] {
            assert_eq!(escape_except_colors(text), shown);
            assert!(
                !escape_control_characters(text).contains('\x1b'),
                "{text:?}"
            );
        }
    }
}
