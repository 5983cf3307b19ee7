//! Shows a mistake in a text: the line that contains the mistake, with carets under it.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Display};
use core::ops::Range;

use unicode_width::UnicodeWidthStr;

/// The maximum number of characters shown from each of three parts of the line: the text before the mistake, the
/// mistake, and the text after it.
const MAX_SHOWN_CHARACTERS: usize = 60;

/// The line of a text that contains a mistake, and the columns of the mistake.
///
/// `Display` writes the line and, below it, carets under the mistake. Both are indented by two spaces.
///
/// # Example
///
/// ```
/// use slice_core::MarkedLine;
///
/// assert_eq!(MarkedLine::new("4,\n5,x,6", 5..6).to_string(), "  5,x,6\n    ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MarkedLine {
    /// The displayed part of the line. Control characters have been replaced.
    excerpt: Box<str>,
    /// The number of columns before the first caret, and the number of carets.
    carets: (usize, usize),
}

impl MarkedLine {
    /// Marks the bytes `mistake` of a text. If the text has several lines, only the line in which the mistake begins is
    /// shown. A long line is shortened around the mistake. If the bytes `mistake` are empty, there is one caret.
    ///
    /// The bytes may begin or end within a character, or beyond the end of the text.
    #[must_use]
    pub fn new(text: &str, mistake: Range<usize>) -> Self {
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let start = (0..=mistake.start.min(text.len())).rev().find(is_boundary);
        let start = start.unwrap_or(0);
        let end = (mistake.end.max(start)..=text.len()).find(is_boundary);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = end.unwrap_or(text.len()).min(line_end);
        let (before, mistake, after) = (
            &text[line_start..start],
            &text[start..end],
            &text[end..line_end],
        );

        let shown_before = before
            .char_indices()
            .rev()
            .take(MAX_SHOWN_CHARACTERS)
            .last();
        let before = shown_before.map_or("", |(at, _)| &before[at..]);
        // Tabs and carriage returns become spaces. Other control characters become a visible character, because they
        // may be the mistake.
        let shown = |c: char| match c {
            '\t' | '\r' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        };
        let visible =
            |text: &str, limit: usize| -> String { text.chars().take(limit).map(shown).collect() };
        let before = visible(before, MAX_SHOWN_CHARACTERS);
        let limit_after = if mistake.chars().nth(MAX_SHOWN_CHARACTERS).is_none() {
            MAX_SHOWN_CHARACTERS
        } else {
            0
        };
        let mistake = visible(mistake, MAX_SHOWN_CHARACTERS);
        let excerpt = [&before[..], &mistake, &visible(after, limit_after)].concat();
        MarkedLine {
            excerpt: excerpt.trim_end_matches(' ').into(),
            carets: (before.width(), mistake.width().max(1)),
        }
    }
}

impl Display for MarkedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (indent, carets) = self.carets;
        write!(f, "  {}\n  {:indent$}{:^<carets$}", self.excerpt, "", "")
    }
}
