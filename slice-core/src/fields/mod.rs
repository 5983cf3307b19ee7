//! Strict deserialization of structs: an unknown, missing or repeated field is an error, and errors name the field.
//!
//! A human-readable format must name the fields. A binary format, such as postcard, must contain all fields in order.
//!
//! Serde's own `deny_unknown_fields` is less strict, because it also accepts a JSON list of the values of all fields.
//! Its error for an invalid value does not name the field. Its error for an unknown field lists all fields, but does
//! not suggest the intended one.
//!
//! [`deserialize_fields!`](crate::deserialize_fields) implements the strict `Deserialize`. It is used for specs, the
//! operations of slice-systems and the read plans of slice-zarr.

mod name;
mod nearest;

use core::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error};

// The expansion of the macro below uses this type.
#[doc(hidden)]
pub use name::NameSeed;

/// A seed that deserializes the value of a field, with errors that name the field.
#[doc(hidden)]
#[derive(Debug)]
pub struct ValueSeed<T>(&'static str, PhantomData<T>);

impl<T> ValueSeed<T> {
    /// Creates a seed for the value of `field`.
    #[must_use]
    pub fn new(field: &'static str) -> Self {
        ValueSeed(field, PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for ValueSeed<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        let named = |error| D::Error::custom(format_args!("field `{}`: {error}", self.0));
        T::deserialize(from).map_err(named)
    }
}

/// Implements `Deserialize` for a struct, as strictly as [`fields`](crate::fields) describes. In a format that names
/// the fields, a field with a default may be omitted. Each value is deserialized as the type in the macro call, and
/// then converted to the type of the struct's field with `Into`. The calling crate must depend on serde.
///
/// The optional function `besides` returns `true` if an unknown name is to be ignored, together with its value. A name
/// that is similar to the name of a field is always an error.
///
/// # Example
///
/// ```
/// #[derive(Debug, PartialEq)]
/// struct Crop {
///     begin: i64,
///     step: i64,
/// }
///
/// slice_core::deserialize_fields!(Crop as "a Crop", { begin: i64, step: i64 = 1 });
///
/// assert_eq!(serde_json::from_str::<Crop>(r#"{"begin": 2}"#)?, Crop { begin: 2, step: 1 });
/// let error = serde_json::from_str::<Crop>(r#"{"beginn": 2}"#).unwrap_err();
/// assert!(error.to_string().starts_with("unknown field `beginn`: did you mean `begin`?"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[macro_export]
macro_rules! deserialize_fields {
    ($Struct:ident as $what:literal, { $($fields:tt)+ }) => {
        $crate::deserialize_fields!($Struct as $what, besides |_| false, { $($fields)+ });
    };
    ($Struct:ident as $what:literal, besides $is_ignored:expr, {
        $($field:ident: $Type:ty $(= $default:expr)?),+ $(,)?
    }) => {
        impl<'de> serde::Deserialize<'de> for $Struct {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use core::fmt;
                use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
                use $crate::fields::{NameSeed, ValueSeed};

                const FIELDS: &[&str] = &[$(stringify!($field)),+];

                struct FieldVisitor {
                    by_name: bool,
                }

                impl<'de> Visitor<'de> for FieldVisitor {
                    type Value = $Struct;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("a map with the fields of ", $what))
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$Struct, A::Error> {
                        $(let mut $field: Option<$Type> = None;)+
                        let name = NameSeed { fields: FIELDS, is_ignored: $is_ignored };
                        while let Some(name) = map.next_key_seed(name)? {
                            match name {
                                $(Some(name @ stringify!($field)) => {
                                    if $field.is_some() {
                                        return Err(A::Error::duplicate_field(name));
                                    }
                                    $field = Some(map.next_value_seed(ValueSeed::new(name))?);
                                })+
                                _ => _ = map.next_value::<IgnoredAny>()?,
                            }
                        }
                        let missing = A::Error::missing_field;
                        Ok($Struct {
                            $($field: $field
                                $(.or(Some($default)))?
                                .ok_or_else(|| missing(stringify!($field)))?
                                .into()),+
                        })
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<$Struct, A::Error> {
                        if self.by_name {
                            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
                        }
                        let missing = A::Error::missing_field;
                        Ok($Struct {
                            $($field: values
                                .next_element_seed(ValueSeed::<$Type>::new(stringify!($field)))?
                                .ok_or_else(|| missing(stringify!($field)))?
                                .into()),+
                        })
                    }
                }

                let by_name = from.is_human_readable();
                from.deserialize_struct($what, FIELDS, FieldVisitor { by_name })
            }
        }
    };
}
