//! Represents axis lengths and elements of small constants, some of which are known only at run time.

use std::fmt;
use std::sync::Arc;

/// The maximum number of elements of a constant; larger constants are not kept.
pub const MAX_ELEMENTS: usize = 1024;
/// The maximum number of axes of a shape; longer shapes are not kept.
pub const MAX_AXES: usize = 64;

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub fn named(name: &str) -> Self {
        match name.len() {
            1..=MAX_NAME_BYTES => Dim::Named(name.into()),
            _ => Dim::Unknown,
        }
    }

    /// Returns the length, if it is known.
    pub fn known(&self) -> Option<usize> {
        match *self {
            Dim::Known(length) => Some(length),
            _ => None,
        }
    }

    /// Returns whether the two lengths may be equal.
    pub fn agrees(&self, other: &Dim) -> bool {
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
            Dim::Named(name) => f.write_str(name),
            Dim::Unknown => f.write_str("?"),
        }
    }
}

/// Returns the lengths, if all of them are known.
pub fn known(shape: &[Dim]) -> Option<Vec<usize>> {
    shape.iter().map(Dim::known).collect()
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A known number.
    Known(i64),
    /// The model's name for an axis length that is known only at run time.
    Length(Arc<str>),
    /// A number that is known only at run time.
    Unknown,
}

impl Number {
    /// Returns the number, if it is known.
    pub fn known(&self) -> Option<i64> {
        match *self {
            Number::Known(number) => Some(number),
            _ => None,
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
            Number::Length(name) => f.write_str(name),
            Number::Unknown => f.write_str("?"),
        }
    }
}

/// A small array of integers: a scalar or a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The elements of the array.
    pub elements: Arc<[Number]>,
    /// The number of axes: 0 for a scalar, and 1 for a vector.
    pub rank: usize,
}

impl Constant {
    /// Creates a scalar.
    pub fn scalar(number: Number) -> Self {
        Constant {
            elements: [number].into(),
            rank: 0,
        }
    }

    /// Creates a vector. Returns `None` if there are more than [`MAX_ELEMENTS`] elements.
    pub fn vector(elements: Vec<Number>) -> Option<Self> {
        let (len, rank) = (elements.len(), 1);
        let elements = elements.into();
        (len <= MAX_ELEMENTS).then_some(Constant { elements, rank })
    }

    /// Returns the elements, if all of them are known.
    pub fn known(&self) -> Option<Vec<i64>> {
        self.elements.iter().map(Number::known).collect()
    }
}
