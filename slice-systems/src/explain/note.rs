//! Defines the notes on surprising effects of a slice.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::Range;

/// A surprising effect of a slice. `Display` writes it as a short message.
///
/// Items are counted from 0 by [`item`](Self::item), and from 1 in the message. Axes, positions and bits are always
/// counted from 0. A serialized note contains its kind and its values in addition to the message.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![..., 5:].explain(&[2, 3]);
/// let note = &explanation.notes[0];
/// assert_eq!(note.to_string(), "begin 5 is clamped to 3 on axis 1 (item 2)");
/// assert_eq!((note.item(), note.axis()), (Some(1), Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Note {
    pub(super) kind: &'static str,
    /// The values from which the text is written, with their names.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "as_map"))]
    pub(super) values: Vec<(&'static str, Value)>,
    pub(super) text: String,
}

/// Creates a note from its kind, the variables that contain its values, and its text.
macro_rules! note {
    ($kind:literal, [$($value:ident),*], $($text:tt)*) => {
        Note {
            kind: $kind,
            values: Vec::from([$((stringify!($value), $value.into())),*]),
            text: format!($($text)*),
        }
    };
}
pub(super) use note;

/// A value of a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub(super) enum Value {
    Count(usize),
    Number(i64),
    Name(&'static str),
    Axes(Range<usize>),
}

impl Note {
    /// Returns the item that the note concerns, if any. Items are counted from 0.
    #[must_use]
    pub fn item(&self) -> Option<usize> {
        // Each bit of a mask belongs to the item with the same number.
        let is_bit = self.kind == "bit_ignored";
        self.count(if is_bit { "bit" } else { "item" })
    }

    /// Returns the axis of the array that the note concerns, if any.
    #[must_use]
    pub fn axis(&self) -> Option<usize> {
        self.count("axis")
    }

    fn count(&self, name: &str) -> Option<usize> {
        self.values.iter().find_map(|value| match *value {
            (this, Value::Count(count)) if this == name => Some(count),
            _ => None,
        })
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

macro_rules! from {
    ($($Variant:ident($value:ty)),*) => { $(
        impl From<$value> for Value {
            fn from(value: $value) -> Self {
                Value::$Variant(value)
            }
        }
    )* };
}

from!(
    Count(usize),
    Number(i64),
    Name(&'static str),
    Axes(Range<usize>)
);

#[cfg(feature = "serde")]
fn as_map<S: serde::Serializer>(
    values: &[(&'static str, Value)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(values.iter().map(|(name, value)| (name, value)))
}
