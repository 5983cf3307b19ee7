//! Text to spec, with the grammar and the meaning of a Python subscript: an item is a value, or up to three values with
//! colons between them; a value is an integer, a word, `...`, a call of `slice`, or values in parentheses.

use core::ops::Range;
use core::str::FromStr;

use super::cursor::TextCursor;
use super::error::{Fault, ParseErrorKind, ParseSliceError};
use super::value::{Spanned, Value, word};
use crate::error::SliceError;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, saturate};

/// Parses what Python allows between the brackets of `x[...]`.
///
/// Integers are literals of Python or Rust (`-1`, `0x1f`, `1_000`, `2usize`); a new axis is `None`, `newaxis`,
/// `np.newaxis` or `tf.newaxis`; an ellipsis is `...` or `Ellipsis`; a range is `begin:end:step`, each part of it left
/// out or `None`, or `slice(begin, end, step)`. Spaces and line breaks are free; one trailing comma is allowed.
/// Parentheses may stand around the whole, or brackets with a name before them (`x[1:]`, `np.s_[1:]`, `s![1:]`).
/// Brackets without a name are a list in Python, and refused as one; only with a `:` in them, as in `[1:, 0]`, can it not
/// mean a list. Nothing at all, `()` and `x[]` are the spec without items.
///
/// As in Python, the bounds and the step of a range may have any number of digits; beyond `i64` they are the nearest `i64`,
/// which selects the same of every axis.
///
/// # Errors
///
/// A [`ParseSliceError`] for the first mistake. That includes what Python would only report when the slice meets an
/// array, if it is wrong for every array: a step of zero, a second ellipsis, an index beyond `i64`.
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
            cursor: TextCursor::new(text),
            depth: 0,
            colons: false,
        };
        parser
            .whole()
            .map_err(|fault| ParseSliceError::new(text, fault))
    }
}

pub(super) struct Parser<'a> {
    pub(super) cursor: TextCursor<'a>,
    /// The number of parentheses that are open.
    pub(super) depth: usize,
    /// Whether a range with colons was read.
    colons: bool,
}

impl Parser<'_> {
    fn whole(mut self) -> Result<DynSliceSpec, Fault> {
        self.cursor.skip_space();
        let start = self.cursor.at();
        let Some(bracket) = self.opening_bracket() else {
            return self.subscript(None);
        };
        let spec = self.subscript(Some(']'))?;
        if !self.cursor.take(']') {
            return Err((ParseErrorKind::UnbalancedBracket, bracket));
        }
        if bracket.start == start && !self.colons {
            return Err((ParseErrorKind::FancyIndex, self.cursor.since(start)));
        }
        match self.cursor.peek() {
            None => Ok(spec),
            Some(_) => Err((ParseErrorKind::TextAfterBracket, self.cursor.here())),
        }
    }

    /// Steps over the bracket around the whole and the name before it.
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
        self.colons = true;
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
}

/// Appends the item that a value is.
pub(super) fn push(spec: &mut DynSliceSpec, (value, span): Spanned) -> Result<(), Fault> {
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
pub(super) fn bound(part: Option<Spanned>) -> Result<Option<i64>, Fault> {
    match part {
        None | Some((Value::None, _)) => Ok(None),
        Some((Value::Integer(value), _)) => Ok(Some(saturate(value))),
        Some((_, span)) => Err((ParseErrorKind::InvalidBound, span)),
    }
}

/// The stride that the third part of a range is.
pub(super) fn stride(part: Option<Spanned>) -> Result<i64, Fault> {
    let span = part.as_ref().map(|(_, span)| span.clone());
    match (bound(part)?, span) {
        (Some(0), Some(span)) => Err((ParseErrorKind::ZeroStride, span)),
        (stride, _) => Ok(stride.unwrap_or(1)),
    }
}
