//! Calls to methods that modify their receiver, such as `x[i].fill(0)`. If `x` is an array with several axes, the
//! receiver is a row, as in NumPy. Otherwise, the receiver is the element selected by Rust's own indexing.
//!
//! A first call converts the index to [`RowAt`] or [`RustAt`], so that `x` is no longer borrowed when a second call,
//! [`RowMut::row_mut_in_py`], borrows `x` mutably. With [`RustAt`], `row_mut_in_py` accepts every `x` that implements
//! `IndexMut` for the index.

use core::ops::IndexMut;

use ndarray::{
    ArrayBase, ArrayRef, ArrayViewMut, DataMut, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6,
};

use super::element::Held;
use super::indexable::IndexableArray;
use super::items::{
    ListPlace, NonNumberIndex, NumberIndex, OneIndex, WrappedIndex, one_index, position,
};
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use crate::bound::IndexBound;
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::SliceFor;
use crate::ndarray::select::SelectFor;

/// The index of a row of an array.
#[derive(Clone, Copy, Debug)]
pub struct RowAt(OneIndex);

/// An index that is passed to `IndexMut` unchanged.
#[derive(Clone, Copy, Debug)]
pub struct RustAt<I>(I);

/// Dimensions of arrays with two to six axes, in which an index on the first axis selects a row.
pub trait HasRows: Dimension {}

macro_rules! has_rows {
    ($($dim:ty)*) => { $(
        impl HasRows for $dim {}

        impl FromTheEnd for $dim {
            type At = RowAt;

            #[inline]
            fn from_the_end<I: IndexBound>(index: I, _: usize) -> RowAt {
                RowAt(one_index(index))
            }
        }
    )* };
}

has_rows! { Ix2 Ix3 Ix4 Ix5 Ix6 }

/// An index of an array that has rows.
pub trait RowIndex {
    /// [`RowAt`] for a number, and [`RustAt`] for other indices.
    type At;

    /// Wraps the index.
    fn row_at(self) -> Self::At;
}

impl<I: IndexBound> RowIndex for NumberIndex<I> {
    type At = RowAt;

    #[inline]
    fn row_at(self) -> RowAt {
        RowAt(one_index(self.index()))
    }
}

impl<I> RowIndex for NonNumberIndex<I> {
    type At = RustAt<I>;

    #[inline]
    fn row_at(self) -> RustAt<I> {
        RustAt(self.index())
    }
}

impl<T: IndexableArray<Dim: HasRows> + ?Sized> PlaceOperand<&T> {
    /// Wraps a number as the index of a row, and any other index for Rust's own indexing.
    #[inline]
    pub fn row_at_in_py<I: RowIndex>(self, index: I) -> I::At {
        index.row_at()
    }
}

/// Dimensions of arrays with one to six axes, in which a negative index counts from the end of the first axis.
pub trait FromTheEnd: Dimension {
    /// [`RowAt`] if the array has rows, and otherwise [`RustAt`].
    type At;

    /// Wraps an index. A negative index counts from the end. `size`, the number of elements of the array, is used only
    /// if the array has one axis.
    fn from_the_end<I: IndexBound>(index: I, size: usize) -> Self::At;
}

impl FromTheEnd for Ix1 {
    type At = RustAt<usize>;

    #[inline]
    #[track_caller]
    fn from_the_end<I: IndexBound>(index: I, size: usize) -> RustAt<usize> {
        RustAt(position(index, size))
    }
}

impl<T: IndexableArray<Dim: FromTheEnd> + ?Sized> PlaceOperand<&T> {
    /// Wraps the index of a row or an element. A negative index counts from the end.
    #[inline]
    #[track_caller]
    pub fn row_from_end_in_py<I: IndexBound>(self, index: I) -> <T::Dim as FromTheEnd>::At {
        T::Dim::from_the_end(index, self.get().array().len())
    }
}

#[doc(hidden)]
impl<T: ListPlace + ?Sized> OtherPlace<&T> {
    /// Wraps the index of an element. A negative index counts from the end.
    #[inline]
    #[track_caller]
    pub fn row_from_end_in_py<I: IndexBound>(&self, index: I) -> RustAt<usize> {
        RustAt(self.position_in_py(index))
    }
}

impl<T> AnyPlace<T> {
    /// Wraps an index for Rust's own indexing.
    #[inline]
    pub fn row_at_in_py<I: WrappedIndex>(&self, index: I) -> RustAt<I::Index> {
        RustAt(index.index())
    }

    /// Wraps an index for Rust's own indexing.
    #[inline]
    pub fn row_from_end_in_py<I>(&self, index: I) -> RustAt<I> {
        RustAt(index)
    }
}

/// Values whose rows or elements can be modified.
#[diagnostic::on_unimplemented(
    message = "an element or row of `{Self}` cannot be modified",
    label = "read-only, or cannot be indexed"
)]
pub trait RowMut<At> {
    /// A reference to the row or the element.
    type Row<'x>
    where
        Self: 'x,
        At: 'x;

    /// Returns the row or the element at this index.
    fn row_mut_in_py<'x>(&'x mut self, at: At) -> Self::Row<'x>
    where
        At: 'x;
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        impl<A, $($generics)* D: HasRows> RowMut<RowAt> for $array
        where
            OneIndex: SliceFor<D>,
        {
            type Row<'x>
                = Held<ArrayViewMut<'x, A, <OneIndex as SelectFor<D>>::OutDim>>
            where
                Self: 'x,
                RowAt: 'x;

            #[inline]
            #[track_caller]
            fn row_mut_in_py<'x>(&'x mut self, at: RowAt) -> Self::Row<'x>
            where
                RowAt: 'x,
            {
                Held(self.at_mut(at.0))
            }
        }
    )* };
}

arrays! {
    [S: DataMut<Elem = A>,] ArrayBase<S, D>;
    [] ArrayRef<A, D>;
}

impl<T: IndexMut<I> + ?Sized, I> RowMut<RustAt<I>> for T {
    type Row<'x>
        = &'x mut T::Output
    where
        Self: 'x,
        RustAt<I>: 'x;

    #[inline]
    #[track_caller]
    fn row_mut_in_py<'x>(&'x mut self, at: RustAt<I>) -> &'x mut T::Output
    where
        RustAt<I>: 'x,
    {
        &mut self[at.0]
    }
}
