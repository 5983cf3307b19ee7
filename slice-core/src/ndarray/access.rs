//! The access to the elements of ndarray's arrays and views, and of Rust slices, Rust arrays and `Vec`s, which are treated
//! as arrays with one axis.
//!
//! Arrays and views have implementations of their own, although they dereference to `ArrayRef`. A call on an array therefore
//! needs no dereference. As a result, the bounds of a slice can read the array to which a method writes, as in
//! `a.set(s![a.len() / 2], 0)`, and generic code can have bounds on the type of the array.

use alloc::vec::Vec;

use ndarray::{ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dimension, Ix1};

use super::disjoint::SlicesFor;
use super::rank::SliceFor;
use super::{bridge, flat};
use crate::error::SliceError;

/// Arrays and views whose elements can be read. Other crates cannot implement this trait, because it is private.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an array or a view of ndarray, nor a Rust slice, an array or a `Vec`",
    label = "cannot be sliced"
)]
pub trait Readable<A, D: Dimension> {
    /// Returns a view of the selected elements.
    fn part<I: SliceFor<D>>(&self, spec: &I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError>;

    /// Returns a view, as [`part`](Self::part) does, but panics on an error.
    #[inline]
    #[track_caller]
    fn part_or_panic<I: SliceFor<D>>(&self, spec: &I) -> ArrayView<'_, A, I::OutDim> {
        match self.part(spec) {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }

    /// Calls `read` with the array.
    fn read<T>(
        &self,
        read: impl FnOnce(&ArrayRef<A, D>) -> Result<T, SliceError>,
    ) -> Result<T, SliceError>;
}

/// Arrays and views whose elements can be written. Only read-only views are excluded.
///
/// A generic function that writes to a slice of a `T: StridedSliceExt<A, D>` also needs the bound
/// `T: WritableArray<A, D>`.
///
/// # Example
///
/// ```
/// use ndarray::{Ix2, array};
/// use slice_core::{StridedSliceExt, WritableArray, s};
///
/// fn clear_edge<T: StridedSliceExt<f64, Ix2> + WritableArray<f64, Ix2>>(x: &mut T) {
///     x.set(s![0], 0.0);
/// }
/// let mut x = array![[1.0], [2.0]];
/// clear_edge(&mut x);
/// clear_edge(&mut x.view_mut());
/// assert_eq!(x, array![[0.0], [2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements of `{Self}` cannot be modified",
    label = "this array or view is read-only",
    note = "use an `ArrayViewMut` instead of a shared view, or copy the elements with `gather`; in generic code, bound the \
            storage type by `DataMut`"
)]
pub trait WritableArray<A, D: Dimension>: Readable<A, D> {
    /// Returns a mutable view of the selected elements.
    #[doc(hidden)]
    fn part_mut<I: SliceFor<D>>(
        &mut self,
        spec: &I,
    ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError>;

    /// Returns mutable views of several slices.
    #[doc(hidden)]
    fn disjoint_parts_mut<S: SlicesFor<D>>(
        &mut self,
        specs: &S,
    ) -> Result<S::Views<'_, A>, SliceError>;

    /// Calls `write` with the array.
    #[doc(hidden)]
    fn write(
        &mut self,
        write: impl FnOnce(&mut ArrayRef<A, D>) -> Result<(), SliceError>,
    ) -> Result<(), SliceError>;
}

/// Implements the traits for an array or view, with the generic parameters of each implementation.
macro_rules! array {
    ($array:ty, [$($read:tt)*] [$($write:tt)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($read)*> Readable<A, D> for $array {
            #[inline(always)]
            fn part<I: SliceFor<D>>(&self, spec: &I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
                bridge::view(self, spec)
            }

            #[inline(always)]
            #[track_caller]
            fn part_or_panic<I: SliceFor<D>>(&self, spec: &I) -> ArrayView<'_, A, I::OutDim> {
                bridge::view_or_panic(self, spec)
            }

            #[inline(always)]
            fn read<T>(
                &self,
                read: impl FnOnce(&ArrayRef<A, D>) -> Result<T, SliceError>,
            ) -> Result<T, SliceError> {
                read(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($write)*> WritableArray<A, D> for $array {
            #[inline(always)]
            fn part_mut<I: SliceFor<D>>(
                &mut self,
                spec: &I,
            ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError> {
                bridge::view_mut(self, spec)
            }

            fn disjoint_parts_mut<S: SlicesFor<D>>(
                &mut self,
                specs: &S,
            ) -> Result<S::Views<'_, A>, SliceError> {
                specs.views(self.view_mut())
            }

            #[inline(always)]
            fn write(
                &mut self,
                write: impl FnOnce(&mut ArrayRef<A, D>) -> Result<(), SliceError>,
            ) -> Result<(), SliceError> {
                write(self)
            }
        }
    };
}

array!(ArrayRef<A, D>, [A, D: Dimension] [A, D: Dimension]);
array!(ArrayBase<R, D>, [A, R: Data<Elem = A>, D: Dimension] [A, R: DataMut<Elem = A>, D: Dimension]);

macro_rules! slices {
    ($([$($generics:tt)*] $slice:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A, $($generics)*> Readable<A, Ix1> for $slice {
            #[inline]
            fn part<I: SliceFor<Ix1>>(&self, spec: &I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
                bridge::slice_view(flat::view(self)?, spec)
            }

            #[inline]
            fn read<T>(
                &self,
                read: impl FnOnce(&ArrayRef<A, Ix1>) -> Result<T, SliceError>,
            ) -> Result<T, SliceError> {
                read(&*flat::view(self)?)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, $($generics)*> WritableArray<A, Ix1> for $slice {
            #[inline]
            fn part_mut<I: SliceFor<Ix1>>(
                &mut self,
                spec: &I,
            ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError> {
                bridge::slice_view_mut(flat::view_mut(self)?, spec)
            }

            fn disjoint_parts_mut<S: SlicesFor<Ix1>>(
                &mut self,
                specs: &S,
            ) -> Result<S::Views<'_, A>, SliceError> {
                specs.views(flat::view_mut(self)?)
            }

            #[inline]
            fn write(
                &mut self,
                write: impl FnOnce(&mut ArrayRef<A, Ix1>) -> Result<(), SliceError>,
            ) -> Result<(), SliceError> {
                write(&mut *flat::view_mut(self)?)
            }
        }
    )* };
}

slices! {
    [] [A];
    [const N: usize] [A; N];
    [] Vec<A>;
}
