//! Reads integer attributes from the JSON of a TensorFlow graph.

use core::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor,
};
use slice_core::fields::NameSeed;

/// An integer attribute. In JSON, the integer 48 is written as `48`, as `"48"` (the JSON form of 64-bit numbers in
/// protocol buffers) or as `{"i": "48"}` (the JSON form of a node's attribute). Binary formats contain only the
/// integer.
pub(crate) struct Attribute(pub(crate) i64);

impl From<Attribute> for i64 {
    fn from(attribute: Attribute) -> i64 {
        attribute.0
    }
}

impl<'de> Deserialize<'de> for Attribute {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = if from.is_human_readable() {
            AttributeVisitor {
                is_field_value: false,
            }
            .deserialize(from)
        } else {
            i64::deserialize(from)
        };
        number.map(Attribute)
    }
}

/// Reads an attribute in any of its JSON forms.
struct AttributeVisitor {
    /// Whether the visited value is the value of the field `i`, which must not be a map.
    is_field_value: bool,
}

impl<'de> DeserializeSeed<'de> for AttributeVisitor {
    type Value = i64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<i64, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AttributeVisitor {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a 64-bit integer")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        let wrong = |_| E::invalid_value(Unexpected::Unsigned(value), &self);
        value.try_into().map_err(wrong)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        let wrong = |_| E::invalid_value(Unexpected::Str(text), &self);
        text.parse().map_err(wrong)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<i64, A::Error> {
        if self.is_field_value {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let key = NameSeed {
            fields: &["i"],
            is_ignored: |_| false,
        };
        let mut value = None;
        while map.next_key_seed(key)?.is_some() {
            if value.is_some() {
                return Err(A::Error::duplicate_field("i"));
            }
            value = Some(map.next_value_seed(AttributeVisitor {
                is_field_value: true,
            })?);
        }
        value.ok_or_else(|| A::Error::missing_field("i"))
    }
}
