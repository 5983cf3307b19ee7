//! An attribute in the JSON of a graph.

use core::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Unexpected, Visitor,
};

use crate::fields::{I64, Name, Read, missing, repeated};

/// An integer attribute in the JSON of a TensorFlow graph: `48`, `"48"`, as protocol buffers write 64-bit numbers, or
/// `{"i": "48"}`, as they write an attribute of a node. From a format that is not for people, the plain one.
pub(crate) struct Attribute;

struct ForAttribute {
    name: &'static str,
    in_node: bool,
}

impl<'de> Read<'de> for Attribute {
    type Value = i64;
    const WHAT: &'static str = "an integer";

    fn read<D: Deserializer<'de>>(self, name: &'static str, from: D) -> Result<i64, D::Error> {
        if from.is_human_readable() {
            let in_node = false;
            from.deserialize_any(ForAttribute { name, in_node })
        } else {
            I64.read(name, from)
        }
    }
}

impl<'de> DeserializeSeed<'de> for ForAttribute {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<i64, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ForAttribute {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer for `{}`", self.name)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        I64.read(self.name, value.into_deserializer())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        let wrong = |_| E::invalid_value(Unexpected::Str(text), &self);
        text.parse().map_err(wrong)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<i64, A::Error> {
        if self.in_node {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let key = Name {
            fields: &["i"],
            besides: |_| false,
        };
        let (name, in_node) = (self.name, true);
        let mut value = None;
        while map.next_key_seed(key)?.is_some() {
            if value.is_some() {
                return Err(repeated("i"));
            }
            value = Some(map.next_value_seed(ForAttribute { name, in_node })?);
        }
        value.map_or_else(|| missing(&I64, "i"), Ok)
    }
}
