//! Parses text into specs, with the grammar and meaning of a Python subscript. An item is a value, or up to three
//! values separated by colons. A value is an integer, a word, `...`, a call to `slice`, a list, or values in
//! parentheses.

use core::ops::Range;
use core::str::FromStr;

use super::error::{Mistake, ParseErrorKind, ParseSliceError};
use super::value::{ParsedValue, Parser, Spanned, bound, push, step, word};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;

/// Parses the text between the brackets of Python's `x[...]`.
///
/// Integers are Python literals (`-1`, `0x1f`, `1_000`), optionally with a Rust suffix (`2usize`). A new axis is
/// `None`, or `newaxis` with or without the name of a module (`np.newaxis`). An ellipsis is `...` or `Ellipsis`. A
/// range is either a call `slice(begin, end, step)`, or `begin:end:step`, where each part may be `None` or omitted.
/// Spaces and line breaks are ignored, and one trailing comma is allowed.
///
/// The whole text may be in parentheses, or in brackets after a name (`x[1:]`, `np.s_[1:]`, `s![1:]`). Brackets without
/// a name are a list, as in `[0, 2]`, unless they contain a `:`, as in `[0, 1:]`. The empty string, `()` and `x[]` denote
/// the spec without items.
///
/// A list contains integers, as in `[0, 2, -1]`. A list of `True` and `False`, as in `[True, False, True]`, is a mask.
/// Lists can be nested, as in `[[0, 2], [1, 1]]`. `zip([0, 2], [1, 1])` stands for points: its lists are broadcast, and
/// each place in them selects one element of the axes to which they apply. `np.array([...])` is also a list, and
/// `np.array([], bool)` is an empty mask. `np.zeros((0, 2), int)` is an empty list with two axes.
///
/// As in Python, the bounds and the step of a range may have any number of digits. A number outside the range of `i64`
/// becomes the nearest `i64`, which selects the same positions on every axis.
///
/// # Errors
///
/// Returns a [`ParseSliceError`] for the first mistake. Some mistakes are reported here although Python reports them
/// only when the slice is applied, because they are mistakes for every array: a step of zero, a second ellipsis, and an
/// index outside the range of `i64`.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
///
/// let spec: DynSliceSpec = "1:, ..., newaxis, :-3:-1".parse()?;
/// assert_eq!(spec, s![1:, ..., newaxis, :-3:-1].to_dyn());
/// assert_eq!("x[slice(1, None), Ellipsis, np.newaxis, None:-3:-1]".parse(), Ok(spec));
/// assert_eq!("[0, 2], ::-1".parse(), Ok(s![[0, 2], ::-1].to_dyn()));
/// assert_eq!("x[[True, False, True], 1]".parse(), Ok(s![[true, false, true], 1].to_dyn()));
/// assert_eq!("zip([0, 2], [1, 1])".parse(), Ok(s![zip([0, 2], [1, 1])].to_dyn()));
/// let error = "[0, [1]]".parse::<DynSliceSpec>().unwrap_err();
/// assert_eq!(error.to_string().lines().last(), Some("      ^"));
/// # Ok::<(), slice_core::ParseSliceError>(())
/// ```
impl FromStr for DynSliceSpec {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Self, ParseSliceError> {
        let spec = Parser::new(text).parse_text();
        spec.map_err(|mistake| ParseSliceError::new(text, mistake))
    }
}

impl Parser<'_> {
    fn parse_text(mut self) -> Result<DynSliceSpec, Mistake> {
        self.cursor.skip_space();
        if begins_with_list(self.cursor.rest()) {
            return self.items_until(None);
        }
        let Some(bracket) = self.opening_bracket() else {
            return self.items_until(None);
        };
        let spec = self.items_until(Some(']'))?;
        if !self.cursor.skip_token(']') {
            return Err((ParseErrorKind::UnbalancedBracket, bracket));
        }
        match self.cursor.peek() {
            None => Ok(spec),
            Some(_) => Err((ParseErrorKind::TextAfterBracket, self.cursor.next_span())),
        }
    }

    /// If the items are in brackets, skips the opening bracket and any name before it, and returns the span of the
    /// bracket.
    fn opening_bracket(&mut self) -> Option<Range<usize>> {
        let start = self.cursor;
        let may_precede_bracket = match self.path() {
            Some((path, _)) => {
                self.cursor.skip_token('!');
                !matches!(path, "slice" | "True" | "False") && word(path).is_none()
            }
            None => true,
        };
        let bracket = self.cursor.next_span();
        if may_precede_bracket && self.cursor.skip_token('[') {
            return Some(bracket);
        }
        self.cursor = start;
        None
    }

    /// Parses the items up to `closer` or the end of the text.
    fn items_until(&mut self, closer: Option<char>) -> Result<DynSliceSpec, Mistake> {
        let mut spec = DynSliceSpec::default();
        loop {
            match self.cursor.peek() {
                next if next == closer => return Ok(spec),
                None => return Ok(spec),
                Some(',') => {
                    return Err((ParseErrorKind::EmptyItem, self.cursor.next_span()));
                }
                Some(_) => {}
            }
            let (value, span) = self.item()?;
            let comma = self.cursor.skip_token(',');
            let next = self.cursor.peek();
            let last = next.is_none() || next == closer;
            match value {
                // `x[(1, 2)]` means `x[1, 2]`, but `x[(1, 2),]` is fancy indexing.
                ParsedValue::Tuple(values) if spec.is_empty() && last && !comma => {
                    for value in values {
                        push(&mut spec, value)?;
                    }
                    return Ok(spec);
                }
                value => push(&mut spec, (value, span))?,
            }
            if !comma && !last {
                return Err(self.text_after_value());
            }
        }
    }

    /// Parses one value, or a range with colons.
    fn item(&mut self) -> Result<Spanned, Mistake> {
        let start = self.cursor.offset();
        let begin = self.part()?;
        if !self.cursor.skip_token(':') {
            return begin.ok_or_else(|| self.no_value());
        }
        let begin = bound(begin)?;
        let end = bound(self.part()?)?;
        let step = match self.cursor.skip_token(':') {
            true => step(self.part()?)?,
            false => 1,
        };
        if self.cursor.peek() == Some(':') {
            return Err((ParseErrorKind::TooManyParts, self.cursor.next_span()));
        }
        let range = Item::Range { begin, end, step };
        Ok((ParsedValue::Item(range), self.cursor.span_since(start)))
    }

    /// Parses one part of a range, or returns `None` if the part is omitted.
    fn part(&mut self) -> Result<Option<Spanned>, Mistake> {
        match self.cursor.peek() {
            None | Some(':' | ',' | ']') => Ok(None),
            Some(_) => self.value().map(Some),
        }
    }
}

/// Returns `true` if `text` begins with a list: brackets without a name before them and without a colon inside.
fn begins_with_list(text: &str) -> bool {
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '[' => depth += 1,
            ']' if depth <= 1 => return depth == 1,
            ']' => depth -= 1,
            ':' if depth == 1 => return false,
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    depth > 0
}
