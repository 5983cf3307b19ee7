//! Structs that are read strictly: a field that is unknown, missing or given twice is an error with the field's name in it.
//!
//! A format for people must name the fields. One for machines, such as postcard, has them by position, all of them.

mod composed;
mod name;
mod nearest;
mod value;

pub(crate) use composed::{List, OrNone, Struct};
pub(crate) use name::{Name, repeated};
#[cfg(feature = "dialect")]
pub(crate) use value::I64;
pub(crate) use value::{Flag, ISIZE, Named, Numbers, Or, Read, Text, U32, U64, USIZE, missing};

/// Implements `Deserialize` for a struct whose fields are each read in one of the ways of [`value`].
///
/// `besides` are names that may stand among the fields, and are not read.
macro_rules! deserialize_fields {
    ($Struct:ident as $what:literal, besides $besides:expr, { $($field:ident: $read:expr),+ $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $Struct {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use core::fmt;
                use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
                use $crate::fields::{Name, Named, missing, repeated};

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
                        $(let mut $field = None;)+
                        let name = Name { fields: FIELDS, besides: $besides };
                        while let Some(name) = map.next_key_seed(name)? {
                            match name {
                                $(Some(name @ stringify!($field)) => {
                                    if $field.is_some() {
                                        return Err(repeated(name));
                                    }
                                    $field = Some(map.next_value_seed(Named($read, name))?);
                                })+
                                _ => _ = map.next_value::<IgnoredAny>()?,
                            }
                        }
                        Ok($Struct {
                            $($field: match $field {
                                Some(value) => value,
                                None => missing(&$read, stringify!($field))?,
                            }),+
                        })
                    }

                    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<$Struct, A::Error> {
                        if self.by_name {
                            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
                        }
                        $(let Some($field) = values.next_element_seed(Named($read, stringify!($field)))? else {
                            return Err(A::Error::missing_field(stringify!($field)));
                        };)+
                        Ok($Struct { $($field),+ })
                    }
                }

                let by_name = from.is_human_readable();
                from.deserialize_struct($what, FIELDS, FieldVisitor { by_name })
            }
        }
    };
}
pub(crate) use deserialize_fields;
