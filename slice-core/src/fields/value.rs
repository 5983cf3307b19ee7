//! The values of fields: numbers and lists of them, each read with the name of its field at hand for the error.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::name::{Name, missing, repeated};

/// A way to read the value of a field.
pub(crate) trait Read<'de>: Sized {
    /// What is read.
    type Value;

    /// What stands in the input, with its article.
    const WHAT: &'static str;

    /// Reads the value of the field of this name.
    fn read<D: Deserializer<'de>>(
        self,
        name: &'static str,
        from: D,
    ) -> Result<Self::Value, D::Error>;

    /// What a field that is not there stands for.
    fn missing(&self) -> Option<Self::Value> {
        None
    }
}

/// A way to read, and the name of the field.
pub(crate) struct Named<R>(pub(crate) R, pub(crate) &'static str);

impl<'de, R: Read<'de>> DeserializeSeed<'de> for Named<R> {
    type Value = R::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<R::Value, D::Error> {
        self.0.read(self.1, from)
    }
}

/// As another way, or this value where the field is not there.
pub(crate) struct Or<R, V>(pub(crate) R, pub(crate) V);

impl<'de, R: Read<'de>> Read<'de> for Or<R, R::Value>
where
    R::Value: Clone,
{
    type Value = R::Value;
    const WHAT: &'static str = R::WHAT;

    fn read<D: Deserializer<'de>>(self, name: &'static str, from: D) -> Result<R::Value, D::Error> {
        self.0.read(name, from)
    }

    fn missing(&self) -> Option<R::Value> {
        Some(self.1.clone())
    }
}

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

/// An integer of a type.
pub(crate) struct Integer<T>(PhantomData<T>);

pub(crate) const I64: Integer<i64> = Integer(PhantomData);
pub(crate) const U64: Integer<u64> = Integer(PhantomData);
pub(crate) const U32: Integer<u32> = Integer(PhantomData);

/// A list of integers.
pub(crate) struct Numbers;

struct ForInteger<T>(&'static str, PhantomData<T>);

struct ForNumbers(&'static str);

macro_rules! integers {
    ($($T:ident $what:literal $deserialize:ident),*) => { $(
        impl<'de> Read<'de> for Integer<$T> {
            type Value = $T;
            const WHAT: &'static str = $what;

            fn read<D: Deserializer<'de>>(self, name: &'static str, from: D) -> Result<$T, D::Error> {
                from.$deserialize(ForInteger(name, self.0))
            }
        }

        impl Visitor<'_> for ForInteger<$T> {
            type Value = $T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} for `{}`", $what, self.0)
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<$T, E> {
                let wrong = |_| E::invalid_value(Unexpected::Signed(value), &self);
                value.try_into().map_err(wrong)
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<$T, E> {
                let wrong = |_| E::invalid_value(Unexpected::Unsigned(value), &self);
                value.try_into().map_err(wrong)
            }
        }
    )* };
}

integers! {
    i64 "an integer of 64 bits" deserialize_i64,
    u64 "an integer of 64 bits that is not negative" deserialize_u64,
    u32 "an integer of 32 bits that is not negative" deserialize_u32
}

impl<'de> Read<'de> for Numbers {
    type Value = Vec<i64>;
    const WHAT: &'static str = "a list of integers";

    fn read<D: Deserializer<'de>>(self, name: &'static str, from: D) -> Result<Vec<i64>, D::Error> {
        from.deserialize_seq(ForNumbers(name))
    }
}

impl<'de> Visitor<'de> for ForNumbers {
    type Value = Vec<i64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of integers for `{}`", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Vec<i64>, A::Error> {
        // What a stranger says of the length is not believed.
        let mut list = Vec::with_capacity(values.size_hint().unwrap_or(0).min(64));
        while let Some(value) = values.next_element_seed(Named(I64, self.0))? {
            list.push(value);
        }
        Ok(list)
    }
}

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
        ForInteger::<i64>(self.name, PhantomData).visit_u64(value)
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
