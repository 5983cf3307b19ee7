//! Deserializes a `StridedSlice`, also from the attributes of a node in the JSON of a TensorFlow graph.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, Unexpected};

use super::StridedSlice;

/// The fields of a `StridedSlice`, and the other attributes of its node.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Node {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    #[serde(default, deserialize_with = "attribute")]
    begin_mask: i64,
    #[serde(default, deserialize_with = "attribute")]
    end_mask: i64,
    #[serde(default, deserialize_with = "attribute")]
    ellipsis_mask: i64,
    #[serde(default, deserialize_with = "attribute")]
    new_axis_mask: i64,
    #[serde(default, deserialize_with = "attribute")]
    shrink_axis_mask: i64,
    #[serde(default, rename = "T")]
    _element_type: Ignored,
    #[serde(default, rename = "Index")]
    _index_type: Ignored,
    #[serde(default)]
    _class: Ignored,
    #[serde(default)]
    _output_shapes: Ignored,
}

impl From<Node> for StridedSlice {
    fn from(node: Node) -> Self {
        StridedSlice {
            begin: node.begin,
            end: node.end,
            strides: node.strides,
            begin_mask: node.begin_mask,
            end_mask: node.end_mask,
            ellipsis_mask: node.ellipsis_mask,
            new_axis_mask: node.new_axis_mask,
            shrink_axis_mask: node.shrink_axis_mask,
        }
    }
}

/// An attribute that is not a field of a `StridedSlice`. Binary formats do not contain it.
#[derive(Default)]
struct Ignored;

impl<'de> Deserialize<'de> for Ignored {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            let _ = IgnoredAny::deserialize(from)?;
        }
        Ok(Ignored)
    }
}

/// Deserializes an integer attribute. In JSON, the integer 48 is written as `48`, as `"48"` (the JSON form of 64-bit
/// numbers in protocol buffers) or as `{"i": "48"}` (the JSON form of a node's attribute). Binary formats contain only
/// the integer.
fn attribute<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Number {
        Integer(i64),
        Text(String),
    }

    #[derive(serde::Deserialize)]
    #[serde(untagged, deny_unknown_fields, expecting = "expected a 64-bit integer")]
    enum Attribute {
        Plain(Number),
        Field { i: Number },
    }

    if !from.is_human_readable() {
        return i64::deserialize(from);
    }
    match Attribute::deserialize(from)? {
        Attribute::Plain(Number::Integer(value))
        | Attribute::Field {
            i: Number::Integer(value),
        } => Ok(value),
        Attribute::Plain(Number::Text(text))
        | Attribute::Field {
            i: Number::Text(text),
        } => {
            let wrong = |_| D::Error::invalid_value(Unexpected::Str(&text), &"a 64-bit integer");
            text.parse().map_err(wrong)
        }
    }
}
