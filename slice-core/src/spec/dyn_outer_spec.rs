//! `DynOuterSpec`: a slice that may contain lists, with items known only at run time.

use alloc::vec::Vec;

use crate::error::SliceError;
use crate::spec::borrowed_item::BorrowedItem;
use crate::spec::dyn_spec::{DynSliceSpec, MAX_ITEMS};
use crate::spec::item::Item;
use crate::spec::list::OwnedList;
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
        if second == MAX_ITEMS {
            return Err(SliceError::TooManyItems {
                items: second + 1,
                limit: MAX_ITEMS,
            });
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
            OuterItem::Positions(_) | OuterItem::Mask(_) => None,
        });
        let items: Option<Vec<Item>> = items.collect();
        DynSliceSpec::from_items(items?).ok()
    }

    /// Borrows the items.
    pub(crate) fn parts(&self) -> impl ExactSizeIterator<Item = BorrowedItem<'_>> + Clone {
        self.items.iter().map(|item| match item {
            OuterItem::Item(item) => BorrowedItem::Item(*item),
            OuterItem::Positions(positions) => BorrowedItem::Literal(positions),
            OuterItem::Mask(mask) => BorrowedItem::LiteralMask(mask),
        })
    }

    /// Creates a spec from items that `s![]` has already checked.
    pub(crate) fn of_parts(parts: &[BorrowedItem<'_>]) -> Self {
        let items = parts.iter().map(|part| match part.item_or_list() {
            Ok(item) => OuterItem::Item(item),
            Err(list) => match list.to_owned() {
                OwnedList::Positions(positions) => OuterItem::Positions(positions),
                OwnedList::Mask(mask) => OuterItem::Mask(mask),
            },
        });
        DynOuterSpec {
            items: items.collect(),
        }
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
