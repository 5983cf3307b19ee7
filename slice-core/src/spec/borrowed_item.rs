//! A borrowed item of a slice with lists.

use crate::spec::item::Item;
use crate::spec::list::ListRef;
use crate::spec::slice_spec::SliceSpec;

/// One item of a [`ListSpec`](crate::ListSpec). Public only because the expansion of `s![]` creates it.
#[derive(Clone, Copy)]
pub enum BorrowedItem<'a> {
    /// An item other than a list.
    Item(Item),
    /// A list literal.
    Literal(&'a [i64]),
    /// A mask literal.
    LiteralMask(&'a [bool]),
    /// A reference to a list or a mask, such as `&rows`, of any supported element type.
    List(ListRef<'a>),
}

impl BorrowedItem<'_> {
    /// Wraps the only item of `spec`.
    #[must_use]
    pub const fn of<K>(spec: SliceSpec<1, K>) -> Self {
        BorrowedItem::Item(spec.encoded().item(0))
    }

    /// Returns the item, or `None` if it is a list.
    pub(crate) const fn item(&self) -> Option<Item> {
        match *self {
            BorrowedItem::Item(item) => Some(item),
            _ => None,
        }
    }
}

impl<'a> BorrowedItem<'a> {
    /// Returns `Ok` with the item, or `Err` with the list.
    pub(crate) fn item_or_list(self) -> Result<Item, ListRef<'a>> {
        match self {
            BorrowedItem::Item(item) => Ok(item),
            BorrowedItem::Literal(positions) => Err(ListRef::I64(positions)),
            BorrowedItem::LiteralMask(mask) => Err(ListRef::Mask(mask)),
            BorrowedItem::List(list) => Err(list),
        }
    }
}
