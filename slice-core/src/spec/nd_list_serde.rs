//! Serializes and deserializes an `NdList`: as nested sequences in human-readable formats, and otherwise as its shape and
//! its elements.

use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::spec::nd_list::NdList;
use crate::spec::text::value::MAX_LIST_AXES;

/// The shape of a list and its elements in C order.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename = "NdList", deny_unknown_fields)]
struct ShapeAndElements<S, E> {
    shape: S,
    elements: E,
}

/// A list in a human-readable format.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum ListOrParts<T> {
    List(Vec<Nested<T>>),
    Parts(ShapeAndElements<Vec<usize>, Vec<T>>),
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Nested<T> {
    Element(T),
    List(Vec<Nested<T>>),
}

/// Elements with a shape that has at least one axis.
struct Nest<'a, T> {
    shape: &'a [usize],
    elements: &'a [T],
}

impl<T: Serialize> Serialize for Nest<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (&len, shape) = self.shape.split_first().unwrap_or((&0, &[]));
        if shape.is_empty() {
            return self.elements.serialize(to);
        }
        let parts = self
            .elements
            .chunks(self.elements.len().div_ceil(len.max(1)).max(1));
        to.collect_seq(parts.map(|elements| Nest { shape, elements }))
    }
}

/// An empty list, whose nested sequences would not contain all lengths, and a list with many axes are serialized as a shape and
/// elements, because readers limit the depth of nested sequences.
impl<T: Serialize> Serialize for NdList<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (shape, elements) = (self.shape(), self.elements());
        let is_nested = match shape.len() {
            0 => false,
            1 => true,
            axes => axes <= MAX_LIST_AXES && !elements.is_empty(),
        };
        match to.is_human_readable() && is_nested {
            true => Nest { shape, elements }.serialize(to),
            false => ShapeAndElements { shape, elements }.serialize(to),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NdList<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let parts = match from.is_human_readable() {
            true => ListOrParts::deserialize(from)?,
            false => ListOrParts::Parts(ShapeAndElements::deserialize(from)?),
        };
        match parts {
            ListOrParts::Parts(ShapeAndElements { shape, elements }) => {
                NdList::new(shape, elements).map_err(D::Error::custom)
            }
            ListOrParts::List(nested) => {
                let (mut shape, mut elements) = (Vec::new(), Vec::new());
                let is_array = append(nested, 0, &mut shape, &mut elements);
                let list = NdList::new(shape, elements).ok().filter(|_| is_array);
                list.ok_or_else(|| {
                    D::Error::custom("the lists inside a list should have equal lengths")
                })
            }
        }
    }
}

/// Appends the elements of a list at the given depth to `elements`, and the length of the first list at each depth to
/// `shape`. Returns `false` if lists at the same depth have different lengths, or if elements have different depths.
fn append<T>(
    list: Vec<Nested<T>>,
    depth: usize,
    shape: &mut Vec<usize>,
    elements: &mut Vec<T>,
) -> bool {
    match shape.get(depth) {
        Some(&len) if len != list.len() => return false,
        Some(_) => {}
        None if !elements.is_empty() => return false,
        None => shape.push(list.len()),
    }
    list.into_iter().all(|nested| match nested {
        Nested::List(list) => append(list, depth + 1, shape, elements),
        Nested::Element(element) => {
            elements.push(element);
            shape.len() == depth + 1
        }
    })
}
