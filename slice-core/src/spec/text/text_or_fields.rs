//! Serializes and deserializes slices, as text or as a struct.

use alloc::format;
use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A slice that can be serialized as text or as a struct.
pub(crate) trait TextOrFields: Display + FromStr<Err: Display> {
    /// The struct that is serialized if the slice is not serialized as text.
    type Fields: Serialize + DeserializeOwned + for<'a> From<&'a Self>;

    /// A description of the expected input, for error messages.
    const EXPECTED: &'static str;

    /// Returns `true` if the text of the slice can be parsed back.
    fn has_parsable_text(&self) -> bool;

    /// Converts a struct to a slice.
    fn from_fields<E: Error>(fields: Self::Fields) -> Result<Self, E>;
}

/// Serializes a slice as text if the format is human-readable and the text can be parsed back. Otherwise, the slice is
/// serialized as a struct.
pub(crate) fn serialize<T: TextOrFields, S: Serializer>(
    slice: &T,
    to: S,
) -> Result<S::Ok, S::Error> {
    if to.is_human_readable() && slice.has_parsable_text() {
        to.collect_str(slice)
    } else {
        T::Fields::from(slice).serialize(to)
    }
}

/// In human-readable formats, deserializes a slice from text or a struct. In other formats, deserializes it only from a
/// struct.
pub(crate) fn deserialize<'de, T: TextOrFields, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    if from.is_human_readable() {
        from.deserialize_any(TextOrFieldsVisitor(PhantomData))
    } else {
        T::from_fields(T::Fields::deserialize(from)?)
    }
}

struct TextOrFieldsVisitor<T>(PhantomData<T>);

impl<'de, T: TextOrFields> Visitor<'de> for TextOrFieldsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse()
            .map_err(|error| E::custom(format!("{error:#}")))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_fields(T::Fields::deserialize(MapAccessDeserializer::new(map))?)
    }
}
