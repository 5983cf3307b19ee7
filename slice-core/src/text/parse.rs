//! Text to spec, with the grammar and the meaning of a Python subscript: an item is a value, or up to three values with
//! colons between them; a value is an integer, a word, `...`, a call of `slice`, or values in parentheses.

use core::ops::Range;
use core::str::FromStr;

use super::cursor::Cursor;
use super::error::{Fault, ParseErrorKind, ParseSliceError};
use super::number;
use crate::item::Item;
use crate::{DynSliceSpec, SliceError};

/// Parses what Python allows between the brackets of `x[...]`.
///
/// Integers are literals of Python or Rust (`-1`, `0x1f`, `1_000`, `2usize`); a new axis is `None`, `newaxis`,
/// `np.newaxis` or `tf.newaxis`; an ellipsis is `...` or `Ellipsis`; a range is `begin:end:step`, each part of it left
/// out or `None`, or `slice(begin, end, step)`. Spaces and line breaks are free; one trailing comma is allowed.
/// Brackets or parentheses may stand around the whole, and a name in front of the brackets (`x[1:]`, `np.s_[1:]`,
/// `s![1:]`). Nothing at all, `[]` and `()` are the spec without items.
///
/// As in Python, the bounds and the stride of a range may have any number of digits; beyond `i64` they are the nearest
/// `i64`, which no axis can tell apart.
///
/// # Errors
///
/// A [`ParseSliceError`] for the first mistake. That includes what Python would only report when the slice meets an
/// array, if it is wrong for every array: a stride of zero, a second ellipsis, an index beyond `i64`.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
///
/// let spec: DynSliceSpec = "1:, ..., newaxis, :-3:-1".parse()?;
/// assert_eq!(spec, s![1:, ..., newaxis, :-3:-1].to_dyn());
/// assert_eq!("x[slice(1, None), Ellipsis, np.newaxis, None:-3:-1]".parse(), Ok(spec));
/// # Ok::<(), slice_core::ParseSliceError>(())
/// ```
impl FromStr for DynSliceSpec {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Self, ParseSliceError> {
        let parser = Parser {
            cursor: Cursor::new(text),
            depth: 0,
        };
        parser
            .whole()
            .map_err(|fault| ParseSliceError::new(text, fault))
    }
}

/// As deep as parentheses may be nested, far from the end of any stack.
const DEEPEST: usize = 32;

/// What an expression of Python evaluates to, as far as a subscript can use it.
enum Value {
    Integer(i128),
    None,
    Ellipsis,
    Slice(Item),
    Tuple(DynSliceSpec),
}

/// A value and the bytes it was written in.
type Spanned = (Value, Range<usize>);

struct Parser<'a> {
    cursor: Cursor<'a>,
    /// The number of parentheses that are open.
    depth: usize,
}

impl<'a> Parser<'a> {
    fn whole(mut self) -> Result<DynSliceSpec, Fault> {
        self.cursor.skip_space();
        let Some(bracket) = self.opening_bracket() else {
            return self.subscript(None);
        };
        let spec = self.subscript(Some(']'))?;
        if !self.cursor.take(']') {
            return Err((ParseErrorKind::UnbalancedBracket, bracket));
        }
        match self.cursor.peek() {
            None => Ok(spec),
            Some(_) => Err((ParseErrorKind::TextAfterBracket, self.cursor.here())),
        }
    }

    /// Steps over the bracket around the whole and the name in front of it.
    fn opening_bracket(&mut self) -> Option<Range<usize>> {
        let start = self.cursor;
        let array = match self.path() {
            Some((path, _)) => {
                self.cursor.take('!');
                !matches!(path, "slice" | "True" | "False") && word(path).is_none()
            }
            None => true,
        };
        let bracket = self.cursor.here();
        if array && self.cursor.take('[') {
            return Some(bracket);
        }
        self.cursor = start;
        None
    }

