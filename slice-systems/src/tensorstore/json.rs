//! Reads and writes transforms in TensorStore's JSON format, or in binary formats as a sequence of fields.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use slice_core::NdList;

use super::{INFINITY, IndexTransform, OutputIndexMap};

/// A bound in TensorStore's notation: `4`, or `[4]` if it is implicit. Infinite bounds are `"-inf"` and `"+inf"`.
#[derive(Clone, serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
enum JsonBound {
    Explicit(JsonInteger),
    Implicit([JsonInteger; 1]),
}

/// The value of a bound, which may be infinite.
#[derive(Clone, serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
enum JsonInteger {
    Finite(i64),
    Infinite(Infinity),
}

#[derive(Clone, Copy, serde::Deserialize, serde::Serialize)]
enum Infinity {
    #[serde(rename = "-inf")]
    Negative,
    #[serde(rename = "+inf")]
    Positive,
}

impl JsonBound {
    fn new(value: i64, implicit: bool) -> Self {
        let number = match value {
            INFINITY => JsonInteger::Infinite(Infinity::Positive),
            value if value == -INFINITY => JsonInteger::Infinite(Infinity::Negative),
            value => JsonInteger::Finite(value),
        };
        if implicit {
            JsonBound::Implicit([number])
        } else {
            JsonBound::Explicit(number)
        }
    }

    /// Returns the bound, and whether it is implicit. `addend` is added to a finite bound, to convert an inclusive
    /// upper bound or a length to an exclusive upper bound.
    fn read<E: Error>(self, addend: i64) -> Result<(i64, bool), E> {
        let (number, implicit) = match self {
            JsonBound::Explicit(number) => (number, false),
            JsonBound::Implicit([number]) => (number, true),
        };
        let value = match number {
            JsonInteger::Infinite(Infinity::Negative) => -INFINITY,
            JsonInteger::Infinite(Infinity::Positive) => INFINITY,
            JsonInteger::Finite(value) => {
                let bound = value.checked_add(addend);
                let bound = bound.filter(|bound| (1 - INFINITY..INFINITY).contains(bound));
                bound.ok_or_else(|| {
                    E::invalid_value(
                        Unexpected::Signed(value),
                        &"a bound with an absolute value below 2^62 - 1",
                    )
                })?
            }
        };
        Ok((value, implicit))
    }
}

/// A transform in TensorStore's JSON format.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Json {
    input_rank: Option<usize>,
    input_inclusive_min: Option<Vec<JsonBound>>,
    input_inclusive_max: Option<Vec<JsonBound>>,
    input_exclusive_max: Option<Vec<JsonBound>>,
    input_shape: Option<Vec<JsonBound>>,
    input_labels: Option<Vec<String>>,
    output: Option<Vec<Map>>,
}

/// An output index map in TensorStore's JSON format.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Map {
    #[serde(default)]
    offset: i64,
    stride: Option<i64>,
    input_dimension: Option<usize>,
    index_array: Option<NdList<i64>>,
    index_array_bounds: Option<[JsonBound; 2]>,
}

impl Map {
    /// Returns the map of `axis`, for a domain with `rank` dimensions.
    fn read<E: Error>(self, axis: usize, rank: usize) -> Result<OutputIndexMap, E> {
        let Some(index_array) = self.index_array else {
            if self.index_array_bounds.is_some() {
                return Err(E::custom(format_args!(
                    "the output index map for axis {axis} has index_array_bounds but no index_array"
                )));
            }
            return self.without_array(axis);
        };
        if self.input_dimension.is_some() {
            return Err(E::custom(format_args!(
                "the output index map for axis {axis} has both an input_dimension and an index_array"
            )));
        }
        if index_array.rank() != rank {
            return Err(E::custom(format_args!(
                "the index array of axis {axis} has {} axes, but must have {rank}, like the domain",
                index_array.rank()
            )));
        }
        if let Some([low, high]) = self.index_array_bounds {
            let ((low, _), (high, _)) = (low.read(0)?, high.read(0)?);
            let mut indices = index_array.elements().iter();
            if let Some(index) = indices.find(|index| !(low..=high).contains(index)) {
                return Err(E::custom(format_args!(
                    "index {index} of the index array of axis {axis} is not in index_array_bounds [{low}, {high}]"
                )));
            }
        }
        Ok(OutputIndexMap {
            offset: self.offset,
            stride: self.stride.unwrap_or(1),
            input_dimension: None,
            index_array: Some(index_array),
        })
    }

