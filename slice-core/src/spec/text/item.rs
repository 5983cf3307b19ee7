//! Reads and writes the items that are more than a number or a word: ranges, lists, masks and points.

use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::iter;
use core::ops::Range;

use super::error::{Mistake, ParseErrorKind};
use super::value::{ParsedValue, Parser, bound, last_name, step};
use crate::spec::item::Item;
use crate::spec::nd_list::NdList;

/// An item and its span in the text, in bytes.
type SpannedItem = (Item, Range<usize>);

/// Displays an item in canonical Python notation: `1`, `2:`, `::-1`, `...`, `None`, `[0, 2]`, `[True, False]`,
/// `zip([0, 2], [1, 1])`.
impl Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Item::Range { begin, end, step } => {
                if let Some(begin) = begin {
                    write!(f, "{begin}")?;
                }
                f.write_str(":")?;
                if let Some(end) = end {
                    write!(f, "{end}")?;
                }
                match step {
                    1 => Ok(()),
                    _ => write!(f, ":{step}"),
                }
            }
            Item::Index(index) => write!(f, "{index}"),
            Item::NewAxis => f.write_str("None"),
            Item::Ellipsis => f.write_str("..."),
            Item::List(ref list) => write_list(f, list),
            Item::Mask(ref mask) => write_mask(f, mask),
            Item::Points(ref lists) => {
                f.write_str("zip(")?;
                for (i, list) in lists.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_list(f, list)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Returns `true` if the text of an item can be parsed.
#[cfg(feature = "serde")]
pub(super) fn is_parsed_back(item: &Item) -> bool {
    let is_parsed = |axes| axes <= super::value::MAX_LIST_AXES;
    match item {
        Item::Range { step, .. } => *step != 0,
        Item::List(list) => is_parsed(list.rank()),
        Item::Mask(mask) => is_parsed(mask.rank()),
        Item::Points(lists) => lists.iter().all(|list| is_parsed(list.rank())),
        Item::Index(_) | Item::NewAxis | Item::Ellipsis => true,
    }
}

/// Writes a mask. Without its type, a mask that contains no boolean would be parsed as a list of positions, and a mask
/// without axes as an index.
fn write_mask(f: &mut fmt::Formatter<'_>, mask: &NdList<bool>) -> fmt::Result {
    let (shape, mask) = (mask.shape(), mask.elements());
    let words = mask
        .iter()
        .map(|&is_true| if is_true { "True" } else { "False" });
    if !has_brackets_for_all_axes(shape) {
        return write!(f, "np.zeros({}, bool)", Tuple(shape));
    }
    let has_type = shape.is_empty() || mask.is_empty();
    f.write_str(if has_type { "np.array(" } else { "" })?;
    write_elements(f, shape, words)?;
    f.write_str(match (has_type, mask.is_empty()) {
        (true, true) => ", bool)",
        (true, false) => ")",
        (false, _) => "",
    })
}

fn write_list(f: &mut fmt::Formatter<'_>, list: &NdList<i64>) -> fmt::Result {
    let shape = list.shape();
    match has_brackets_for_all_axes(shape) {
        true => write_elements(f, shape, list.elements().iter()),
        false => write!(f, "np.zeros({}, int)", Tuple(shape)),
    }
}

/// Returns `true` if nested brackets show the length of each axis, which is not the case if an empty axis has an axis
/// after it, as in the shape (0, 3), or if there would be more than 16 pairs of brackets without elements.
fn has_brackets_for_all_axes(shape: &[usize]) -> bool {
    const MAX_EMPTY_PAIRS: usize = 16;
    let Some(axis) = shape.iter().position(|&len| len == 0) else {
        return true;
    };
    let pairs = { shape[..axis].iter() }.fold(1, |all: usize, &len| all.saturating_mul(len));
    axis + 1 == shape.len() && pairs <= MAX_EMPTY_PAIRS
}

/// Writes elements in nested brackets. There is no recursion, because a list can have any number of axes of length 1.
fn write_elements(
    f: &mut fmt::Formatter<'_>,
    shape: &[usize],
    elements: impl ExactSizeIterator<Item = impl Display>,
) -> fmt::Result {
    if let Some((0, outer)) = shape.split_last() {
        let lists = outer.iter().product();
        return write_elements(f, outer, iter::repeat_n("[]", lists));
    }
    for (k, element) in elements.enumerate() {
        f.write_str(if k > 0 { ", " } else { "" })?;
        (0..axes_begun(shape, k)).try_for_each(|_| f.write_str("["))?;
        write!(f, "{element}")?;
        (0..axes_begun(shape, k + 1)).try_for_each(|_| f.write_str("]"))?;
    }
    Ok(())
}

/// Returns the number of inner axes on which the position of element `k`, in C order, is 0.
fn axes_begun(shape: &[usize], mut k: usize) -> usize {
    let is_first = |&&len: &&usize| {
        let position = k % len;
        k /= len;
        position == 0
    };
    shape.iter().rev().take_while(is_first).count()
}

/// Displays a shape as a tuple in Python.
struct Tuple<'a>(&'a [usize]);

