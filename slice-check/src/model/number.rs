//! Represents axis lengths and elements of small constants, some of which are known only at run time.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::escaped::Escaped;

/// The maximum number of elements of a constant; larger constants are not kept.
pub const MAX_ELEMENTS: usize = 1024;
/// The maximum number of axes of a shape; longer shapes are not kept.
pub const MAX_AXES: usize = 64;
/// The maximum number of axes of a constant; constants with more axes are not kept.
pub const MAX_CONSTANT_AXES: usize = 8;

/// The length of an axis. It is serialized as a number, as its name, or as `null` if it is unknown.
///
/// # Examples
///
/// ```
/// use slice_check::Dim;
///
/// let shape = [Dim::Named("batch".into()), Dim::Known(3), Dim::Unknown];
/// assert_eq!(shape.each_ref().map(ToString::to_string), ["batch", "3", "?"]);
/// assert_eq!(shape[1].known(), Some(3));
/// assert_eq!(serde_json::to_string(&shape)?, r#"["batch",3,null]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A known number of elements.
    Known(usize),
    /// A length that is known only at run time but has a name in the model.
    Named(Arc<str>),
    /// A length that is known only at run time and has no name.
    Unknown,
}

/// The maximum length of the name of an axis length, in bytes. An axis length with a longer name is treated as unknown,
/// because a slice may mention it many times.
pub const MAX_NAME_BYTES: usize = 500;

impl Dim {
    /// Creates an axis length that is known only at run time.
    pub(crate) fn named(name: &str) -> Self {
        match name.len() {
            1..=MAX_NAME_BYTES => Dim::Named(name.into()),
            _ => Dim::Unknown,
        }
    }

    /// Returns the length, if it is known.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::Dim;
    ///
    /// assert_eq!(Dim::Known(3).known(), Some(3));
    /// assert_eq!(Dim::Named("batch".into()).known(), None);
    /// ```
    pub fn known(&self) -> Option<usize> {
        match *self {
            Dim::Known(length) => Some(length),
            _ => None,
        }
    }

    /// Returns whether the two lengths may be equal.
    pub(crate) fn agrees(&self, other: &Dim) -> bool {
        match (self, other) {
            (Dim::Known(one), Dim::Known(other)) => one == other,
            _ => true,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(length) => length.fmt(f),
            Dim::Named(name) => Escaped(name).fmt(f),
            Dim::Unknown => f.write_str("?"),
        }
    }
}

impl Serialize for Dim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dim::Known(length) => length.serialize(serializer),
            Dim::Named(name) => name.serialize(serializer),
            Dim::Unknown => serializer.serialize_none(),
        }
    }
}

/// Returns the lengths, if all of them are known.
pub fn known(shape: &[Dim]) -> Option<Vec<usize>> {
    shape.iter().map(Dim::known).collect()
}

/// Returns a shape with known lengths.
pub fn known_shape<Shape: FromIterator<Dim>>(lengths: &[usize]) -> Shape {
    lengths.iter().map(|&length| Dim::Known(length)).collect()
}

/// Returns `true` if the two shapes may be equal.
pub fn may_be_equal(one: &[Dim], other: &[Dim]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.agrees(other))
}

/// Formats a shape in Python's notation.
pub fn shape_text(shape: &[Dim]) -> String {
    match shape {
        [one] => format!("({one},)"),
        all => {
            let all: Vec<String> = all.iter().map(Dim::to_string).collect();
            format!("({})", all.join(", "))
        }
    }
}

/// An element of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A known integer, or a truth value as 0 or 1.
    Known(i64),
    /// A known floating-point number.
    Float(f64),
    /// The model's name for an axis length that is known only at run time.
    Length(Arc<str>),
    /// A number that is known only at run time.
    Unknown,
}

impl Number {
    /// Returns the number, if it is a known integer.
    pub fn known(&self) -> Option<i64> {
        match *self {
            Number::Known(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number as a length. A negative number is treated as unknown.
    pub fn to_dim(&self) -> Dim {
        match self {
            Number::Known(length) => usize::try_from(*length).map_or(Dim::Unknown, Dim::Known),
            Number::Length(name) => Dim::Named(name.clone()),
            Number::Float(_) | Number::Unknown => Dim::Unknown,
        }
    }
}

impl From<Option<i64>> for Number {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Number::Unknown, Number::Known)
    }
}

impl From<&Dim> for Number {
    fn from(length: &Dim) -> Self {
        match length {
            Dim::Known(length) => i64::try_from(*length).ok().into(),
            Dim::Named(name) => Number::Length(name.clone()),
            Dim::Unknown => Number::Unknown,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Known(number) => number.fmt(f),
            Number::Float(number) => number.fmt(f),
            Number::Length(name) => f.write_str(name),
            Number::Unknown => f.write_str("?"),
        }
    }
}

/// Returns the number of elements of an array, if it is at most [`MAX_ELEMENTS`].
pub fn small_count(shape: &[usize]) -> Option<usize> {
    element_count(shape).filter(|&count| count <= MAX_ELEMENTS)
}

/// Returns the number of elements of an array, if it fits in a `usize`.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1_usize, |count, &length| count.checked_mul(length))
}
