//! The names of fields, and what is said of one that is not as it should be.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::nearest::nearest;

/// Reads the name of a field; `None` for one that stands among them and is not read.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) fields: &'static [&'static str],
    pub(crate) besides: fn(&str) -> bool,
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(&known) = self.fields.iter().find(|&&field| field == name) {
            return Ok(Some(known));
        }
        let meant = nearest(name, self.fields);
        if meant.is_none() && (self.besides)(name) {
            return Ok(None);
        }
        let all: String = self.fields.iter().flat_map(|f| [", `", f, "`"]).collect();
        let all = &all[", ".len()..];
        Err(E::custom(match meant {
            Some(meant) => {
                format!("unknown field `{name:.64}`: did you mean `{meant}`? known are {all}")
            }
            None => format!("unknown field `{name:.64}`: known are {all}"),
        }))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

/// The error of a field that is there twice.
pub(crate) fn repeated<E: Error>(name: &str) -> E {
    E::custom(format!("field `{name}` is given twice: leave one out"))
}
