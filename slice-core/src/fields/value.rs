//! The values of fields: numbers and lists of them, each read with the name of its field at hand for the error.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Unexpected, Visitor};

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

/// The value of a field that is not there, or the error if it has no default.
pub(crate) fn missing<'de, R: Read<'de>, E: Error>(read: &R, name: &str) -> Result<R::Value, E> {
    let missing = || E::custom(format!("missing field `{name}`: write {}", R::WHAT));
    read.missing().ok_or_else(missing)
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

/// An integer of a type.
#[derive(Clone, Copy)]
pub(crate) struct Integer<T>(PhantomData<T>);

pub(crate) const I64: Integer<i64> = Integer(PhantomData);
pub(crate) const U64: Integer<u64> = Integer(PhantomData);
pub(crate) const U32: Integer<u32> = Integer(PhantomData);
pub(crate) const USIZE: Integer<usize> = Integer(PhantomData);
pub(crate) const ISIZE: Integer<isize> = Integer(PhantomData);

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
    u32 "an integer of 32 bits that is not negative" deserialize_u32,
    usize "an integer of this machine that is not negative" deserialize_u64,
    isize "an integer of this machine" deserialize_i64
}

/// A text.
pub(crate) struct Text;

/// Yes or no.
pub(crate) struct Flag;

struct ForScalar<T>(&'static str, PhantomData<T>);

macro_rules! scalars {
    ($($Read:ident $T:ident $what:literal $deserialize:ident $visit:ident($value:ty)),*) => { $(
        impl<'de> Read<'de> for $Read {
            type Value = $T;
            const WHAT: &'static str = $what;

            fn read<D: Deserializer<'de>>(self, name: &'static str, from: D) -> Result<$T, D::Error> {
                from.$deserialize(ForScalar(name, PhantomData::<$T>))
            }
        }

        impl Visitor<'_> for ForScalar<$T> {
            type Value = $T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} for `{}`", $what, self.0)
            }

            fn $visit<E: Error>(self, value: $value) -> Result<$T, E> {
                Ok(value.into())
            }
        }
    )* };
}

scalars! {
    Text String "a text" deserialize_str visit_str(&str),
    Flag bool "true or false" deserialize_bool visit_bool(bool)
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
        // The length comes with the input, so that no more than a little memory is taken for it.
        let mut list = Vec::with_capacity(values.size_hint().unwrap_or(0).min(64));
        while let Some(value) = values.next_element_seed(Named(I64, self.0))? {
            list.push(value);
        }
        Ok(list)
    }
}
