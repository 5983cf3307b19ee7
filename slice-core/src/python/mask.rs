//! Masks in `x[mask] = value`. A mask has one element for each element of the array, or one for each row.

use alloc::vec::Vec;

use ndarray::{
    ArrayBase, ArrayRef, ArrayView, Data, Dimension, Ix, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
};

use super::indexable::IndexableArray;
use super::items::{Items, RustTarget, select_by_mask};
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use super::position::with_positions;

/// Types that can be used as masks. Implemented for ndarray's arrays, Rust's arrays and slices, and `Vec`, with
/// elements of type `bool`. Also implemented for references to these types.
pub trait MaskOperand {
    /// The dimension type of the mask.
    type Dim: Dimension;

    /// Returns a view of the mask.
    fn mask(&self) -> ArrayView<'_, bool, Self::Dim>;
}

macro_rules! masks {
    ($([$($generics:tt)*] $mask:ty, $dim:ty, $self:ident => $view:expr;)*) => { $(
        impl<$($generics)*> MaskOperand for $mask {
            type Dim = $dim;

            #[inline]
            fn mask(&$self) -> ArrayView<'_, bool, $dim> {
                $view
            }
        }
    )* };
}

masks! {
    [S: Data<Elem = bool>, D: Dimension] ArrayBase<S, D>, D, self => self.view();
    [D: Dimension] ArrayRef<bool, D>, D, self => self.view();
    [] Vec<bool>, Ix1, self => ArrayView::from(self.as_slice());
    [] [bool], Ix1, self => ArrayView::from(self);
    [const N: usize] [bool; N], Ix1, self => ArrayView::from(self.as_slice());
    [T: MaskOperand + ?Sized] &T, T::Dim, self => T::mask(self);
    [T: MaskOperand + ?Sized] &mut T, T::Dim, self => T::mask(self);
}

/// A mask in a variable that is used as an index, as in `x[mask] = value`.
#[derive(Debug)]
pub struct StoredMask<'m, E: Dimension>(ArrayView<'m, bool, E>);

impl<'m, T: MaskOperand + ?Sized> PlaceOperand<&'m T> {
    /// Borrows the mask.
    #[inline]
    pub fn mask_in_py(self) -> StoredMask<'m, T::Dim> {
        StoredMask(self.get().mask())
    }
}

#[doc(hidden)]
impl<T: Copy> OtherPlace<&T> {
    /// Copies an index that is not a mask, such as a number.
    #[inline]
    pub fn mask_in_py(&self) -> T {
        *self.get()
    }
}

impl<'x, T: ?Sized> AnyPlace<&'x T> {
    /// Returns a reference to a value that is neither a mask nor `Copy`.
    #[inline]
    pub const fn mask_in_py(&self) -> &'x T {
        self.receiver_in_py()
    }
}

/// Types of a variable `index` in `x[index] = value`, for an array `x` of dimension `D`.
#[diagnostic::on_unimplemented(
    message = "cannot assign to `x[index]`: an array of dimension `{D}` cannot be indexed by `{Self}`",
    label = "cannot index this array",
    note = "use an integer for each axis (`x[i, j]`), a slice (`x[1:]`), or a mask with the shape of the array or the length \
            of its first axis; for a row, write `x[i, ...]`; for a list in a variable, write `x[&rows, ...]`"
)]
pub trait StoredIndex<D: Dimension, A> {
    /// The type of the target, which holds the elements that are assigned to.
    #[doc(hidden)]
    type Target;

    /// Returns the elements that are assigned to.
    #[doc(hidden)]
    fn target_in_py(self, array: &ArrayRef<A, D>) -> Self::Target;
}

#[diagnostic::do_not_recommend]
impl<D: Dimension, A: Clone> StoredIndex<D, A> for StoredMask<'_, D> {
    type Target = Items<A, D, Ix1>;

    #[track_caller]
    fn target_in_py(self, array: &ArrayRef<A, D>) -> Items<A, D, Ix1> {
        let (lengths, positions) = select_by_mask(&self.0, array.shape());
        Items::new(array, lengths, positions)
    }
}

macro_rules! rows {
    ($($dim:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A: Clone> StoredIndex<$dim, A> for StoredMask<'_, Ix1> {
            type Target = Items<A, $dim, $dim>;

            #[track_caller]
            fn target_in_py(self, array: &ArrayRef<A, $dim>) -> Self::Target {
                let (lengths, positions) = select_by_mask(&self.0, array.shape());
                Items::new(array, lengths, positions)
            }
        }
    )* };
}

rows! { Ix2 Ix3 Ix4 Ix5 Ix6 }

macro_rules! positions {
    ($($dim:ty: $($index:ty),*;)*) => { $($(
        #[diagnostic::do_not_recommend]
        impl<A> StoredIndex<$dim, A> for $index {
            type Target = RustTarget<Self>;

            #[inline]
            fn target_in_py(self, _: &ArrayRef<A, $dim>) -> RustTarget<Self> {
                RustTarget::new(self)
            }
        }
    )*)* };
}

with_positions! { positions }
positions! { IxDyn: Ix, [Ix; 1], [Ix; 2], [Ix; 3], [Ix; 4], [Ix; 5], [Ix; 6]; }

impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
    /// Returns the target of an assignment: the elements selected by an index or a mask.
    #[inline]
    #[track_caller]
    pub fn stored_in_py<I: StoredIndex<T::Dim, T::Elem>>(self, index: I) -> I::Target {
        index.target_in_py(self.get().array())
    }
}

#[doc(hidden)]
impl<T: ?Sized> OtherPlace<&T> {
    /// Wraps the index of an assignment `x[index] = value` that uses Rust's own indexing.
    #[inline]
    pub fn stored_in_py<I>(&self, index: I) -> RustTarget<I> {
        RustTarget::new(index)
    }
}