    fn without_array<E: Error>(self, axis: usize) -> Result<OutputIndexMap, E> {
        if self.stride.is_some() && self.input_dimension.is_none() {
            return Err(E::custom(format_args!(
                "the output index map for axis {axis} has a stride but no input_dimension"
            )));
        }
        Ok(OutputIndexMap {
            offset: self.offset,
            stride: self.stride.unwrap_or(self.input_dimension.map_or(0, |_| 1)),
            input_dimension: self.input_dimension,
            index_array: None,
        })
    }
}

impl Json {
    fn read<E: Error>(self) -> Result<IndexTransform, E> {
        let upper = [
            ("input_inclusive_max", self.input_inclusive_max, 1),
            ("input_exclusive_max", self.input_exclusive_max, 0),
            ("input_shape", self.input_shape, 0),
        ];
        let mut upper_bounds = upper.into_iter().filter_map(|(name, bounds, addend)| {
            let bounds = bounds?;
            Some((name, bounds, addend))
        });
        let upper = upper_bounds.next();
        if let (Some((first, ..)), Some((second, ..))) = (&upper, upper_bounds.next()) {
            return Err(E::custom(format_args!(
                "{first} and {second} both define the end of the domain; keep one of them"
            )));
        }
        let lengths = [
            self.input_rank,
            self.input_inclusive_min.as_ref().map(Vec::len),
            upper.as_ref().map(|(_, bounds, _)| bounds.len()),
            self.input_labels.as_ref().map(Vec::len),
        ];
        let mut lengths = lengths.into_iter().flatten();
        let Some(rank) = lengths.next() else {
            return Err(E::custom(
                "the number of dimensions is unknown; give input_inclusive_min and input_exclusive_max",
            ));
        };
        if let Some(other) = lengths.find(|&other| other != rank) {
            return Err(E::custom(format_args!(
                "all fields must imply the same number of dimensions, but one field implies {rank}, and a different field implies {other}"
            )));
        }
        if rank > super::MAX_RANK {
            return Err(E::custom(format_args!(
                "there are {rank} dimensions, but TensorStore supports at most 32"
            )));
        }
        let mut transform = IndexTransform::default();
        // Omitted lower bounds are 0 if there is an `input_shape`. Otherwise, they are -inf and implicit.
        let has_shape = matches!(upper, Some(("input_shape", ..)));
        let implicit_bounds = || vec![JsonBound::new(-INFINITY, true); rank];
        let zeros = || vec![JsonBound::new(0, false); rank];
        let lower = self.input_inclusive_min;
        for bound in lower.unwrap_or_else(|| {
            if has_shape {
                zeros()
            } else {
                implicit_bounds()
            }
        }) {
            let (value, implicit) = bound.read(0)?;
            transform.input_inclusive_min.push(value);
            transform.implicit_lower_bounds.push(implicit);
        }
        let (_, bounds, addend) =
            upper.unwrap_or_else(|| ("", vec![JsonBound::new(INFINITY, true); rank], 0));
        for (dimension, bound) in bounds.into_iter().enumerate() {
            let lower_bound = if has_shape {
                transform.input_inclusive_min[dimension]
            } else {
                0
            };
            let (value, implicit) = bound.read(addend + lower_bound)?;
            transform.input_exclusive_max.push(value);
            transform.implicit_upper_bounds.push(implicit);
        }
        for implicit in [
            &mut transform.implicit_lower_bounds,
            &mut transform.implicit_upper_bounds,
        ] {
            if !implicit.contains(&true) {
                implicit.clear();
            }
        }
        transform.input_labels = self.input_labels.unwrap_or_default();
        let maps = self.output.unwrap_or_else(|| identity(rank));
        for (axis, map) in maps.into_iter().enumerate() {
            transform.output.push(map.read(axis, rank)?);
        }
        Ok(transform)
    }
}

