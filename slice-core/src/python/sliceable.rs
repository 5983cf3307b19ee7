//! The types that `py!` can slice.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Ref, RefMut};

use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Data, Dimension, Ix1};

use crate::error::SliceError;
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::SliceFor;
use crate::ndarray::select::SelectFor;

/// A type that `py!` can slice: ndarray arrays and views, Rust arrays and slices, `Vec`, and pointers to these types.
#[diagnostic::on_unimplemented(
    message = "`py!` can slice ndarray arrays and views, Rust arrays, Rust slices and `Vec`, but this is `{Self}`",
    label = "not an array",
    note = "if it contains an array, access the array first: `(*x)[1:]` for a pointer, `x.as_ref().unwrap()[1:]` for an \
            `Option`; declare a generic array as `x: &ArrayBase<S, Ix1>` with `S: Data`",
    note = "arrays of another version of ndarray are of other types: slice-core needs ndarray 0.17"
)]
pub trait Sliceable {
    /// The type of an element.
    #[doc(hidden)]
    type Elem;
    /// The dimension type of the array.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Returns a view of the selected elements.
    #[doc(hidden)]
    fn select_in_py<I: SliceFor<Self::Dim>>(
        &self,
        spec: I,
    ) -> Result<ArrayView<'_, Self::Elem, I::OutDim>, SliceError>;

    /// Returns a copy of the selected elements.
    #[doc(hidden)]
    fn copied_in_py<I: SelectFor<Self::Dim>>(
        &self,
        spec: I,
    ) -> Result<Array<Self::Elem, I::OutDim>, SliceError>
    where
        Self::Elem: Clone;
}

/// Returns the view of a slice that is used as an operand or as the right-hand side of an assignment. The view does not
/// outlive the statement, so `source` only needs to be borrowed until the statement ends.
#[inline]
#[track_caller]
pub fn read<T: Sliceable + ?Sized, I: SliceFor<T::Dim>>(
    source: &T,
    spec: I,
) -> ArrayView<'_, T::Elem, I::OutDim> {
    match source.select_in_py(spec) {
        Ok(view) => view,
        Err(error) => error.panic(),
    }
}

/// Returns a copy of the elements selected by a slice with a list.
#[inline]
#[track_caller]
pub fn copied<T: Sliceable<Elem: Clone> + ?Sized, I: SelectFor<T::Dim>>(
    source: &T,
    spec: I,
) -> Array<T::Elem, I::OutDim> {
    match source.copied_in_py(spec) {
        Ok(array) => array,
        Err(error) => error.panic(),
    }
}

#[diagnostic::do_not_recommend]
impl<A, S: Data<Elem = A>, D: Dimension> Sliceable for ArrayBase<S, D> {
    type Elem = A;
    type Dim = D;

