//! The dispatch on what is indexed and what the index is, for `x[i]` inside `py!`. After an array, the brackets mean what
//! they mean in NumPy: a number selects an element or a row, a list selects several rows, a mask selects elements, and a
//! slice selects a view. After any other value, the brackets mean what they mean in Rust.
//!
//! The expansion passes Rust's own index expression to `item_in_py`, as a closure. For an
//! array, the closure is never called, but it must compile. Its parameter is therefore the position of a single element,
//! with which every array can be indexed.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use ndarray::{Array, ArrayView, Dim, Dimension, IndexLonger, Ix0, aview0};

use super::assign::{ElementAt, PartAt};
use super::compare::{ComparedIndex, Comparison};
use super::numpy_items::{JointSpec, NoLists, NumpyItems, SpecOf};
use super::operand::place;
use super::parts::{FirstAxis, OneIndex, of_indices, one_index};
use super::sliceable::{ArrayLike, NumPy, Sliceable};
use super::value::Moved;
use super::wrapped_index::{NumberIndex, WrappedIndex};
use crate::bound::{IndexBound, number};
use crate::choice::{FirstChoice, Is, LastChoice, SecondChoice};
use crate::error::SliceError;
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::indexed::FitsIn;
use crate::ndarray::listed::gather_selected;
use crate::ndarray::rank::{Action, SelectFor, SliceFor, TypedRank};
use crate::ndarray::sealed;
use crate::spec::borrowed_item::{BorrowedItem, Part};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::saturate;
use crate::spec::kind::Index;
use crate::spec::list::List;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

/// An index in the brackets after an array of dimension `D` with elements of type `A`. `W` is `()` for a list, which is therefore
/// no candidate for several items, so that the compiler reports items that do not fit the array by their number.
#[diagnostic::on_unimplemented(
    message = "these brackets do not fit an array of dimension `{D}`",
    label = "cannot index this array",
    note = "write an integer, a slice (`x[1:]`, not `x[1..]`), a list or a mask of integers or `bool`s with at most as many axes as \
            the array, or a slice created by `slice_core::s![]`; for a generic `D: RemoveAxis`, write `x.index_axis(Axis(0), i)`"
)]
pub trait IndexFor<'x, D: Dimension, A: 'x, W> {
    /// The selected part: a view, or a new array.
    type Part;
    /// The selected part as the target of an assignment, before the array is borrowed mutably.
    type At;

    /// Returns the selected part.
    fn part(self, array: ArrayView<'x, A, D>) -> Self::Part;

    /// Returns the selected part of an array with the shape `shape` as the target of an assignment.
    fn at_in_py(self, shape: &[usize]) -> Self::At;
}

// In the methods below, the bound that determines `I` is the last one. The compiler therefore first reports an error in
// the type of the result, without the declaration of the method.

/// Implements `item_in_py` for each `$Type`. `$view` is a view of the array, whose elements have the type `$Elem` and live as
/// long as `$part`. Rust's own brackets would index a reference to `$array`. The bound `$Wrapped` is an argument, because the
/// compiler would quote all arguments beside a bound that is not.
macro_rules! items {
    ($Wrapped:path; $([$($generics:tt)*] $Type:ty, $self:ident: $receiver:ty, $array:ty, $part:lifetime $Elem:ty, $Dim:ty => $view:expr;)*) => { $(
        impl<$($generics)*> $Type {
            /// Returns a part of an array.
            #[inline]
            #[track_caller]
            pub fn item_in_py<I: IndexFor<$part, $Dim, $Elem, W::Lists>, W: $Wrapped>(
                $self: $receiver,
                index: W,
                _: impl for<'q> FnOnce(&'q $array, $Dim) -> &'q $Elem,
            ) -> I::Part {
                index.item().part($view)
            }
        }
    )* };
}

