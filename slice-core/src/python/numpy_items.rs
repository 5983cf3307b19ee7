//! The items in brackets, some of which the macro knows only as expressions: each may be a number, a list or a mask.

use alloc::vec::Vec;
use core::marker::PhantomData;

use ndarray::Dimension;

use super::wrapped_index::{NegativeIndex, NonNumberIndex, NumberIndex};
use crate::bound::{IndexBound, number};
use crate::error::SliceError;
use crate::ndarray::indexed::FitsIn;
use crate::ndarray::rank::{Action, Repeat, SelectFor, TypedRank};
use crate::ndarray::sealed;
use crate::resolve::brackets::Brackets;
use crate::spec::borrowed_item::{BorrowedItem, Part};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, saturate};
use crate::spec::kind::Index;
use crate::spec::list::List;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::{Kinds, SliceSpec};

/// Items without lists.
#[derive(Clone, Copy, Debug)]
pub enum NoLists {}

/// Items with lists.
#[derive(Clone, Copy, Debug)]
pub enum WithLists {}

/// Items in nested pairs.
pub trait NumpyItems {
    /// The kinds of the items.
    type Kinds;
    /// [`NoLists`] or [`WithLists`].
    type Lists;

    /// Writes the numbers of the items to `encoded`, from the place `at` on. Never called for items with lists.
    #[inline(always)]
    fn encode<const M: usize>(&self, _at: usize, _encoded: &mut EncodedItems<M>) {}

    /// Appends the items to `items`.
    fn append(&self, _items: &mut Vec<Item>) {}
}

/// The numbers of items without lists, as the arguments of `SliceSpec::__encoded`.
#[derive(Clone, Copy, Debug)]
pub struct EncodedItems<const M: usize> {
    begin: [i64; M],
    end: [i64; M],
    strides: [i64; M],
    begin_mask: u64,
    end_mask: u64,
}

impl NumpyItems for () {
    type Kinds = ();
    type Lists = NoLists;
}

macro_rules! numbers {
    ($($Number:ident, $number:ident => $value:expr;)*) => { $(
        impl<I: IndexBound, R: NumpyItems> NumpyItems for ($Number<I>, R) {
            type Kinds = (Index, R::Kinds);
            type Lists = R::Lists;

            #[inline(always)]
            fn encode<const M: usize>(&self, at: usize, encoded: &mut EncodedItems<M>) {
                let $number = self.0;
                encoded.begin[at] = $value;
                encoded.end[at] = encoded.begin[at].saturating_add(1);
                self.1.encode(at + 1, encoded);
            }

            fn append(&self, items: &mut Vec<Item>) {
                let $number = self.0;
                items.push(Item::Index($value));
                self.1.append(items);
            }
        }
    )* };
}

numbers! {
    NumberIndex, index => saturate(number(index.0));
    NegativeIndex, index => index.number();
}

impl<Kind, R: NumpyItems> NumpyItems for (SliceSpec<1, (Kind, ())>, R) {
    type Kinds = (Kind, R::Kinds);
    type Lists = R::Lists;

    #[inline(always)]
    fn encode<const M: usize>(&self, at: usize, encoded: &mut EncodedItems<M>) {
        encoded.begin[at] = self.0.begin()[0];
        encoded.end[at] = self.0.end()[0];
        encoded.strides[at] = self.0.strides()[0];
        encoded.begin_mask |= self.0.begin_mask() << at;
        encoded.end_mask |= self.0.end_mask() << at;
        self.1.encode(at + 1, encoded);
    }

    fn append(&self, items: &mut Vec<Item>) {
        items.extend(self.0.erase().items());
        self.1.append(items);
    }
}

impl<'l, const N: usize, Kind, R: NumpyItems> NumpyItems for (ListSpec<'l, N, (Kind, ())>, R) {
    type Kinds = (Kind, R::Kinds);
    type Lists = WithLists;

    fn append(&self, items: &mut Vec<Item>) {
        items.extend(self.0.to_dyn().items());
        self.1.append(items);
    }
}

impl<L: List, R: NumpyItems> NumpyItems for (NonNumberIndex<L>, R) {
    type Kinds = (L::Kind, R::Kinds);
    type Lists = WithLists;

    fn append(&self, items: &mut Vec<Item>) {
        let part: Part<'_, ()> = Part::new(BorrowedItem::List(self.0.0.borrowed()));
        let spec = ListSpec { __parts: [part] };
        items.extend(spec.to_dyn().items());
        self.1.append(items);
    }
}

/// The slice that consists of the items `T`.
pub trait SpecOf<const M: usize, T> {
    /// The type of the slice.
    type Spec;

    /// Returns the slice.
    fn spec(items: T) -> Self::Spec;
}

impl<const M: usize, T: NumpyItems<Kinds: Kinds>> SpecOf<M, T> for NoLists {
    type Spec = SliceSpec<M, T::Kinds>;

    #[inline(always)]
    fn spec(items: T) -> SliceSpec<M, T::Kinds> {
        let mut encoded = EncodedItems {
            begin: [0; M],
            end: [0; M],
            strides: [1; M],
            begin_mask: 0,
            end_mask: 0,
        };
        items.encode(0, &mut encoded);
        SliceSpec::__encoded(
            encoded.begin,
            encoded.end,
            encoded.strides,
            encoded.begin_mask,
            encoded.end_mask,
        )
    }
}

impl<const M: usize, T: NumpyItems> SpecOf<M, T> for WithLists {
    type Spec = JointSpec<T::Kinds>;

    fn spec(items: T) -> JointSpec<T::Kinds> {
        let mut parts = Vec::with_capacity(M);
        items.append(&mut parts);
        let spec = DynSliceSpec::of_valid_items(parts.into_iter());
        JointSpec(Brackets::new(spec), PhantomData)
    }
}

/// A slice with at least one list. `K` lists the kinds of its items.
#[derive(Debug)]
pub struct JointSpec<K>(Brackets, PhantomData<fn() -> K>);

impl<K> sealed::Slice for JointSpec<K> {}

#[doc(hidden)]
impl<D, K> SelectFor<D> for JointSpec<K>
where
    D: Dimension,
    K: TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = <K::Greatest as Repeat>::Larger<K::NewAxes<K::Dropped<D>>>;
    type Fits = <K::Axes as FitsIn<D>>::Fits;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let selection = self.0.resolve(action.shape())?;
        action.listed(&selection)
    }
}
