//! `DynOuterSpec`: a slice that may contain lists, with items known only at run time.

use alloc::vec::Vec;

use crate::error::SliceError;
use crate::spec::borrowed_item::{BorrowedItem, ItemsOfParts, ListItem};
use crate::spec::dyn_spec::{DynSliceSpec, MAX_ITEMS};
use crate::spec::item::Item;
use crate::spec::list::{ListArray, OwnedList};
use crate::spec::nd_list::NdList;
use crate::spec::slice_spec::SliceSpec;

/// One item of a slice that may contain lists.
///
/// # Example
///
/// ```
/// use slice_core::{DynOuterSpec, Item, OuterItem};
///
/// let items = [OuterItem::from(Item::Index(-1)), OuterItem::from(vec![2, 0]), OuterItem::from(vec![true, false])];
/// assert_eq!(DynOuterSpec::from_items(items)?.to_string(), "-1, [2, 0], [True, False]");
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OuterItem {
    /// A range, an index, `newaxis` or `...`.
    Item(Item),
    /// A list of positions. A negative position counts from the end. The axis is kept.
    Positions(Vec<i64>),
    /// A mask with one element for each position of its axis. The axis is kept, with the positions at which the mask is
    /// true.
    Mask(Vec<bool>),
    /// A list or a mask that does not have exactly one axis, or points.
    Joined(JoinedItem),
}

/// An item that lists positions of several axes, or that replaces its axes with other than one axis.
///
/// # Example
///
/// ```
/// use slice_core::{DynOuterSpec, JoinedItem, NdList};
///
/// let points = JoinedItem::Points(vec![NdList::from(vec![0, 2]), NdList::from(vec![1, 1])]);
/// let spec = DynOuterSpec::from_items([points])?;
/// assert_eq!(spec.to_string(), "zip([0, 2], [1, 1])");
/// assert_eq!(spec.resolve(&[3, 2])?.gather(&[1, 2, 3, 4, 5, 6])?, [2, 6]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum JoinedItem {
    /// A list of positions on one axis. The axes of the list take the place of this axis.
    Positions(NdList<i64>),
    /// A mask with one element for each position of several axes, which become one axis with the positions at which the
    /// mask is true.
    Mask(NdList<bool>),
    /// Lists of positions, one for each of several axes. They are broadcast, and elements of the lists at the same place
    /// together select an element. The axes of the broadcast lists take the place of these axes.
    Points(Vec<NdList<i64>>),
}

impl From<JoinedItem> for OuterItem {
    /// An item that joins no axes is stored in the simpler form.
    fn from(item: JoinedItem) -> Self {
        match item {
            JoinedItem::Positions(list) if list.rank() == 1 => {
                OuterItem::Positions(list.into_elements())
            }
            JoinedItem::Positions(list) if list.rank() == 0 => {
                OuterItem::Item(Item::Index(list.elements()[0]))
            }
            JoinedItem::Mask(mask) if mask.rank() == 1 => OuterItem::Mask(mask.into_elements()),
            JoinedItem::Points(mut lists) if lists.len() == 1 => match lists.pop() {
                Some(list) => JoinedItem::Positions(list).into(),
                None => unreachable!("the points have one list"),
            },
            item => OuterItem::Joined(item),
        }
    }
}

impl From<Item> for OuterItem {
    fn from(item: Item) -> Self {
        OuterItem::Item(item)
    }
}

impl From<Vec<i64>> for OuterItem {
    fn from(positions: Vec<i64>) -> Self {
        OuterItem::Positions(positions)
    }
}

impl From<Vec<bool>> for OuterItem {
    fn from(mask: Vec<bool>) -> Self {
        OuterItem::Mask(mask)
    }
}

/// A slice that may contain lists and masks, with items known only at run time.
///
/// Python equivalent: the tuple inside `x.oindex[...]`, built at run time. A spec can also be parsed from text, as in
/// the example. Every [`DynSliceSpec`] can be converted to a `DynOuterSpec`.
///
/// # Example
///
/// ```
/// use slice_core::{DynOuterSpec, s};
///
/// let spec: DynOuterSpec = "[0, 2], ::-1".parse()?;
/// assert_eq!(spec, s![[0, 2], ::-1].to_dyn());
/// assert_eq!(spec.resolve(&[3, 2])?.gather(&[1, 2, 3, 4, 5, 6])?, [2, 1, 6, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
#[must_use = "a spec does nothing until it is applied to an array"]
pub struct DynOuterSpec {
    // INVARIANT: at most `MAX_ITEMS` items, and at most one `...`.
    items: Vec<OuterItem>,
}

impl DynOuterSpec {
    /// The maximum number of items in a spec, which is the same as for a [`DynSliceSpec`].
    pub const MAX_ITEMS: usize = MAX_ITEMS;

    /// Creates a spec from `items`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are more than 64 items, and [`SliceError::MultipleEllipses`] if
    /// there is a second `...`.
    pub fn from_items<I>(items: impl IntoIterator<Item = I>) -> Result<Self, SliceError>
    where
        I: Into<OuterItem>,
    {
        let mut spec = DynOuterSpec::default();
        for item in items {
            spec.push(item)?;
        }
        Ok(spec)
    }

