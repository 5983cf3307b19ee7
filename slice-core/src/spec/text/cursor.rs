//! A cursor that moves forward through a string.

use core::ops::Range;

#[derive(Clone, Copy, Debug)]
pub(super) struct TextCursor<'a> {
    text: &'a str,
    /// The byte offset of the cursor, at most `text.len()` and on a character boundary.
    offset: usize,
}

impl<'a> TextCursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        TextCursor { text, offset: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips the characters that Python treats as white space. `char::is_whitespace` accepts more characters.
    pub(super) fn skip_space(&mut self) {
        self.skip_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c'));
    }

    /// If `token` is next, skips `token` and the white space after it, and returns `true`.
    pub(super) fn skip_token(&mut self, token: char) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.offset += token.len_utf8();
            self.skip_space();
        }
        is_next
    }

    /// Skips the next characters as long as `accepts` returns `true` for them, and returns the skipped text.
    pub(super) fn skip_while(&mut self, accepts: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !accepts(c)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    /// Returns the name at the cursor, or an empty string if there is none.
    pub(super) fn name(mut self) -> &'a str {
        self.skip_while(|c| c.is_alphanumeric() || c == '_')
    }

    /// Returns the span of the next character, or an empty span at the end of the text.
    pub(super) fn next_span(&self) -> Range<usize> {
        self.offset..self.offset + self.peek().map_or(0, char::len_utf8)
    }

    /// Returns the span from `start` to the cursor, without trailing white space.
    pub(super) fn span_since(&self, start: usize) -> Range<usize> {
        start..start + self.text[start..self.offset].trim_end().len()
    }
}
