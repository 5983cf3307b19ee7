//! The parts of which `s![]` composes a slice with lists.

use core::marker::PhantomData;

use smallvec::SmallVec;

use crate::spec::item::ItemRef;
use crate::spec::kind::Points;
use crate::spec::list::{IsRank, List, ListArray, ListRef};
use crate::spec::slice_spec::SliceSpec;

/// One item of a [`ListSpec`](crate::ListSpec). Public only because the expansion of `s![]` creates it.
#[derive(Clone, Copy)]
pub enum BorrowedItem<'a> {
    /// An item other than a list, as the only item of a slice.
    Item(SliceSpec<1>),
    /// A list or a mask: a literal, or a reference such as `&rows`, of any supported element type.
    List(ListArray<'a>),
    /// One of the lists of points, with the other lists in the parts after it.
    Point(ListArray<'a>),
    /// The last of the lists of points.
    LastPoint(ListArray<'a>),
}

/// A part of a slice whose items have the kinds `K`: an item, or one of the lists of points. Public only because `s![]`
/// expands to a struct literal.
pub struct Part<'a, K> {
    // In `let spec = s![[0, 2]]`, temporaries borrowed in a struct literal live as long as the variable, but temporaries
    // borrowed in the arguments of a function do not. The fields are checked when the slice is resolved.
    #[doc(hidden)]
    pub __item: BorrowedItem<'a>,
    #[doc(hidden)]
    pub __kinds: PhantomData<fn() -> K>,
}

impl<'a, K> Part<'a, K> {
    /// A part that is overwritten.
    pub(crate) const PLACEHOLDER: Self =
        Part::new(BorrowedItem::List(ListArray::one_axis(ListRef::I64(&[]))));

    pub(crate) const fn new(item: BorrowedItem<'a>) -> Self {
        Part {
            __item: item,
            __kinds: PhantomData,
        }
    }
}

// A derive would require the list of kinds, `K`, to implement the traits too.
impl<K> Clone for Part<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Part<'_, K> {}

/// All types that implement [`List`]. The expansion of `s![]` calls a function of this trait, because the compiler reports a
/// trait without quoting its declaration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a list of integers nor a mask of `bool`s",
    note = "a list is a Rust slice, an array, a `Vec` or an ndarray array of integers or `bool`s: collect an iterator or a set \
            first, as in `iter.collect::<Vec<_>>()`, and write a single index without `&`"
)]
pub trait AList {
    /// The kind of the item.
    type Kind;

    /// Borrows the list as an item of a slice.
    fn part_in_s(&self) -> Part<'_, Self::Kind>;
}

impl<L: List + ?Sized> AList for L {
    type Kind = L::Kind;

    fn part_in_s(&self) -> Part<'_, L::Kind> {
        Part::new(BorrowedItem::List(self.borrowed()))
    }
}

/// The parts of a slice, grouped into items.
#[derive(Clone)]
pub(crate) struct ItemsOfParts<I> {
    parts: I,
}

impl<I> ItemsOfParts<I> {
    pub(crate) fn new(parts: I) -> Self {
        ItemsOfParts { parts }
    }
}

impl<'a, I: Iterator<Item = BorrowedItem<'a>>> Iterator for ItemsOfParts<I> {
    type Item = ItemRef<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut lists = SmallVec::new();
        loop {
            match self.parts.next()? {
                BorrowedItem::Item(spec) => return Some(ItemRef::Item(spec.encoded().item(0))),
                BorrowedItem::List(list) => {
                    return Some(match list.elements() {
                        ListRef::Columns(columns) => {
                            let on_axes = columns.iter().map(|on_axis| ListRef::Usize(on_axis));
                            ItemRef::Points(on_axes.map(ListArray::one_axis).collect())
                        }
                        _ => ItemRef::List(list),
                    });
                }
                BorrowedItem::Point(list) => lists.push(list),
                BorrowedItem::LastPoint(list) => {
                    lists.push(list);
                    return Some(ItemRef::Points(lists));
                }
            }
        }
    }
}

impl<'a> BorrowedItem<'a> {
    /// Returns the list if the part is one list that is contiguous in memory.
    #[cfg(feature = "ndarray")]
    pub(crate) fn list(self) -> Option<ListArray<'a>> {
        let (BorrowedItem::List(list) | BorrowedItem::Point(list) | BorrowedItem::LastPoint(list)) =
            self
        else {
            return None;
        };
        (!matches!(list.elements(), ListRef::Scattered(_) | ListRef::Columns(_))).then_some(list)
    }

    /// Wraps the only item of `spec`.
    #[must_use]
    pub const fn of<K>(spec: SliceSpec<1, K>) -> Self {
        BorrowedItem::Item(spec.erase())
    }
}

/// Borrows one of the lists of points. Its kind is its rank.
#[must_use]
pub fn point<L: List<Rank: IsRank> + ?Sized>(list: &L) -> Part<'_, L::Rank> {
    Part::new(BorrowedItem::Point(list.borrowed()))
}

/// Version of [`point`] for the last of the lists.
#[must_use]
pub fn last_point<L: List<Rank: IsRank> + ?Sized>(list: &L) -> Part<'_, L::Rank> {
    Part::new(BorrowedItem::LastPoint(list.borrowed()))
}

/// Converts a part of kind `Kind` to the first part of a slice, whose other parts have the kinds `Rest`.
#[must_use]
pub const fn first<Kind, Rest>(part: Part<'_, Kind>) -> Part<'_, (Kind, Rest)> {
    Part::new(part.__item)
}

/// Converts a part of a slice to a part of the slice with one more item before it.
#[must_use]
pub const fn after<Before, Kinds>(part: Part<'_, Kinds>) -> Part<'_, (Before, Kinds)> {
    Part::new(part.__item)
}

/// Converts one of the lists with the ranks `Ranks` to a part of the points.
#[must_use]
pub const fn in_points<Ranks>(part: Part<'_, Ranks>) -> Part<'_, Points<Ranks>> {
    Part::new(part.__item)
}
