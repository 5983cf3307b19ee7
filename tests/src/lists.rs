//! Reads slices with lists in the notation of the vector files.

use serde::Deserialize;
use serde_json::Number;
use slice_core::{DynOuterSpec, Item, OuterItem, SliceError};

use crate::RawItem;

/// An item in the notation of the vector files. A list is `["l", [...], "int64"]`, and a mask is `["m", [0, 1]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum RawOuterItem {
    /// A list: the tag, the numbers, and the NumPy data type.
    List(String, Vec<Number>, String),
    /// A mask: the tag, and a 0 or a 1 for each position.
    Mask(String, Vec<u8>),
    /// Any other item.
    Item(RawItem),
}

impl From<&RawOuterItem> for OuterItem {
    fn from(raw: &RawOuterItem) -> Self {
        match raw {
            RawOuterItem::List(_, list, _) => {
                // A number outside the range of `i64` is a `u64` above `i64::MAX`. Like `i64::MAX`, it is out of bounds
                // for every axis.
                let nearest = |x: &Number| x.as_i64().unwrap_or(i64::MAX);
                OuterItem::Positions(list.iter().map(nearest).collect())
            }
            RawOuterItem::Mask(_, mask) => OuterItem::Mask(mask.iter().map(|&x| x == 1).collect()),
            RawOuterItem::Item(item) => OuterItem::Item(Item::from(item)),
        }
    }
}

/// Creates a spec from `items`.
///
/// # Errors
/// Returns the same errors as [`DynOuterSpec::from_items`].
pub fn outer_spec(items: &[RawOuterItem]) -> Result<DynOuterSpec, SliceError> {
    DynOuterSpec::from_items(items.iter().map(OuterItem::from))
}
