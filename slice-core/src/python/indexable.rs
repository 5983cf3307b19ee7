//! The types that `x` can have in an expression `x[i]` inside `py!`, where `i` is a single index.

use alloc::vec::Vec;

use ndarray::{ArrayBase, ArrayRef, ArrayView, Data, Dimension, Ix1};

use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::SliceFor;

/// A type that `py!` can index with a single index: ndarray arrays, `Vec`, Rust arrays and slices, and references to
/// these types.
pub trait Indexable {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;
    /// The type of `i` in Rust's own `x[i]`: the position of one element for an ndarray array, and `usize` for all
    /// other types.
    type Position;

    /// Returns the view selected by `spec`, which consists of a single index. A negative index counts from the end.
    fn pick<I: SliceFor<Self::Dim>>(&self, spec: I) -> ArrayView<'_, Self::Elem, I::OutDim>;
}

/// An [`Indexable`] type that is an ndarray array or a reference to one.
pub trait IndexableArray: Indexable<Position = <Self as Indexable>::Dim> {
    /// Returns the array as an `ArrayRef`.
    fn array(&self) -> &ArrayRef<Self::Elem, Self::Dim>;
}

macro_rules! indexable {
    ($([$($generics:tt)*] $type:ty, $elem:ty, $dim:ty, $position:ty;)*) => { $(
        impl<$($generics)*> Indexable for $type {
            type Elem = $elem;
            type Dim = $dim;
            type Position = $position;

            #[inline]
            #[track_caller]
            fn pick<I: SliceFor<$dim>>(&self, spec: I) -> ArrayView<'_, $elem, I::OutDim> {
                self.at(spec)
            }
        }
    )* };
}

indexable! {
    [A, S: Data<Elem = A>, D: Dimension] ArrayBase<S, D>, A, D, D;
    [A, D: Dimension] ArrayRef<A, D>, A, D, D;
    [A] Vec<A>, A, Ix1, usize;
    [A] [A], A, Ix1, usize;
    [A, const N: usize] [A; N], A, Ix1, usize;
}

impl<A, S: Data<Elem = A>, D: Dimension> IndexableArray for ArrayBase<S, D> {
    #[inline]
    fn array(&self) -> &ArrayRef<A, D> {
        self
    }
}

impl<A, D: Dimension> IndexableArray for ArrayRef<A, D> {
    #[inline]
    fn array(&self) -> &ArrayRef<A, D> {
        self
    }
}

macro_rules! references {
    ($($reference:ty)*) => { $(
        impl<T: Indexable + ?Sized> Indexable for $reference {
            type Elem = T::Elem;
            type Dim = T::Dim;
            type Position = T::Position;

            #[inline]
            #[track_caller]
            fn pick<I: SliceFor<T::Dim>>(&self, spec: I) -> ArrayView<'_, T::Elem, I::OutDim> {
                T::pick(self, spec)
            }
        }

        impl<T: IndexableArray + ?Sized> IndexableArray for $reference {
            #[inline]
            fn array(&self) -> &ArrayRef<T::Elem, T::Dim> {
                T::array(self)
            }
        }
    )* };
}

references! { &T &mut T }
