//! Displays slices in Python's notation.

use core::fmt::{self, Debug, Display};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;
use crate::spec::nd_list::NdList;
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

/// Displays an item in canonical Python notation: `1`, `2:`, `::-1`, `...`, `None`, `[0, 2]`, `[True, False]`,
/// `zip([0, 2], [1, 1])`.
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

/// Writes a mask. Without its type, a mask that contains no boolean would be parsed as a list of positions, and a mask
/// without axes as an index.
fn write_mask(f: &mut fmt::Formatter<'_>, mask: &NdList<bool>) -> fmt::Result {
    let (shape, mask) = (mask.shape(), mask.elements());
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

fn write_list(f: &mut fmt::Formatter<'_>, list: &NdList<i64>) -> fmt::Result {
    let shape = list.shape();
    match has_brackets_for_all_axes(shape) {
        true => write_elements(f, shape, &mut list.elements().iter()),
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