    /// The items up to `closer` or the end of the text.
    fn subscript(&mut self, closer: Option<char>) -> Result<DynSliceSpec, Fault> {
        let mut spec = DynSliceSpec::default();
        loop {
            match self.cursor.peek() {
                next if next == closer => return Ok(spec),
                None => return Ok(spec),
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.here())),
                Some(_) => {}
            }
            let (value, span) = self.item()?;
            let comma = self.cursor.take(',');
            let next = self.cursor.peek();
            let last = next.is_none() || next == closer;
            match value {
                // `x[(1, 2)]` is `x[1, 2]`, but `x[(1, 2),]` is fancy indexing.
                Value::Tuple(items) if spec.is_empty() && last && !comma => return Ok(items),
                value => push(&mut spec, (value, span))?,
            }
            if !comma && !last {
                return Err(self.behind_value());
            }
        }
    }

    /// One value, or a range with colons.
    fn item(&mut self) -> Result<Spanned, Fault> {
        let start = self.cursor.at();
        let begin = self.part()?;
        if !self.cursor.take(':') {
            return begin.ok_or_else(|| self.no_value());
        }
        let begin = bound(begin)?;
        let end = bound(self.part()?)?;
        let stride = match self.cursor.take(':') {
            true => stride(self.part()?)?,
            false => 1,
        };
        if self.cursor.peek() == Some(':') {
            return Err((ParseErrorKind::TooManyParts, self.cursor.here()));
        }
        let range = Item::Range { begin, end, stride };
        Ok((Value::Slice(range), self.cursor.since(start)))
    }

    /// The value between two colons, if there is one.
    fn part(&mut self) -> Result<Option<Spanned>, Fault> {
        match self.cursor.peek() {
            None | Some(':' | ',' | ']') => Ok(None),
            Some(_) => self.value().map(Some),
        }
    }

    /// One value with the signs in front of it.
    fn value(&mut self) -> Result<Spanned, Fault> {
        let start = self.cursor.at();
        let mut sign = None;
        let mut negative = false;
        while let Some(next @ ('-' | '+')) = self.cursor.peek() {
            sign = Some(self.cursor.here());
            negative ^= next == '-';
            self.cursor.take(next);
        }
        if sign.is_some() && matches!(self.cursor.peek(), None | Some(':' | ',' | ']' | ')')) {
            return Err((ParseErrorKind::LoneSign, self.cursor.since(start)));
        }
        match (self.atom()?, sign) {
            ((Value::Integer(value), span), _) => {
                let value = if negative { -value } else { value };
                Ok((Value::Integer(value), start..span.end))
            }
            (_, Some(sign)) => Err((ParseErrorKind::LoneSign, sign)),
            (value, None) => Ok(value),
        }
    }

    fn atom(&mut self) -> Result<Spanned, Fault> {
        let start = self.cursor.at();
        let found = match self.cursor.peek() {
            Some('0'..='9') => {
                let (value, span) = number::read(&mut self.cursor)?;
                (Value::Integer(value), span)
            }
            Some('.') => {
                let dots = self.cursor.skip_while(|c| c == '.').len();
                let span = start..self.cursor.at();
                let digit = self.cursor.peek().is_some_and(|c| c.is_ascii_digit());
                match dots {
                    3 => (Value::Ellipsis, span),
                    1 if digit => {
                        self.cursor.skip_while(|c| c.is_alphanumeric());
                        return Err((ParseErrorKind::Float, start..self.cursor.at()));
                    }
                    _ => return Err((ParseErrorKind::WrongDots, span)),
                }
            }
            Some('(') => self.parentheses()?,
            Some('[') => return Err((ParseErrorKind::FancyIndex, self.cursor.here())),
            Some('…') => return Err((ParseErrorKind::MisspeltEllipsis, self.cursor.here())),
            _ => self.word()?,
        };
        self.cursor.skip_space();
        Ok(found)
    }

    /// Values in parentheses: one is itself, none and several are a tuple.
    fn parentheses(&mut self) -> Result<Spanned, Fault> {
        let (start, open) = (self.cursor.at(), self.cursor.here());
        self.open()?;
        let mut items = DynSliceSpec::default();
        let value = loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, open)),
                Some(')') => break Value::Tuple(items),
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.here())),
                Some(':') => return Err((ParseErrorKind::RangeInParentheses, self.cursor.here())),
                Some(_) => {}
            }
            let value = self.value()?;
            match self.cursor.peek() {
                Some(')') if items.is_empty() => break value.0,
                Some(')') => push(&mut items, value)?,
                Some(',') => {
                    self.cursor.take(',');
                    push(&mut items, value)?;
                }
                Some(':') => return Err((ParseErrorKind::RangeInParentheses, self.cursor.here())),
                None => return Err((ParseErrorKind::UnbalancedBracket, open)),
                Some(_) => return Err(self.behind_value()),
            }
        };
        self.close();
        Ok((value, self.cursor.since(start)))
    }

    /// Steps over `(`.
    fn open(&mut self) -> Result<(), Fault> {
        if self.depth == DEEPEST {
            return Err((ParseErrorKind::TooDeep, self.cursor.here()));
        }
        self.depth += 1;
        self.cursor.take('(');
        Ok(())
    }

    /// Steps over `)`.
    fn close(&mut self) {
        self.depth -= 1;
        self.cursor.take(')');
    }

    /// A word, or a call of `slice`.
    fn word(&mut self) -> Result<Spanned, Fault> {
        let Some((path, span)) = self.path() else {
            return Err(self.no_value());
        };
        if path == "slice" {
            return self.slice_call(span);
        }
        if let Some(value) = word(path) {
            return Ok((value, span));
        }
        let kind = match last_name(path) {
            "True" | "False" | "true" | "false" => ParseErrorKind::BooleanMask,
            "NewAxis" | "new_axis" | "Newaxis" | "NEWAXIS" | "newAxis" | "none" => {
                ParseErrorKind::MisspeltNewAxis
            }
            "ellipsis" | "Ellipsis" | "ELLIPSIS" => ParseErrorKind::MisspeltEllipsis,
            _ => ParseErrorKind::UnknownName,
        };
        Err((kind, span))
    }

    /// `(end)`, `(begin, end)` or `(begin, end, step)` behind the word `slice`.
    fn slice_call(&mut self, word: Range<usize>) -> Result<Spanned, Fault> {
        let open = self.cursor.here();
        if self.cursor.peek() != Some('(') {
            return Err((ParseErrorKind::SliceArguments, word));
        }
        self.open()?;
        let mut arguments = [const { None }; 3];
        let mut count = 0;
        loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, open)),
                Some(')') => break,
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.here())),
                Some(_) => {}
            }
            let argument = self.value()?;
            let Some(place) = arguments.get_mut(count) else {
                return Err((ParseErrorKind::SliceArguments, argument.1));
            };
            *place = Some(argument);
            count += 1;
            if !self.cursor.take(',') && self.cursor.peek().is_some_and(|next| next != ')') {
                return Err(self.behind_value());
            }
        }
        self.close();
        let span = self.cursor.since(word.start);
        let [first, second, third] = arguments;
        let (begin, end) = match count {
            0 => return Err((ParseErrorKind::SliceArguments, span)),
            1 => (None, first),
            _ => (first, second),
        };
        let range = Item::Range {
            begin: bound(begin)?,
            end: bound(end)?,
            stride: stride(third)?,
        };
        Ok((Value::Slice(range), span))
    }

    /// Names with dots between them.
    fn path(&mut self) -> Option<(&'a str, Range<usize>)> {
        let start = self.cursor;
        loop {
            let name = self.cursor.skip_while(|c| c.is_alphanumeric() || c == '_');
            if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                self.cursor = start;
                return None;
            }
            let span = start.at()..self.cursor.at();
            self.cursor.skip_space();
            if self.cursor.rest().starts_with("..") || !self.cursor.take('.') {
                return Some((&start.rest()[..span.len()], span));
            }
        }
    }

    /// What is wrong where a value should begin.
    fn no_value(&self) -> Fault {
        let kind = match self.cursor.peek() {
            Some('*' | '/' | '%' | '~' | '^' | '&' | '|' | '<' | '>') => ParseErrorKind::Arithmetic,
            Some(')' | ']') => ParseErrorKind::UnbalancedBracket,
            _ => ParseErrorKind::Unexpected,
        };
        (kind, self.cursor.here())
    }

    /// What is wrong directly behind a value.
    fn behind_value(&self) -> Fault {
        let rest = self.cursor.rest();
        let dots = rest.len() - rest.trim_start_matches('.').len();
        let kind = match self.cursor.peek() {
            Some('.') if dots != 3 => {
                let at = self.cursor.at();
                return (ParseErrorKind::WrongDots, at..at + dots);
            }
            Some('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>') => {
                ParseErrorKind::Arithmetic
            }
            Some(')' | ']') => ParseErrorKind::UnbalancedBracket,
            Some(c) if c.is_alphanumeric() || ['_', '.', '(', '['].contains(&c) => {
                ParseErrorKind::MissingComma
            }
            _ => ParseErrorKind::Unexpected,
        };
        (kind, self.cursor.here())
    }
}

