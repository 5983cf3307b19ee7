//! Displays slices in Python's notation.

use core::fmt::{self, Debug, Display};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;
use crate::spec::slice_spec::SliceSpec;

/// Writes the items in canonical Python notation, separated by commas. A spec without items is written as the empty tuple
/// `()`.
fn write_items(
    f: &mut fmt::Formatter<'_>,
    items: impl ExactSizeIterator<Item = Item>,
) -> fmt::Result {
    if items.len() == 0 {
        return f.write_str("()");
    }
    for (i, item) in items.enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

/// Implements `Display`, and `Debug`, which displays the spec as a call to `s!`.
macro_rules! display {
    ([$($generics:tt)*] $Spec:ty) => {
        impl<$($generics)*> Display for $Spec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_items(f, self.items())
            }
        }

        impl<$($generics)*> Debug for $Spec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.is_empty() {
                    true => f.write_str("s![]"),
                    false => write!(f, "s![{self}]"),
                }
            }
        }
    };
}

display!([] DynSliceSpec);
display!([const M: usize, K] SliceSpec<M, K>);