items! {
    WrappedIndex<Item = I>;
    ['a, A, D: Dimension] FirstChoice<&ArrayView<'a, A, D>>, self: Self, ArrayView<'a, A, D>, 'a A, D => self.place_in_py().clone();
    ['y, T: Sliceable<Meaning = NumPy> + ?Sized] FirstChoice<&&'y T>, self: Self, &'y T, 'y T::Elem, T::Dim => (*self.place_in_py()).all_in_py();
    ['x, A, D: Dimension] FirstChoice<Array<A, D>>, self: &'x Self, ArrayView<'x, A, D>, 'x A, D => self.compared_in_py();
    ['x, A, D: Dimension] SecondChoice<ArrayView<'x, A, D>>, self: &Self, ArrayView<'x, A, D>, 'x A, D => self.value_in_py();
    ['x, T: Sliceable<Meaning = NumPy> + ?Sized] SecondChoice<&'x T>, self: &Self, T, 'x T::Elem, T::Dim => self.place_in_py().all_in_py();
}

impl<'x, T: Sliceable<Meaning = NumPy> + ?Sized> FirstChoice<&'x T> {
    /// Returns a copy of the array.
    pub fn owned_in_py(self) -> Array<T::Elem, T::Dim>
    where
        T::Elem: Clone,
    {
        self.place_in_py().all_in_py().to_owned()
    }

    /// Returns a part of an array as the target of an assignment.
    #[inline]
    #[track_caller]
    pub fn target_in_py<I: IndexFor<'x, T::Dim, T::Elem, W::Lists>, W: WrappedIndex<Item = I>>(
        self,
        index: W,
    ) -> I::At {
        index
            .item()
            .at_in_py(self.place_in_py().all_in_py().shape())
    }
}

impl<'x, A> FirstChoice<ArrayView<'x, A, Ix0>> {
    /// Returns the result of Rust's own indexing of an element, such as a `Vec`.
    #[inline]
    pub fn item_in_py<I: WrappedIndex, R: ?Sized>(
        &self,
        index: I,
        rust: impl FnOnce(&'x A, I::Index) -> &'x R,
    ) -> FirstChoice<&'x R> {
        place(rust(self.place_in_py(), index.index()))
    }
}

impl<'x, T: ?Sized> LastChoice<&'x T> {
    /// Returns the result of Rust's own indexing.
    #[inline]
    pub fn item_in_py<I: WrappedIndex, R: ?Sized>(
        &self,
        index: I,
        rust: impl FnOnce(&'x T, I::Index) -> &'x R,
    ) -> FirstChoice<&'x R> {
        place(rust(self.place_in_py(), index.index()))
    }
}

/// Indices of a `Vec`, a Rust array or a Rust slice.
#[diagnostic::on_unimplemented(
    message = "a `Vec` or a Rust array cannot be indexed by `{Self}`",
    label = "the index of a `Vec` is a `usize`",
    note = "write `v[i as usize]` for another number, `v[v.len() - n]` for `v[-n]`, `v[0][1]` for an element of an \
            element, `v[&rows, ...]` for a list, and `v[&(v[:] > 0), ...]` for a mask"
)]
pub trait ListIndex: Is<Self::Index> {
    /// The index. There is no such type if the index is refused, so that the compiler reports no further errors.
    type Index;
}

// Without a second trait, the compiler's message would contain the declaration of the method that is called.
#[diagnostic::do_not_recommend]
impl<I: RustIndex> ListIndex for I {
    type Index = I::Index;
}

/// The types of the indices of a `Vec`.
pub trait RustIndex: Is<Self::Index> {
    /// The type itself.
    type Index;
}

macro_rules! rust_indices {
    ($($index:ty;)*) => { $(
        impl RustIndex for $index {
            type Index = Self;
        }
    )* };
}

rust_indices! {
    usize; Range<usize>; RangeFrom<usize>; RangeFull; RangeInclusive<usize>; RangeTo<usize>; RangeToInclusive<usize>;
    (Bound<usize>, Bound<usize>);
}

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)*) => { $(
        impl<'x, $($generics)*> FirstChoice<&'x $list> {
            /// Returns the result of Rust's own indexing.
            #[inline]
            #[track_caller]
            pub fn item_in_py<L: ListIndex, W: WrappedIndex<Index = L>, R: ?Sized>(
                self,
                index: W,
                rust: impl FnOnce(&'x $list, L::Index) -> &'x R,
            ) -> FirstChoice<&'x R> {
                place(rust(self.place_in_py(), index.index().itself()))
            }
        }
    )* };
}

lists! {
    [A] Vec<A>; [A] &Vec<A>; [A] &mut Vec<A>;
    [A] [A]; [A] &[A]; [A] &mut [A];
    [A, const N: usize] [A; N]; [A, const N: usize] &[A; N]; [A, const N: usize] &mut [A; N];
}

impl<T: ?Sized> SecondChoice<&T> {
    /// Wraps an index for Rust's own indexing.
    #[inline]
    pub fn target_in_py<I: WrappedIndex>(&self, index: I) -> ElementAt<I::Index> {
        ElementAt(index.index())
    }
}