/// Returns the maps implied by a transform without `output`. Each map selects the positions of one dimension on the
/// axis with the same number.
fn identity(rank: usize) -> Vec<Map> {
    let map = |dimension| Map {
        offset: 0,
        stride: None,
        input_dimension: Some(dimension),
        index_array: None,
        index_array_bounds: None,
    };
    (0..rank).map(map).collect()
}

/// The fields of a transform in the order in which binary formats store them.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(remote = "IndexTransform")]
struct Fields {
    input_inclusive_min: Vec<i64>,
    input_exclusive_max: Vec<i64>,
    implicit_lower_bounds: Vec<bool>,
    implicit_upper_bounds: Vec<bool>,
    input_labels: Vec<String>,
    #[serde(serialize_with = "write_maps", deserialize_with = "read_maps")]
    output: Vec<OutputIndexMap>,
}

fn write_maps<S: Serializer>(maps: &[OutputIndexMap], to: S) -> Result<S::Ok, S::Error> {
    let fields = |map: &OutputIndexMap| {
        let array = map.index_array.clone();
        (map.offset, map.stride, map.input_dimension, array)
    };
    to.collect_seq(maps.iter().map(fields))
}

fn read_maps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OutputIndexMap>, D::Error> {
    let maps = Vec::deserialize(from)?.into_iter();
    let maps = maps.map(
        |(offset, stride, input_dimension, index_array)| OutputIndexMap {
            offset,
            stride,
            input_dimension,
            index_array,
        },
    );
    Ok(maps.collect())
}

impl<'de> Deserialize<'de> for IndexTransform {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return Json::deserialize(from)?.read();
        }
        Fields::deserialize(from)
    }
}

impl Serialize for IndexTransform {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return Fields::serialize(self, to);
        }
        let bounds = |values: &[i64], implicit: &[bool]| -> Vec<JsonBound> {
            let implicit = implicit.iter().copied().chain(core::iter::repeat(false));
            let bounds = values.iter().zip(implicit);
            bounds
                .map(|(&value, implicit)| JsonBound::new(value, implicit))
                .collect()
        };
        let lower = bounds(&self.input_inclusive_min, &self.implicit_lower_bounds);
        let upper = bounds(&self.input_exclusive_max, &self.implicit_upper_bounds);
        let labeled = usize::from(!self.input_labels.is_empty());
        let mut json = to.serialize_struct("IndexTransform", 3 + labeled)?;
        json.serialize_field("input_inclusive_min", &lower)?;
        json.serialize_field("input_exclusive_max", &upper)?;
        if !self.input_labels.is_empty() {
            json.serialize_field("input_labels", &self.input_labels)?;
        }
        json.serialize_field("output", &self.output)?;
        json.end()
    }
}

/// Omits default values, as TensorStore does.
impl Serialize for OutputIndexMap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (dimension, array) = (self.dimension(), self.index_array.as_ref());
        let is_constant = dimension.is_none() && array.is_none();
        let (offset, stride) = (self.offset != 0, !is_constant && self.stride != 1);
        let fields = [!is_constant, offset, stride].map(usize::from);
        let mut json = to.serialize_struct("OutputIndexMap", fields.iter().sum())?;
        if let Some(array) = array {
            json.serialize_field("index_array", array)?;
        } else if let Some(dimension) = dimension {
            json.serialize_field("input_dimension", &dimension)?;
        }
        if offset {
            json.serialize_field("offset", &self.offset)?;
        }
        if stride {
            json.serialize_field("stride", &self.stride)?;
        }
        json.end()
    }
}
