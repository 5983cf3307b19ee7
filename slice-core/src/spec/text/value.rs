//! Parses the values in the text of a slice: signed integers, words, `...`, calls to `slice`, lists, and values in
//! parentheses.

use alloc::vec::Vec;
use core::ops::Range;

use super::cursor::TextCursor;
use super::error::{Mistake, ParseErrorKind};
use super::number;
use crate::error::SliceError;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, saturate};

/// The maximum depth of nested parentheses, which limits the stack space that the recursive parser uses.
const MAX_PARENTHESES_DEPTH: usize = 32;

/// The maximum number of axes of a list whose text can be parsed. It may be in the parentheses of `zip` or `np.array`.
#[cfg(feature = "serde")]
pub(crate) const MAX_LIST_AXES: usize = MAX_PARENTHESES_DEPTH - 1;

/// A value in the text of a slice.
#[derive(Clone)]
pub(crate) enum ParsedValue {
    Integer(i128),
    Tuple(Vec<Spanned>),
    /// Any other value, which is an item by itself.
    Item(Item),
}

/// A value and its span in the text, in bytes.
pub(crate) type Spanned = (ParsedValue, Range<usize>);

/// A parser of the text of a slice. `parse` reads the items, and `item` those with brackets.
pub(super) struct Parser<'a> {
    pub(super) cursor: TextCursor<'a>,
    /// The number of open parentheses.
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Parser {
            cursor: TextCursor::new(text),
            depth: 0,
        }
    }

    /// Parses a value and the signs before it.
    pub(super) fn value(&mut self) -> Result<Spanned, Mistake> {
        let start = self.cursor.offset();
        let mut sign = None;
        let mut negative = false;
        while let Some(next @ ('-' | '+')) = self.cursor.peek() {
            sign = Some(self.cursor.next_span());
            negative ^= next == '-';
            self.cursor.skip_token(next);
        }
        if sign.is_some() && matches!(self.cursor.peek(), None | Some(':' | ',' | ']' | ')')) {
            return Err((ParseErrorKind::LoneSign, self.cursor.span_since(start)));
        }
        match (self.atom()?, sign) {
            ((ParsedValue::Integer(value), span), _) => {
                let value = if negative { -value } else { value };
                Ok((ParsedValue::Integer(value), start..span.end))
            }
            (_, Some(sign)) => Err((ParseErrorKind::LoneSign, sign)),
            (value, None) => Ok(value),
        }
    }

    fn atom(&mut self) -> Result<Spanned, Mistake> {
        let start = self.cursor.offset();
        let value = match self.cursor.peek() {
            Some('0'..='9') => {
                let (value, span) = number::read(&mut self.cursor)?;
                (ParsedValue::Integer(value), span)
            }
            Some('.') => {
                let dots = self.cursor.skip_while(|c| c == '.').len();
                let span = start..self.cursor.offset();
                let digit = self.cursor.peek().is_some_and(|c| c.is_ascii_digit());
                match dots {
                    3 => (ParsedValue::Item(Item::Ellipsis), span),
                    1 if digit => {
                        self.cursor.skip_while(|c| c.is_alphanumeric());
                        return Err((ParseErrorKind::Float, start..self.cursor.offset()));
                    }
                    _ => return Err((ParseErrorKind::WrongDots, span)),
                }
            }
            Some('(') => self.parentheses()?,
            Some('[') => {
                let (item, span) = self.list()?;
                (ParsedValue::Item(item), span)
            }
            Some('…') => {
                return Err((ParseErrorKind::MisspelledEllipsis, self.cursor.next_span()));
            }
            _ => self.word()?,
        };
        self.cursor.skip_space();
        Ok(value)
    }

    /// Parses values in parentheses. A single value without a comma is returned unchanged; anything else becomes a
    /// tuple.
    fn parentheses(&mut self) -> Result<Spanned, Mistake> {
        let start = self.cursor.offset();
        // Each value is checked when it is read, so that the first mistake in the text is reported.
        let (mut checked, mut values) = (DynSliceSpec::default(), Vec::new());
        let mut keep = |value: Spanned| {
            push(&mut checked, value.clone())?;
            values.push(value);
            Ok(())
        };
        let (mut is_tuple, mut single) = (false, None);
        let colon = ParseErrorKind::RangeInParentheses;
        self.separated(')', colon, |parser| {
            if parser.cursor.peek() == Some(':') {
                return Err((colon, parser.cursor.next_span()));
            }
            let value = parser.value()?;
            match parser.cursor.peek() {
                Some(')') if !is_tuple => single = Some(value.0),
                Some(')' | ',') => {
                    is_tuple = true;
                    keep(value)?;
                }
                _ => {}
            }
            Ok(())
        })?;
        let value = single.unwrap_or(ParsedValue::Tuple(values));
        Ok((value, self.cursor.span_since(start)))
    }

    /// Parses values separated by commas, from an opening bracket to `closer`. `each` parses a value, and `colon` is the
    /// mistake if a colon follows one.
    pub(super) fn separated(
        &mut self,
        closer: char,
        colon: ParseErrorKind,
        mut each: impl FnMut(&mut Self) -> Result<(), Mistake>,
    ) -> Result<(), Mistake> {
        let opening_bracket = self.open()?;
        loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.next_span())),
                Some(next) if next == closer => return self.close(closer, opening_bracket),
                Some(_) => each(self)?,
            }
            if !self.cursor.skip_token(',') && self.cursor.peek().is_some_and(|next| next != closer)
            {
                return Err(match self.cursor.peek() {
                    Some(':') => (colon, self.cursor.next_span()),
                    _ => self.text_after_value(),
                });
            }
        }
    }

    /// Skips an opening bracket, and returns its span.
    pub(super) fn open(&mut self) -> Result<Range<usize>, Mistake> {
        let span = self.cursor.next_span();
        if self.depth == MAX_PARENTHESES_DEPTH {
            return Err((ParseErrorKind::TooDeep, span));
        }
        self.depth += 1;
        if let Some(bracket) = self.cursor.peek() {
            self.cursor.skip_token(bracket);
        }
        Ok(span)
    }

    /// Skips the bracket that closes the bracket at `opening_bracket`.
    pub(super) fn close(
        &mut self,
        closer: char,
        opening_bracket: Range<usize>,
    ) -> Result<(), Mistake> {
        match self.cursor.peek() {
            None => Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
            Some(next) if next == closer => {
                self.depth -= 1;
                self.cursor.skip_token(closer);
                Ok(())
            }
            Some(_) => Err(self.text_after_value()),
        }
    }

    /// Parses a word, or a call.
    fn word(&mut self) -> Result<Spanned, Mistake> {
        let Some((path, span)) = self.path() else {
            return Err(self.no_value());
        };
        if let Some((item, span)) = self.call(path, &span)? {
            return Ok((ParsedValue::Item(item), span));
        }
        if let Some(value) = word(path) {
            return Ok((value, span));
        }
        let kind = match last_name(path) {
            "True" | "False" | "true" | "false" => ParseErrorKind::BooleanMask,
            "NewAxis" | "new_axis" | "Newaxis" | "NEWAXIS" | "newAxis" | "none" => {
                ParseErrorKind::MisspelledNewAxis
            }
            "ellipsis" | "Ellipsis" | "ELLIPSIS" => ParseErrorKind::MisspelledEllipsis,
            name if is_condition_keyword(name) => ParseErrorKind::Condition,
            _ => ParseErrorKind::UnknownName,
        };
        Err((kind, span))
    }

    /// Parses one or more names separated by dots. Returns `None` if there is no such path at the cursor.
    pub(super) fn path(&mut self) -> Option<(&'a str, Range<usize>)> {
        let start = self.cursor;
        loop {
            let name = self.cursor.skip_while(|c| c.is_alphanumeric() || c == '_');
            if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                self.cursor = start;
                return None;
            }
            let span = start.offset()..self.cursor.offset();
            self.cursor.skip_space();
            if self.cursor.rest().starts_with("..") || !self.cursor.skip_token('.') {
                return Some((&start.rest()[..span.len()], span));
            }
        }
    }

    /// Returns the error for a missing value.
    pub(super) fn no_value(&self) -> Mistake {
        let kind = match self.cursor.peek() {
            Some('*' | '/' | '%' | '~' | '^' | '&' | '|' | '<' | '>') => ParseErrorKind::Arithmetic,
            Some(')' | ']') => ParseErrorKind::UnbalancedBracket,
            other => unexpected(other),
        };
        (kind, self.cursor.next_span())
    }

    /// Returns the error for text directly after a value.
    pub(super) fn text_after_value(&self) -> Mistake {
        let rest = self.cursor.rest();
        let dots = rest.len() - rest.trim_start_matches('.').len();
        let (start, name) = (self.cursor.offset(), self.cursor.name());
        if is_condition_keyword(name) {
            return (ParseErrorKind::Condition, start..start + name.len());
        }
        let kind = match self.cursor.peek() {
            Some('.') if dots != 3 => return (ParseErrorKind::WrongDots, start..start + dots),
            Some('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>') => {
                ParseErrorKind::Arithmetic
            }
            Some(')' | ']') => ParseErrorKind::UnbalancedBracket,
            Some(c) if c.is_alphanumeric() || ['_', '.', '(', '['].contains(&c) => {
                ParseErrorKind::MissingComma
            }
            other => unexpected(other),
        };
        (kind, self.cursor.next_span())
    }
}

