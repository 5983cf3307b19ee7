//! Displays slices in Python's notation.

use core::fmt::{self, Debug, Display};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Encoded, Item};
use crate::spec::slice_spec::SliceSpec;

/// Displays a bound as in Python. Nothing is displayed for an omitted bound.
struct OmittableBound(Option<i64>);

impl Display for OmittableBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bound) => write!(f, "{bound}"),
            None => Ok(()),
        }
    }
}

/// Displays an item in canonical Python notation: `1`, `2:`, `::-1`, `...`, `None`.
impl Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Item::Range {
                begin,
                end,
                step: 1,
            } => write!(f, "{}:{}", OmittableBound(begin), OmittableBound(end)),
            Item::Range { begin, end, step } => {
                write!(
                    f,
                    "{}:{}:{step}",
                    OmittableBound(begin),
                    OmittableBound(end)
                )
            }
            Item::Index(index) => write!(f, "{index}"),
            Item::NewAxis => f.write_str("None"),
            Item::Ellipsis => f.write_str("..."),
        }
    }
}

/// Displays the items in canonical Python notation, separated by commas. A spec without items is displayed as the empty
/// tuple `()`.
impl Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len() == 0 {
            return f.write_str("()");
        }
        for i in 0..self.len() {
            if i > 0 {
                f.write_str(", ")?;
            }
            Display::fmt(&self.item(i), f)?;
        }
        Ok(())
    }
}

impl Display for DynSliceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.encoded(), f)
    }
}

/// Displays the spec as a call to `s!`.
impl Debug for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len() {
            0 => f.write_str("s![]"),
            _ => write!(f, "s![{self}]"),
        }
    }
}

impl Debug for DynSliceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.encoded(), f)
    }
}

impl<const M: usize, K> Display for SliceSpec<M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.encoded(), f)
    }
}

impl<const M: usize, K> Debug for SliceSpec<M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.encoded(), f)
    }
}
