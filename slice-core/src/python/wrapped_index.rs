//! Wrappers for an index, from which the compiler sees whether the index is a number. If the type of a variable has not been
//! inferred yet, it is a number.

use core::ops::Neg;

use super::compare::{ComparedIndex, Comparison};
use super::value::Moved;
use crate::bound::{IndexBound, number};
use crate::choice::{FirstChoice, LastChoice, SecondChoice};
use crate::spec::item::saturate;

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

/// A number after a minus sign.
#[derive(Clone, Copy, Debug)]
pub struct NegativeIndex<I>(pub(super) I);

impl<I: IndexBound> NegativeIndex<I> {
    /// Returns the negative number. It may be too large for the type `I`.
    #[inline]
    pub(super) fn number(self) -> i64 {
        saturate(number(self.0)).saturating_neg()
    }
}

impl<I> NumberIndex<I> {
    /// Applies the minus sign before the number.
    #[inline]
    pub fn negative_in_py(self) -> NegativeIndex<I> {
        NegativeIndex(self.0)
    }
}

impl<I: Neg> NonNumberIndex<I> {
    /// Applies the minus sign before an array.
    #[inline]
    pub fn negative_in_py(self) -> NonNumberIndex<I::Output> {
        NonNumberIndex(-self.0)
    }
}

/// Types of numbers whose negative is an index of an array.
pub trait Negated: IndexBound {
    /// The negative number as an index of any other value. For an unsigned number, no type is indexed by it.
    type Index;

    /// Returns the negative number.
    fn negated(self) -> Self::Index;
}

macro_rules! negated {
    ($Index:ty, $negated:expr; $($number:ty)*) => { $(
        impl Negated for $number {
            type Index = $Index;

            #[inline]
            fn negated(self) -> $Index {
                $negated(self)
            }
        }
    )* };
}

negated! { Self, Neg::neg; i8 i16 i32 i64 i128 isize }
negated! { NegativeIndex<Self>, NegativeIndex; u8 u16 u32 u64 usize }

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
    [I: Negated] NegativeIndex<I> => I::Index, NumberIndex<i64>, Self, self, NumberIndex(self.number()), self.0.negated();
    [I] NonNumberIndex<I> => I, I, (), self, self.0, self.0;
    [C: Comparison] ComparedIndex<C> => C::Output, Self, Self, self, self, self.0.result();
}
