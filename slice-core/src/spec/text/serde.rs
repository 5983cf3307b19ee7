//! Serializes specs as text or as a sequence of items, and deserializes them from these, or from a map of their numbers and
//! masks.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, Masks};
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;
use crate::spec::text::item::is_parsed_back;

/// The numbers and masks of a spec.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    #[serde(default)]
    begin_mask: u64,
    #[serde(default)]
    end_mask: u64,
    #[serde(default)]
    ellipsis_mask: u64,
    #[serde(default)]
    new_axis_mask: u64,
    #[serde(default)]
    shrink_axis_mask: u64,
}

/// In human-readable formats, serializes the spec as text, and in other formats as a sequence of items. The text of a
/// spec with a step of zero, or with a list of more than 31 axes, could not be parsed back, so such a spec is always
/// serialized as a sequence of items.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// assert_eq!(serde_json::to_string(&s![1:, ..., ::-1].to_dyn())?, r#""1:, ..., ::-1""#);
/// assert_eq!(serde_json::to_string(&s![[0, 2], ::-1].to_dyn())?, r#""[0, 2], ::-1""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for DynSliceSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() && self.items().all(|item| is_parsed_back(&item)) {
            to.collect_str(self)
        } else {
            to.collect_seq(self.items())
        }
    }
}

/// Serializes the spec in the same form as a [`DynSliceSpec`].
impl<const M: usize, K> Serialize for SliceSpec<M, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_dyn().serialize(to)
    }
}

/// Serializes the spec in the same form as a [`DynSliceSpec`].
impl<const M: usize, K> Serialize for ListSpec<'_, M, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_dyn().serialize(to)
    }
}

/// Deserializes a spec from a sequence of items and, in human-readable formats, also from text, or from a map with the
/// fields `begin`, `end`, `strides`, `begin_mask`, `end_mask`, `ellipsis_mask`, `new_axis_mask` and `shrink_axis_mask`. A mask
/// may be omitted if it is 0.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
///
/// let spec = s![1:, ...].to_dyn();
/// assert_eq!(serde_json::from_str::<DynSliceSpec>(r#""1:, ...""#)?, spec);
/// let fields = r#"{ "begin": [1, 0], "end": [0, 0], "strides": [1, 1], "end_mask": 1, "ellipsis_mask": 2 }"#;
/// assert_eq!(serde_json::from_str::<DynSliceSpec>(fields)?, spec);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for DynSliceSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_any(AnyForm)
        } else {
            from.deserialize_seq(AnyForm)
        }
    }
}

/// Accepts each form of a spec.
struct AnyForm;

impl<'de> Visitor<'de> for AnyForm {
    type Value = DynSliceSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slice as Python text, a sequence of items, or a map with begin, end, strides and masks")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<DynSliceSpec, E> {
        text.parse()
            .map_err(|error| E::custom(format!("{error:#}")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<DynSliceSpec, A::Error> {
        let items: Vec<Item> = Vec::deserialize(SeqAccessDeserializer::new(items))?;
        DynSliceSpec::from_items(items).map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DynSliceSpec, A::Error> {
        let numbers = Numbers::deserialize(MapAccessDeserializer::new(map))?;
        let masks = Masks {
            begin: numbers.begin_mask,
            end: numbers.end_mask,
            ellipsis: numbers.ellipsis_mask,
            new_axis: numbers.new_axis_mask,
            shrink_axis: numbers.shrink_axis_mask,
        };
        let spec = DynSliceSpec::new(&numbers.begin, &numbers.end, &numbers.strides, masks);
        spec.map_err(A::Error::custom)
    }
}
