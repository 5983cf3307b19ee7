//! Serializes and deserializes specs, as text or as a struct whose fields are named after the accessors of a spec.

use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Masks;
use crate::spec::slice_spec::SliceSpec;
use crate::spec::text::text_or_fields::{self, TextOrFields};

#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename = "SliceSpec")]
#[serde(deny_unknown_fields)]
pub(crate) struct SliceSpecFields {
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

impl TextOrFields for DynSliceSpec {
    type Fields = SliceSpecFields;

    const EXPECTED: &'static str =
        "a slice as Python text, or a map with begin, end, strides and masks";

    fn has_parsable_text(&self) -> bool {
        !self.strides().contains(&0)
    }

    fn from_fields<E: Error>(fields: SliceSpecFields) -> Result<Self, E> {
        let masks = Masks {
            begin: fields.begin_mask,
            end: fields.end_mask,
            ellipsis: fields.ellipsis_mask,
            new_axis: fields.new_axis_mask,
            shrink_axis: fields.shrink_axis_mask,
        };
        DynSliceSpec::new(&fields.begin, &fields.end, &fields.strides, masks).map_err(E::custom)
    }
}

impl From<&DynSliceSpec> for SliceSpecFields {
    fn from(spec: &DynSliceSpec) -> Self {
        SliceSpecFields {
            begin: spec.begin().to_vec(),
            end: spec.end().to_vec(),
            strides: spec.strides().to_vec(),
            begin_mask: spec.begin_mask(),
            end_mask: spec.end_mask(),
            ellipsis_mask: spec.ellipsis_mask(),
            new_axis_mask: spec.new_axis_mask(),
            shrink_axis_mask: spec.shrink_axis_mask(),
        }
    }
}

/// In human-readable formats, serializes the spec as text. In other formats, serializes it as a struct with the fields
/// `begin`, `end`, `strides`, `begin_mask`, `end_mask`, `ellipsis_mask`, `new_axis_mask` and `shrink_axis_mask`. A spec
/// with a step of zero is always serialized as a struct, because its text could not be parsed back.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// assert_eq!(serde_json::to_string(&s![1:, ..., ::-1].to_dyn())?, r#""1:, ..., ::-1""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for DynSliceSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        text_or_fields::serialize(self, to)
    }
}

/// Serializes the spec in the same form as a [`DynSliceSpec`].
impl<const M: usize, K> Serialize for SliceSpec<M, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_dyn().serialize(to)
    }
}

/// Deserializes a spec from text (in human-readable formats) or from a struct. In the struct, a mask may be omitted if
/// it is 0.
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
        text_or_fields::deserialize(from)
    }
}
