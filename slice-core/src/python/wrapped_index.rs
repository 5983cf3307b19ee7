//! Wrappers for an index, from which the compiler sees whether the index is a number. If the type of a variable has not been
//! inferred yet, it is a number.

use core::ops::Neg;

use super::compare::{ComparedIndex, Comparison};
use super::value::Moved;
use crate::bound::IndexBound;
use crate::choice::{FirstChoice, LastChoice, SecondChoice};

/// An index that is a number, whose type the compiler may not have inferred yet.
#[derive(Clone, Copy, Debug)]
pub struct NumberIndex<I>(pub(super) I);

/// An index that is not a number, such as a slice or a list.
#[derive(Clone, Copy, Debug)]
pub struct NonNumberIndex<I>(pub(super) I);

/// Wraps an index that is visibly a number.
#[inline]
pub const fn number_index<I>(index: I) -> NumberIndex<I> {
    NumberIndex(index)
}

/// Wraps an index that is visibly a negative number, without its minus sign.
#[inline]
pub fn negative_index<I: Negative>(index: I) -> NumberIndex<I> {
    NumberIndex(-index)
}

/// Types of negative indices. The compiler reports this trait for `v[-1]`, where `v` is a `Vec`.
#[diagnostic::on_unimplemented(
    message = "an index of type `{Self}` cannot be negative",
    label = "only an ndarray array can be indexed from its end",
    note = "for a `Vec` or a Rust array, write `v[v.len() - n]` instead of `v[-n]`"
)]
pub trait Negative: Neg<Output = Self> {}

#[diagnostic::do_not_recommend]
impl<T: Neg<Output = T>> Negative for T {}

impl<I: IndexBound> FirstChoice<Moved<I>> {
    /// Wraps the index as a number.
    #[inline]
    pub fn index_in_py(&self) -> NumberIndex<I> {
        NumberIndex(*self.get())
    }
}

impl<I> SecondChoice<Moved<I>> {
    /// Wraps the index as an index that is not a number.
    #[inline]
    pub fn index_in_py(&mut self) -> NonNumberIndex<I> {
        NonNumberIndex(self.take())
    }
}

impl<I: IndexBound> FirstChoice<&I> {
    /// Copies an index that is a number.
    #[inline]
    pub fn index_in_py(self) -> NumberIndex<I> {
        NumberIndex(*self.place_in_py())
    }
}

impl<I: Copy> SecondChoice<&I> {
    /// Copies an index that is not a number.
    #[inline]
    pub fn index_in_py(&self) -> NonNumberIndex<I> {
        NonNumberIndex(*self.place_in_py())
    }
}

impl<'i, I: ?Sized> LastChoice<&'i I> {
    /// Borrows an index that cannot be copied, such as a list or a mask.
    #[inline]
    pub fn index_in_py(&self) -> NonNumberIndex<&'i I> {
        NonNumberIndex(self.place_in_py())
    }
}

/// An index wrapped as a number ([`NumberIndex`]) or as an index of any other type ([`NonNumberIndex`]).
pub trait WrappedIndex {
    /// The type of the index.
    type Index;
    /// The type that selects a part of an array.
    type Item;
    /// Whether there are lists among several items, `()` if the index may be a list, and any other type otherwise.
    type Lists;

    /// Returns the index, to select a part of an array.
    fn item(self) -> Self::Item;

    /// Returns the index.
    fn index(self) -> Self::Index;
}

macro_rules! wrapped_indices {
    ($([$($generics:tt)*] $Wrapper:ty => $Index:ty, $Item:ty, $Lists:ty, $self:ident, $item:expr, $index:expr;)*) => { $(
        impl<$($generics)*> WrappedIndex for $Wrapper {
            type Index = $Index;
            type Item = $Item;
            type Lists = $Lists;

            #[inline]
            fn item($self) -> $Item {
                $item
            }

            #[inline]
            #[track_caller]
            fn index($self) -> $Index {
                $index
            }
        }
    )* };
}

wrapped_indices! {
    [I] NumberIndex<I> => I, Self, Self, self, self, self.0;
    [I] NonNumberIndex<I> => I, I, (), self, self.0, self.0;
    [C: Comparison] ComparedIndex<C> => C::Output, Self, Self, self, self, self.0.result();
}
