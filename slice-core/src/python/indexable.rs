//! The ndarray arrays, for which `py!` gives brackets and operators the meaning that they have in NumPy.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use core::cell::{Ref, RefMut};

use ndarray::{ArrayBase, ArrayRef, Data, Dimension};

/// An ndarray array, or a pointer to one.
pub trait IndexableArray {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;

    /// Returns the array as an `ArrayRef`.
    fn array(&self) -> &ArrayRef<Self::Elem, Self::Dim>;
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        impl<A, $($generics)* D: Dimension> IndexableArray for $array {
            type Elem = A;
            type Dim = D;

            #[inline]
            fn array(&self) -> &ArrayRef<A, D> {
                self
            }
        }
    )* };
}

arrays! {
    [S: Data<Elem = A>,] ArrayBase<S, D>;
    [] ArrayRef<A, D>;
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty;)*) => { $(
        impl<$($generics)*> IndexableArray for $pointer
        where
            T: IndexableArray,
        {
            type Elem = T::Elem;
            type Dim = T::Dim;

            #[inline]
            fn array(&self) -> &ArrayRef<T::Elem, T::Dim> {
                T::array(self)
            }
        }
    )* };
}

pointers! {
    [T: ?Sized] &T;
    [T: ?Sized] &mut T;
    [T: ?Sized] Box<T>;
    [T: ?Sized] Rc<T>;
    [T: ?Sized] Arc<T>;
    [T: ?Sized] Ref<'_, T>;
    [T: ?Sized] RefMut<'_, T>;
}

#[cfg(feature = "std")]
pointers! {
    [T: ?Sized] std::sync::MutexGuard<'_, T>;
    [T: ?Sized] std::sync::RwLockReadGuard<'_, T>;
    [T: ?Sized] std::sync::RwLockWriteGuard<'_, T>;
    [T, F: FnOnce() -> T] std::sync::LazyLock<T, F>;
}