#[diagnostic::do_not_recommend]
impl<'x, D: FirstAxis, A: 'x, W, I: IndexBound> IndexFor<'x, D, A, W> for NumberIndex<I>
where
    OneIndex: SliceFor<D>,
{
    type Part = FirstChoice<ArrayView<'x, A, <OneIndex as SelectFor<D>>::OutDim>>;
    type At = D::At;

    #[inline]
    #[track_caller]
    fn part(self, array: ArrayView<'x, A, D>) -> Self::Part {
        FirstChoice::new(array.at_move(one_index(self.0)))
    }

    #[inline]
    #[track_caller]
    fn at_in_py(self, shape: &[usize]) -> D::At {
        D::at(self.0, shape)
    }
}

/// The items in brackets, if the macro does not know what they are. `M` is the number of items, and `T` contains them in
/// nested pairs.
#[derive(Clone, Copy, Debug)]
pub struct Items<const M: usize, T>(T);

/// Wraps the items in brackets.
#[inline]
pub const fn items<const M: usize, T>(items: T) -> Items<M, T> {
    Items(items)
}

impl<const M: usize, T: NumpyItems<Lists: SpecOf<M, T>>> WrappedIndex for Items<M, T> {
    type Index = Self;
    type Lists = T::Lists;
    type Item = <T::Lists as SpecOf<M, T>>::Spec;

    #[inline]
    fn item(self) -> Self::Item {
        T::Lists::spec(self.0)
    }

    #[inline]
    fn index(self) -> Self {
        self
    }
}

/// A tuple of numbers, which are the items in the brackets after an array.
#[derive(Clone, Copy, Debug)]
pub struct TupleIndex<T>(T);

// The methods for numbers come first in the order in which the compiler looks for a method, because a type that has not been
// inferred yet is a number.
macro_rules! tuples {
    ($($len:literal, $kinds:ty: $($I:ident)*;)*) => { $(
        impl<$($I: IndexBound),*> FirstChoice<Moved<($($I,)*)>> {
            /// Wraps the index as a tuple of numbers.
            #[inline]
            pub fn index_in_py(&mut self) -> TupleIndex<($($I,)*)> {
                TupleIndex(self.take())
            }
        }

        impl<$($I: IndexBound),*> FirstChoice<&($($I,)*)> {
            /// Copies an index that is a tuple of numbers.
            #[inline]
            pub fn index_in_py(&self) -> TupleIndex<($($I,)*)> {
                TupleIndex(*self.place_in_py())
            }
        }

        impl<$($I: IndexBound),*> WrappedIndex for TupleIndex<($($I,)*)> {
            type Index = ($($I,)*);
            type Item = SliceSpec<$len, $kinds>;
            type Lists = NoLists;

            #[inline]
            #[allow(non_snake_case, reason = "the names of the types are also the names of the numbers")]
            fn item(self) -> Self::Item {
                let ($($I,)*) = self.0;
                of_indices([$(saturate(number($I))),*])
            }

            #[inline]
            fn index(self) -> Self::Index {
                self.0
            }
        }
    )* };
}

tuples! {
    0, ():;
    1, (Index, ()): I;
    2, (Index, (Index, ())): I J;
    3, (Index, (Index, (Index, ()))): I J K;
    4, (Index, (Index, (Index, (Index, ())))): I J K L;
    5, (Index, (Index, (Index, (Index, (Index, ()))))): I J K L M;
    6, (Index, (Index, (Index, (Index, (Index, (Index, ())))))): I J K L M N;
}

/// The dimension of selected elements. If the compiler has reported an error for a slice, it does not know this dimension, nor
/// the types below, and reports no further errors.
pub trait Selected<'x, A>: Dimension {
    /// The elements selected by a slice without lists.
    type View;
    /// The elements selected by a slice with lists, in a new array.
    type NewArray;
}

impl<'x, A: 'x, D: Dimension> Selected<'x, A> for D {
    type View = FirstChoice<ArrayView<'x, A, D>>;
    type NewArray = FirstChoice<Array<A, D>>;
}

