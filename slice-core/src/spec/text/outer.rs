//! Converts slices with lists from and to Python text.

use core::fmt::{self, Debug, Display};
use core::str::FromStr;

use crate::spec::dyn_outer_spec::{DynOuterSpec, OuterItem};
use crate::spec::text::error::{Mistake, ParseSliceError};
use crate::spec::text::parse::{ParsedItems, parse};
use crate::spec::text::value::{ParsedValue, Spanned, item, push_mistake};

/// Parses the text between the brackets of Python's `x[...]`, as [`DynSliceSpec`](crate::DynSliceSpec) does, but also
/// accepts lists.
///
/// A list contains integers, as in `[0, 2, -1]`. A list of `True` and `False`, as in `[True, False, True]`, is a mask.
/// Brackets without a name are a list, as in `[0, 2]`, unless they contain a `:`, as in `[0, 1:]`. `np.array([...])` is
/// also a list, and `np.array([], bool)` is an empty mask.
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
            ParsedValue::Positions(positions) => OuterItem::Positions(positions),
            ParsedValue::Mask(mask) => OuterItem::Mask(mask),
            value => OuterItem::Item(item(&value, &span, true)?),
        };
        self.push(item).map_err(|error| push_mistake(&error, span))
    }
}

/// Displays an item in canonical Python notation: a list as `[0, 2]`, a mask as `[True, False]`, and any other item as
/// `Item` does.
impl Display for OuterItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OuterItem::Item(item) => Display::fmt(item, f),
            OuterItem::Positions(positions) => list(f, positions.iter()),
            OuterItem::Mask(mask) if mask.is_empty() => f.write_str("np.array([], bool)"),
            OuterItem::Mask(mask) => {
                let words = mask
                    .iter()
                    .map(|&is_true| if is_true { "True" } else { "False" });
                list(f, words)
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, elements: impl Iterator<Item = impl Display>) -> fmt::Result {
    f.write_str("[")?;
    for (i, element) in elements.enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{element}")?;
    }
    f.write_str("]")
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