    #[inline]
    fn select_in_py<I: SliceFor<D>>(
        &self,
        spec: I,
    ) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
        (**self).try_at(spec)
    }

    fn copied_in_py<I: SelectFor<D>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Clone,
    {
        (**self).try_gather(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<A, D: Dimension> Sliceable for ArrayRef<A, D> {
    type Elem = A;
    type Dim = D;

    #[inline]
    fn select_in_py<I: SliceFor<D>>(
        &self,
        spec: I,
    ) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
        self.try_at(spec)
    }

    fn copied_in_py<I: SelectFor<D>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Clone,
    {
        self.try_gather(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<A> Sliceable for [A] {
    type Elem = A;
    type Dim = Ix1;

    #[inline]
    fn select_in_py<I: SliceFor<Ix1>>(
        &self,
        spec: I,
    ) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
        self.try_at(spec)
    }

    fn copied_in_py<I: SelectFor<Ix1>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Clone,
    {
        self.try_gather(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<A, const N: usize> Sliceable for [A; N] {
    type Elem = A;
    type Dim = Ix1;

    #[inline]
    fn select_in_py<I: SliceFor<Ix1>>(
        &self,
        spec: I,
    ) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
        self.as_slice().try_at(spec)
    }

    fn copied_in_py<I: SelectFor<Ix1>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Clone,
    {
        self.as_slice().try_gather(spec)
    }
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty => $to:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Sliceable for $pointer
        where
            $to: Sliceable,
        {
            type Elem = <$to as Sliceable>::Elem;
            type Dim = <$to as Sliceable>::Dim;

            #[inline]
            fn select_in_py<I: SliceFor<Self::Dim>>(
                &self,
                spec: I,
            ) -> Result<ArrayView<'_, Self::Elem, I::OutDim>, SliceError> {
                <$to as Sliceable>::select_in_py(&**self, spec)
            }

            #[inline]
            fn copied_in_py<I: SelectFor<Self::Dim>>(
                &self,
                spec: I,
            ) -> Result<Array<Self::Elem, I::OutDim>, SliceError>
            where
                Self::Elem: Clone,
            {
                <$to as Sliceable>::copied_in_py(&**self, spec)
            }
        }
    )* };
}

pointers! {
    [T: ?Sized] &T => T;
    [T: ?Sized] &mut T => T;
    [T] Vec<T> => [T];
    [T: ?Sized] Box<T> => T;
    [T: ?Sized] Rc<T> => T;
    [T: ?Sized] Arc<T> => T;
    [T: ?Sized] Ref<'_, T> => T;
    [T: ?Sized] RefMut<'_, T> => T;
}

#[cfg(feature = "std")]
pointers! {
    [T: ?Sized] std::sync::MutexGuard<'_, T> => T;
    [T: ?Sized] std::sync::RwLockReadGuard<'_, T> => T;
    [T: ?Sized] std::sync::RwLockWriteGuard<'_, T> => T;
    [T, F: FnOnce() -> T] std::sync::LazyLock<T, F> => T;
}

/// Types that can be sliced into a view that can outlive the statement. `A` is the type of the elements, and `D` is the
/// dimension. They are parameters only to improve error messages: if the operand is not an array, the compiler knows
/// neither of them, and therefore does not suggest adding a trait bound (which would not help).
#[diagnostic::on_unimplemented(
    message = "`py!` can slice ndarray arrays and views, Rust arrays, Rust slices and `Vec`, but this is `{Self}`",
    label = "not an array",
    note = "if it contains an array, access the array first: `(*x)[1:]` for a pointer, `x.as_ref().unwrap()[1:]` for an \
            `Option`; declare a generic array as `x: &ArrayBase<S, Ix1>` with `S: Data`",
    note = "arrays of another version of ndarray are of other types: slice-core needs ndarray 0.17"
)]
pub trait SlicedOperand<A, D> {
    /// The type of an element.
    #[doc(hidden)]
    type Elem;
    /// The dimension type of the array.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Returns the view selected by `spec`.
    #[doc(hidden)]
    fn sliced_in_py<I: SliceFor<Self::Dim>>(&self, spec: I)
    -> ArrayView<'_, Self::Elem, I::OutDim>;
}

#[diagnostic::do_not_recommend]
impl<T: Sliceable<Elem = A, Dim = D> + ?Sized, A, D: Dimension> SlicedOperand<A, D> for T {
    type Elem = A;
    type Dim = D;

    #[inline]
    #[track_caller]
    fn sliced_in_py<I: SliceFor<D>>(&self, spec: I) -> ArrayView<'_, A, I::OutDim> {
        read(self, spec)
    }
}

/// The equality of two types: each type `T` implements only `Is<T>`. If a method has the bounds `T: Is<S>` and
/// `S: SlicedOperand<A, D>`, the compiler finds the method for every `T`, and checks [`SlicedOperand`] only afterwards.
/// If that trait is not implemented, the compiler prints the trait's message instead of reporting a missing method.
pub trait Is<T> {
    /// Returns the value itself.
    fn itself(self) -> T;
}

impl<T> Is<T> for T {
    #[inline]
    fn itself(self) -> T {
        self
    }
}
