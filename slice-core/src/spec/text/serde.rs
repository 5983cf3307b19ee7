//! Serializes and deserializes specs, as text, as a map whose fields are named after the accessors of a spec, or as a
//! sequence of items.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, Masks};
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

/// A spec as a map: its numbers and masks, or in place of these a spec in `items`, with `:` in place of each list; and the
/// lists, each with the number of its item.
#[derive(Default, serde::Deserialize, serde::Serialize)]
#[serde(default, deny_unknown_fields)]
struct Map {
    #[serde(skip_serializing)]
    items: Option<DynSliceSpec>,
    begin: Option<Vec<i64>>,
    end: Option<Vec<i64>>,
    strides: Option<Vec<i64>>,
    begin_mask: u64,
    end_mask: u64,
    ellipsis_mask: u64,
    new_axis_mask: u64,
    shrink_axis_mask: u64,
    #[serde(skip_serializing)]
    lists: Vec<(usize, Vec<i64>)>,
    #[serde(skip_serializing)]
    masks: Vec<(usize, Vec<bool>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joined: Vec<(usize, Item)>,
}

/// The item `:`, which takes the place of each list in [`Map`].
const WHOLE_AXIS: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

impl Map {
    fn new(spec: &DynSliceSpec) -> Self {
        let items = spec.items().enumerate();
        Map {
            begin: Some(spec.begin().to_vec()),
            end: Some(spec.end().to_vec()),
            strides: Some(spec.strides().to_vec()),
            begin_mask: spec.masks().begin,
            end_mask: spec.masks().end,
            ellipsis_mask: spec.masks().ellipsis,
            new_axis_mask: spec.masks().new_axis,
            shrink_axis_mask: spec.masks().shrink_axis,
            joined: items.filter(|(_, item)| item.role().is_none()).collect(),
            ..Map::default()
        }
    }

    fn into_spec<E: Error>(self) -> Result<DynSliceSpec, E> {
        let masks = Masks {
            begin: self.begin_mask,
            end: self.end_mask,
            ellipsis: self.ellipsis_mask,
            new_axis: self.new_axis_mask,
            shrink_axis: self.shrink_axis_mask,
        };
        let spec = match (self.items, self.begin, self.end, self.strides) {
            (Some(items), None, None, None) if masks == Masks::default() => items,
            (Some(_), ..) => {
                return Err(E::custom(
                    "`items` takes the place of begin, end, strides and their masks, so only one of the two can be given",
                ));
            }
            (None, Some(begin), Some(end), Some(strides)) => {
                DynSliceSpec::new(&begin, &end, &strides, masks).map_err(E::custom)?
            }
            (None, None, ..) => return Err(E::missing_field("begin")),
            (None, _, None, _) => return Err(E::missing_field("end")),
            (None, _, _, None) => return Err(E::missing_field("strides")),
        };
        let mut items: Vec<Item> = spec.items().collect();
        let lists = self.lists.into_iter();
        let lists = lists.map(|(number, list)| (number, Item::List(list.into())));
        let masks = self.masks.into_iter();
        let masks = masks.map(|(number, mask)| (number, Item::Mask(mask.into())));
        for (number, list) in lists.chain(masks).chain(self.joined) {
            match items.get_mut(number) {
                Some(item) if *item == WHOLE_AXIS && list.role().is_none() => *item = list,
                Some(_) => {
                    return Err(E::custom(format!(
                        "a list or a mask is given for item {number} (counted from 0), so `items` must contain `:` as \
                         this item, and no second list or mask may be given for it"
                    )));
                }
                None => {
                    return Err(E::custom(format!(
                        "a list or a mask is given for item {number} (counted from 0), but the slice has {} items",
                        items.len()
                    )));
                }
            }
        }
        DynSliceSpec::from_items(items).map_err(E::custom)
    }
}

/// In human-readable formats, serializes the spec as text, and in other formats as a sequence of items. The text of a
/// spec with a step of zero could not be parsed back, so in human-readable formats such a spec is serialized as a map
/// with the fields `begin`, `end`, `strides`, `begin_mask`, `end_mask`, `ellipsis_mask`, `new_axis_mask` and
/// `shrink_axis_mask`. The map also has a field `joined` if the spec has lists; it contains pairs of the number of an item
/// (counted from 0), and this item.
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
        match to.is_human_readable() {
            false => to.collect_seq(self.items()),
            true if self.strides().contains(&0) => Map::new(self).serialize(to),
            true => to.collect_str(self),
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

/// Deserializes a spec from text or a map in human-readable formats, and from a sequence of items in other formats. In the
/// map, a mask may be omitted if it is 0. In place of begin, end, strides and masks, it may have a field `items` with a
/// spec that has `:` in place of each list. The fields `lists`, `masks` and `joined` contain pairs: the number of an item
/// (counted from 0), and the list, the mask or the item.
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
/// let lists = r#"{ "items": ":, ::-1", "lists": [[0, [0, 2]]] }"#;
/// assert_eq!(serde_json::from_str::<DynSliceSpec>(lists)?, s![[0, 2], ::-1].to_dyn());
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for DynSliceSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_any(TextOrMap)
        } else {
            let items: Vec<Item> = Vec::deserialize(from)?;
            DynSliceSpec::from_items(items).map_err(Error::custom)
        }
    }
}

struct TextOrMap;

impl<'de> Visitor<'de> for TextOrMap {
    type Value = DynSliceSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slice as Python text, or a map with begin, end, strides and masks")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<DynSliceSpec, E> {
        text.parse()
            .map_err(|error| E::custom(format!("{error:#}")))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DynSliceSpec, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(map))?.into_spec()
    }
}
