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
use crate::spec::nd_list::NdList;

/// The maximum depth of nested parentheses, which limits the stack space that the recursive parser uses.
const MAX_PARENTHESES_DEPTH: usize = 32;

/// A value in the text of a slice.
#[derive(Clone)]
pub(crate) enum ParsedValue {
    Integer(i128),
    None,
    Ellipsis,
    Slice(Item),
    Tuple(Vec<Spanned>),
    Positions(NdList<i64>),
    Mask(NdList<bool>),
    Points(Vec<NdList<i64>>),
}

/// A value and its span in the text, in bytes.
pub(crate) type Spanned = (ParsedValue, Range<usize>);

/// A parser that reads a sequence of values.
pub(super) struct ValueParser<'a> {
    pub(super) cursor: TextCursor<'a>,
    /// The number of open parentheses.
    depth: usize,
}

impl<'a> ValueParser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        ValueParser {
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
                    3 => (ParsedValue::Ellipsis, span),
                    1 if digit => {
                        self.cursor.skip_while(|c| c.is_alphanumeric());
                        return Err((ParseErrorKind::Float, start..self.cursor.offset()));
                    }
                    _ => return Err((ParseErrorKind::WrongDots, span)),
                }
            }
            Some('(') => self.parentheses()?,
            Some('[') => self.list()?,
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
        let (start, opening_bracket) = (self.cursor.offset(), self.cursor.next_span());
        self.open()?;
        // Each value is checked when it is read, so that the first mistake in the text is reported.
        let (mut checked, mut values) = (DynSliceSpec::default(), Vec::new());
        let mut keep = |value: Spanned| {
            push(&mut checked, value.clone())?;
            values.push(value);
            Ok(())
        };
        let mut is_tuple = false;
        let value = loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(')') => break ParsedValue::Tuple(values),
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.next_span())),
                Some(':') => {
                    return Err((ParseErrorKind::RangeInParentheses, self.cursor.next_span()));
                }
                Some(_) => {}
            }
            let value = self.value()?;
            match self.cursor.peek() {
                Some(')') if !is_tuple => break value.0,
                Some(')') => keep(value)?,
                Some(',') => {
                    self.cursor.skip_token(',');
                    is_tuple = true;
                    keep(value)?;
                }
                Some(':') => {
                    return Err((ParseErrorKind::RangeInParentheses, self.cursor.next_span()));
                }
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(_) => return Err(self.text_after_value()),
            }
        };
        self.close();
        Ok((value, self.cursor.span_since(start)))
    }

    /// Skips `(`.
    fn open(&mut self) -> Result<(), Mistake> {
        if self.depth == MAX_PARENTHESES_DEPTH {
            return Err((ParseErrorKind::TooDeep, self.cursor.next_span()));
        }
        self.depth += 1;
        self.cursor.skip_token('(');
        Ok(())
    }

    /// Skips `)`.
    fn close(&mut self) {
        self.depth -= 1;
        self.cursor.skip_token(')');
    }

    /// Parses a word, or a call to `slice` or `array`.
    fn word(&mut self) -> Result<Spanned, Mistake> {
        let Some((path, span)) = self.path() else {
            return Err(self.no_value());
        };
        if path == "slice" {
            return self.slice_call(span);
        }
        if self.cursor.peek() == Some('(') {
            match last_name(path) {
                "array" => return self.array_call(span),
                "zeros" => return self.zeros_call(span),
                _ if path == "zip" => return self.zip_call(span),
                _ => {}
            }
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

    /// Parses `(end)`, `(begin, end)` or `(begin, end, step)` after the word `slice`.
    fn slice_call(&mut self, word: Range<usize>) -> Result<Spanned, Mistake> {
        let opening_bracket = self.cursor.next_span();
        if self.cursor.peek() != Some('(') {
            return Err((ParseErrorKind::SliceArguments, word));
        }
        self.open()?;
        let mut arguments = [const { None }; 3];
        let mut count = 0;
        loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(')') => break,
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.next_span())),
                Some(_) => {}
            }
            let argument = self.value()?;
            let Some(slot) = arguments.get_mut(count) else {
                return Err((ParseErrorKind::SliceArguments, argument.1));
            };
            *slot = Some(argument);
            count += 1;
            if !self.cursor.skip_token(',') && self.cursor.peek().is_some_and(|next| next != ')') {
                return Err(self.text_after_value());
            }
        }
        self.close();
        let span = self.cursor.span_since(word.start);
        let [first, second, third] = arguments;
        let (begin, end) = match count {
            0 => return Err((ParseErrorKind::SliceArguments, span)),
            1 => (None, first),
            _ => (first, second),
        };
        let range = Item::Range {
            begin: bound(begin)?,
            end: bound(end)?,
            step: step(third)?,
        };
        Ok((ParsedValue::Slice(range), span))
    }

    /// Parses a list: integers, or `True` and `False`, in brackets, which may be nested.
    fn list(&mut self) -> Result<Spanned, Mistake> {
        let start = self.cursor.offset();
        let (mut positions, mut mask) = (Vec::new(), Vec::new());
        let shape = self.elements(&mut positions, &mut mask)?;
        let span = self.cursor.span_since(start);
        let value = match mask.is_empty() {
            true => NdList::new(shape, positions).map(ParsedValue::Positions),
            false => NdList::new(shape, mask).map(ParsedValue::Mask),
        };
        match value {
            Ok(value) => Ok((value, span)),
            // The number of elements matches, because the lengths of all inner lists have been compared.
            Err(_) => Err((ParseErrorKind::NestedList, span)),
        }
    }

    /// Parses elements, or lists of elements, in brackets. Returns the lengths of the axes, the axis of these
    /// brackets first.
    fn elements(
        &mut self,
        positions: &mut Vec<i64>,
        mask: &mut Vec<bool>,
    ) -> Result<Vec<usize>, Mistake> {
        let opening_bracket = self.cursor.next_span();
        if self.depth == MAX_PARENTHESES_DEPTH {
            return Err((ParseErrorKind::TooDeep, opening_bracket));
        }
        self.depth += 1;
        self.cursor.skip_token('[');
        let (mut len, mut inner_shape) = (0, None);
        loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(']') => break,
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.next_span())),
                Some(':') => return Err((ParseErrorKind::ListElement, self.cursor.next_span())),
                Some(_) => {}
            }
            let first = self.cursor.next_span();
            let shape = match self.cursor.peek() {
                Some('[') => self.elements(positions, mask)?,
                _ => self.scalar(positions, mask)?,
            };
            if *inner_shape.get_or_insert_with(|| shape.clone()) != shape {
                return Err((ParseErrorKind::NestedList, first));
            }
            len += 1;
            if !self.cursor.skip_token(',') && self.cursor.peek().is_some_and(|next| next != ']') {
                return Err(match self.cursor.peek() {
                    Some(':') => (ParseErrorKind::ListElement, self.cursor.next_span()),
                    _ => self.text_after_value(),
                });
            }
        }
        self.depth -= 1;
        self.cursor.skip_token(']');
        let mut shape = Vec::from([len]);
        shape.extend(inner_shape.unwrap_or_default());
        Ok(shape)
    }

    /// Parses an integer, `True` or `False`, and returns the empty shape.
    fn scalar(
        &mut self,
        positions: &mut Vec<i64>,
        mask: &mut Vec<bool>,
    ) -> Result<Vec<usize>, Mistake> {
        let (value, span) = self.element()?;
        match value {
            ParsedElement::Boolean(value) => mask.push(value),
            ParsedElement::Integer(value) => match i64::try_from(value) {
                Ok(position) => positions.push(position),
                Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
            },
        }
        if !mask.is_empty() && !positions.is_empty() {
            return Err((ParseErrorKind::MixedList, span));
        }
        Ok(Vec::new())
    }

    /// Parses `(list, list)` after the word `zip`. An integer is a list without axes.
    fn zip_call(&mut self, word: Range<usize>) -> Result<Spanned, Mistake> {
        let opening_bracket = self.cursor.next_span();
        self.open()?;
        let mut lists = Vec::new();
        loop {
            match self.cursor.peek() {
                None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                Some(')') => break,
                Some(',') => return Err((ParseErrorKind::EmptyItem, self.cursor.next_span())),
                Some(_) => {}
            }
            lists.push(match self.value()? {
                (ParsedValue::Positions(list), _) => list,
                (ParsedValue::Integer(value), span) => match i64::try_from(value) {
                    Ok(position) => NdList::scalar(position),
                    Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
                },
                (_, span) => return Err((ParseErrorKind::PointList, span)),
            });
            if !self.cursor.skip_token(',') && self.cursor.peek().is_some_and(|next| next != ')') {
                return Err(match self.cursor.peek() {
                    Some(':') => (ParseErrorKind::PointList, self.cursor.next_span()),
                    _ => self.text_after_value(),
                });
            }
        }
        self.close();
        let span = self.cursor.span_since(word.start);
        match lists.is_empty() {
            true => Err((ParseErrorKind::PointList, span)),
            false => Ok((ParsedValue::Points(lists), span)),
        }
    }

    /// Parses `((0, 2), int)` or `((0, 2), bool)` after the word `zeros`. Only a shape without elements is accepted.
    fn zeros_call(&mut self, word: Range<usize>) -> Result<Spanned, Mistake> {
        let opening_bracket = self.cursor.next_span();
        self.open()?;
        let first = self.cursor.next_span();
        let (ParsedValue::Tuple(axes), shape) = self.value()? else {
            return Err((ParseErrorKind::ListElement, first));
        };
        let lens = axes.into_iter().map(|axis| match axis {
            (ParsedValue::Integer(len), _) => usize::try_from(len).ok(),
            _ => None,
        });
        let lens: Option<Vec<usize>> = lens.collect();
        let Some(lens) = lens.filter(|lens| lens.contains(&0)) else {
            return Err((ParseErrorKind::ListElement, shape));
        };
        self.cursor.skip_token(',');
        let value = match self.path() {
            Some(("bool" | "np.bool" | "np.bool_", _)) => {
                NdList::new(lens, []).map(ParsedValue::Mask)
            }
            Some(("int" | "np.int64" | "np.intp", _)) => {
                NdList::new(lens, []).map(ParsedValue::Positions)
            }
            Some((_, span)) => return Err((ParseErrorKind::UnknownName, span)),
            None => return Err(self.no_value()),
        };
        match self.cursor.peek() {
            Some(')') => self.close(),
            None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
            Some(_) => return Err(self.text_after_value()),
        }
        let span = self.cursor.span_since(word.start);
        match value {
            Ok(value) => Ok((value, span)),
            Err(_) => Err((ParseErrorKind::ListElement, shape)),
        }
    }

    /// Parses an element of a list, which may be in parentheses.
    fn element(&mut self) -> Result<(ParsedElement, Range<usize>), Mistake> {
        let start = self.cursor;
        let opening_bracket = self.cursor.next_span();
        let nested = (ParseErrorKind::NestedList, opening_bracket.clone());
        match self.cursor.peek() {
            Some('[') => return Err(nested),
            Some('(') => {
                self.open()?;
                if self.cursor.peek() == Some(')') {
                    return Err(nested);
                }
                let (element, _) = self.element()?;
                self.cursor.skip_space();
                match self.cursor.peek() {
                    Some(')') => self.close(),
                    Some(',') => return Err(nested),
                    None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
                    Some(_) => return Err(self.text_after_value()),
                }
                return Ok((element, self.cursor.span_since(start.offset())));
            }
            _ => {}
        }
        if let Some((word, span)) = self.path()
            && let "True" | "False" = word
        {
            return Ok((ParsedElement::Boolean(word == "True"), span));
        }
        self.cursor = start;
        match self.value()? {
            (ParsedValue::Integer(value), span) => Ok((ParsedElement::Integer(value), span)),
            (_, span) => Err((ParseErrorKind::ListElement, span)),
        }
    }

    /// Parses the arguments of a call to `array`: a list, optionally followed by its element type, as in `(list, bool)`
    /// or `(list, dtype=int)`. An empty mask can be written only in this form, as `array([], bool)`, because `[]` is an
    /// empty list of positions.
    fn array_call(&mut self, word: Range<usize>) -> Result<Spanned, Mistake> {
        let opening_bracket = self.cursor.next_span();
        self.open()?;
        let (mut value, span) = match self.cursor.peek() {
            Some('[') => self.list()?,
            _ => self.scalar_mask()?,
        };
        if self.cursor.skip_token(',') && self.cursor.peek() != Some(')') {
            let start = self.cursor.offset();
            let mut name = self.path();
            if name.as_ref().is_some_and(|(name, _)| *name == "dtype")
                && self.cursor.skip_token('=')
            {
                name = self.path();
            }
            match (name, value) {
                (Some(("bool" | "np.bool" | "np.bool_", _)), ParsedValue::Positions(list))
                    if list.elements().is_empty() =>
                {
                    let shape = list.shape().to_vec();
                    value = match NdList::new(shape, []) {
                        Ok(mask) => ParsedValue::Mask(mask),
                        Err(_) => ParsedValue::Positions(list),
                    };
                }
                (Some(("bool" | "np.bool" | "np.bool_", _)), mask @ ParsedValue::Mask(_)) => {
                    value = mask
                }
                (Some(("int" | "np.int64" | "np.intp", _)), list @ ParsedValue::Positions(_)) => {
                    value = list;
                }
                (Some((_, span)), _) => return Err((ParseErrorKind::UnknownName, span)),
                (None, _) => {
                    return Err((ParseErrorKind::UnknownName, self.cursor.span_since(start)));
                }
            }
        }
        match self.cursor.peek() {
            Some(')') => self.close(),
            None => return Err((ParseErrorKind::UnbalancedBracket, opening_bracket)),
            Some(_) => return Err(self.text_after_value()),
        }
        Ok((value, word.start..self.cursor.span_since(span.start).end))
    }

    /// Parses `True` or `False`, which is a mask without axes.
    fn scalar_mask(&mut self) -> Result<Spanned, Mistake> {
        match self.element()? {
            (ParsedElement::Boolean(value), span) => {
                Ok((ParsedValue::Mask(NdList::scalar(value)), span))
            }
            (_, span) => Err((ParseErrorKind::ListElement, span)),
        }
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
        "Ellipsis" => Some(ParsedValue::Ellipsis),
        "None" => Some(ParsedValue::None),
        _ if last_name(path) == "newaxis" => Some(ParsedValue::None),
        _ => None,
    }
}

/// Returns the part after the last dot.
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path).trim()
}

/// An element of a list.
enum ParsedElement {
    Integer(i128),
    Boolean(bool),
}

/// Appends a value as an item.
pub(super) fn push(spec: &mut DynSliceSpec, (value, span): Spanned) -> Result<(), Mistake> {
    let item = match value {
        ParsedValue::Integer(index) => match i64::try_from(index) {
            Ok(index) => Item::Index(index),
            Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
        },
        ParsedValue::None => Item::NewAxis,
        ParsedValue::Ellipsis => Item::Ellipsis,
        ParsedValue::Slice(range) => range,
        ParsedValue::Positions(list) => Item::List(list),
        ParsedValue::Mask(mask) => Item::Mask(mask),
        ParsedValue::Points(lists) => Item::Points(lists),
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
        None | Some((ParsedValue::None, _)) => Ok(None),
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
