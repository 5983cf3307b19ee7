//! Converts slices with lists from and to Python text.

use core::fmt::{self, Debug, Display};
use core::str::FromStr;

use crate::spec::dyn_outer_spec::{DynOuterSpec, JoinedItem, OuterItem};
use crate::spec::text::error::{Mistake, ParseSliceError};
use crate::spec::text::parse::{ParsedItems, parse};
use crate::spec::text::value::{ParsedValue, Spanned, item, push_mistake};

/// Parses the text between the brackets of Python's `x[...]`, as [`DynSliceSpec`](crate::DynSliceSpec) does, but also
/// accepts lists.
///
/// A list contains integers, as in `[0, 2, -1]`. A list of `True` and `False`, as in `[True, False, True]`, is a mask.
/// Lists can be nested, as in `[[0, 2], [1, 1]]`. `zip([0, 2], [1, 1])` stands for points: its lists are broadcast, and
/// each place in them selects one element of the axes to which they apply.
///
/// Brackets without a name are a list, as in `[0, 2]`, unless they contain a `:`, as in `[0, 1:]`. `np.array([...])` is
/// also a list, and `np.array([], bool)` is an empty mask. `np.zeros((0, 2), int)` is an empty list with two axes.
///
/// # Errors
///
/// Returns a [`ParseSliceError`] for the first mistake.
///
/// # Example
///
/// ```
/// use slice_core::{DynOuterSpec, s};
///
/// let spec: DynOuterSpec = "[0, 2], ::-1".parse()?;
/// assert_eq!(spec, s![[0, 2], ::-1].to_dyn());
/// assert_eq!("x[[True, False, True], 1]".parse(), Ok(s![[true, false, true], 1].to_dyn()));
/// assert_eq!("zip([0, 2], [1, 1])".parse(), Ok(s![zip([0, 2], [1, 1])].to_dyn()));
/// let error = "[0, [1]]".parse::<DynOuterSpec>().unwrap_err();
/// assert_eq!(error.to_string().lines().last(), Some("      ^"));
/// # Ok::<(), slice_core::ParseSliceError>(())
/// ```
impl FromStr for DynOuterSpec {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Self, ParseSliceError> {
        parse(text, true)
    }
}

impl ParsedItems for DynOuterSpec {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn push_value(&mut self, (value, span): Spanned) -> Result<(), Mistake> {
        let item = match value {
            ParsedValue::Positions(list) => JoinedItem::Positions(list).into(),
            ParsedValue::Mask(mask) => JoinedItem::Mask(mask).into(),
            ParsedValue::Points(lists) => JoinedItem::Points(lists).into(),
            value => OuterItem::Item(item(&value, &span, true)?),
        };
        self.push(item).map_err(|error| push_mistake(&error, span))
    }
}

/// Displays an item in canonical Python notation: a list as `[0, 2]`, a mask as `[True, False]`, points as
/// `zip([0, 2], [1, 1])`, and any other item as `Item` does.
impl Display for OuterItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OuterItem::Item(item) => Display::fmt(item, f),
            OuterItem::Positions(positions) => write_list(f, &[positions.len()], positions),
            OuterItem::Mask(mask) => write_mask(f, &[mask.len()], mask),
            OuterItem::Joined(JoinedItem::Positions(list)) => {
                write_list(f, list.shape(), list.elements())
            }
            OuterItem::Joined(JoinedItem::Mask(mask)) => {
                write_mask(f, mask.shape(), mask.elements())
            }
            OuterItem::Joined(JoinedItem::Points(lists)) => {
                f.write_str("zip(")?;
                for (i, list) in lists.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_list(f, list.shape(), list.elements())?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Writes a mask. Without its type, a mask that contains no boolean would be parsed as a list of positions, and a mask
/// without axes as an index.
fn write_mask(f: &mut fmt::Formatter<'_>, shape: &[usize], mask: &[bool]) -> fmt::Result {
    let mut words = mask
        .iter()
        .map(|&is_true| if is_true { "True" } else { "False" });
    if !has_brackets_for_all_axes(shape) {
        return write!(f, "np.zeros({}, bool)", Tuple(shape));
    }
    let has_type = shape.is_empty() || mask.is_empty();
    f.write_str(if has_type { "np.array(" } else { "" })?;
    write_elements(f, shape, &mut words)?;
    f.write_str(match (has_type, mask.is_empty()) {
        (true, true) => ", bool)",
        (true, false) => ")",
        (false, _) => "",
    })
}

fn write_list(f: &mut fmt::Formatter<'_>, shape: &[usize], list: &[i64]) -> fmt::Result {
    match has_brackets_for_all_axes(shape) {
        true => write_elements(f, shape, &mut list.iter()),
        false => write!(f, "np.zeros({}, int)", Tuple(shape)),
    }
}

/// Returns `true` if nested brackets show the length of each axis, which is not the case if an empty axis has an axis
/// after it, as in the shape (0, 3).
fn has_brackets_for_all_axes(shape: &[usize]) -> bool {
    let empty = shape.iter().position(|&len| len == 0);
    empty.is_none_or(|axis| axis + 1 == shape.len())
}

/// Writes the next elements in nested brackets.
fn write_elements(
    f: &mut fmt::Formatter<'_>,
    shape: &[usize],
    elements: &mut impl Iterator<Item = impl Display>,
) -> fmt::Result {
    let Some((&len, inner)) = shape.split_first() else {
        return elements
            .next()
            .map_or(Ok(()), |element| write!(f, "{element}"));
    };
    f.write_str("[")?;
    for i in 0..len {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write_elements(f, inner, elements)?;
    }
    f.write_str("]")
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

/// Displays the items in canonical Python notation, separated by commas. A spec without items is displayed as the empty
/// tuple `()`.
impl Display for DynOuterSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("()");
        }
        for (i, item) in self.items().iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{item}")?;
        }
        Ok(())
    }
}

impl Debug for DynOuterSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_empty() {
            true => f.write_str("s![]"),
            false => write!(f, "s![{self}]"),
        }
    }
}
