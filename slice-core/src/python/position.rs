//! Implements the expression `x[i]` inside `py!`, if it has its usual meaning in Rust. A trait bound checks the type of
//! the index before ndarray uses the index, so that a wrong type produces a clear error message.

use core::marker::PhantomData;

use ndarray::{Dim, Ix, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, IxDynImpl};

use super::indexable::IndexableArray;
use super::place::{AnyPlace, PlaceOperand};

/// An index that selects one element of an array of dimension `D`, as in Rust.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not select one element of an array of dimension `{D}`",
    label = "not the index of an element",
    note = "for an element, write an index for each axis (`x[i, j]`); for a row, write `x[i, ...]`; a single index must \
            be a `usize`: convert other integer types with `i as usize`",
    note = "for a range, write `x[1:3]`; for a list, `x[[0, 2], ...]`; for a list or a mask in a variable, `x[&rows, ...]`; \
            for a slice stored in a variable, `x.at(spec)` or `x.set(spec, value)`"
)]
pub trait ItemPosition<D> {
    /// The type of the index in the Rust expression `x[i]`.
    #[doc(hidden)]
    type Index;

    /// Converts the index to the type used in the Rust expression `x[i]`.
    #[doc(hidden)]
    fn index(dimension: PhantomData<D>, index: Self) -> Self::Index;
}

/// A placeholder for the dimension of values that are not arrays. Every index of such a value is accepted here, and
/// Rust's own indexing checks the type of the index.
#[derive(Debug)]
pub enum NotAnArray {}

impl<I> ItemPosition<NotAnArray> for I {
    type Index = I;

    #[inline]
    fn index(_: PhantomData<NotAnArray>, index: I) -> I {
        index
    }
}

/// Dimensions for which [`ItemPosition`] is implemented for all index types of ndarray. A generic dimension is not
/// among them, so an index of an array with a generic dimension is checked only by Rust's own indexing.
pub trait KnownDimension {}

/// Calls a macro with the types that can be the position of an element, for one to six axes.
macro_rules! with_positions {
    ($callback:ident) => {
        $callback! {
            Ix1: Ix, [Ix; 1], Ix1;
            Ix2: (Ix, Ix), [Ix; 2], Ix2;
            Ix3: (Ix, Ix, Ix), [Ix; 3], Ix3;
            Ix4: (Ix, Ix, Ix, Ix), [Ix; 4], Ix4;
            Ix5: (Ix, Ix, Ix, Ix, Ix), [Ix; 5], Ix5;
            Ix6: (Ix, Ix, Ix, Ix, Ix, Ix), [Ix; 6], Ix6;
        }
    };
}

pub(super) use with_positions;

macro_rules! positions {
    ($($dim:ty: $($index:ty),*;)*) => { $(
        impl KnownDimension for $dim {}

        $(
            #[diagnostic::do_not_recommend]
            impl ItemPosition<$dim> for $index {
                type Index = Self;

                #[inline]
                fn index(_: PhantomData<$dim>, index: Self) -> Self {
                    index
                }
            }
        )*
    )* };
}

with_positions! { positions }
positions! {
    Ix0: (), [Ix; 0], Ix0;
    IxDyn: Ix, IxDyn;
}

macro_rules! dynamic {
    ($([$($generics:tt)*] $index:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ItemPosition<IxDyn> for $index {
            type Index = Self;

            #[inline]
            fn index(_: PhantomData<IxDyn>, index: Self) -> Self {
                index
            }
        }
    )* };
}

dynamic! {
    ['i] &'i [Ix];
    ['i] &'i Dim<IxDynImpl>;
    [const N: usize] [Ix; N];
    [const N: usize] Dim<[Ix; N]>;
}

impl<T: IndexableArray<Dim: KnownDimension> + ?Sized> PlaceOperand<&T> {
    /// Returns a marker for the array's dimension.
    #[inline]
    pub const fn dimension_in_py(self) -> PhantomData<T::Dim> {
        PhantomData
    }
}

impl<T> AnyPlace<T> {
    /// Returns the marker for values that are not arrays.
    #[inline]
    pub const fn dimension_in_py(&self) -> PhantomData<NotAnArray> {
        PhantomData
    }
}