    /// Appends an item.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are already 64 items, and [`SliceError::MultipleEllipses`] if
    /// `item` is a second `...`.
    pub fn push(&mut self, item: impl Into<OuterItem>) -> Result<(), SliceError> {
        let (item, second) = (item.into(), self.items.len());
        let item = match item {
            OuterItem::Joined(item) => item.into(),
            item => item,
        };
        if second == MAX_ITEMS {
            return Err(SliceError::TooManyItems {
                items: second + 1,
                limit: MAX_ITEMS,
            });
        }
        if matches!(&item, OuterItem::Joined(JoinedItem::Points(lists)) if lists.is_empty()) {
            return Err(SliceError::EmptyPoints { item: second });
        }
        let ellipsis = OuterItem::Item(Item::Ellipsis);
        if item == ellipsis
            && let Some(first) = self.items.iter().position(|item| *item == ellipsis)
        {
            return Err(SliceError::MultipleEllipses { first, second });
        }
        self.items.push(item);
        Ok(())
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if the spec has no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the items, in order.
    #[must_use]
    pub fn items(&self) -> &[OuterItem] {
        &self.items
    }

    /// Returns the spec as a slice without lists, or `None` if the spec contains a list or a mask.
    ///
    /// ```
    /// use slice_core::{DynOuterSpec, s};
    ///
    /// assert_eq!("1:, ..., 0".parse::<DynOuterSpec>()?.to_slice(), Some(s![1:, ..., 0].to_dyn()));
    /// assert_eq!("[1]".parse::<DynOuterSpec>()?.to_slice(), None);
    /// # Ok::<(), slice_core::ParseSliceError>(())
    /// ```
    #[must_use]
    pub fn to_slice(&self) -> Option<DynSliceSpec> {
        let items = self.items.iter().map(|item| match item {
            OuterItem::Item(item) => Some(*item),
            OuterItem::Positions(_) | OuterItem::Mask(_) | OuterItem::Joined(_) => None,
        });
        let items: Option<Vec<Item>> = items.collect();
        DynSliceSpec::from_items(items?).ok()
    }

    /// Borrows the items.
    pub(crate) fn parts(&self) -> ItemsOfParts<impl Iterator<Item = BorrowedItem<'_>> + Clone> {
        ItemsOfParts::new(self.items.iter().map(|item| match item {
            OuterItem::Item(item) => BorrowedItem::Item(*item),
            OuterItem::Positions(positions) => BorrowedItem::Literal(positions),
            OuterItem::Mask(mask) => BorrowedItem::LiteralMask(mask),
            OuterItem::Joined(JoinedItem::Positions(list)) => BorrowedItem::List(list.borrowed()),
            OuterItem::Joined(JoinedItem::Mask(mask)) => BorrowedItem::List(mask.borrowed()),
            OuterItem::Joined(JoinedItem::Points(lists)) => BorrowedItem::OwnedPoints(lists),
        }))
    }

    /// Creates a spec from items that `s![]` has already checked.
    pub(crate) fn of_items<'a>(items: impl Iterator<Item = Result<Item, ListItem<'a>>>) -> Self {
        let items = items.map(|item| match item {
            Ok(item) => OuterItem::Item(item),
            Err(ListItem::List(list)) => owned(list).into(),
            Err(ListItem::Points(lists)) => {
                let lists = lists.iter().map(|list| match owned(list) {
                    JoinedItem::Positions(list) => Some(list),
                    _ => None,
                });
                // `s![]` accepts only positions in `zip`.
                JoinedItem::Points(lists.flatten().collect()).into()
            }
        });
        DynOuterSpec {
            items: items.collect(),
        }
    }
}

/// Returns a copy of a list.
fn owned(list: ListArray<'_>) -> JoinedItem {
    let elements = list.elements().to_owned();
    let shape = list.shape_of(elements.len());
    let checked = "a list should have one element for each position in its shape";
    match elements {
        OwnedList::Positions(list) => {
            JoinedItem::Positions(NdList::new(shape, list).expect(checked))
        }
        OwnedList::Mask(mask) => JoinedItem::Mask(NdList::new(shape, mask).expect(checked)),
    }
}

impl From<DynSliceSpec> for DynOuterSpec {
    fn from(spec: DynSliceSpec) -> Self {
        Self::from(&spec)
    }
}

impl From<&DynSliceSpec> for DynOuterSpec {
    fn from(spec: &DynSliceSpec) -> Self {
        DynOuterSpec {
            items: spec.items().map(OuterItem::Item).collect(),
        }
    }
}

impl<const M: usize, K> From<SliceSpec<M, K>> for DynOuterSpec {
    fn from(spec: SliceSpec<M, K>) -> Self {
        DynOuterSpec {
            items: spec.items().map(OuterItem::Item).collect(),
        }
    }
}