macro_rules! slices {
    ($Part:ident $part:ident $Selects:ident $Elem:ident; $([$($generics:tt)*] $slice:ty;)*) => { $(
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<'x, $($generics)* D: Dimension, A: $Elem + 'x, W> IndexFor<'x, D, A, W> for $slice
        where
            $slice: $Selects<D>,
        {
            type Part = <<$slice as SelectFor<D>>::OutDim as Selected<'x, A>>::$Part;
            type At = PartAt<Self, <$slice as SelectFor<D>>::Fits>;

            #[inline]
            #[track_caller]
            fn part(self, array: ArrayView<'x, A, D>) -> Self::Part {
                FirstChoice::new(array.$part(self))
            }

            #[inline]
            fn at_in_py(self, _: &[usize]) -> Self::At {
                PartAt(self, PhantomData)
            }
        }
    )* };
}

slices! {
    View at_move SliceFor Sized;
    [const M: usize, K,] SliceSpec<M, K>;
    ['i, const M: usize, K,] &'i SliceSpec<M, K>;
    [] DynSliceSpec;
    ['i,] &'i DynSliceSpec;
}

slices! {
    NewArray gather SelectFor Clone;
    ['i, const M: usize, K,] ListSpec<'i, M, K>;
    ['i, 'l, const M: usize, K,] &'i ListSpec<'l, M, K>;
    [K,] JointSpec<K>;
}

/// A list or a mask as the only item of a slice.
#[derive(Clone, Copy, Debug)]
pub struct Listed<L>(L);

impl<L> sealed::Slice for Listed<L> {}

/// The dimension `D`, with the axes of a list of the kind `K` in place of the axes that the list selects from.
type Replaced<D, K> = <(K, ()) as TypedRank>::Inserted<<(K, ()) as TypedRank>::Dropped<D>>;

#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<D, L> SelectFor<D> for Listed<L>
where
    D: Dimension,
    L: List,
    (L::Kind, ()): TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = Replaced<D, L::Kind>;
    type Fits = <<(L::Kind, ()) as TypedRank>::Axes as FitsIn<D>>::Fits;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        let part: Part<'_, (L::Kind, ())> = Part::new(BorrowedItem::List(self.0.borrowed()));
        ListSpec { __parts: [part] }.perform(action)
    }
}

impl<'x, D: Dimension, A: Clone + 'x, L: List> IndexFor<'x, D, A, ()> for L
where
    (L::Kind, ()): TypedRank<Axes: FitsIn<D>>,
{
    type Part = <Replaced<D, L::Kind> as Selected<'x, A>>::NewArray;
    type At = PartAt<Listed<L>, <Listed<L> as SelectFor<D>>::Fits>;

    #[track_caller]
    fn part(self, array: ArrayView<'x, A, D>) -> Self::Part {
        FirstChoice::new(array.gather(Listed(self)))
    }

    #[inline]
    fn at_in_py(self, _: &[usize]) -> Self::At {
        PartAt(Listed(self), PhantomData)
    }
}

#[diagnostic::do_not_recommend]
impl<'x, D, A, W, C> IndexFor<'x, D, A, W> for ComparedIndex<C>
where
    D: Dimension,
    A: Clone + 'x,
    C: Comparison<Output: List>,
    (<C::Output as List>::Kind, ()): TypedRank<Axes: FitsIn<D>>,
{
    type Part = FirstChoice<Array<A, Replaced<D, <C::Output as List>::Kind>>>;
    type At = PartAt<Listed<C::Output>, <Listed<C::Output> as SelectFor<D>>::Fits>;

    #[track_caller]
    fn part(self, array: ArrayView<'x, A, D>) -> Self::Part {
        let writer = self.0.writer(array.shape());
        match writer.and_then(|writer| gather_selected(&array, writer)) {
            Some(selected) => FirstChoice::new(selected),
            None => self.0.result().part(array),
        }
    }

    #[inline]
    #[track_caller]
    fn at_in_py(self, _: &[usize]) -> Self::At {
        PartAt(Listed(self.0.result()), PhantomData)
    }
}

/// The position of a single element, as `indexed_iter` returns it for an array of dynamic rank.
#[diagnostic::do_not_recommend]
impl<'x, A: 'x, I: ?Sized> IndexFor<'x, Dim<I>, A, ()> for Dim<I>
where
    Dim<I>: Dimension,
{
    type Part = FirstChoice<ArrayView<'x, A, Ix0>>;
    type At = ElementAt<Dim<I>>;

    #[inline]
    #[track_caller]
    fn part(self, array: ArrayView<'x, A, Dim<I>>) -> Self::Part {
        FirstChoice::new(aview0(IndexLonger::index(&array, self)))
    }

    #[inline]
    fn at_in_py(self, _: &[usize]) -> ElementAt<Dim<I>> {
        ElementAt(self)
    }
}
