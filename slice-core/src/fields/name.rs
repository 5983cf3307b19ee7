//! Deserializes the names of fields, and suggests corrections for unknown ones.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::nearest::nearest;

/// A seed that deserializes the name of a field. The result is `None` if the name is to be ignored.
#[derive(Clone, Copy, Debug)]
pub struct NameSeed {
    /// The names of all fields.
    pub fields: &'static [&'static str],
    /// Returns `true` if an unknown name is to be ignored. It is called only for names that are not similar to the name
    /// of a field.
    pub is_ignored: fn(&str) -> bool,
}

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(&known) = self.fields.iter().find(|&&field| field == name) {
            return Ok(Some(known));
        }
        let suggestion = match nearest(name, self.fields) {
            Some(field) => format!("did you mean `{field}`? "),
            None if (self.is_ignored)(name) => return Ok(None),
            None => String::new(),
        };
        let one_of = if self.fields.len() > 1 { "one of " } else { "" };
        let fields = self.fields.join("`, `");
        Err(E::custom(format_args!(
            "unknown field `{name:.64}`: {suggestion}expected {one_of}`{fields}`"
        )))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}