/// Returns `true` if a word is a keyword of a Python condition.
fn is_condition_keyword(word: &str) -> bool {
    matches!(word, "if" | "else" | "and" | "or" | "not" | "is" | "in")
}

/// Returns the kind of error for an unexpected character, or for the end of the text.
fn unexpected(character: Option<char>) -> ParseErrorKind {
    let is_invisible = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    if character.is_some_and(is_invisible) {
        ParseErrorKind::NonPrintable
    } else {
        ParseErrorKind::Unexpected
    }
}

/// Returns the value of a name, or `None` if the name has no value. The name of any module may precede `newaxis`, as in
/// `np.newaxis`.
pub(super) fn word(path: &str) -> Option<ParsedValue> {
    match path {
        "Ellipsis" => Some(ParsedValue::Item(Item::Ellipsis)),
        "None" => Some(ParsedValue::Item(Item::NewAxis)),
        _ if last_name(path) == "newaxis" => Some(ParsedValue::Item(Item::NewAxis)),
        _ => None,
    }
}

/// Returns the part after the last dot.
pub(super) fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// Appends a value as an item.
pub(super) fn push(spec: &mut DynSliceSpec, (value, span): Spanned) -> Result<(), Mistake> {
    let item = match value {
        ParsedValue::Integer(index) => match i64::try_from(index) {
            Ok(index) => Item::Index(index),
            Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
        },
        ParsedValue::Item(item) => item,
        ParsedValue::Tuple(_) => return Err((ParseErrorKind::FancyIndex, span)),
    };
    spec.push(item).map_err(|error| match error {
        SliceError::MultipleEllipses { .. } => (ParseErrorKind::MultipleEllipses, span),
        _ => (ParseErrorKind::TooManyItems, span),
    })
}

/// Returns the bound denoted by a part of a range. A bound outside the range of `i64` becomes the nearest `i64`, which
/// selects the same positions.
pub(super) fn bound(part: Option<Spanned>) -> Result<Option<i64>, Mistake> {
    match part {
        None | Some((ParsedValue::Item(Item::NewAxis), _)) => Ok(None),
        Some((ParsedValue::Integer(value), _)) => Ok(Some(saturate(value))),
        Some((_, span)) => Err((ParseErrorKind::InvalidBound, span)),
    }
}

/// Returns the step denoted by the third part of a range.
pub(super) fn step(part: Option<Spanned>) -> Result<i64, Mistake> {
    let span = part.as_ref().map(|(_, span)| span.clone());
    match (bound(part)?, span) {
        (Some(0), Some(span)) => Err((ParseErrorKind::ZeroStep, span)),
        (step, _) => Ok(step.unwrap_or(1)),
    }
}
