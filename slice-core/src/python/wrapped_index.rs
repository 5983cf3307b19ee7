//! Wrappers for an index, from which the compiler sees whether the index is a number. If the type of a variable has not been
//! inferred yet, it is a number.

use ndarray::{Array, ArrayView, Dimension, Ix0};

use super::compare::{ComparedIndex, Comparison};
use super::element::{Indexed, OtherIndexed};
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use super::value::{OtherValue, ValueOperand};
use crate::bound::IndexBound;

/// Wraps an index that is a place expression, such as a variable. Unlike `place`, this function accepts a closure
/// parameter whose type the compiler has not inferred yet.
#[inline]
pub const fn index_place<I: ?Sized>(index: &I) -> PlaceOperand<&I> {
    PlaceOperand::new(index)
}

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

impl<I: IndexBound> ValueOperand<I> {
    /// Wraps the index as a number.
    #[inline]
    pub fn index_in_py(&mut self) -> NumberIndex<I> {
        NumberIndex((**self).operand_in_py())
    }
}

impl<I> OtherValue<I> {
    /// Wraps the index as an index that is not a number.
    #[inline]
    pub fn index_in_py(&mut self) -> NonNumberIndex<I> {
        NonNumberIndex(self.operand_in_py())
    }
}

#[doc(hidden)]
impl<I: IndexBound> Indexed<ArrayView<'_, I, Ix0>> {
    /// Copies an element that is a number.
    #[inline]
    pub fn index_in_py(&self) -> NumberIndex<I> {
        NumberIndex(*self.place_in_py())
    }
}

impl<'a, A, D: Dimension> OtherIndexed<ArrayView<'a, A, D>> {
    /// Wraps a part of an array of lists or masks.
    #[inline]
    pub fn index_in_py(&self) -> NonNumberIndex<ArrayView<'a, A, D>> {
        NonNumberIndex(self.value_in_py())
    }
}

#[doc(hidden)]
impl<A, D: Dimension> Indexed<Array<A, D>> {
    /// Wraps listed parts of an array of lists or masks.
    #[inline]
    pub fn index_in_py(self) -> NonNumberIndex<Array<A, D>> {
        NonNumberIndex(self.value_in_py())
    }
}

impl<I: IndexBound> PlaceOperand<&I> {
    /// Copies an index that is a number.
    #[inline]
    pub fn index_in_py(self) -> NumberIndex<I> {
        NumberIndex(*self.get())
    }
}

#[doc(hidden)]
impl<I: Copy> OtherPlace<&I> {
    /// Copies an index that is not a number.
    #[inline]
    pub fn index_in_py(&self) -> NonNumberIndex<I> {
        NonNumberIndex(*self.get())
    }
}

impl<'i, I: ?Sized> AnyPlace<&'i I> {
    /// Borrows an index that cannot be copied, such as a list or a mask.
    #[inline]
    pub const fn index_in_py(&self) -> NonNumberIndex<&'i I> {
        NonNumberIndex(self.place_in_py())
    }
}

/// An index wrapped as a number ([`NumberIndex`]) or as an index of any other type ([`NonNumberIndex`]).
pub trait WrappedIndex {
    /// The type of the index.
    type Index;
    /// The type that selects a part of an array.
    type Item;
    /// Whether there are lists among several items, or `()` if the index is not visibly several items.
    type Lists;

    /// Returns the index, to select a part of an array.
    fn item(self) -> Self::Item;

    /// Returns the index.
    fn index(self) -> Self::Index;
}

impl<I> WrappedIndex for NumberIndex<I> {
    type Index = I;
    type Item = Self;
    type Lists = ();

    #[inline]
    fn item(self) -> Self {
        self
    }

    #[inline]
    fn index(self) -> I {
        self.0
    }
}

impl<I> WrappedIndex for NonNumberIndex<I> {
    type Index = I;
    type Item = I;
    type Lists = ();

    #[inline]
    fn item(self) -> I {
        self.0
    }

    #[inline]
    fn index(self) -> I {
        self.0
    }
}

impl<O, C: Comparison<O>> WrappedIndex for ComparedIndex<O, C> {
    type Index = C::Output;
    type Item = Self;
    type Lists = ();

    #[inline]
    fn item(self) -> Self {
        self
    }

    #[inline]
    #[track_caller]
    fn index(self) -> C::Output {
        self.0.result()
    }
}
