//! Reads slices with lists in the notation of the vector files.

use serde::Deserialize;
use serde_json::Number;
use slice_core::{DynSliceSpec, Item, NdList, SliceError};

use crate::RawItem;

/// An item in the notation of the vector files. A list is `["l", [...], "int64"]`, and a mask is `["m", [0, 1]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum RawListItem {
    /// A list: the tag, the numbers, and the NumPy data type.
    List(String, Vec<Number>, String),
    /// A mask: the tag, and a 0 or a 1 for each position.
    Mask(String, Vec<u8>),
    /// A list with any number of axes: the tag, the shape, the numbers, and the NumPy data type.
    Table(String, Vec<usize>, Vec<Number>, String),
    /// A mask with any number of axes: the tag, the shape, and a 0 or a 1 for each position.
    MaskOfAxes(String, Vec<usize>, Vec<u8>),
    /// Points: the tag, and the shape, the numbers and the NumPy data type of each list.
    Points(String, Vec<(Vec<usize>, Vec<Number>, String)>),
    /// Any other item.
    Item(RawItem),
}

/// Returns the `i64` nearest to a number. A number outside the range of `i64` is a `u64` above `i64::MAX`. Like `i64::MAX`,
/// it is out of bounds for every axis.
fn nearest(x: &Number) -> i64 {
    x.as_i64().unwrap_or(i64::MAX)
}

fn table(shape: &[usize], numbers: &[Number]) -> NdList<i64> {
    let numbers: Vec<i64> = numbers.iter().map(nearest).collect();
    NdList::new(shape, numbers).expect("the numbers should fit the shape")
}

impl From<&RawListItem> for Item {
    fn from(raw: &RawListItem) -> Self {
        match raw {
            RawListItem::List(_, list, _) => Item::List(table(&[list.len()], list)),
            RawListItem::Mask(_, mask) => {
                let mask: Vec<bool> = mask.iter().map(|&x| x == 1).collect();
                Item::Mask(mask.into())
            }
            RawListItem::Table(_, shape, numbers, _) => Item::List(table(shape, numbers)),
            RawListItem::MaskOfAxes(_, shape, mask) => {
                let mask: Vec<bool> = mask.iter().map(|&x| x == 1).collect();
                let mask = NdList::new(&shape[..], mask).expect("the mask should fit its shape");
                Item::Mask(mask)
            }
            RawListItem::Points(_, lists) => {
                let lists = lists
                    .iter()
                    .map(|(shape, numbers, _)| table(shape, numbers));
                Item::Points(lists.collect())
            }
            RawListItem::Item(item) => Item::from(item),
        }
    }
}

/// Creates a spec from `items`.
///
/// # Errors
/// Returns the same errors as [`DynSliceSpec::from_items`].
pub fn list_spec(items: &[RawListItem]) -> Result<DynSliceSpec, SliceError> {
    DynSliceSpec::from_items(items.iter().map(Item::from))
}
