//! Values that may be left out or null, and structs within structs: what only operations have.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::value::Read;

/// As another way, or none where the field is not there or says so.
pub(crate) struct OrNone<R>(pub(crate) R);

impl<'de, R: Read<'de>> Read<'de> for OrNone<R> {
    type Value = Option<R::Value>;
    const WHAT: &'static str = R::WHAT;

    fn read<D: Deserializer<'de>>(
        self,
        name: &'static str,
        from: D,
    ) -> Result<Self::Value, D::Error> {
        from.deserialize_option(ForOption(self.0, name))
    }

    fn missing(&self) -> Option<Self::Value> {
        Some(None)
    }
}

struct ForOption<R>(R, &'static str);

impl<'de, R: Read<'de>> Visitor<'de> for ForOption<R> {
    type Value = Option<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} or nothing for `{}`", R::WHAT, self.1)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        self.0.read(self.1, from).map(Some)
    }
}

/// A struct that is read by fields of its own.
pub(crate) struct Struct<T>(pub(crate) PhantomData<T>);

impl<'de, T: Deserialize<'de>> Read<'de> for Struct<T> {
    type Value = T;
    const WHAT: &'static str = "a map";

    fn read<D: Deserializer<'de>>(self, _: &'static str, from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }
}
