//! Values made of others: those that may be left out or null, lists, and structs within structs.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use super::value::{Named, Read};

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

impl<T> Clone for Struct<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Struct<T> {}

impl<'de, T: Deserialize<'de>> Read<'de> for Struct<T> {
    type Value = T;
    const WHAT: &'static str = "a map";

    fn read<D: Deserializer<'de>>(self, _: &'static str, from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }
}

/// A list of what is read in another way.
#[derive(Clone, Copy)]
pub(crate) struct List<R>(pub(crate) R);

struct ForList<R>(R, &'static str);

impl<'de, R: Read<'de> + Copy> Read<'de> for List<R> {
    type Value = Vec<R::Value>;
    const WHAT: &'static str = "a list";

    fn read<D: Deserializer<'de>>(
        self,
        name: &'static str,
        from: D,
    ) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(ForList(self.0, name))
    }
}

impl<'de, R: Read<'de> + Copy> Visitor<'de> for ForList<R> {
    type Value = Vec<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list for `{}`, each {}", self.1, R::WHAT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        // What a stranger says of the length is not believed.
        let mut list = Vec::with_capacity(values.size_hint().unwrap_or(0).min(64));
        while let Some(value) = values.next_element_seed(Named(self.0, self.1))? {
            list.push(value);
        }
        Ok(list)
    }
}