impl Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for len in self.0 {
            write!(f, "{len}, ")?;
        }
        f.write_str(")")
    }
}

impl Parser<'_> {
    /// Parses the arguments of a call to the function `path`, whose name is at `span`, or returns `None` if no such call
    /// is an item.
    pub(super) fn call(
        &mut self,
        path: &str,
        span: &Range<usize>,
    ) -> Result<Option<SpannedItem>, Mistake> {
        let span = span.clone();
        let has_arguments = self.cursor.peek() == Some('(');
        Ok(Some(match last_name(path) {
            _ if path == "slice" => self.slice_call(span)?,
            "array" if has_arguments => self.array_call(span)?,
            "zeros" if has_arguments => self.zeros_call(span)?,
            _ if path == "zip" && has_arguments => self.zip_call(span)?,
            _ => return Ok(None),
        }))
    }

    /// Parses `(end)`, `(begin, end)` or `(begin, end, step)` after the word `slice`.
    fn slice_call(&mut self, word: Range<usize>) -> Result<SpannedItem, Mistake> {
        if self.cursor.peek() != Some('(') {
            return Err((ParseErrorKind::SliceArguments, word));
        }
        let mut arguments = [const { None }; 3];
        let mut count = 0;
        self.separated(')', ParseErrorKind::Unexpected, |parser| {
            let argument = parser.value()?;
            let Some(slot) = arguments.get_mut(count) else {
                return Err((ParseErrorKind::SliceArguments, argument.1));
            };
            *slot = Some(argument);
            count += 1;
            Ok(())
        })?;
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
        Ok((range, span))
    }

    /// Parses a list: integers, or `True` and `False`, in brackets, which may be nested.
    pub(super) fn list(&mut self) -> Result<SpannedItem, Mistake> {
        let start = self.cursor.offset();
        let (mut positions, mut mask) = (Vec::new(), Vec::new());
        let shape = self.elements(&mut positions, &mut mask)?;
        let span = self.cursor.span_since(start);
        let value = match mask.is_empty() {
            true => NdList::new(shape, positions).map(Item::List),
            false => NdList::new(shape, mask).map(Item::Mask),
        };
        match value {
            Ok(list) => Ok((list, span)),
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
        let (mut len, mut inner_shape) = (0, None);
        self.separated(']', ParseErrorKind::ListElement, |parser| {
            let first = parser.cursor.next_span();
            let shape = match parser.cursor.peek() {
                Some(':') => return Err((ParseErrorKind::ListElement, first)),
                Some('[') => parser.elements(positions, mask)?,
                _ => parser.scalar(positions, mask)?,
            };
            if *inner_shape.get_or_insert_with(|| shape.clone()) != shape {
                return Err((ParseErrorKind::NestedList, first));
            }
            len += 1;
            Ok(())
        })?;
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
    fn zip_call(&mut self, word: Range<usize>) -> Result<SpannedItem, Mistake> {
        let mut lists = Vec::new();
        self.separated(')', ParseErrorKind::PointList, |parser| {
            lists.push(match parser.value()? {
                (ParsedValue::Item(Item::List(list)), _) => list,
                (ParsedValue::Integer(value), span) => match i64::try_from(value) {
                    Ok(position) => NdList::scalar(position),
                    Err(_) => return Err((ParseErrorKind::IndexTooLarge, span)),
                },
                (_, span) => return Err((ParseErrorKind::PointList, span)),
            });
            Ok(())
        })?;
        let span = self.cursor.span_since(word.start);
        match lists.is_empty() {
            true => Err((ParseErrorKind::PointList, span)),
            false => Ok((Item::Points(lists), span)),
        }
    }

    /// Parses `((0, 2), int)` or `((0, 2), bool)` after the word `zeros`. Only a shape without elements is accepted.
    fn zeros_call(&mut self, word: Range<usize>) -> Result<SpannedItem, Mistake> {
        let opening_bracket = self.open()?;
        let first = self.cursor.next_span();
        if self.cursor.peek() != Some('(') {
            return Err((ParseErrorKind::ListElement, first));
        }
        let mut lens = Vec::new();
        self.separated(')', ParseErrorKind::RangeInParentheses, |parser| {
            let len = match parser.value()? {
                (ParsedValue::Integer(len), span) => usize::try_from(len).map_err(|_| span),
                (_, span) => Err(span),
            };
            lens.push(len.map_err(|span| (ParseErrorKind::ListElement, span))?);
            Ok(())
        })?;
        let shape = self.cursor.span_since(first.start);
        if !lens.contains(&0) {
            return Err((ParseErrorKind::ListElement, shape));
        }
        self.cursor.skip_token(',');
        let value = match self.element_type()?.0 {
            true => NdList::new(lens, []).map(Item::Mask),
            false => NdList::new(lens, []).map(Item::List),
        };
        self.close(')', opening_bracket)?;
        let span = self.cursor.span_since(word.start);
        match value {
            Ok(list) => Ok((list, span)),
            Err(_) => Err((ParseErrorKind::ListElement, shape)),
        }
    }

    /// Parses an element of a list, which may be in parentheses.
    fn element(&mut self) -> Result<(ParsedElement, Range<usize>), Mistake> {
        let start = self.cursor;
        let nested = (ParseErrorKind::NestedList, self.cursor.next_span());
        match self.cursor.peek() {
            Some('[') => return Err(nested),
            Some('(') => {
                let opening_bracket = self.open()?;
                if self.cursor.peek() == Some(')') {
                    return Err(nested);
                }
                let (element, _) = self.element()?;
                self.cursor.skip_space();
                if self.cursor.peek() == Some(',') {
                    return Err(nested);
                }
                self.close(')', opening_bracket)?;
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
    fn array_call(&mut self, word: Range<usize>) -> Result<SpannedItem, Mistake> {
        let opening_bracket = self.open()?;
        let (mut item, span) = match self.cursor.peek() {
            Some('[') => self.list()?,
            _ => self.scalar_mask()?,
        };
        if self.cursor.skip_token(',') && self.cursor.peek() != Some(')') {
            let (is_mask, type_span) = self.element_type()?;
            item = match item {
                Item::List(list) if is_mask => match NdList::new(list.shape(), []) {
                    Ok(mask) => Item::Mask(mask),
                    Err(_) => return Err((ParseErrorKind::UnknownName, type_span)),
                },
                Item::Mask(_) if !is_mask => {
                    return Err((ParseErrorKind::UnknownName, type_span));
                }
                item => item,
            };
        }
        self.close(')', opening_bracket)?;
        Ok((item, word.start..self.cursor.span_since(span.start).end))
    }

    /// Parses the type of the elements of a list, as in `bool` or `dtype=int`. Returns whether the list is a mask, and the
    /// span of the type.
    fn element_type(&mut self) -> Result<(bool, Range<usize>), Mistake> {
        let mut name = self.path();
        if matches!(name, Some(("dtype", _))) && self.cursor.skip_token('=') {
            name = self.path();
        }
        match name {
            Some(("bool" | "np.bool" | "np.bool_", span)) => Ok((true, span)),
            Some(("int" | "np.int64" | "np.intp", span)) => Ok((false, span)),
            Some((_, span)) => Err((ParseErrorKind::UnknownName, span)),
            None => Err(self.no_value()),
        }
    }

    /// Parses `True` or `False`, which is a mask without axes.
    fn scalar_mask(&mut self) -> Result<SpannedItem, Mistake> {
        match self.element()? {
            (ParsedElement::Boolean(value), span) => Ok((Item::Mask(NdList::scalar(value)), span)),
            (_, span) => Err((ParseErrorKind::ListElement, span)),
        }
    }
}

/// An element of a list.
enum ParsedElement {
    Integer(i128),
    Boolean(bool),
}
