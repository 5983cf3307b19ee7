//! A list, a mask or points, as borrowed by a spec.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::spec::item::Item;
use crate::spec::list::{ListArray, ListRef, OwnedList};
use crate::spec::nd_list::NdList;

/// A list, a mask or points.
#[derive(Clone)]
pub(crate) enum ListItem<'a> {
    List(ListArray<'a>),
    Points(PointLists<'a>),
}

/// The lists of points: one for each axis.
#[derive(Clone)]
pub(crate) enum PointLists<'a> {
    Borrowed(SmallVec<[ListArray<'a>; 2]>),
    Owned(&'a [NdList<i64>]),
    Columns(&'a [Vec<usize>]),
}

impl<'a> PointLists<'a> {
    /// Returns the lists, in the order of the axes.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = ListArray<'_>> {
        (0..self.len()).map(move |axis| match self {
            PointLists::Borrowed(lists) => lists[axis],
            PointLists::Owned(lists) => lists[axis].borrowed(),
            PointLists::Columns(lists) => ListArray::one_axis(ListRef::Usize(&lists[axis])),
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            PointLists::Borrowed(lists) => lists.len(),
            PointLists::Owned(lists) => lists.len(),
            PointLists::Columns(lists) => lists.len(),
        }
    }
}

impl ListItem<'_> {
    /// Returns the item with copies of its lists.
    pub(crate) fn into_item(self) -> Item {
        match self {
            ListItem::List(list) => match list.elements().to_owned() {
                OwnedList::Positions(positions) => Item::List(of_shape(list, positions)),
                OwnedList::Mask(mask) => Item::Mask(of_shape(list, mask)),
            },
            ListItem::Points(lists) => {
                let lists = lists.iter().map(|list| match list.elements().to_owned() {
                    OwnedList::Positions(positions) => of_shape(list, positions),
                    OwnedList::Mask(_) => unreachable!("`zip` accepts only positions"),
                });
                Item::Points(lists.collect())
            }
        }
    }

    /// Returns the number of input axes to which the item applies.
    pub(crate) fn input_axes(&self) -> usize {
        match self {
            ListItem::List(list) => list.input_axes(),
            ListItem::Points(lists) => lists.len(),
        }
    }
}

/// Returns a list with the given elements, which are those of `list`.
fn of_shape<T>(list: ListArray<'_>, elements: Vec<T>) -> NdList<T> {
    let shape = list.shape_of(elements.len()).into_vec();
    NdList::new(shape, elements)
        .expect("a list should have one element for each position in its shape")
}
