//! Serializes and deserializes slices with lists, as text or as a struct.

use alloc::format;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::spec::dyn_outer_spec::{DynOuterSpec, JoinedItem, OuterItem};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;
use crate::spec::list_spec::ListSpec;
use crate::spec::text::text_or_fields::{self, TextOrFields};

/// The serialized form of a [`DynOuterSpec`]: its items, with `:` in place of each list or mask, and its lists,
/// masks and joined items, each with the number of its item.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename = "ListSpec")]
#[serde(deny_unknown_fields)]
pub(crate) struct OuterSpecFields {
    items: DynSliceSpec,
    #[serde(default)]
    lists: Vec<(usize, Vec<i64>)>,
    #[serde(default)]
    masks: Vec<(usize, Vec<bool>)>,
    #[serde(default)]
    joined: Vec<(usize, JoinedItem)>,
}

/// The item `:`, which takes the place of each list or mask in [`OuterSpecFields::items`].
const WHOLE_AXIS: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

impl TextOrFields for DynOuterSpec {
    type Fields = OuterSpecFields;

    const EXPECTED: &'static str = "a slice as Python text, or a map with items, lists and masks";

    fn has_parsable_text(&self) -> bool {
        let has_zero_step =
            |item: &OuterItem| matches!(item, OuterItem::Item(Item::Range { step: 0, .. }));
        !self.items().iter().any(has_zero_step)
    }

    fn from_fields<E: Error>(fields: OuterSpecFields) -> Result<Self, E> {
        let mut items: Vec<OuterItem> = fields.items.items().map(OuterItem::Item).collect();
        let lists = fields.lists.into_iter();
        let lists = lists.map(|(item, list)| (item, OuterItem::Positions(list)));
        let masks = fields.masks.into_iter();
        let masks = masks.map(|(item, mask)| (item, OuterItem::Mask(mask)));
        let joined = fields.joined.into_iter();
        let joined = joined.map(|(number, item)| (number, OuterItem::Joined(item)));
        for (number, list) in lists.chain(masks).chain(joined) {
            match items.get_mut(number) {
                Some(item) if *item == OuterItem::Item(WHOLE_AXIS) => *item = list,
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
        DynOuterSpec::from_items(items).map_err(E::custom)
    }
}

impl From<&DynOuterSpec> for OuterSpecFields {
    fn from(spec: &DynOuterSpec) -> Self {
        let mut fields = OuterSpecFields {
            items: DynSliceSpec::default(),
            lists: Vec::new(),
            masks: Vec::new(),
            joined: Vec::new(),
        };
        for (number, item) in spec.items().iter().enumerate() {
            let item = match item {
                OuterItem::Item(item) => *item,
                OuterItem::Positions(list) => {
                    fields.lists.push((number, list.clone()));
                    WHOLE_AXIS
                }
                OuterItem::Mask(mask) => {
                    fields.masks.push((number, mask.clone()));
                    WHOLE_AXIS
                }
                OuterItem::Joined(item) => {
                    fields.joined.push((number, item.clone()));
                    WHOLE_AXIS
                }
            };
            // The call cannot fail, because the spec has at most 64 items and at most one ellipsis.
            let pushed = fields.items.push(item);
            debug_assert!(pushed.is_ok());
        }
        fields
    }
}

/// Serializes the spec as text in human-readable formats, and as a struct in other formats. A spec with a step of zero
/// is always serialized as a struct, because its text could not be parsed back. The field `items` is a slice with `:`
/// in place of each list or mask. The fields `lists` and `masks` contain pairs: the number of an item (counted from 0),
/// and the list or mask of this item. The field `joined` contains such pairs for points, and for lists and masks with
/// several axes.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// assert_eq!(serde_json::to_string(&s![[0, 2], ::-1].to_dyn())?, r#""[0, 2], ::-1""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for DynOuterSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        text_or_fields::serialize(self, to)
    }
}

/// Serializes the spec in the same form as a [`DynOuterSpec`].
impl<const M: usize, K> Serialize for ListSpec<'_, M, K> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_dyn().serialize(to)
    }
}

/// Deserializes a spec from text (in human-readable formats) or from a struct. In the struct, `lists`, `masks` and
/// `joined` may be omitted if they are empty.
///
/// # Example
///
/// ```
/// use slice_core::{DynOuterSpec, s};
///
/// let spec = s![[0, 2], ::-1].to_dyn();
/// assert_eq!(serde_json::from_str::<DynOuterSpec>(r#""[0, 2], ::-1""#)?, spec);
/// let fields = r#"{ "items": ":, ::-1", "lists": [[0, [0, 2]]] }"#;
/// assert_eq!(serde_json::from_str::<DynOuterSpec>(fields)?, spec);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for DynOuterSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        text_or_fields::deserialize(from)
    }
}
