//! What a slice of `py!` can be taken of.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Ref, RefMut};

use ndarray::{ArrayBase, ArrayRef, ArrayView, Data, Dimension, Ix1};

use crate::error::SliceError;
use crate::ndarray::{SliceFor, StridedSliceExt};

/// References to arrays and views, and to what points to them.
#[diagnostic::on_unimplemented(
    message = "`py!` slices ndarray's arrays and views, and Rust's, but this is `{Self}`",
    label = "not an array",
    note = "if it dereferences to an array, write `(*x)[...]`"
)]
pub trait Source {
    /// The dimension of the array.
    type Dim: Dimension;
    /// A view of the array with another dimension.
    type View<O: Dimension>;

    /// A view of the selected elements.
    fn select<I: SliceFor<Self::Dim>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError>;
}

#[diagnostic::do_not_recommend]
impl<'x, A, S: Data<Elem = A>, D: Dimension> Source for &'x ArrayBase<S, D> {
    type Dim = D;
    type View<O: Dimension> = ArrayView<'x, A, O>;

    #[inline]
    fn select<I: SliceFor<D>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        (**self).try_at(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<'x, A, D: Dimension> Source for &'x ArrayRef<A, D> {
    type Dim = D;
    type View<O: Dimension> = ArrayView<'x, A, O>;

    #[inline]
    fn select<I: SliceFor<D>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        self.try_at(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<'x, A> Source for &'x [A] {
    type Dim = Ix1;
    type View<O: Dimension> = ArrayView<'x, A, O>;

    #[inline]
    fn select<I: SliceFor<Ix1>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        self.try_at(spec)
    }
}

#[diagnostic::do_not_recommend]
impl<'x, A, const N: usize> Source for &'x [A; N] {
    type Dim = Ix1;
    type View<O: Dimension> = ArrayView<'x, A, O>;

    #[inline]
    fn select<I: SliceFor<Ix1>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        self.as_slice().try_at(spec)
    }
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty => $to:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'x, $($generics)*> Source for &'x $pointer
        where
            $to: Source,
        {
            type Dim = <$to as Source>::Dim;
            type View<O: Dimension> = <$to as Source>::View<O>;

            #[inline]
            fn select<I: SliceFor<Self::Dim>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
                <$to as Source>::select(&**self, spec)
            }
        }
    )* };
}

pointers! {
    ['y, T: ?Sized] &'y T => &'y T;
    ['y, T: ?Sized] &'y mut T => &'x T;
    [T] Vec<T> => &'x [T];
    [T: ?Sized] Box<T> => &'x T;
    [T: ?Sized] Rc<T> => &'x T;
    [T: ?Sized] Arc<T> => &'x T;
    ['y, T: ?Sized] Ref<'y, T> => &'x T;
    ['y, T: ?Sized] RefMut<'y, T> => &'x T;
}

#[cfg(feature = "std")]
pointers! {
    ['y, T: ?Sized] std::sync::MutexGuard<'y, T> => &'x T;
    ['y, T: ?Sized] std::sync::RwLockReadGuard<'y, T> => &'x T;
    ['y, T: ?Sized] std::sync::RwLockWriteGuard<'y, T> => &'x T;
    [T, F: FnOnce() -> T] std::sync::LazyLock<T, F> => &'x T;
}

/// The type itself, as a parameter of a method: so that the compiler looks for [`Source`] after it has found the method,
/// and says what is missing in the words of that trait.
pub trait Is<T> {
    /// The value itself.
    fn itself(self) -> T;
}

impl<T> Is<T> for T {
    #[inline(always)]
    fn itself(self) -> T {
        self
    }
}