/// The value of a name, if it has one; any module may have a `newaxis`.
fn word(path: &str) -> Option<Value> {
    match path {
        "Ellipsis" => Some(Value::Ellipsis),
        "None" => Some(Value::None),
        _ if last_name(path) == "newaxis" => Some(Value::None),
        _ => None,
    }
}

/// What stands behind the last dot.
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// Appends the item that a value is.
fn push(spec: &mut DynSliceSpec, (value, span): Spanned) -> Result<(), Fault> {
    let item = match value {
        Value::Integer(index) => match i64::try_from(index) {
            Ok(index) => Item::Index(index),
            Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
        },
        Value::None => Item::NewAxis,
        Value::Ellipsis => Item::Ellipsis,
        Value::Slice(range) => range,
        Value::Tuple(_) => return Err((ParseErrorKind::FancyIndex, span)),
    };
    spec.push(item).map_err(|error| match error {
        SliceError::MultipleEllipses { .. } => (ParseErrorKind::MultipleEllipses, span),
        _ => (ParseErrorKind::TooManyItems, span),
    })
}

/// The bound that a part of a range is; beyond `i64` it is clamped, as Python clamps it to the axis.
fn bound(part: Option<Spanned>) -> Result<Option<i64>, Fault> {
    match part {
        None | Some((Value::None, _)) => Ok(None),
        Some((Value::Integer(value), _)) => Ok(Some(crate::__private::saturate(value))),
        Some((_, span)) => Err((ParseErrorKind::InvalidBound, span)),
    }
}

/// The stride that the third part of a range is.
fn stride(part: Option<Spanned>) -> Result<i64, Fault> {
    let span = part.as_ref().map(|(_, span)| span.clone());
    match (bound(part)?, span) {
        (Some(0), Some(span)) => Err((ParseErrorKind::ZeroStride, span)),
        (stride, _) => Ok(stride.unwrap_or(1)),
    }
}
