//! An integer attribute in the JSON of a TensorFlow graph: `48`, `"48"`, as protocol buffers write 64-bit numbers, or
//! `{"i": "48"}`, as they write an attribute of a node.

use alloc::string::String;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Attribute {
    Node { i: Integer },
    Plain(Integer),
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Integer {
    Number(i64),
    Text(String),
}

/// Reads an integer in any of these forms; from a format that is not for people, the plain one.
pub(super) fn integer<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    if !from.is_human_readable() {
        return i64::deserialize(from);
    }
    match Attribute::deserialize(from)? {
        Attribute::Node { i } | Attribute::Plain(i) => i.value(),
    }
}

impl Integer {
    fn value<E: Error>(self) -> Result<i64, E> {
        match self {
            Integer::Number(value) => Ok(value),
            Integer::Text(text) => text
                .parse()
                .map_err(|_| E::invalid_value(Unexpected::Str(&text), &"an integer")),
        }
    }
}
